// Four numbers at once, the same bits as one by one.
#ifndef THUDI_FOUR_H
#define THUDI_FOUR_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

typedef double thudi_four __attribute__((vector_size(32)));
typedef int64_t thudi_four_flags __attribute__((vector_size(32)));

static inline thudi_four thudi_four_load(const double *from)
{
    thudi_four value;
    memcpy(&value, from, sizeof value);
    return value;
}

static inline void thudi_four_store(double *to, thudi_four value)
{
    memcpy(to, &value, sizeof value);
}

static inline thudi_four thudi_four_of(double value)
{
    return (thudi_four){value, value, value, value};
}

static inline thudi_four thudi_four_sqrt(thudi_four value)
{
#ifdef __AVX2__
    return (thudi_four)_mm256_sqrt_pd((__m256d)value);
#else
    return (thudi_four){sqrt(value[0]), sqrt(value[1]), sqrt(value[2]), sqrt(value[3])};
#endif
}

// The smaller of each two, the second where they cannot be compared.
static inline thudi_four thudi_four_least(thudi_four a, thudi_four b)
{
#ifdef __AVX2__
    return (thudi_four)_mm256_min_pd((__m256d)a, (__m256d)b);
#else
    for (int k = 0; k < 4; k++)
        b[k] = a[k] < b[k] ? a[k] : b[k];
    return b;
#endif
}

// The larger of each two, likewise.
static inline thudi_four thudi_four_most(thudi_four a, thudi_four b)
{
#ifdef __AVX2__
    return (thudi_four)_mm256_max_pd((__m256d)a, (__m256d)b);
#else
    for (int k = 0; k < 4; k++)
        b[k] = a[k] > b[k] ? a[k] : b[k];
    return b;
#endif
}

// The largest of four.
static inline double thudi_four_largest(thudi_four value)
{
    double low = value[0] > value[1] ? value[0] : value[1];
    double high = value[2] > value[3] ? value[2] : value[3];
    return low > high ? low : high;
}

// The numbers that have a flag, 0 for others.
static inline thudi_four thudi_four_where(thudi_four_flags flags, thudi_four value)
{
    return (thudi_four)(flags & (thudi_four_flags)value);
}

// One bit for each flag.
static inline unsigned thudi_four_bits(thudi_four_flags flags)
{
#ifdef __AVX2__
    return (unsigned)_mm256_movemask_pd((__m256d)flags);
#else
    return (unsigned)((flags[0] & 1) | (flags[1] & 2) | (flags[2] & 4) | (flags[3] & 8));
#endif
}

// Rows to columns.
static inline void thudi_four_transpose(thudi_four m[4])
{
    thudi_four a = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6);
    thudi_four b = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
    thudi_four c = __builtin_shufflevector(m[2], m[3], 0, 4, 2, 6);
    thudi_four d = __builtin_shufflevector(m[2], m[3], 1, 5, 3, 7);
    m[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    m[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    m[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    m[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Write the four things of 8 bytes at `from` with a bit in `bits` to `to`, and anything behind
// them: four in all. They may overlap. How many have one.
static inline int thudi_four_pack(void *to, const void *from, unsigned bits)
{
#ifdef __AVX2__
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
#else
    uint64_t items[4], packed[4];
    memcpy(items, from, sizeof items);
    memcpy(packed, items, sizeof packed);
    for (int k = 0, n = 0; k < 4; k++)
    {
        packed[n] = items[k];
        n += (int)(bits >> k & 1);
    }
    memcpy(to, packed, sizeof packed);
#endif
    return __builtin_popcount(bits & 15);
}

#endif
