// Tables of a number of time: natural cubic splines through knots.
#ifndef THUDI_KNOTS_H
#define THUDI_KNOTS_H

#include "thud/varying.h"

// Compute the second derivatives of the natural cubic spline at its knots, into `curve`. scratch
// has room for `count` numbers. Returns false if a derivative is not finite.
bool thudi_knots_curve(const double *t, const double *value, int count, double *curve,
                       double *scratch);

// Does the table cover t, up to rounding?
bool thudi_knots_cover(const thud_knots *knots, double t);

// Value and derivatives in time; NAN where the table does not cover t.
double thudi_knots_at(const thud_knots *knots, double t);
void thudi_knots_differentiate(const thud_knots *knots, double t, thud_jet *jet);

// The smallest extremum of a table strictly between its knots, with its time and the knot before
// it. INFINITY if there is none.
double thudi_knots_least(const thud_knots *knots, double *t, int *knot);

// The largest |first| and |second derivative|, exact up to rounding.
double thudi_knots_steepest(const thud_knots *knots);
double thudi_knots_bend(const thud_knots *knots);

#endif
