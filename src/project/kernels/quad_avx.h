// Four numbers of a body as one vector of AVX, for both kernels that have it.
#ifndef THUDI_QUAD_AVX_H
#define THUDI_QUAD_AVX_H

#include <immintrin.h>

typedef __m256d quad;

static inline quad quad_of(double value)
{
    return _mm256_set1_pd(value);
}

static inline quad quad_load(const double *from)
{
    return _mm256_load_pd(from);
}

static inline void quad_store(double *to, quad a)
{
    _mm256_store_pd(to, a);
}

static inline quad quad_load_float(const float *from)
{
    return _mm256_cvtps_pd(_mm_load_ps(from));
}

static inline void quad_store_float(float *to, quad a)
{
    _mm_store_ps(to, _mm256_cvtpd_ps(a));
}

static inline quad quad_sub(quad a, quad b)
{
    return _mm256_sub_pd(a, b);
}

static inline quad quad_mul(quad a, quad b)
{
    return _mm256_mul_pd(a, b);
}

static inline quad quad_fma(quad a, quad b, quad c)
{
    return _mm256_fmadd_pd(a, b, c);
}

#endif
