// Eight lanes in plain C: the meaning of the operations that the other kernels spell with
// intrinsics.
#ifndef THUDI_LANES_PLAIN_H
#define THUDI_LANES_PLAIN_H

#include "project/kernels/eight_plain.h"

#include <math.h>
#include <string.h>

#define LANES_KERNEL thudi_kernel_plain
#define LANES_NAME "plain"

enum
{
    LANES = 8
};

typedef struct lanes
{
    double at[LANES];
} lanes;

typedef struct quad
{
    double at[4];
} quad;

#define LANES_EACH(expression)                                                                     \
    lanes result;                                                                                  \
    for (int k = 0; k < LANES; k++)                                                                \
        result.at[k] = (expression);                                                               \
    return result

static inline int lanes_supported(void)
{
    return 1;
}

static inline lanes lanes_of(double value)
{
    LANES_EACH(value);
}

static inline lanes lanes_load(const double *from)
{
    LANES_EACH(from[k]);
}

static inline lanes lanes_load_float(const float *from)
{
    LANES_EACH((double)from[k]);
}

static inline void lanes_store(double *to, lanes a)
{
    memcpy(to, a.at, sizeof a.at);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    LANES_EACH(a.at[k] - b.at[k]);
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    LANES_EACH(a.at[k] * b.at[k]);
}

// a b + c, rounded once
static inline lanes lanes_fma(lanes a, lanes b, lanes c)
{
    LANES_EACH(fma(a.at[k], b.at[k], c.at[k]));
}

// c - a b, rounded once
static inline lanes lanes_fnma(lanes a, lanes b, lanes c)
{
    LANES_EACH(fma(-a.at[k], b.at[k], c.at[k]));
}

// The larger; b when they are equal or one is no number.
static inline lanes lanes_max(lanes a, lanes b)
{
    LANES_EACH(a.at[k] > b.at[k] ? a.at[k] : b.at[k]);
}

// The smaller; b when they are equal or one is no number.
static inline lanes lanes_min(lanes a, lanes b)
{
    LANES_EACH(a.at[k] < b.at[k] ? a.at[k] : b.at[k]);
}

static inline lanes lanes_abs(lanes a)
{
    LANES_EACH(fabs(a.at[k]));
}

// Lane k of part c is velocity[body[k] + c].
static inline void lanes_gather(const double *velocity, const int *body, lanes part[4])
{
    for (int k = 0; k < LANES; k++)
        for (int c = 0; c < 4; c++)
            part[c].at[k] = velocity[body[k] + c];
}

static inline void lanes_scatter(double *velocity, const int *body, const lanes part[4])
{
    for (int k = 0; k < LANES; k++)
        for (int c = 0; c < 4; c++)
            velocity[body[k] + c] = part[c].at[k];
}

static inline quad quad_of(double value)
{
    return (quad){{value, value, value, value}};
}

static inline quad quad_load(const double *from)
{
    return (quad){{from[0], from[1], from[2], from[3]}};
}

static inline void quad_store(double *to, quad a)
{
    memcpy(to, a.at, sizeof a.at);
}

static inline quad quad_load_float(const float *from)
{
    return (quad){{(double)from[0], (double)from[1], (double)from[2], (double)from[3]}};
}

static inline void quad_store_float(float *to, quad a)
{
    for (int k = 0; k < 4; k++)
        to[k] = (float)a.at[k];
}

static inline quad quad_sub(quad a, quad b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] -= b.at[k];
    return a;
}

static inline quad quad_mul(quad a, quad b)
{
    for (int k = 0; k < 4; k++)
        a.at[k] *= b.at[k];
    return a;
}

static inline quad quad_fma(quad a, quad b, quad c)
{
    for (int k = 0; k < 4; k++)
        c.at[k] = fma(a.at[k], b.at[k], c.at[k]);
    return c;
}

#endif
