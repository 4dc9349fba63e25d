// Eight floats as a vector of the compiler, a whole small pack side by side.
#ifndef THUDI_EIGHT_VECTOR_H
#define THUDI_EIGHT_VECTOR_H

#include "core/math/four.h"

typedef float eight __attribute__((vector_size(32)));
typedef int32_t eight_flags __attribute__((vector_size(32)));

// The four floats of a body.
typedef float four_floats __attribute__((vector_size(16)));
typedef int32_t floats_flags __attribute__((vector_size(16)));

static inline four_floats eight_low(eight a)
{
    return __builtin_shufflevector(a, a, 0, 1, 2, 3);
}

static inline four_floats eight_high(eight a)
{
    return __builtin_shufflevector(a, a, 4, 5, 6, 7);
}

static inline eight eight_join(four_floats low, four_floats high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline eight eight_of(float value)
{
    return (eight){value, value, value, value, value, value, value, value};
}

static inline eight eight_load(const float *from)
{
    eight a;
    memcpy(&a, from, sizeof a);
    return a;
}

static inline void eight_store(float *to, eight a)
{
    memcpy(to, &a, sizeof a);
}

static inline eight eight_sub(eight a, eight b)
{
    return a - b;
}

static inline eight eight_mul(eight a, eight b)
{
    return a * b;
}

// a b + c, rounded once
static inline four_floats floats_fma(four_floats a, four_floats b, four_floats c)
{
#ifdef __aarch64__
    return (four_floats)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#elif defined __FMA__
    return (four_floats){fmaf(a[0], b[0], c[0]), fmaf(a[1], b[1], c[1]), fmaf(a[2], b[2], c[2]),
                         fmaf(a[3], b[3], c[3])};
#else
    // In doubles the product is exact. The sum is rounded to odd: rounding it once more, to a
    // float, is then as good as rounding once.
    four product = __builtin_convertvector(a, four) * __builtin_convertvector(b, four);
    four_dd sum = four_two_sum(product, __builtin_convertvector(c, four));
    four odd = four_join(four_half_to_odd(four_low(sum.hi), four_low(sum.lo)),
                         four_half_to_odd(four_high(sum.hi), four_high(sum.lo)));
    return __builtin_convertvector(odd, four_floats);
#endif
}

static inline eight eight_fma(eight a, eight b, eight c)
{
    return eight_join(floats_fma(eight_low(a), eight_low(b), eight_low(c)),
                      floats_fma(eight_high(a), eight_high(b), eight_high(c)));
}

// c - a b, rounded once
static inline eight eight_fnma(eight a, eight b, eight c)
{
    return eight_fma(-a, b, c);
}

static inline four_floats floats_max(four_floats a, four_floats b)
{
    floats_flags flags = a > b;
    return (four_floats)((flags & (floats_flags)a) | (~flags & (floats_flags)b));
}

// The larger; b when they are equal or one is no number.
static inline eight eight_max(eight a, eight b)
{
    return eight_join(floats_max(eight_low(a), eight_low(b)),
                      floats_max(eight_high(a), eight_high(b)));
}

static inline eight eight_abs(eight a)
{
    return (eight)((eight_flags)a & INT32_MAX);
}

// Rows become columns.
static inline void floats_transpose(four_floats at[4])
{
    four_floats a = __builtin_shufflevector(at[0], at[1], 0, 4, 1, 5);
    four_floats b = __builtin_shufflevector(at[0], at[1], 2, 6, 3, 7);
    four_floats c = __builtin_shufflevector(at[2], at[3], 0, 4, 1, 5);
    four_floats d = __builtin_shufflevector(at[2], at[3], 2, 6, 3, 7);
    at[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    at[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    at[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    at[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Lane k of part c is velocity[body[k] + c].
static inline void eight_gather(const float *velocity, const int *body, eight part[4])
{
    four_floats low[4], high[4];
    for (int k = 0; k < 4; k++)
    {
        memcpy(&low[k], velocity + body[k], sizeof low[k]);
        memcpy(&high[k], velocity + body[k + 4], sizeof high[k]);
    }
    floats_transpose(low);
    floats_transpose(high);
    for (int c = 0; c < 4; c++)
        part[c] = eight_join(low[c], high[c]);
}

static inline void eight_scatter(float *velocity, const int *body, const eight part[4])
{
    four_floats low[4], high[4];
    for (int c = 0; c < 4; c++)
    {
        low[c] = eight_low(part[c]);
        high[c] = eight_high(part[c]);
    }
    floats_transpose(low);
    floats_transpose(high);
    for (int k = 0; k < 4; k++)
        memcpy(velocity + body[k], &low[k], sizeof low[k]);
    for (int k = 0; k < 4; k++)
        memcpy(velocity + body[k + 4], &high[k], sizeof high[k]);
}

#endif
