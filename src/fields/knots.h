// Tables of a number of time: natural cubic splines through knots.
#ifndef THUDI_KNOTS_H
#define THUDI_KNOTS_H

#include "thud/varying.h"

// Second derivatives of the natural cubic spline at its knots, in `curve`; scratch: as many
// numbers. False when they are not finite.
bool thudi_knots_curve(const double *t, const double *value, int count, double *curve,
                       double *scratch);

// Is t a time of the table, but for rounding?
bool thudi_knots_cover(const thud_knots *knots, double t);

// Value and derivatives in time; NAN where the table does not cover t.
double thudi_knots_at(const thud_knots *knots, double t);
void thudi_knots_differentiate(const thud_knots *knots, double t, thud_jet *jet);

// The smallest value of a table between its knots (INFINITY if the knots themselves are), the time
// of it and the knot before it.
double thudi_knots_least(const thud_knots *knots, double *t, int *knot);

// The largest |first| and |second derivative|, exact but for rounding.
double thudi_knots_steepest(const thud_knots *knots);
double thudi_knots_bend(const thud_knots *knots);

#endif
