// What contacts of two materials ask of the law of a world.
#ifndef THUDI_MATERIALS_H
#define THUDI_MATERIALS_H

#include "spheres/world.h"

// Read the law of a def and its table of numbers.
thud_status thudi_world_read_materials(thud_world *world, const thud_world_def *def);

// Forget what the law holds of bodies that are gone, and of body `id` (-1 for none).
void thudi_world_drop_memories(thud_world *world, int id);

bool thudi_world_has_material(const thud_world *world, int material);

// The numbers of the law of rows between two materials, NULL if it has none; do they use the law?
const double *thudi_world_numbers(const thud_world *world, int a, int b);
bool thudi_world_uses_law(const thud_world *world, int a, int b);

#endif
