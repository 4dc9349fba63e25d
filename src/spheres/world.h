// The world of spheres: what it holds, by who writes it.
#ifndef THUDI_WORLD_H
#define THUDI_WORLD_H

#include "core/math/four.h"
#include "core/touching.h"
#include "near/near.h"
#include "rows/key.h"
#include "thud/spheres.h"

typedef struct thudi_obstacle
{
    thud_obstacle_def def; // its triangles are in the solid
    thud_solid *solid;
    thud_placement placement; // at the time last looked at
    int first;                // number of its first surface
} thudi_obstacle;

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

// What one chunk of bodies has to tell of one obstacle.
typedef struct thudi_obstacle_chunk
{
    thud_facings facings; // of one body
    THUDI_ARRAY(thudi_obstacle_row) rows;
    int row_count;
    double least_gap;
    thud_status status;
    int body;         // whose fault it is
    double way, room; // of it, if the obstacle moves too far
} thudi_obstacle_chunk;

// A body near a wall.
typedef struct thudi_at_wall
{
    int body;
    uint32_t walls; // by bit: those that may be near; all if there are more
} thudi_at_wall;

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
    THUDI_ARRAY(thud_plane) planes; // at the time last looked at

    // obstacles
    int obstacle_count, surface_count;
    THUDI_ARRAY(thudi_obstacle) obstacles;

    // the cell
    bool is_periodic;
    thud_key_space keys;   // of its rows
    int body_bits;         // bits of a partner that hold the body; the rest hold its image
    double reach_limit;    // what a search may reach, INFINITY without a cell
    thudi_periods periods; // the shear at the time last looked at

    // written while rows are made
    int obstacle_chunk_count;
    THUDI_ARRAY(thudi_obstacle_chunk) obstacle_chunks;
    int round;                  // how often CHECK was asked in this step
    bool is_opening;            // the step opens the start: nothing moves in it
    THUDI_ARRAY(double) radius; // at the time last looked at
    thudi_near near;
    THUDI_ARRAY(thudi_world_chunk) chunks;
    thudi_at_wall *at_wall; // a room, by chunk: bodies near a wall
    double *speed; // a room, by body: square of the largest relative speed near it, later the root
    double *ring;  // a room, by body: the largest of its neighbours' and its own
    double shift_factor; // shift = factor r of the smaller radius
    double stop_share;   // the part of it that a solver may miss

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
    int blamed; // the obstacle that the message is about, -1 for none
};

// The callbacks of the inclusion; user is the world.
thud_gaps_fn thudi_world_gaps;
thud_force_fn thudi_world_force;
thud_name_fn thudi_world_name;

// Radii and planes at time t.
thud_status thudi_world_look_at(thud_world *world, double t);

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

