// The obstacles of a scene as a picture sees them.
#ifndef THUDI_OBSTACLE_VIEW_H
#define THUDI_OBSTACLE_VIEW_H

#include "thud/show.h"
#include "thud/surface.h"

// Draw a surface and where it is placed. An error ends the walk.
typedef thud_status thudi_obstacle_fn(const thud_surface *surface, const thud_placement *at,
                                      void *user);

// Visit the surfaces of all obstacles at time t, as their key `show` says: hidden ones are left
// out, and outlines have no triangles.
thud_status thudi_obstacles_visit(const thud_render_def *def, double t,
                                  const thud_allocator *allocator, thudi_obstacle_fn *see,
                                  void *user);

#endif
