// The periodic cell of a world: what may be in it, keys and offsets of its images.
#ifndef THUDI_CELL_H
#define THUDI_CELL_H

#include "rows/key.h"
#include "spheres/world.h"

// The body of a partner.
static inline int thudi_world_partner(const thud_world *world, int partner)
{
    return partner & world->body_mask;
}

// The key of body a and a partner; ids increase along the bodies.
static inline thud_key thudi_world_key(const thud_world *world, int a, int partner)
{
    const int *id = world->id.items;
    int image = (partner & ~world->body_mask) >> THUDI_IMAGE_AT; // 0 unless it is periodic
    return thudi_key_pair(id[a], id[partner & world->body_mask], image);
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

// The cell: read it from a def; is it fit for the bodies, walls and obstacles? S at time t.
thud_status thudi_world_read_cell(thud_world *world, const thud_cell *cell);
thud_status thudi_world_check_cell(thud_world *world);
thud_status thudi_world_check_obstacles_fit(thud_world *world);
thud_status thudi_world_shear_at(thud_world *world, double t);

// Bounds of how gaps vary with the shear, positions being q, added to own_smooth into smooth; false
// if they are not known.
bool thudi_world_smooth_shear(thud_world *world, const double *q);

// Say why a search for near pairs failed. Returns status.
thud_status thudi_world_fail_search(thud_world *world, thud_status status);

#endif
