// Vectors of three numbers.
#ifndef THUDI_VEC_H
#define THUDI_VEC_H

#include <math.h>

// Places beyond this are not drawn: their squares and differences must be finite.
static const double THUDI_FARTHEST = 1e100;

typedef struct thudi_vec
{
    double x, y, z;
} thudi_vec;

static inline thudi_vec thudi_vec_of(const double x[3])
{
    return (thudi_vec){x[0], x[1], x[2]};
}

static inline thudi_vec thudi_vec_add(thudi_vec a, thudi_vec b)
{
    return (thudi_vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline thudi_vec thudi_vec_sub(thudi_vec a, thudi_vec b)
{
    return (thudi_vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline thudi_vec thudi_vec_scale(thudi_vec a, double s)
{
    return (thudi_vec){a.x * s, a.y * s, a.z * s};
}

// a + s b
static inline thudi_vec thudi_vec_along(thudi_vec a, thudi_vec b, double s)
{
    return (thudi_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double thudi_vec_dot(thudi_vec a, thudi_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline thudi_vec thudi_vec_cross(thudi_vec a, thudi_vec b)
{
    return (thudi_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double thudi_vec_length(thudi_vec a)
{
    return sqrt(thudi_vec_dot(a, a));
}

static inline thudi_vec thudi_vec_unit(thudi_vec a)
{
    return thudi_vec_scale(a, 1 / thudi_vec_length(a));
}

// 0 below low, 1 above high, smooth in between.
static inline double thudi_smooth_step(double low, double high, double x)
{
    double s = (x - low) / (high - low);
    s = s < 0 ? 0 : s;
    s = s > 1 ? 1 : s;
    return s * s * (3 - 2 * s);
}

#endif
