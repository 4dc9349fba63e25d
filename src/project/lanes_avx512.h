// Eight lanes as one vector of AVX-512.
#ifndef THUDI_LANES_AVX512_H
#define THUDI_LANES_AVX512_H

#include "project/eight_avx.h"
#include "project/quad_avx.h"

#define LANES_KERNEL thudi_kernel_avx512
#define LANES_NAME "avx512"

typedef __m512d lanes;

enum
{
    LANES = 8
};

static inline int lanes_supported(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma");
}

static inline lanes lanes_of(double value)
{
    return _mm512_set1_pd(value);
}

static inline lanes lanes_load(const double *from)
{
    return _mm512_loadu_pd(from);
}

static inline lanes lanes_load_float(const float *from)
{
    return _mm512_cvtps_pd(_mm256_load_ps(from));
}

static inline void lanes_store(double *to, lanes a)
{
    _mm512_storeu_pd(to, a);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return _mm512_sub_pd(a, b);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return _mm512_mul_pd(a, b);
}

static inline lanes lanes_fma(lanes a, lanes b, lanes c)
{
    return _mm512_fmadd_pd(a, b, c);
}

static inline lanes lanes_fnma(lanes a, lanes b, lanes c)
{
    return _mm512_fnmadd_pd(a, b, c);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return _mm512_max_pd(a, b);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return _mm512_min_pd(a, b);
}

static inline lanes lanes_abs(lanes a)
{
    return _mm512_abs_pd(a);
}

// Bodies k and k + 4 side by side, for k = 0 .. 3.
static inline __m512d two_bodies(const double *velocity, const int *body, int k)
{
    __m512d low = _mm512_castpd256_pd512(_mm256_load_pd(velocity + body[k]));
    return _mm512_insertf64x4(low, _mm256_load_pd(velocity + body[k + 4]), 1);
}

// The lower, or the upper, 128 bits of each half of a and b.
static inline __m512d lower_quarters(__m512d a, __m512d b)
{
    return _mm512_permutex2var_pd(a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), b);
}

static inline __m512d upper_quarters(__m512d a, __m512d b)
{
    return _mm512_permutex2var_pd(a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), b);
}

static inline void lanes_gather(const double *velocity, const int *body, lanes part[4])
{
    __m512d r0 = two_bodies(velocity, body, 0), r1 = two_bodies(velocity, body, 1);
    __m512d r2 = two_bodies(velocity, body, 2), r3 = two_bodies(velocity, body, 3);
    __m512d xz01 = _mm512_unpacklo_pd(r0, r1), ym01 = _mm512_unpackhi_pd(r0, r1);
    __m512d xz23 = _mm512_unpacklo_pd(r2, r3), ym23 = _mm512_unpackhi_pd(r2, r3);
    part[0] = lower_quarters(xz01, xz23);
    part[1] = lower_quarters(ym01, ym23);
    part[2] = upper_quarters(xz01, xz23);
    part[3] = upper_quarters(ym01, ym23);
}

static inline void store_two(double *velocity, const int *body, int k, __m512d both)
{
    _mm256_store_pd(velocity + body[k], _mm512_castpd512_pd256(both));
    _mm256_store_pd(velocity + body[k + 4], _mm512_extractf64x4_pd(both, 1));
}

static inline void lanes_scatter(double *velocity, const int *body, const lanes part[4])
{
    __m512d xy02 = _mm512_unpacklo_pd(part[0], part[1]);
    __m512d xy13 = _mm512_unpackhi_pd(part[0], part[1]);
    __m512d zm02 = _mm512_unpacklo_pd(part[2], part[3]);
    __m512d zm13 = _mm512_unpackhi_pd(part[2], part[3]);
    store_two(velocity, body, 0, lower_quarters(xy02, zm02));
    store_two(velocity, body, 1, lower_quarters(xy13, zm13));
    store_two(velocity, body, 2, upper_quarters(xy02, zm02));
    store_two(velocity, body, 3, upper_quarters(xy13, zm13));
}

#endif
