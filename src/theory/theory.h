// What the files of the theory share.
#ifndef THUDI_THEORY_H
#define THUDI_THEORY_H

#include "core/mass.h"
#include "rows/rows.h"
#include "thud/hypotheses.h"

#include <math.h>

enum
{
    THUDI_DENSE_LIMIT = 64 // rows of the largest matrix that is formed whole
};

// |slope| in the M^-1 norm.
double thudi_slope_norm(const thud_inclusion *problem, const thud_rows *rows, int i);

static inline void thudi_raise(thud_extreme *extreme, double value, thud_key key)
{
    if (value > extreme->value || isnan(value))
        *extreme = (thud_extreme){value, key};
}

// Find the least and the largest eigenvalue of the symmetric matrix a[n * n], n >= 1. Both are NAN
// if an entry is not finite. Overwrites a.
void thudi_symmetric_range(double *a, int n, double *least, double *largest);

// Returns the largest singular value of a[n * n]. room: scratch memory of n * n numbers.
double thudi_matrix_norm(const double *a, int n, double *room);

// Raise curvature and concavity of *bounds by the Hessians of `rows`, those of the site.
thud_status thudi_curvature_measure(const thud_inclusion *problem, const thud_site *site,
                                    const thud_rows *rows, thud_bounds *bounds);

#endif
