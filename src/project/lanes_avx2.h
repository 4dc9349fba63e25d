// Eight lanes as two vectors of AVX2 with FMA, which the processor baseline has.
#ifndef THUDI_LANES_AVX2_H
#define THUDI_LANES_AVX2_H

#include "project/quad_avx.h"

#define LANES_KERNEL thudi_kernel_avx2
#define LANES_NAME "avx2"

typedef struct lanes
{
    __m256d low, high;
} lanes;

static inline int lanes_supported(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static inline lanes lanes_of(double value)
{
    return (lanes){_mm256_set1_pd(value), _mm256_set1_pd(value)};
}

static inline lanes lanes_load(const double *from)
{
    return (lanes){_mm256_load_pd(from), _mm256_load_pd(from + 4)};
}

static inline lanes lanes_load_float(const float *from)
{
    return (lanes){_mm256_cvtps_pd(_mm_load_ps(from)), _mm256_cvtps_pd(_mm_load_ps(from + 4))};
}

static inline lanes lanes_invert_float(const float *from)
{
    __m256 inverse = _mm256_div_ps(_mm256_set1_ps(1), _mm256_load_ps(from));
    return (lanes){_mm256_cvtps_pd(_mm256_castps256_ps128(inverse)),
                   _mm256_cvtps_pd(_mm256_extractf128_ps(inverse, 1))};
}

static inline void lanes_store(double *to, lanes a)
{
    _mm256_store_pd(to, a.low);
    _mm256_store_pd(to + 4, a.high);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return (lanes){_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)};
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return (lanes){_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)};
}

static inline lanes lanes_fma(lanes a, lanes b, lanes c)
{
    return (lanes){_mm256_fmadd_pd(a.low, b.low, c.low), _mm256_fmadd_pd(a.high, b.high, c.high)};
}

static inline lanes lanes_fnma(lanes a, lanes b, lanes c)
{
    return (lanes){_mm256_fnmadd_pd(a.low, b.low, c.low), _mm256_fnmadd_pd(a.high, b.high, c.high)};
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return (lanes){_mm256_max_pd(a.low, b.low), _mm256_max_pd(a.high, b.high)};
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return (lanes){_mm256_min_pd(a.low, b.low), _mm256_min_pd(a.high, b.high)};
}

static inline lanes lanes_abs(lanes a)
{
    __m256d sign = _mm256_set1_pd(-0.0);
    return (lanes){_mm256_andnot_pd(sign, a.low), _mm256_andnot_pd(sign, a.high)};
}

// Numbers 0, 1 of two bodies side by side; the halves come from memory, which spares shuffles.
static inline __m256d two_halves(const double *first, const double *second)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(first)), _mm_load_pd(second), 1);
}

// Four bodies, four numbers each, transposed into four vectors.
static inline void gather_quads(const double *velocity, const int *body, __m256d part[4])
{
    const double *p0 = velocity + 4 * (long)body[0], *p1 = velocity + 4 * (long)body[1];
    const double *p2 = velocity + 4 * (long)body[2], *p3 = velocity + 4 * (long)body[3];
    __m256d xy02 = two_halves(p0, p2), xy13 = two_halves(p1, p3);
    __m256d zm02 = two_halves(p0 + 2, p2 + 2), zm13 = two_halves(p1 + 2, p3 + 2);
    part[0] = _mm256_unpacklo_pd(xy02, xy13);
    part[1] = _mm256_unpackhi_pd(xy02, xy13);
    part[2] = _mm256_unpacklo_pd(zm02, zm13);
    part[3] = _mm256_unpackhi_pd(zm02, zm13);
}

static inline void scatter_quads(double *velocity, const int *body, const __m256d part[4])
{
    __m256d xy02 = _mm256_unpacklo_pd(part[0], part[1]);
    __m256d xy13 = _mm256_unpackhi_pd(part[0], part[1]);
    __m256d zm02 = _mm256_unpacklo_pd(part[2], part[3]);
    __m256d zm13 = _mm256_unpackhi_pd(part[2], part[3]);
    _mm256_store_pd(velocity + 4 * (long)body[0], _mm256_permute2f128_pd(xy02, zm02, 0x20));
    _mm256_store_pd(velocity + 4 * (long)body[1], _mm256_permute2f128_pd(xy13, zm13, 0x20));
    _mm256_store_pd(velocity + 4 * (long)body[2], _mm256_permute2f128_pd(xy02, zm02, 0x31));
    _mm256_store_pd(velocity + 4 * (long)body[3], _mm256_permute2f128_pd(xy13, zm13, 0x31));
}

static inline void lanes_gather(const double *velocity, const int *body, lanes part[4])
{
    __m256d low[4], high[4];
    gather_quads(velocity, body, low);
    gather_quads(velocity, body + 4, high);
    for (int c = 0; c < 4; c++)
        part[c] = (lanes){low[c], high[c]};
}

static inline void lanes_scatter(double *velocity, const int *body, const lanes part[4])
{
    scatter_quads(velocity, body, (__m256d[4]){part[0].low, part[1].low, part[2].low, part[3].low});
    scatter_quads(velocity, body + 4,
                  (__m256d[4]){part[0].high, part[1].high, part[2].high, part[3].high});
}

#endif
