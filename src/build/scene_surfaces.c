// The surfaces of all obstacles of a scene, which exports and pages move from frame to frame.
#include "build/scene_surfaces.h"

thud_status thudi_scene_surfaces_make(const thud_scene *scene, const thud_allocator *allocator,
                                      thudi_surface **surfaces)
{
    size_t count = (size_t)scene->obstacle_count;
    *surfaces = NULL;
    if (count == 0)
        return THUD_OK;
    *surfaces = thudi_allocate_zeroed(allocator, count * sizeof **surfaces);
    thud_status status = *surfaces ? THUD_OK : THUD_ERR_MEMORY;
    for (size_t i = 0; i < count && status >= 0; i++)
        status =
            thudi_surface_make(&scene->obstacles[i].solid, scene->dim, allocator, &(*surfaces)[i]);
    return status;
}

void thudi_scene_surfaces_free(const thud_scene *scene, const thud_allocator *allocator,
                               thudi_surface *surfaces)
{
    size_t count = (size_t)scene->obstacle_count;
    for (size_t i = 0; i < count && surfaces; i++)
        thudi_surface_free(&surfaces[i], allocator);
    thudi_free(allocator, surfaces, count * sizeof *surfaces);
}
