// Four lanes as a vector of AVX2 with FMA.
#ifndef THUDI_LANES_AVX2_H
#define THUDI_LANES_AVX2_H

#include "project/kernels/eight_avx.h"
#include "project/kernels/quad_avx.h"

#define LANES_KERNEL thudi_kernel_avx2
#define LANES_NAME "avx2"

typedef __m256d lanes;

enum
{
    LANES = 4
};

static inline int lanes_supported(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static inline lanes lanes_of(double value)
{
    return _mm256_set1_pd(value);
}

static inline lanes lanes_load(const double *from)
{
    return _mm256_load_pd(from);
}

static inline lanes lanes_load_float(const float *from)
{
    return _mm256_cvtps_pd(_mm_load_ps(from));
}

static inline void lanes_store(double *to, lanes a)
{
    _mm256_store_pd(to, a);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return _mm256_sub_pd(a, b);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return _mm256_mul_pd(a, b);
}

static inline lanes lanes_fma(lanes a, lanes b, lanes c)
{
    return _mm256_fmadd_pd(a, b, c);
}

static inline lanes lanes_fnma(lanes a, lanes b, lanes c)
{
    return _mm256_fnmadd_pd(a, b, c);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return _mm256_max_pd(a, b);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return _mm256_min_pd(a, b);
}

static inline lanes lanes_abs(lanes a)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}

// Numbers 0, 1 of two bodies side by side; the halves come from memory, which spares shuffles.
static inline __m256d two_halves(const double *first, const double *second)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(first)), _mm_load_pd(second), 1);
}

// Four bodies, four numbers each, transposed into four vectors.
static inline void lanes_gather(const double *velocity, const int *body, lanes part[4])
{
    const double *p0 = velocity + body[0], *p1 = velocity + body[1];
    const double *p2 = velocity + body[2], *p3 = velocity + body[3];
    __m256d xy02 = two_halves(p0, p2), xy13 = two_halves(p1, p3);
    __m256d zm02 = two_halves(p0 + 2, p2 + 2), zm13 = two_halves(p1 + 2, p3 + 2);
    part[0] = _mm256_unpacklo_pd(xy02, xy13);
    part[1] = _mm256_unpackhi_pd(xy02, xy13);
    part[2] = _mm256_unpacklo_pd(zm02, zm13);
    part[3] = _mm256_unpackhi_pd(zm02, zm13);
}

static inline void lanes_scatter(double *velocity, const int *body, const lanes part[4])
{
    __m256d xy02 = _mm256_unpacklo_pd(part[0], part[1]);
    __m256d xy13 = _mm256_unpackhi_pd(part[0], part[1]);
    __m256d zm02 = _mm256_unpacklo_pd(part[2], part[3]);
    __m256d zm13 = _mm256_unpackhi_pd(part[2], part[3]);
    _mm256_store_pd(velocity + body[0], _mm256_permute2f128_pd(xy02, zm02, 0x20));
    _mm256_store_pd(velocity + body[1], _mm256_permute2f128_pd(xy13, zm13, 0x20));
    _mm256_store_pd(velocity + body[2], _mm256_permute2f128_pd(xy02, zm02, 0x31));
    _mm256_store_pd(velocity + body[3], _mm256_permute2f128_pd(xy13, zm13, 0x31));
}

#endif
