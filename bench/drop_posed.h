/// A projection of the drop scene, posed by one of its steps.
#ifndef DROP_POSED_H
#define DROP_POSED_H

#include "posed.h"

#include <thud/spheres.h>

/// Begin with zeroes.
typedef struct drop_posed
{
    thud_world *world;
    thud_work *work;
    posed taken; ///< the last projection of the last step
} drop_posed;

/// Drop so many spheres at preview, with h = 5 ms, into a box that gives the heap DROP_LAYERS
/// layers, and take so many steps. False if a step fails or memory is missing.
bool drop_posed_take(drop_posed *drop, int count, int steps);
void drop_posed_free(drop_posed *drop);

#endif
