// The shift of a row between two bodies: the distance sigma that the solver keeps open. r is the
// smaller radius; of a body and a wall or obstacle it is the body's.
//
//     sigma(r) = max(part r, min(least, most r))
//
// least does not depend on r: a step may leave a gap that far from its shift in any case, so a
// smaller shift would cost sweeps and make no force more accurate. sigma never falls when r grows.
// So the shift of a larger radius is a bound.
#ifndef THUDI_SHIFT_H
#define THUDI_SHIFT_H

#include "core/math/four.h"

typedef struct thudi_shift
{
    double part;  // of the radius: 2 tol
    double least; // a length: 2 step_tol; 0: sigma is part r
    double most;  // of the radius: 2 THUD_MOST_TOL
} thudi_shift;

static inline double thudi_shift_of(const thudi_shift *shift, double radius)
{
    double own = shift->part * radius, most = shift->most * radius;
    double raised = shift->least < most ? shift->least : most;
    return own > raised ? own : raised;
}

static inline four thudi_shift_of_four(const thudi_shift *shift, four radius)
{
    four raised = four_smaller(four_of(shift->least), shift->most * radius);
    return four_larger(shift->part * radius, raised);
}

// `factor` times as large for every radius.
static inline thudi_shift thudi_shift_times(const thudi_shift *shift, double factor)
{
    return (thudi_shift){factor * shift->part, factor * shift->least, factor * shift->most};
}

#endif
