// The surfaces of all obstacles of a scene.
#ifndef THUDI_SCENE_SURFACES_H
#define THUDI_SCENE_SURFACES_H

#include "shapes/obstacle_surface.h"
#include "thud/scene.h"

// One for each obstacle, each in its own frame; NULL where there are none. Free in any case.
thud_status thudi_scene_surfaces_make(const thud_scene *scene, const thud_allocator *allocator,
                                      thudi_surface **surfaces);
void thudi_scene_surfaces_free(const thud_scene *scene, const thud_allocator *allocator,
                               thudi_surface *surfaces);

#endif
