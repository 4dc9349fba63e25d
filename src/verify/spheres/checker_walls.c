// The rows of spheres and walls:  normal . q_a - offset - r_a <= e_a  are looked at, all others
// hold.
#include "verify/spheres/checker_search.h"

double thudi_search_wall_gap(const thudi_search *s, int wall, int body)
{
    double sum = -s->offset[wall];
    for (int k = 0; k < s->def->dim; k++)
        sum += s->normal[3 * (size_t)wall + (size_t)k] * thudi_search_centre(s, body)[k];
    return sum - s->radius[body];
}

bool thudi_search_is_near_wall(const thudi_search *s, double gap, int body)
{
    return gap <= s->extent[body] - s->radius[body];
}

thud_status thudi_search_push_wall(thudi_search *s, int wall, int body, double gap)
{
    int index = s->def->dim * body;
    thud_row row = {.key = thud_key_wall(wall, body),
                    .gap = gap,
                    .width = s->def->dim,
                    .count = 1,
                    .index = &index,
                    .slope = s->normal + 3 * (size_t)wall};
    thudi_search_add_law(s, &row, s->radius[body], thudi_search_material(s, body),
                         s->def->wall_material ? s->def->wall_material[wall] : 0);
    return thud_rows_push(s->rows, &row);
}

thud_status thudi_search_push_walls(thudi_search *s)
{
    thud_status status = THUD_OK;
    for (int w = 0; w < s->def->wall_count; w++)
        for (int i = 0; i < s->def->count && status == THUD_OK; i++)
        {
            double gap = thudi_search_wall_gap(s, w, i);
            if (thudi_search_is_near_wall(s, gap, i))
                status = thudi_search_push_wall(s, w, i, gap);
        }
    return status;
}
