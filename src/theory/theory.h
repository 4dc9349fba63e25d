// What the files of the theory share.
#ifndef THUDI_THEORY_H
#define THUDI_THEORY_H

#include "core/mass.h"
#include "rows/rows.h"
#include "thud/hypotheses.h"

#include <math.h>

enum
{
    THUDI_DENSE_LIMIT = 64 // sides of the largest matrix looked at whole
};

// |slope| in the M^-1 norm.
double thudi_slope_norm(const thud_inclusion *problem, const thud_rows *rows, int i);

static inline void thudi_raise(thud_extreme *extreme, double value, thud_key key)
{
    if (value > extreme->value || isnan(value))
        *extreme = (thud_extreme){value, key};
}

// The least and largest eigenvalue of the symmetric matrix a[n * n], which is lost; n >= 1.
void thudi_symmetric_range(double *a, int n, double *least, double *largest);

// The largest singular value of a[n * n]; room: as many numbers.
double thudi_matrix_norm(const double *a, int n, double *room);

// Raise curvature and concavity of *bounds by the Hessians of `rows`, those of the site.
thud_status thudi_curvature_measure(const thud_inclusion *problem, const thud_site *site,
                                    const thud_rows *rows, thud_bounds *bounds);

#endif
