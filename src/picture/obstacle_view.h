// An obstacle as a picture sees it: its surface, and where that is.
#ifndef THUDI_OBSTACLE_VIEW_H
#define THUDI_OBSTACLE_VIEW_H

#include "thud/show.h"
#include "thud/surface.h"

// At time t. Free the surface in any case.
thud_status thudi_obstacle_see(const thud_render_def *def, int obstacle, double t,
                               const thud_allocator *allocator, thud_surface *surface,
                               thud_placement *at);

#endif
