// The surfaces of obstacles, which the page moves from frame to frame.
#include "build/scene_surfaces.h"
#include "page/pager.h"

thud_status thudi_page_make_surfaces(thudi_pager *pager)
{
    thud_status status =
        thudi_scene_surfaces_make(pager->def->scene, &pager->allocator, &pager->surfaces);
    return status < 0 ? thudi_fail_memory(pager->fault) : THUD_OK;
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
    thudi_scene_surfaces_free(pager->def->scene, &pager->allocator, pager->surfaces);
}
