// The surfaces of obstacles, which the page moves from frame to frame.
#include "page/pager.h"

thud_status thudi_page_make_surfaces(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    size_t count = (size_t)scene->obstacle_count;
    if (count == 0)
        return THUD_OK;
    pager->surfaces = thudi_allocate_zeroed(&pager->allocator, count * sizeof *pager->surfaces);
    thud_status status = pager->surfaces ? THUD_OK : THUD_ERR_MEMORY;
    for (size_t i = 0; i < count && status >= 0; i++)
        status = thudi_surface_make(&scene->obstacles[i].solid, scene->dim, &pager->allocator,
                                    &pager->surfaces[i]);
    return status < 0 ? thudi_record_memory(pager->fault) : THUD_OK;
}

void thudi_page_pack_surfaces(thudi_pager *pager)
{
    for (int i = 0; i < pager->def->scene->obstacle_count; i++)
    {
        const thudi_surface *surface = &pager->surfaces[i];
        for (size_t k = 0; k < 9 * (size_t)surface->triangle_count; k++)
            thudi_pack_f32(&pager->pack, surface->triangles.items[k]);
        for (size_t k = 0; k < 6 * (size_t)surface->line_count; k++)
            thudi_pack_f32(&pager->pack, surface->lines.items[k]);
    }
}

void thudi_page_free_surfaces(thudi_pager *pager)
{
    size_t count = (size_t)pager->def->scene->obstacle_count;
    for (size_t i = 0; i < count && pager->surfaces; i++)
        thudi_surface_free(&pager->surfaces[i], &pager->allocator);
    thudi_free(&pager->allocator, pager->surfaces, count * sizeof *pager->surfaces);
}
