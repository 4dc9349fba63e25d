/// Worlds drawn at random with planes, solids, meshes and containers at once, of which every row
/// that is pushed in any phase of any step is compared with a list made another way.
#ifndef ROWS_WORLD_H
#define ROWS_WORLD_H

#include "brute_shapes.h"
#include "thud_test.h"

#include <thud/spheres.h>

enum
{
    ROWS_BODIES = 48,
    ROWS_WALLS = 8,
    ROWS_OBSTACLES = 8,
    ROWS_TRIANGLES = 64,
    ROWS_MATERIALS = 3 ///< two of grains, and one without an entry in the tables
};

typedef struct rows_wall
{
    double normal[3], offset; ///< a unit vector
    double sway;              ///< offset + sway sin(20 t)
    int material;
} rows_wall;

typedef struct rows_world
{
    int dim, count, wall_count, obstacle_count;
    thud_law law;
    double h, tol, period[3]; ///< 0: not periodic
    double radius[ROWS_BODIES], table[ROWS_MATERIALS * ROWS_MATERIALS];
    thud_sphere spheres[ROWS_BODIES];
    int material[ROWS_BODIES];
    rows_wall walls[ROWS_WALLS];
    thud_obstacle_def obstacles[ROWS_OBSTACLES];
    double triangles[ROWS_OBSTACLES][9 * ROWS_TRIANGLES];
    thud_world *world;
    thud_inclusion inner; ///< the world's
    // what was counted
    long asked, rows, far_held, of_pairs, of_walls, of_surfaces;
} rows_world;

/// Draw a world and make it ready; false after a failure. periodic: along x, and y in three
/// dimensions; then obstacles are boxes without end.
bool rows_world_draw(rows_world *w, test_random *random, int dim, thud_law law, bool periodic);
void rows_world_drop(rows_world *w);

/// The offset of a wall at a time.
double rows_world_offset(const rows_wall *wall, double t);

/// The number of the first surface of an obstacle, and how many keys a facet has.
int rows_world_first(const rows_world *w, int obstacle);
int rows_world_keys(const thud_solid_def *solid);

/// The world's problem, with a look at what it pushes. The world must stay where it is.
thud_inclusion rows_world_spy(rows_world *w);

/// Compare the rows that were pushed at a moment with those of a search over all that there is. The
/// list is sorted.
void rows_brute_compare(rows_world *w, const thud_moment *at, const thud_rows *rows);

/// No key is there twice, but for the last cut of a container; and no gap of anything is below 0 at
/// the end.
void rows_brute_step(const rows_world *w, const thud_state *state, const thud_rows *rows);

#endif
