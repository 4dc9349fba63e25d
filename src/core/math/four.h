// Four numbers side by side, as one vector of the processor baseline: in every lane the operations
// and the bits are those of a single number.
#ifndef THUDI_FOUR_H
#define THUDI_FOUR_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef __m256d four; // + - * / and comparisons work on it lane by lane

// What comparisons give: all bits of a lane, or none.
typedef int64_t four_flags __attribute__((vector_size(32)));

// Doubled precision, as thudi_dd of core/exact.h.
typedef struct four_dd
{
    four hi, lo;
} four_dd;

static inline four four_of(double x)
{
    return _mm256_set1_pd(x);
}

static inline four four_load(const double *from)
{
    return _mm256_loadu_pd(from);
}

static inline void four_store(double *to, four a)
{
    _mm256_storeu_pd(to, a);
}

// The first `count` numbers of `from`, and 0: nothing beyond them is read.
static inline four four_load_first(const double *from, int count)
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

static inline four_flags four_is_no_number(four a)
{
    return (four_flags)_mm256_cmp_pd(a, a, _CMP_UNORD_Q);
}

// a where there is a flag, b elsewhere.
static inline four four_where(four_flags flags, four a, four b)
{
    return _mm256_blendv_pd(b, a, (four)flags);
}

// The numbers that have a flag, 0 for others.
static inline four four_only(four_flags flags, four a)
{
    return (four)(flags & (four_flags)a);
}

static inline four four_sqrt(four a)
{
    return _mm256_sqrt_pd(a);
}

// The largest of four.
static inline double four_largest(four a)
{
    double low = a[0] > a[1] ? a[0] : a[1], high = a[2] > a[3] ? a[2] : a[3];
    return low > high ? low : high;
}

static inline double four_sum(four a)
{
    return (a[0] + a[1]) + (a[2] + a[3]);
}

// One bit per flag.
static inline unsigned four_bits(four_flags flags)
{
    return (unsigned)_mm256_movemask_pd((four)flags);
}

// Is there a flag in all lanes?
static inline bool four_all(four_flags flags)
{
    return four_bits(flags) == 15;
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

// Write the four things of 8 bytes at `from` with a bit in `bits` to `to`, and anything behind
// them: four in all. They may overlap. How many have one.
static inline int four_pack(void *to, const void *from, unsigned bits)
{
    // by bits: the halves of those that have one, a half byte each, then of any
    static const uint32_t places[16] = {0x76543210, 0x76543210, 0x76541032, 0x76543210,
                                        0x76321054, 0x76325410, 0x76105432, 0x76543210,
                                        0x54321076, 0x54327610, 0x54107632, 0x54763210,
                                        0x32107654, 0x32765410, 0x10765432, 0x76543210};
    const __m256i shift = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    __m256i at = _mm256_srlv_epi32(_mm256_set1_epi32((int)places[bits & 15]), shift), value;
    memcpy(&value, from, sizeof value);
    value = _mm256_permutevar8x32_epi32(value, at); // the lowest three bits count
    memcpy(to, &value, sizeof value);
    return __builtin_popcount(bits & 15);
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
