// The world of spheres: what it holds, by who writes it.
#ifndef THUDI_WORLD_H
#define THUDI_WORLD_H

#include "spheres/cells.h"
#include "thud/spheres.h"

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
    thud_law law;
    THUDI_ARRAY(double) pairs; // by pair of materials: e or gamma_min, whatever the law needs

    // walls
    int wall_count;
    THUDI_ARRAY(thud_wall_def) walls;
    THUDI_ARRAY(thud_plane) planes; // at the time last looked at

    // written while rows are made
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

// Which body has an id, -1 if none.
int thudi_world_find(const thud_world *world, int id);

// Read the tables of materials of a def, and with them the law.
thud_status thudi_world_take_materials(thud_world *world, const thud_world_def *def);

// Forget what glue holds of bodies that are gone, and of body `id` (-1 for none).
void thudi_world_forget(thud_world *world, int id);

bool thudi_world_has_material(const thud_world *world, int material);

// e or gamma_min of the rows between two materials, 0 where the law is another.
double thudi_world_restitution(const thud_world *world, int a, int b);
double thudi_world_glue(const thud_world *world, int a, int b);

// Pairs with gaps below this part of their radii are always looked at, whether they move or not, so
// that the smallest gap can be told.
#define THUDI_WORLD_MARGIN 1e-2

// The keys: a pair by its two ids, smaller first; a wall contact by wall and id, after all pairs.
uint64_t thudi_world_pair_key(int id_a, int id_b);
uint64_t thudi_world_wall_key(int wall, int id);

void thudi_world_say(thud_world *world, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
