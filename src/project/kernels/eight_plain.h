// Eight floats in plain C: the meaning of the operations that eight_avx.h spells with intrinsics.
#ifndef THUDI_EIGHT_PLAIN_H
#define THUDI_EIGHT_PLAIN_H

#include <math.h>
#include <string.h>

typedef struct eight
{
    float at[8];
} eight;

#define EIGHT_EACH(expression)                                                                     \
    eight result;                                                                                  \
    for (int k = 0; k < 8; k++)                                                                    \
        result.at[k] = (expression);                                                               \
    return result

static inline eight eight_of(float value)
{
    EIGHT_EACH(value);
}

static inline eight eight_load(const float *from)
{
    EIGHT_EACH(from[k]);
}

static inline void eight_store(float *to, eight a)
{
    memcpy(to, a.at, sizeof a.at);
}

static inline eight eight_sub(eight a, eight b)
{
    EIGHT_EACH(a.at[k] - b.at[k]);
}

static inline eight eight_mul(eight a, eight b)
{
    EIGHT_EACH(a.at[k] * b.at[k]);
}

// a b + c, rounded once
static inline eight eight_fma(eight a, eight b, eight c)
{
    EIGHT_EACH(fmaf(a.at[k], b.at[k], c.at[k]));
}

// c - a b, rounded once
static inline eight eight_fnma(eight a, eight b, eight c)
{
    EIGHT_EACH(fmaf(-a.at[k], b.at[k], c.at[k]));
}

// The larger; b when they are equal or one is no number.
static inline eight eight_max(eight a, eight b)
{
    EIGHT_EACH(a.at[k] > b.at[k] ? a.at[k] : b.at[k]);
}

static inline eight eight_abs(eight a)
{
    EIGHT_EACH(fabsf(a.at[k]));
}

// Lane k of part c is velocity[body[k] + c].
static inline void eight_gather(const float *velocity, const int *body, eight part[4])
{
    for (int k = 0; k < 8; k++)
        for (int c = 0; c < 4; c++)
            part[c].at[k] = velocity[body[k] + c];
}

static inline void eight_scatter(float *velocity, const int *body, const eight part[4])
{
    for (int k = 0; k < 8; k++)
        for (int c = 0; c < 4; c++)
            velocity[body[k] + c] = part[c].at[k];
}

#endif
