// The surfaces of obstacles, which the page moves from frame to frame.
#include "page/pager.h"
#include "thud/surface.h"

thud_status thudi_page_make_surfaces(thudi_pager *pager)
{
    thud_status status = thud_surfaces_make(pager->def->scene, &pager->allocator, &pager->surfaces);
    return status < 0 ? thudi_fail_memory(pager->fault) : THUD_OK;
}

void thudi_page_pack_surfaces(thudi_pager *pager)
{
    for (int i = 0; i < pager->def->scene->obstacle_count; i++)
    {
        const thud_surface *surface = &pager->surfaces[i];
        for (size_t k = 0; k < 9 * (size_t)surface->triangle_count; k++)
            thudi_pack_f32(&pager->pack, surface->triangles[k]);
        for (size_t k = 0; k < 6 * (size_t)surface->line_count; k++)
            thudi_pack_f32(&pager->pack, surface->lines[k]);
    }
}

void thudi_page_free_surfaces(thudi_pager *pager)
{
    thud_surfaces_free(pager->def->scene, &pager->allocator, pager->surfaces);
}
