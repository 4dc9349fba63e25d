// Four numbers side by side, as a vector of the compiler: in every lane the operations and the bits
// are those of a single number, on every processor. Where a vector of the processor is shorter, the
// compiler uses several.
#ifndef THUDI_FOUR_H
#define THUDI_FOUR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined __AVX2__ && defined __FMA__
#include <immintrin.h>
#endif

typedef double four __attribute__((vector_size(32))); // + - * / and comparisons work lane by lane

// The same in memory that need not be aligned to 32 bytes.
typedef double four_anywhere __attribute__((vector_size(32), aligned(8), may_alias));

// What comparisons give: all bits of a lane, or none.
typedef int64_t four_flags __attribute__((vector_size(32)));

// Doubled precision, as thudi_dd of core/math/exact.h.
typedef struct four_dd
{
    four hi, lo;
} four_dd;

static inline four four_of(double x)
{
    return (four){x, x, x, x};
}

static inline four four_load(const double *from)
{
    return *(const four_anywhere *)from;
}

static inline void four_store(double *to, four a)
{
    *(four_anywhere *)to = a;
}

static inline four four_abs(four a)
{
    return (four)((four_flags)a & INT64_MAX);
}

// The numbers that have a flag, 0 for others.
static inline four four_only(four_flags flags, four a)
{
    return (four)(flags & (four_flags)a);
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

// What takes the compiler several instructions and AVX2 one, in both ways.
#if defined __AVX2__ && defined __FMA__
// a b + c, rounded once
static inline four four_fma(four a, four b, four c)
{
    return _mm256_fmadd_pd(a, b, c);
}

static inline four four_sqrt(four a)
{
    return _mm256_sqrt_pd(a);
}

// The first `count` numbers of `from`, and 0: nothing beyond them is read.
static inline four four_load_first(const double *from, int count)
{
    return (four)_mm256_maskload_pd(
        from, _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3)));
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

// a > b ? a : b in every lane: b where a is no number.
static inline four four_larger(four a, four b)
{
    return _mm256_max_pd(a, b);
}

static inline four four_smaller(four a, four b)
{
    return _mm256_min_pd(a, b);
}

// One bit per flag.
static inline unsigned four_bits(four_flags flags)
{
    return (unsigned)_mm256_movemask_pd((__m256d)flags);
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
#else
// The compiler compares vectors that are longer than the processor's number by number. So each half
// is compared alone.
typedef double four_half __attribute__((vector_size(16)));
typedef int64_t four_half_flags __attribute__((vector_size(16)));

static inline four_half four_low(four a)
{
    return __builtin_shufflevector(a, a, 0, 1);
}

static inline four_half four_high(four a)
{
    return __builtin_shufflevector(a, a, 2, 3);
}

static inline four four_join(four_half low, four_half high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3);
}

static inline four_half four_half_abs(four_half a)
{
    return (four_half)((four_half_flags)a & INT64_MAX);
}

static inline four_half four_half_where(four_half_flags flags, four_half a, four_half b)
{
    return (four_half)((flags & (four_half_flags)a) | (~flags & (four_half_flags)b));
}

// a rounded to odd: its last bit is 1 where e, what a lacks, is not 0. An e of NAN is none.
static inline four_half four_half_to_odd(four_half a, four_half e)
{
    four_half_flags bits = (four_half_flags)a, up = e > 0, down = e < 0, same = ~(up ^ (a > 0));
    four_half_flags even = (bits & 1) - 1;
    return (four_half)(bits + ((up | down) & even & ((same & 2) - 1)));
}

#include "core/math/four_fused.h"

static inline four four_fma(four a, four b, four c)
{
    return four_join(four_half_fma(four_low(a), four_low(b), four_low(c)),
                     four_half_fma(four_high(a), four_high(b), four_high(c)));
}

static inline four four_sqrt(four a)
{
    return (four){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
}

static inline four four_load_first(const double *from, int count)
{
    return (four){count > 0 ? from[0] : 0, count > 1 ? from[1] : 0, count > 2 ? from[2] : 0,
                  count > 3 ? from[3] : 0};
}

static inline four_flags four_is_no_number(four a)
{
    return ~((a < 0) | (a >= 0));
}

static inline four four_where(four_flags flags, four a, four b)
{
    return (four)((flags & (four_flags)a) | (~flags & (four_flags)b));
}

static inline four four_larger(four a, four b)
{
    four_half al = four_low(a), ah = four_high(a), bl = four_low(b), bh = four_high(b);
    return four_join(four_half_where(al > bl, al, bl), four_half_where(ah > bh, ah, bh));
}

static inline four four_smaller(four a, four b)
{
    four_half al = four_low(a), ah = four_high(a), bl = four_low(b), bh = four_high(b);
    return four_join(four_half_where(al < bl, al, bl), four_half_where(ah < bh, ah, bh));
}

static inline unsigned four_bits(four_flags flags)
{
    return (unsigned)((flags[0] & 1) | (flags[1] & 2) | (flags[2] & 4) | (flags[3] & 8));
}

static inline int four_pack(void *to, const void *from, unsigned bits)
{
    uint64_t value[4], packed[4] = {0};
    int count = 0;
    memcpy(value, from, sizeof value);
    for (int k = 0; k < 4; k++)
    {
        packed[count] = value[k];
        count += (int)(bits >> k & 1);
    }
    memcpy(to, packed, sizeof packed);
    return count;
}
#endif

// Is there a flag in all lanes?
static inline bool four_all(four_flags flags)
{
    return four_bits(flags) == 15;
}

// Rows become columns.
static inline void four_transpose(four at[4])
{
    four a = __builtin_shufflevector(at[0], at[1], 0, 4, 2, 6);
    four b = __builtin_shufflevector(at[0], at[1], 1, 5, 3, 7);
    four c = __builtin_shufflevector(at[2], at[3], 0, 4, 2, 6);
    four d = __builtin_shufflevector(at[2], at[3], 1, 5, 3, 7);
    at[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    at[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    at[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    at[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
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
    return (four_dd){p, four_fma(a, b, -p)};
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
    four rest = four_fma(-quotient, b, a.hi) + a.lo;
    return four_fast_two_sum(quotient, rest / b);
}

#endif
