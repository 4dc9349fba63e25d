// Four lanes as a vector of the compiler: for every processor, in its own vectors, which may be
// shorter. Only a b + c is spelled with intrinsics, where the processor has it: four.h.
#ifndef THUDI_LANES_VECTOR_H
#define THUDI_LANES_VECTOR_H

#include "project/kernels/eight_vector.h"

#define LANES_KERNEL thudi_kernel_vector
#define LANES_NAME "vector"

typedef four lanes, quad;

enum
{
    LANES = 4
};

static inline int lanes_supported(void)
{
    return 1;
}

static inline lanes lanes_of(double value)
{
    return four_of(value);
}

static inline lanes lanes_load(const double *from)
{
    return four_load(from);
}

static inline lanes lanes_load_float(const float *from)
{
    four_floats a;
    memcpy(&a, from, sizeof a);
    return __builtin_convertvector(a, four);
}

static inline void lanes_store(double *to, lanes a)
{
    four_store(to, a);
}

static inline lanes lanes_sub(lanes a, lanes b)
{
    return a - b;
}

static inline lanes lanes_mul(lanes a, lanes b)
{
    return a * b;
}

static inline lanes lanes_fma(lanes a, lanes b, lanes c)
{
    return four_fma(a, b, c);
}

// c - a b, rounded once
static inline lanes lanes_fnma(lanes a, lanes b, lanes c)
{
    return four_fma(-a, b, c);
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return four_larger(a, b);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return four_smaller(a, b);
}

static inline lanes lanes_abs(lanes a)
{
    return four_abs(a);
}

// Lane k of part c is velocity[body[k] + c].
static inline void lanes_gather(const double *velocity, const int *body, lanes part[4])
{
    for (int k = 0; k < 4; k++)
        part[k] = four_load(velocity + body[k]);
    four_transpose(part);
}

static inline void lanes_scatter(double *velocity, const int *body, const lanes part[4])
{
    four at[4] = {part[0], part[1], part[2], part[3]};
    four_transpose(at);
    for (int k = 0; k < 4; k++)
        four_store(velocity + body[k], at[k]);
}

static inline quad quad_of(double value)
{
    return four_of(value);
}

static inline quad quad_load(const double *from)
{
    return four_load(from);
}

static inline void quad_store(double *to, quad a)
{
    four_store(to, a);
}

static inline quad quad_load_float(const float *from)
{
    return lanes_load_float(from);
}

static inline void quad_store_float(float *to, quad a)
{
    four_floats floats = __builtin_convertvector(a, four_floats);
    memcpy(to, &floats, sizeof floats);
}

static inline quad quad_sub(quad a, quad b)
{
    return a - b;
}

static inline quad quad_mul(quad a, quad b)
{
    return a * b;
}

static inline quad quad_fma(quad a, quad b, quad c)
{
    return four_fma(a, b, c);
}

#endif
