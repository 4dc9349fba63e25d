// The surfaces of all obstacles of a scene, which exports and pages move from frame to frame.
#include "core/memory.h"
#include "thud/surface.h"

thud_status thud_surfaces_make(const thud_scene *scene, const thud_allocator *allocator,
                               thud_surface **surfaces)
{
    size_t count = (size_t)scene->obstacle_count;
    *surfaces = NULL;
    if (count == 0)
        return THUD_OK;
    thud_allocator memory = thudi_allocator_or_default(allocator);
    *surfaces = thudi_allocate_zeroed(&memory, count * sizeof **surfaces);
    thud_status status = *surfaces ? THUD_OK : THUD_ERR_MEMORY;
    for (size_t i = 0; i < count && status >= 0; i++)
        status =
            thud_surface_make(&scene->obstacles[i].solid, scene->dim, &memory, &(*surfaces)[i]);
    return status;
}

void thud_surfaces_free(const thud_scene *scene, const thud_allocator *allocator,
                        thud_surface *surfaces)
{
    size_t count = (size_t)scene->obstacle_count;
    thud_allocator memory = thudi_allocator_or_default(allocator);
    for (size_t i = 0; i < count && surfaces; i++)
        thud_surface_free(&surfaces[i], &memory);
    thudi_free(&memory, surfaces, count * sizeof *surfaces);
}
