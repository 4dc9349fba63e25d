// The world of spheres: what it holds, by who writes it.
#ifndef THUDI_WORLD_H
#define THUDI_WORLD_H

#include "spheres/cells.h"
#include "thud/spheres.h"

typedef struct thudi_obstacle
{
    thud_obstacle_def def; // its triangles are in the solid
    thud_solid *solid;
    thud_placement placement; // at the time last looked at
    int first;                // number of its first surface
} thudi_obstacle;

struct thud_world
{
    thud_allocator allocator;
    thud_world_def def; // with the defaults filled in
    int dim;

    // bodies, in the order of the state
    int count, next_id;
    THUDI_ARRAY(int) id;
    THUDI_ARRAY(double) rest_radius; // as given
    THUDI_ARRAY(double) mass;        // by coordinate
    thud_state *state;               // NULL without bodies

    // walls
    int wall_count;
    THUDI_ARRAY(thud_wall_def) walls;
    THUDI_ARRAY(thud_plane) planes; // at the time last looked at

    // obstacles
    int obstacle_count, surface_count;
    THUDI_ARRAY(thudi_obstacle) obstacles;

    // written while rows are made
    thud_facings near; // of one body and one obstacle
    int round;         // how often CHECK was asked in this step
    bool is_opening;   // the step opens the start: nothing moves in it
    thudi_cells cells;
    THUDI_ARRAY(double) radius; // at the time last looked at
    THUDI_ARRAY(double) reach;  // by body, of the search
    THUDI_ARRAY(double) speed;  // by body: the largest relative speed near it
    THUDI_ARRAY(double) ring;   // by body: the largest of its neighbours'
    double shift_factor;        // shift = factor r of the smaller radius

    // start and contacts
    bool is_ready;
    THUDI_ARRAY(thud_overlap) overlaps;
    THUDI_ARRAY(int) contact_body;    // a, then b
    THUDI_ARRAY(double) contact_data; // gap, lin, impulse, force, then normals
    thud_smoothness smooth;
    char message[256];
};

// The callbacks of the inclusion; user is the world.
thud_gaps_fn thudi_world_gaps;
thud_force_fn thudi_world_force;

// Radii and planes at time t.
thud_status thudi_world_look_at(thud_world *world, double t);

// Distance of two bodies and the unit vector from a to b; false when they coincide.
bool thudi_world_direction(const thud_world *world, const double *q, int a, int b, double *distance,
                           double normal[3]);

// plane . q of body i, less its radius.
double thudi_world_wall_gap(const thud_world *world, int wall, const double *q, int i);

// Pairs with gaps below this part of their radii are always looked at, whether they move or not, so
// that the smallest gap can be told.
#define THUDI_WORLD_MARGIN 1e-2

// The keys: a pair by its two ids, smaller first; a wall contact by wall and id, after all pairs.
uint64_t thudi_world_pair_key(int id_a, int id_b);
uint64_t thudi_world_wall_key(int wall, int id);
uint64_t thudi_world_surface_key(int surface, int id);

// Obstacles: place them at time t, push the rows of those that are near, look for what is missing.
// pull: the largest change of velocity in the step.
thud_status thudi_world_place_obstacles(thud_world *world, double t);
thud_status thudi_world_push_obstacles(thud_world *world, const thud_moment *at, double pull,
                                       thud_rows *rows);
thud_status thudi_world_check_obstacles(thud_world *world, const thud_moment *at, thud_rows *rows);
void thudi_world_free_obstacles(thud_world *world);

// The obstacle that a surface belongs to.
int thudi_world_obstacle_of(const thud_world *world, int surface);

// The smallest gap of body i and obstacle k at the place last looked at, INFINITY if it is larger
// than THUDI_WORLD_MARGIN.
thud_status thudi_world_obstacle_gap(thud_world *world, int k, const double *q, int i, double *gap);

void thudi_world_say(thud_world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
