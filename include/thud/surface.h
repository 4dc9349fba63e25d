/// Obstacles as triangles and lines, for pictures and for other programs. (library thud_scene)
#ifndef THUD_SURFACE_H
#define THUD_SURFACE_H

#include "thud/scene.h"
#include "thud/solids.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_surface_kind
{
    THUD_SURFACE_SOLID = 0,     ///< seen from outside; triangles turn counter-clockwise to the free
                                ///< side
    THUD_SURFACE_CONTAINER = 1, ///< seen from inside, the same
    THUD_SURFACE_SHEET = 2      ///< thin: no side is behind
} thud_surface_kind;

/// The surface of one solid, in its own frame.
typedef struct thud_surface
{
    thud_surface_kind kind;
    int triangle_count, line_count;
    double *triangles; ///< 9 numbers each: three corners
    double *lines;     ///< 6 numbers each: rims, edges, and some lines along the surface
    size_t triangle_room, line_room; ///< numbers that there is room for; the library's own
} thud_surface;

/// Make the surface of a solid. dim 2: its outline in the plane z = 0. An infinite solid ends where
/// its points are. Zero-initialise the surface; free it whatever the status. allocator: NULL for
/// the C library's. THUD_ERR_MEMORY.
THUD_API thud_status thud_surface_make(const thud_solid_def *solid, int dim,
                                       const thud_allocator *allocator, thud_surface *surface);
THUD_API void thud_surface_free(thud_surface *surface, const thud_allocator *allocator);

/// A box around the surface, in its frame. Nothing is allocated.
THUD_API void thud_surface_bounds(const thud_solid_def *solid, double low[3], double high[3]);

/// Make the surfaces of all obstacles of a scene: obstacle_count of them, NULL where there are
/// none. thud_model_pose says where an obstacle is at a time. Free them whatever the status.
/// THUD_ERR_MEMORY.
THUD_API thud_status thud_surfaces_make(const thud_scene *scene, const thud_allocator *allocator,
                                        thud_surface **surfaces);
THUD_API void thud_surfaces_free(const thud_scene *scene, const thud_allocator *allocator,
                                 thud_surface *surfaces); ///< NULL is allowed

#ifdef __cplusplus
}
#endif

#endif
