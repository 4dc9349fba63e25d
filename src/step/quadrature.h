// The mean of f(s, q) over a step, q frozen, for f that may jump or be singular in time.
#ifndef THUDI_QUADRATURE_H
#define THUDI_QUADRATURE_H

#include "core/stop.h"
#include "thud/inclusion.h"

// What to integrate and how well; the last fields are written.
typedef struct thudi_quadrature
{
    const thud_inclusion *problem;
    const double *q;  // frozen position
    double tolerance; // relative to the integral of |f|
    int limit;        // evaluations allowed
    double *scratch;  // 5 * dim numbers
    thudi_stop *stop; // looked at before every evaluation; NULL for none
    int evaluations;  // out
    double error;     // out: estimate, relative to the integral of |f|
    int lost;         // out: the kink with too many zeros to find them all, or -1
    int bad;          // out: a component of f that is not finite, or -1
    double bad_time;  // out: when
    double bad_value; // out: nan or inf
} thudi_quadrature;

// Write the mean of f(s, q) over s in [start, end] into mean[0 .. dim).
// THUD_ERR_CALLBACK, THUD_ERR_NOT_FINITE, or THUD_ERR_QUADRATURE when tolerance or limit is missed.
thud_status thudi_quadrature_mean(thudi_quadrature *rule, double start, double end, double *mean);

#endif
