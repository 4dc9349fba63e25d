// The world of spheres. Its fields are grouped by the functions that write them.
#ifndef THUDI_WORLD_H
#define THUDI_WORLD_H

#include "near/near.h"
#include "thud/project.h"
#include "thud/spheres.h"

typedef struct thudi_obstacle thudi_obstacle;             // see obstacles.h
typedef struct thudi_obstacle_chunk thudi_obstacle_chunk; // see obstacles.h
typedef struct thudi_at_wall thudi_at_wall;               // see walls.h

// What a phase of the callback found for one chunk of bodies.
typedef struct thudi_world_chunk
{
    int first_pair;   // near pairs, see thudi_world_pairs: where they begin in near.pairs
    int pair_count;   // how many they are
    int first_row;    // number of the first row among the rows of pairs
    int wall_count;   // bodies near a wall; they stand from at_wall[first body] on
    double least_gap; // the smallest gap at the trial position
    bool coincides;   // two centres are at one point
} thudi_world_chunk;

struct thud_world
{
    thud_allocator allocator;
    thud_world_def def; // with the defaults filled in
    int dim;

    // bodies, in the order of the state
    int count, next_id;
    THUDI_ARRAY(int) id;
    THUDI_ARRAY(double) rest_radius; // as given, before def.radii changes it
    THUDI_ARRAY(double) mass;        // by coordinate
    THUDI_ARRAY(int) material;       // by body
    thud_state *state;               // NULL if there are no bodies

    // contacts
    const thud_law_info *law;
    THUDI_ARRAY(double) numbers; // of the law, by pair of materials

    // walls
    int wall_count;
    THUDI_ARRAY(thud_wall_def) walls;
    THUDI_ARRAY(thud_plane) planes; // by wall, see thudi_world_place_at

    // obstacles
    int obstacle_count, surface_count;
    THUDI_ARRAY(thudi_obstacle) obstacles;

    // the periodic cell
    bool is_periodic;
    thud_key_space keys;   // which key space the rows of the world use
    int body_mask;         // bits of a partner that hold the body; the others hold its image
    double reach_limit;    // the largest reach of a body in a search; INFINITY without a cell
    thudi_periods periods; // with the shear of thudi_world_place_at

    thud_bricks bricks; // for sweeps, with the shear of thudi_world_place_at

    // written while rows are made
    int obstacle_chunk_count;
    THUDI_ARRAY(thudi_obstacle_chunk) obstacle_chunks;
    int round;                  // how often FIND_MISSING was called in this step
    bool is_opening;            // the step opens the start: motions of obstacles are not checked
    THUDI_ARRAY(double) radius; // by body, see thudi_world_place_at
    thudi_near near;
    THUDI_ARRAY(thudi_world_chunk) chunks;
    thudi_at_wall *at_wall; // a room, by chunk: bodies near a wall
    // Rooms, by body: speed is the square of the body's largest speed relative to a near body or a
    // wall. speed_around is the largest `speed` of the body and of the bodies near it. After that
    // speed is overwritten by the root of speed_around.
    double *speed, *speed_around;
    thudi_shift shift;      // of a row, by the smaller radius
    double tolerance_share; // the part of its shift that a solver may leave a row short

    // start and contacts
    bool is_ready;
    THUDI_ARRAY(bool) is_new;         // by body: added or set since the last thud_world_prepare
    int known_walls, known_obstacles; // their numbers at the last thud_world_prepare
    THUDI_ARRAY(thud_overlap) overlaps;
    THUDI_ARRAY(int) contact_body;    // a of all contacts, then b, then images
    THUDI_ARRAY(double) contact_data; // gap, lin, impulse, force, then normals
    thud_smoothness smooth;           // bounds of how gaps vary, for the inclusion
    thud_smoothness own_smooth;       // the same without the cell's shear
    char message[256];                // what went wrong; "" if nothing did
    int fault_obstacle;               // the obstacle that the message is about, -1 for none
};

// The callbacks of the inclusion; user is the world.
thud_gaps_fn thudi_world_gaps;
thud_force_fn thudi_world_force;
thud_name_fn thudi_world_name;

// Write the radii, planes, placements of obstacles and the shear at time t.
thud_status thudi_world_place_at(thud_world *world, double t);

// The bodies as the search for near pairs reads them, with no velocities yet.
thudi_near_view thudi_world_view(const thud_world *world, const double *q);

// The same at a moment, with velocities or displacements to - from, or `to` if from is NULL.
thudi_near_view thudi_world_view_moving(const thud_world *world, const thud_moment *at,
                                        const double *to, const double *from);

// Loops over bodies are cut into chunks: the number of chunks, and the first body of each.
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
    return world->near.pairs + world->chunks.items[chunk].first_pair;
}

static inline double *thudi_world_pair_gaps(const thud_world *world, int chunk)
{
    return world->near.gaps + world->chunks.items[chunk].first_pair;
}

// Write positions to q at which all gaps of new bodies are open. Other bodies do not move. Fails if
// there are no such positions.
thud_status thudi_world_open(thud_world *world, double *q);

// The index of the body with this id, -1 if there is none.
int thudi_world_find(const thud_world *world, int id);

// Write world->message; format as for printf.
void thudi_world_fail(thud_world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
