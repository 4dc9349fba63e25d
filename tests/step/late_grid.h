/// Spheres in an upright grid, 6 across and 30 high, fall on a floor without friction. The gaps
/// callback withholds some rows until a trial position violates them.
#ifndef LATE_GRID_H
#define LATE_GRID_H

#include "thud_test.h"

#include <thud/thud.h>

enum
{
    LATE_ACROSS = 6,
    LATE_LAYERS = 30,
    LATE_BODIES = LATE_ACROSS * LATE_LAYERS,
    LATE_PAIRS = 2 * LATE_BODIES
};

typedef struct late_grid
{
    double q[3 * (LATE_BODIES + 1)], u[3 * (LATE_BODIES + 1)], mass[3 * (LATE_BODIES + 1)];
    int bodies; ///< of the grid, and one more that is in no row at first, if there is one
    int pair[LATE_PAIRS][2], pairs;
    bool is_late[LATE_PAIRS]; ///< withheld
    double shift;
    bool pushes_all;    ///< nothing is withheld
    bool is_general;    ///< withheld rows have the general shape
    double scale;       ///< withheld rows are multiplied by it; 0: by 1
    int searches;       ///< calls in the phase THUD_FIND_MISSING
    int failing_search; ///< number of the search that fails, from 1; 0: none fails
    int pushed_late;    ///< rows pushed in this phase
} late_grid;

/// Spheres of diameter 1, slightly out of place, nearly in contact with their neighbours, and
/// heavier from layer to layer: that takes many sweeps. share: of the upright rows that are late.
late_grid late_grid_random(test_random *random, double shift, double share);

/// A row between two bodies.
void late_grid_add(late_grid *g, int a, int b, bool is_late);

/// Between the centers of a pair, and the unit vector from the first to the second.
double late_grid_distance(const double *q, const int pair[2], double normal[3]);

/// Its problem, which borrows the grid.
thud_inclusion late_grid_problem(late_grid *g);

#endif