// Raise *slot to value; shared: other threads may do so at the same time.
static inline void thudi_world_raise(double *slot, double value, bool shared)
{
    if (!shared)
    {
        *slot = value > *slot ? value : *slot;
        return;
    }
    double old;
    __atomic_load(slot, &old, __ATOMIC_RELAXED);
    while (value > old &&
           !__atomic_compare_exchange(slot, &old, &value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue; // old is what is there now
}

// Push the rows of the near pairs, by chunk, in the order of their keys.
thud_status thudi_world_push_pairs(thud_world *world, thud_rows *rows);

// The two phases of the callback.
thud_status thudi_world_linearise(thud_world *world, const thud_moment *at, thud_rows *rows);
thud_status thudi_world_check(thud_world *world, const thud_moment *at, thud_rows *rows);
thud_status thudi_world_look_back(const thud_world *world, const thud_moment *at, thud_rows *rows);

// Push the pairs that the law holds, and that are not in the rows of near pairs: bodies which graze
// each other fast are far apart at the end of the step.
thud_status thudi_world_push_held(const thud_world *world, const thud_moment *at, thud_rows *rows);

// The row of a wall and body i at q.
thud_pair_row thudi_walls_row(const thud_world *world, int wall, const double *q, int i);

// Positions into q at which all gaps of new bodies are open, if there is room; others do not move.
thud_status thudi_world_open(thud_world *world, double *q);

// Walls: which bodies of a chunk are near one and how fast (into speed, squared); rows of those.
void thudi_walls_linearise(thud_world *world, const thud_moment *at, int chunk, double pull,
                           double fastest);
void thudi_walls_check(thud_world *world, const thudi_near_view *view, double room, int chunk);
thud_status thudi_walls_push_near(thud_world *world, const thud_moment *at, double pull,
                                  thud_rows *rows);
thud_status thudi_walls_push_met(thud_world *world, const thud_moment *at, double room,
                                 thud_rows *rows);

// The first multiplier whose key is not below `key`.
int thudi_world_recall(const thud_moment *at, thud_key key);

// The place of a body among all, -1 if there is none.
int thudi_world_find(const thud_world *world, int id);

// The body of a partner.
static inline int thudi_world_partner(const thud_world *world, int partner)
{
    return partner & world->body_bits;
}

// The key of body a and a partner; ids increase along the bodies.
static inline thud_key thudi_world_key(const thud_world *world, int a, int partner)
{
    const int *id = world->id.items;
    int image = (partner & ~world->body_bits) >> THUDI_IMAGE_AT; // 0 unless it is periodic
    return thudi_key_pair(id[a], id[partner & world->body_bits], image);
}

// The partner of a key whose body is b.
static inline int thudi_world_partner_of(const thud_world *world, thud_key key, int b)
{
    int image = world->keys == THUD_KEYS_PERIODIC ? thudi_key_image(key) : 0;
    return image << THUDI_IMAGE_AT | b;
}

// The periods of the cell, NULL without one.
static inline const thudi_periods *thudi_world_periods(const thud_world *world)
{
    return world->is_periodic ? &world->periods : NULL;
}

// What to take off q_b - q_a for a partner; all of the arrays 3 numbers.
static inline void thudi_world_offset(const thud_world *world, const double *a, const double *b,
                                      int partner, double offset[3])
{
    thudi_image_offset(thudi_world_periods(world), a, b, partner, offset);
}

// The same by places of bodies in q.
void thudi_world_offset_at(const thud_world *world, const double *q, int a, int partner,
                           double offset[3]);

// Distance of a body and a partner, and the unit vector from a to b; false when they coincide.
bool thudi_world_direction(const thud_world *world, const double *q, int a, int partner,
                           const double offset[3], double *distance, double normal[3]);

// The cell: read it from a def; is it fit for the bodies, walls and obstacles? S at time t.
thud_status thudi_world_take_cell(thud_world *world, const thud_cell *cell);
thud_status thudi_world_check_cell(thud_world *world);
thud_status thudi_world_check_obstacles_fit(thud_world *world);
thud_status thudi_world_shear_at(thud_world *world, double t);

// Bounds of how gaps vary with the shear, positions being q, added to own_smooth into smooth; false
// if they are not known.
bool thudi_world_smooth_shear(thud_world *world, const double *q);

// Say why a search for near pairs failed. Returns status.
thud_status thudi_world_say_search(thud_world *world, thud_status status);

// plane . q of body i, less its radius.
double thudi_world_wall_gap(const thud_world *world, int wall, const double *q, int i);

// sigma of a pair, or of a body and a wall (both the same).
static inline double thudi_world_shift(double factor, double radius_a, double radius_b)
{
    return factor * (radius_a < radius_b ? radius_a : radius_b);
}

// Read the law of a def and its table of numbers.
thud_status thudi_world_take_materials(thud_world *world, const thud_world_def *def);

// Forget what the law holds of bodies that are gone, and of body `id` (-1 for none).
void thudi_world_forget(thud_world *world, int id);

bool thudi_world_has_material(const thud_world *world, int material);

// The numbers of the law of rows between two materials, NULL if it has none; do they use the law?
const double *thudi_world_numbers(const thud_world *world, int a, int b);
bool thudi_world_uses_law(const thud_world *world, int a, int b);

// What is left of the shift in a row that CHECK lets pass: the solver may miss it by as much,
// room = tol_a h^2 a (no limit where a = 0), and by stop_share of it at most. A law with a
// row_margin needs all rows that end up to this close, such as those that take part in an impact
// (see core/touching.h).
static inline double thudi_world_least(const thud_world *world, double shift, double room)
{
    if (world->law->row_margin > 0)
        return world->law->row_margin * shift;
    double most = world->stop_share * shift;
    return shift - (room < most ? room : most);
}

static inline four thudi_world_least_four(const thud_world *world, four shift, double room)
{
    if (world->law->row_margin > 0)
        return world->law->row_margin * shift;
    return shift - four_smaller(four_of(room), world->stop_share * shift);
}

// Obstacles: place them at time t, push the rows of those that are near, look for what is missing.
// pull: the largest change of velocity in the step.
thud_status thudi_world_place_obstacles(thud_world *world, double t);
thud_status thudi_world_push_obstacles(thud_world *world, const thud_moment *at, double pull,
                                       thud_rows *rows);
thud_status thudi_world_check_obstacles(thud_world *world, const thud_moment *at, thud_rows *rows);
void thudi_world_free_obstacles(thud_world *world);

// Nothing changed sides while obstacle k moved.
thud_status thudi_world_check_motion(thud_world *world, int k, const thud_moment *at,
                                     thud_rows *rows);

// The row of a surface and body i at the place last looked at, once more as `known` has it.
thud_status thudi_world_push_surface_again(const thud_world *world, const double *q,
                                           const thud_row *known, int i, thud_rows *rows);

// Are there solids or containers whose contacts cannot have the law? Says so.
bool thudi_world_refuses_obstacles(thud_world *world);

// The obstacle that a surface belongs to.
int thudi_world_obstacle_of(const thud_world *world, int surface);

// Keys of each facet of a solid: more than one where one is concave.
int thudi_world_keys_of(const thud_solid *solid);

// The smallest gap of body i and obstacle k at the place last looked at, INFINITY if it is larger
// than THUDI_NEAR_MARGIN.
thud_status thudi_world_obstacle_gap(thud_world *world, int k, const double *q, int i, double *gap);

// Centre of body i in three coordinates.
static inline void thudi_world_centre(const thud_world *world, const double *q, int i, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = k < world->dim ? q[world->dim * i + k] : 0;
}

// The gap of body i and one facet of obstacle k, were its centre at x, seen in the world.
thud_facing thudi_world_look_at_facet(const thud_world *world, int k, int facet, int i,
                                      const double x[3]);

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
void thudi_world_say_on_obstacle(thud_world *world, int k, int i);

void thudi_world_say(thud_world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
