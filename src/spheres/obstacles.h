// Obstacles and containers of a world: where they are, their rows, and what a body sees of them.
#ifndef THUDI_OBSTACLES_H
#define THUDI_OBSTACLES_H

#include "spheres/world.h"

struct thudi_obstacle
{
    thud_obstacle_def def; // its triangles are in the solid
    thud_solid *solid;
    thud_placement placement; // at the time of the last thudi_world_place_at
    int first;                // number of its first surface
};

enum
{
    THUDI_OBSTACLE_CUTS = 8 // keys for the cuts of a concave facet; later ones share the last
};

// A row of an obstacle, written by one thread and pushed by another.
typedef struct thudi_obstacle_row
{
    thud_facing facing; // gap in place of distance
    int body, cut;
} thudi_obstacle_row;

// Results of one chunk of bodies against one obstacle.
struct thudi_obstacle_chunk
{
    thud_facings facings; // of one body
    THUDI_ARRAY(thudi_obstacle_row) rows;
    int row_count;
    double least_gap;
    thud_status status;
    int body;         // the body that the status is about
    double way, room; // of that body, if the obstacle moves too far
};

// Obstacles: place them at time t, push the rows of those that are near, look for what is missing.
// velocity_change: the largest of any body in the step.
thud_status thudi_world_place_obstacles(thud_world *world, double t);
thud_status thudi_world_push_obstacles(thud_world *world, const thud_moment *at,
                                       double velocity_change, thud_rows *rows);
thud_status thudi_world_find_missing_rows(thud_world *world, const thud_moment *at,
                                          thud_rows *rows);
void thudi_world_free_obstacles(thud_world *world);

// Nothing changed sides while obstacle k moved.
thud_status thudi_world_check_motion(thud_world *world, int k, const thud_moment *at,
                                     thud_rows *rows);

// The row of a surface and body i where it was placed last, once more as `known` has
// it.
thud_status thudi_world_push_surface_again(const thud_world *world, const double *q,
                                           const thud_row *known, int i, thud_rows *rows);

// Are there solids or containers whose contacts cannot have the law? Says so.
bool thudi_world_refuses_obstacles(thud_world *world);

// The obstacle that a surface belongs to.
int thudi_world_obstacle_of(const thud_world *world, int surface);

// Keys of each facet of a solid: more than one where one is concave.
int thudi_world_keys_of(const thud_solid *solid);

// The smallest gap of body i and obstacle k where it was placed last, INFINITY if it
// is larger than THUDI_NEAR_MARGIN.
thud_status thudi_world_obstacle_gap(thud_world *world, int k, const double *q, int i, double *gap);

// Centre of body i in three coordinates.
static inline void thudi_world_centre(const thud_world *world, const double *q, int i, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = k < world->dim ? q[world->dim * i + k] : 0;
}

// The gap of body i and one facet of obstacle k, were its centre at x, seen in the world.
thud_facing thudi_world_facing(const thud_world *world, int k, int facet, int i, const double x[3]);

// The facets of obstacle k with gaps <= reach into the chunk, gaps in place of distances. at: the
// moment whose prediction says where the body is going, or NULL. THUD_ERR_OVERLAP: its centre is on
// the obstacle.
thud_status thudi_world_find_facets(const thud_world *world, int k, const double *q, int i,
                                    double reach, const thud_moment *at,
                                    thudi_obstacle_chunk *chunk);
void thudi_world_predict(const thud_world *world, const thud_moment *at, int i, double x[3]);

// Room for all chunks.
thud_status thudi_world_reserve_obstacle_chunks(thud_world *world);

// Say what a chunk has found wrong with obstacle k.
void thudi_world_fail_obstacle(thud_world *world, int k, int i);

#endif
