// What a random fill costs. Tests prove that the cost grows no faster than the tries.
#ifndef THUDI_FILL_H
#define THUDI_FILL_H

#include "bodies/generators.h"

typedef struct thudi_fill_effort
{
    int64_t tries;    // positions drawn
    int64_t cells;    // cells looked into
    int64_t compared; // pairs of bodies
} thudi_fill_effort;

// thudi_fill_make, with its effort.
thud_status thudi_fill_measure(const thudi_fill *fill, const thud_sphere *there, int there_count,
                               const thud_allocator *allocator, thud_sphere *spheres, int *placed,
                               thudi_fill_effort *effort);

#endif
