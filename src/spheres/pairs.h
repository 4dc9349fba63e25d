// The rows of a world: the phases of its callback, the rows of pairs, and how far apart a row keeps
// its bodies.
#ifndef THUDI_PAIRS_H
#define THUDI_PAIRS_H

#include "core/math/four.h"
#include "spheres/world.h"

// The phases of the callback.
thud_status thudi_world_linearise(thud_world *world, const thud_moment *at, thud_rows *rows);
thud_status thudi_world_find_missing(thud_world *world, const thud_moment *at, thud_rows *rows);
thud_status thudi_world_look_back(const thud_world *world, const thud_moment *at, thud_rows *rows);

// Push the rows of the near pairs, by chunk, in the order of their keys.
thud_status thudi_world_push_pairs(thud_world *world, thud_rows *rows);

// Push the pairs that the law holds, and that are not in the rows of near pairs: bodies which graze
// each other fast are far apart at the end of the step.
thud_status thudi_world_push_held(const thud_world *world, const thud_moment *at, thud_rows *rows);

// The first multiplier whose key is not below `key`.
int thudi_world_recall(const thud_moment *at, thud_key key);

// Distance of a body and a partner, and the unit vector from a to b; false when they coincide.
bool thudi_world_direction(const thud_world *world, const double *q, int a, int partner,
                           const double offset[3], double *distance, double normal[3]);

// sigma of a pair, or of a body and a wall (both the same).
static inline double thudi_world_shift(const thud_world *world, double radius_a, double radius_b)
{
    return thudi_shift_of(&world->shift, radius_a < radius_b ? radius_a : radius_b);
}

// A pair with lin below this length needs a row. The solver may leave a row short of its shift by
// the smaller of allowed_miss = tol_a h^2 a (INFINITY if a = 0) and tolerance_share of the shift. A
// law with a row_margin needs all rows with lin up to row_margin shifts: they can take part in an
// impact (see core/touching.h).
static inline double thudi_world_least_lin(const thud_world *world, double shift,
                                           double allowed_miss)
{
    if (world->law->row_margin > 0)
        return world->law->row_margin * shift;
    double most = world->tolerance_share * shift;
    return shift - (allowed_miss < most ? allowed_miss : most);
}

static inline four thudi_world_least_lin_four(const thud_world *world, four shift,
                                              double allowed_miss)
{
    if (world->law->row_margin > 0)
        return world->law->row_margin * shift;
    return shift - four_smaller(four_of(allowed_miss), world->tolerance_share * shift);
}

#endif
