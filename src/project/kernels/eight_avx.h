// Eight floats as one vector of AVX, a whole small pack side by side, for both kernels that have
// it.
#ifndef THUDI_EIGHT_AVX_H
#define THUDI_EIGHT_AVX_H

#include <immintrin.h>

typedef __m256 eight;

static inline eight eight_of(float value)
{
    return _mm256_set1_ps(value);
}

static inline eight eight_load(const float *from)
{
    return _mm256_load_ps(from);
}

static inline void eight_store(float *to, eight a)
{
    _mm256_store_ps(to, a);
}

static inline eight eight_sub(eight a, eight b)
{
    return _mm256_sub_ps(a, b);
}

static inline eight eight_mul(eight a, eight b)
{
    return _mm256_mul_ps(a, b);
}

static inline eight eight_fma(eight a, eight b, eight c)
{
    return _mm256_fmadd_ps(a, b, c);
}

static inline eight eight_fnma(eight a, eight b, eight c)
{
    return _mm256_fnmadd_ps(a, b, c);
}

static inline eight eight_max(eight a, eight b)
{
    return _mm256_max_ps(a, b);
}

static inline eight eight_abs(eight a)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), a);
}

// Bodies k and k + 4 side by side; the halves come from memory, which spares shuffles.
static inline eight eight_bodies(const float *velocity, const int *body, int k)
{
    __m256 low = _mm256_castps128_ps256(_mm_load_ps(velocity + body[k]));
    return _mm256_insertf128_ps(low, _mm_load_ps(velocity + body[k + 4]), 1);
}

// The four numbers of eight bodies, transposed into four vectors.
static inline void eight_gather(const float *velocity, const int *body, eight part[4])
{
    eight r0 = eight_bodies(velocity, body, 0), r1 = eight_bodies(velocity, body, 1);
    eight r2 = eight_bodies(velocity, body, 2), r3 = eight_bodies(velocity, body, 3);
    __m256d xy01 = _mm256_castps_pd(_mm256_unpacklo_ps(r0, r1));
    __m256d xy23 = _mm256_castps_pd(_mm256_unpacklo_ps(r2, r3));
    __m256d zm01 = _mm256_castps_pd(_mm256_unpackhi_ps(r0, r1));
    __m256d zm23 = _mm256_castps_pd(_mm256_unpackhi_ps(r2, r3));
    part[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(xy01, xy23));
    part[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(xy01, xy23));
    part[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(zm01, zm23));
    part[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(zm01, zm23));
}

static inline void eight_put(float *velocity, const int *body, int k, __m256d both)
{
    _mm_store_ps(velocity + body[k], _mm_castpd_ps(_mm256_castpd256_pd128(both)));
    _mm_store_ps(velocity + body[k + 4], _mm_castpd_ps(_mm256_extractf128_pd(both, 1)));
}

static inline void eight_scatter(float *velocity, const int *body, const eight part[4])
{
    __m256d xy01 = _mm256_castps_pd(_mm256_unpacklo_ps(part[0], part[1]));
    __m256d xy23 = _mm256_castps_pd(_mm256_unpackhi_ps(part[0], part[1]));
    __m256d zm01 = _mm256_castps_pd(_mm256_unpacklo_ps(part[2], part[3]));
    __m256d zm23 = _mm256_castps_pd(_mm256_unpackhi_ps(part[2], part[3]));
    eight_put(velocity, body, 0, _mm256_unpacklo_pd(xy01, zm01));
    eight_put(velocity, body, 1, _mm256_unpackhi_pd(xy01, zm01));
    eight_put(velocity, body, 2, _mm256_unpacklo_pd(xy23, zm23));
    eight_put(velocity, body, 3, _mm256_unpackhi_pd(xy23, zm23));
}

#endif
