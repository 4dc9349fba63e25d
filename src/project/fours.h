// Four numbers side by side, as one vector of the processor baseline: in every lane the operations
// and the bits are those of a single number.
#ifndef THUDI_FOURS_H
#define THUDI_FOURS_H

#include <immintrin.h>

typedef __m256d four; // + - * / work on it lane by lane

// Doubled precision, as thudi_dd of core/exact.h.
typedef struct four_dd
{
    four hi, lo;
} four_dd;

static inline four four_of(double x)
{
    return _mm256_set1_pd(x);
}

// The first `count` numbers of `from`, and 0: nothing beyond them is read.
static inline four four_load(const double *from, int count)
{
    return _mm256_maskload_pd(
        from, _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3)));
}

// a b + c, rounded once
static inline four four_fma(four a, four b, four c)
{
    return _mm256_fmadd_pd(a, b, c);
}

static inline four four_abs(four a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

// a > b ? a : b in every lane: b where a is no number.
static inline four four_larger(four a, four b)
{
    return _mm256_max_pd(a, b);
}

static inline four four_smaller(four a, four b)
{
    return _mm256_min_pd(a, b);
}

// Masks of lanes.
static inline four four_is_above(four a, four b)
{
    return _mm256_cmp_pd(a, b, _CMP_GT_OQ);
}

static inline four four_is_not_above(four a, four b) // a <= b: false where one is no number
{
    return _mm256_cmp_pd(a, b, _CMP_LE_OQ);
}

static inline four four_differs(four a, four b)
{
    return _mm256_cmp_pd(a, b, _CMP_NEQ_UQ);
}

static inline four four_and(four a, four b)
{
    return _mm256_and_pd(a, b);
}

static inline four four_or(four a, four b)
{
    return _mm256_or_pd(a, b);
}

static inline four four_where(four mask, four a, four b)
{
    return _mm256_blendv_pd(b, a, mask);
}

// One bit per lane.
static inline int four_lanes(four mask)
{
    return _mm256_movemask_pd(mask);
}

// Rows become columns.
static inline void four_transpose(four at[4])
{
    four a = _mm256_unpacklo_pd(at[0], at[1]), b = _mm256_unpackhi_pd(at[0], at[1]);
    four c = _mm256_unpacklo_pd(at[2], at[3]), d = _mm256_unpackhi_pd(at[2], at[3]);
    at[0] = _mm256_permute2f128_pd(a, c, 0x20);
    at[1] = _mm256_permute2f128_pd(b, d, 0x20);
    at[2] = _mm256_permute2f128_pd(a, c, 0x31);
    at[3] = _mm256_permute2f128_pd(b, d, 0x31);
}

static inline four_dd four_two_sum(four a, four b)
{
    four s = a + b, t = s - a;
    return (four_dd){s, (a - (s - t)) + (b - t)};
}

static inline four_dd four_fast_two_sum(four a, four b)
{
    four s = a + b;
    return (four_dd){s, b - (s - a)};
}

static inline four_dd four_two_product(four a, four b)
{
    four p = a * b;
    return (four_dd){p, _mm256_fmsub_pd(a, b, p)};
}

static inline four_dd four_dd_add(four_dd a, four_dd b)
{
    four_dd s = four_two_sum(a.hi, b.hi), t = four_two_sum(a.lo, b.lo);
    s = four_fast_two_sum(s.hi, s.lo + t.hi);
    return four_fast_two_sum(s.hi, s.lo + t.lo);
}

static inline four_dd four_dd_scale(four_dd a, four b)
{
    four_dd p = four_two_product(a.hi, b);
    return four_fast_two_sum(p.hi, four_fma(a.lo, b, p.lo));
}

static inline four_dd four_dd_divide(four_dd a, four b)
{
    four quotient = a.hi / b;
    four rest = _mm256_fnmadd_pd(quotient, b, a.hi) + a.lo;
    return four_fast_two_sum(quotient, rest / b);
}

#endif
