// The world of spheres: what it holds, grouped by the functions that write it.
#ifndef THUDI_WORLD_H
#define THUDI_WORLD_H

#include "near/near.h"
#include "thud/spheres.h"

typedef struct thudi_obstacle thudi_obstacle;             // see obstacles.h
typedef struct thudi_obstacle_chunk thudi_obstacle_chunk; // see obstacles.h
typedef struct thudi_at_wall thudi_at_wall;               // see walls.h

// Results of one chunk of bodies in a phase.
typedef struct thudi_world_chunk
{
    int pair_count;   // near pairs, see thudi_world_pairs
    int first_row;    // of those that are pushed
    int wall_count;   // bodies near a wall, from at_wall[first body] on
    double least_gap; // at the trial position
    bool coincides;   // two centres
} thudi_world_chunk;

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
    THUDI_ARRAY(int) material;       // by body
    thud_state *state;               // NULL without bodies

    // contacts
    const thud_law_info *law;
    THUDI_ARRAY(double) numbers; // of the law, by pair of materials

    // walls
    int wall_count;
    THUDI_ARRAY(thud_wall_def) walls;
    THUDI_ARRAY(thud_plane) planes; // at the time of the last thudi_world_place_at

    // obstacles
    int obstacle_count, surface_count;
    THUDI_ARRAY(thudi_obstacle) obstacles;

    // the cell
    bool is_periodic;
    thud_key_space keys;   // of its rows
    int body_bits;         // bits of a partner that hold the body; the rest hold its image
    double reach_limit;    // what a search may reach, INFINITY without a cell
    thudi_periods periods; // the shear at the time of the last thudi_world_place_at

    // written while rows are made
    int obstacle_chunk_count;
    THUDI_ARRAY(thudi_obstacle_chunk) obstacle_chunks;
    int round;                  // how often FIND_MISSING was asked in this step
    bool is_opening;            // the step opens the start: nothing moves in it
    THUDI_ARRAY(double) radius; // at the time of the last thudi_world_place_at
    thudi_near near;
    THUDI_ARRAY(thudi_world_chunk) chunks;
    thudi_at_wall *at_wall; // a room, by chunk: bodies near a wall
    double *speed; // a room, by body: square of the largest relative speed near it, later the root
    double *ring;  // a room, by body: the largest of its neighbours' and its own
    double shift_factor;    // shift = factor r of the smaller radius
    double tolerance_share; // the part of it that a solver may miss

    // start and contacts
    bool is_ready;
    THUDI_ARRAY(bool) is_new;         // by body: it has come, or was set, since the last prepare
    int known_walls, known_obstacles; // of the last prepare; those behind are new
    THUDI_ARRAY(thud_overlap) overlaps;
    THUDI_ARRAY(int) contact_body;    // a, then b, then images
    THUDI_ARRAY(double) contact_data; // gap, lin, impulse, force, then normals
    thud_smoothness smooth;
    thud_smoothness own_smooth; // without the shear of the cell
    char message[256];
    int fault_obstacle; // the obstacle that the message is about, -1 for none
};

// The callbacks of the inclusion; user is the world.
thud_gaps_fn thudi_world_gaps;
thud_force_fn thudi_world_force;
thud_name_fn thudi_world_name;

// Radii and planes at time t.
thud_status thudi_world_place_at(thud_world *world, double t);

// The bodies as the search for near pairs reads them, with no velocities yet.
thudi_near_view thudi_world_view(const thud_world *world, const double *q);

// The same at a moment, where they move by to - from, or with `to` if from is NULL.
thudi_near_view thudi_world_view_moving(const thud_world *world, const thud_moment *at,
                                        const double *to, const double *from);

// Loops over bodies are cut into chunks: how many, and the first body of each.
static inline int thudi_world_chunk_count(const thud_world *world)
{
    return thudi_near_chunk_count(world->count);
}

static inline int thudi_world_chunk_start(const thud_world *world, int chunk)
{
    return thudi_near_chunk_start(world->count, chunk);
}

// The near pairs of a chunk, and their gaps.
static inline thudi_pair *thudi_world_pairs(const thud_world *world, int chunk)
{
    return thudi_near_pairs(&world->near, thudi_world_chunk_start(world, chunk));
}

static inline double *thudi_world_pair_gaps(const thud_world *world, int chunk)
{
    return thudi_near_gaps(&world->near, thudi_world_chunk_start(world, chunk));
}

// Positions into q at which all gaps of new bodies are open, if there is room; others do not move.
thud_status thudi_world_open(thud_world *world, double *q);

// The number of the body with an id, -1 if no body has it.
int thudi_world_find(const thud_world *world, int id);

void thudi_world_fail(thud_world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
