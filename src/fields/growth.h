// Laws of growth: what reading, writing and modelling them share.
#ifndef THUDI_GROWTH_H
#define THUDI_GROWTH_H

#include "scene/read_parts.h"
#include "text/yaml_write.h"

// Second derivatives of the natural cubic spline at its knots, in `curve`; scratch: as many
// numbers. False when they are not finite.
bool thudi_growth_curve(const double *t, const double *value, int count, double *curve,
                        double *scratch);

// Is t a time of the table, but for rounding?
bool thudi_growth_covers(const thud_scene_growth *growth, double t);

// The smallest value of a table between its knots (INFINITY if the knots themselves are), the time
// of it and the knot before it.
double thudi_growth_least(const thud_scene_growth *growth, double *t, int *knot);

// The largest |second derivative|, exact for tables; NAN where it is not known. NULL: 0.
double thudi_growth_bend(const thud_scene_growth *growth);

// `growth: 1 + t`, or a law by its name, or a table. NULL for the constant 1 of a material.
void thudi_put_growth(thudi_out *out, const thud_scene_growth *growth);
// The map `growth` of laws with names.
void thudi_put_growths(thudi_out *out, const thud_scene *scene);

#endif
