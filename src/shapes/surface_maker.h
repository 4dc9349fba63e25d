// What the files share that build the surface of an obstacle.
#ifndef THUDI_SURFACE_MAKER_H
#define THUDI_SURFACE_MAKER_H

#include "core/memory.h"
#include "thud/surface.h"

enum
{
    THUDI_SURFACE_SIDES = 48 // sides of a round shape
};

typedef struct thudi_surface_maker
{
    const thud_solid_def *solid;
    const thud_allocator *allocator;
    thud_surface *to;
    thud_status status;
    bool is_inside; // triangles are turned
} thudi_surface_maker;

// After memory has run out, as status says, nothing is added.
void thudi_surface_add_triangle(thudi_surface_maker *m, const double a[3], const double b[3],
                                const double c[3]);
void thudi_surface_add_line(thudi_surface_maker *m, const double a[3], const double b[3]);

// A shape with an axis, in space.
void thudi_surface_make_round(thudi_surface_maker *m);
// A triangle or a mesh, and its edges.
void thudi_surface_make_mesh(thudi_surface_maker *m);

#endif
