// The constraints of an inclusion of one or two coordinates, sampled on a grid, so that the page
// can draw where g = 0.
#include "page/pager.h"

static void sample_one(thudi_pager *pager, const thud_varying *gap, double t, double *room)
{
    const thudi_page_scale *scale = &pager->scale;
    int last = pager->grid - 1, rows = pager->def->scene->coordinate_count > 1 ? pager->grid : 1;
    uint16_t *values = pager->now.items;
    size_t used = 0;
    double q[2];
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < pager->grid; i++)
        {
            q[0] = scale->low[0] + (scale->high[0] - scale->low[0]) * i / last;
            q[1] = scale->low[1] + (scale->high[1] - scale->low[1]) * j / last;
            values[used++] = thudi_half_float(thud_varying_at_point(gap, t, q, room));
        }
    thudi_pack_u16s(&pager->pack, values, used);
}

thud_status thudi_page_sample(thudi_pager *pager, double t, bool all)
{
    const thud_scene *scene = pager->def->scene;
    for (int i = 0; i < scene->constraint_count && pager->grid > 0; i++)
    {
        const thud_varying *gap = &scene->constraints[i].gap;
        size_t room = (size_t)thud_varying_room(gap);
        if (!all && !thud_varying_uses_time(gap))
            continue;
        size_t points = (size_t)pager->grid * (size_t)pager->grid;
        THUD_TRY(thudi_array_reserve(&pager->allocator, &pager->now, points));
        THUD_TRY(thudi_array_reserve(&pager->allocator, &pager->numbers, room + 1));
        sample_one(pager, gap, t, pager->numbers.items);
    }
    return THUD_OK;
}
