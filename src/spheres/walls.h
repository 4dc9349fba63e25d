// Walls of a world: which bodies are near one, and their rows.
#ifndef THUDI_WALLS_H
#define THUDI_WALLS_H

#include "spheres/world.h"

// A body near a wall.
struct thudi_at_wall
{
    int body;
    uint32_t walls; // by bit: those that may be near; all if there are more
};

// plane . q of body i, less its radius.
double thudi_world_wall_gap(const thud_world *world, int wall, const double *q, int i);

// The row of a wall and body i at q.
thud_pair_row thudi_walls_row(const thud_world *world, int wall, const double *q, int i);

// The bodies of a chunk that are near a wall, and the squares of their speeds along its normal,
// into world->speed. velocity_change: the largest of any body in the step; fastest: the largest
// speed around any body.
void thudi_walls_linearise(thud_world *world, const thud_moment *at, int chunk,
                           double velocity_change, double fastest);

// The bodies of a chunk that have met a wall at the trial position, and the smallest gap of all.
// allowed_miss: see thudi_world_least_lin.
void thudi_walls_find_missing(thud_world *world, const thudi_near_view *view, double allowed_miss,
                              int chunk);

// Push the rows of these bodies, wall by wall.
thud_status thudi_walls_push_near(thud_world *world, const thud_moment *at, double velocity_change,
                                  thud_rows *rows);
thud_status thudi_walls_push_met(thud_world *world, const thud_moment *at, double allowed_miss,
                                 thud_rows *rows);

#endif
