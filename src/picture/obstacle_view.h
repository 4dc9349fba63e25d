// The obstacles of a scene as triangles and lines, for pictures.
#ifndef THUDI_OBSTACLE_VIEW_H
#define THUDI_OBSTACLE_VIEW_H

#include "thud/show.h"
#include "thud/surface.h"

// Draw one surface. at: where its frame is placed. The surface is freed after the call. An error
// ends thudi_obstacles_visit, which returns it.
typedef thud_status thudi_obstacle_fn(const thud_surface *surface, const thud_placement *at,
                                      void *user);

// Call `draw` for the surface of every obstacle at time t. The obstacle's key `show` changes it:
// hidden obstacles are left out, and outlines have lines but no triangles.
thud_status thudi_obstacles_visit(const thud_render_def *def, double t,
                                  const thud_allocator *allocator, thudi_obstacle_fn *draw,
                                  void *user);

#endif
