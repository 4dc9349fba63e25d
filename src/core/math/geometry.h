// Vectors of three numbers, pi and the golden section.
#ifndef THUDI_GEOMETRY_H
#define THUDI_GEOMETRY_H

#include <math.h>

static const double THUDI_PI = 3.14159265358979323846;

// The parts of its multiples beyond whole numbers fill [0, 1) evenly and meet no period: good times
// to look at what a scene does over a run.
static const double THUDI_GOLDEN = 0.6180339887498949;

static inline double thudi_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void thudi_subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

// out = a + s b
static inline void thudi_along(const double a[3], double s, const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + s * b[k];
}

// out may be a or b.
static inline void thudi_cross(const double a[3], const double b[3], double out[3])
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
}

// |v| of a vector whose square is in range; thudi_vector_length takes any.
static inline double thudi_norm(const double v[3])
{
    return sqrt(thudi_dot(v, v));
}

#endif
