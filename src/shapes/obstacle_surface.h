// Obstacles as triangles and lines, for pictures.
#ifndef THUDI_OBSTACLE_SURFACE_H
#define THUDI_OBSTACLE_SURFACE_H

#include "core/memory.h"
#include "thud/solids.h"

typedef enum thudi_surface_kind
{
    THUDI_SURFACE_SOLID,     // seen from outside; triangles turn counter-clockwise to the free side
    THUDI_SURFACE_CONTAINER, // seen from inside, the same
    THUDI_SURFACE_SHEET      // thin: no side is behind
} thudi_surface_kind;

typedef struct thudi_surface
{
    thudi_surface_kind kind;
    THUDI_ARRAY(double) triangles; // 9 numbers each, in the frame of the solid
    THUDI_ARRAY(double) lines;     // 6 numbers each: rims, edges, and some lines along
    int triangle_count, line_count;
} thudi_surface;

// dim 2: the outline in the plane z = 0. What is infinite is cut off where its points are.
// Zero-initialise; free in any case.
thud_status thudi_surface_make(const thud_solid_def *solid, int dim,
                               const thud_allocator *allocator, thudi_surface *surface);
void thudi_surface_free(thudi_surface *surface, const thud_allocator *allocator);

// A box around it, in its frame.
void thudi_surface_bounds(const thud_solid_def *solid, double low[3], double high[3]);

#endif
