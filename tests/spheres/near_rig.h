/// A world of spheres and walls, asked for its rows at moments drawn at random.
#ifndef NEAR_RIG_H
#define NEAR_RIG_H

#include "thud_test.h"

#include <thud/spheres.h>

static const double NEAR_RIG_TOL = 1e-4;

typedef struct near_rig
{
    int dim, count, walls;
    thud_plane planes[4];
    thud_sphere *spheres;
    double *q, *u, *w, *trial;
    thud_multiplier *multipliers;
    int multiplier_count;
    double h;
} near_rig;

/// Zeroed memory, to be freed.
void *near_rig_room(size_t count, size_t size);

/// Bodies on a grid of unit spacing, far enough apart for any start; sizes over 1 : `span`.
void near_rig_make(near_rig *rig, test_random *random, int dim, int count, double span);
void near_rig_drop(near_rig *rig);
thud_world *near_rig_world(const near_rig *rig, const thud_allocator *allocator);

/// A moment: positions off the grid by `off`, all carried along by `along`, speeds up to `speed`.
void near_rig_draw(near_rig *rig, test_random *random, double off, double along, double speed);

/// The order of multipliers, for qsort and bsearch.
int near_rig_by_key(const void *x, const void *y);

/// The rows of the world at that moment, sorted; and those of a search over all pairs.
void near_rig_ask(thud_world *world, const near_rig *rig, thud_phase phase, thud_rows *rows);
void near_brute_ask(const near_rig *rig, thud_phase phase, thud_rows *rows);

/// The same rows bit for bit, and the same gap noted.
void near_rig_compare(const thud_rows *a, const thud_rows *b, const char *what, int round);

#endif
