// The rows of spheres and walls:  normal . q_a - offset - r_a <= e_a  are looked at, all others
// hold.
#include "verify/spheres/checker_search.h"

double thudi_search_wall_gap(const thudi_search *s, const thudi_sight *sight, int wall, int body)
{
    double sum = -s->offset[wall];
    for (int k = 0; k < s->def->dim; k++)
        sum += s->normal[3 * (size_t)wall + (size_t)k] * thudi_sight_centre(sight, body)[k];
    return sum - sight->radius[body];
}

bool thudi_search_is_near_wall(const thudi_search *s, double gap, int body)
{
    return gap <= s->extent[body] - s->at.radius[body];
}

thud_status thudi_search_push_wall(thudi_search *s, const thudi_sight *sight, int wall, int body,
                                   double gap)
{
    int index = s->def->dim * body;
    thud_row row = {.key = thud_key_wall(wall, body),
                    .gap = gap,
                    .width = s->def->dim,
                    .count = 1,
                    .index = &index,
                    .slope = s->normal + 3 * (size_t)wall};
    thudi_spheres_add_law(s->def, s->law, sight->radius[body], thudi_sight_material(sight, body),
                          s->def->wall_material ? s->def->wall_material[wall] : 0, &row);
    return thud_rows_push(s->list->whole, &row);
}

thud_status thudi_search_push_walls(thudi_search *s)
{
    thud_status status = THUD_OK;
    for (int w = 0; w < s->def->wall_count; w++)
        for (int i = 0; i < s->def->count && status == THUD_OK; i++)
        {
            double gap = thudi_search_wall_gap(s, &s->at, w, i);
            if (thudi_search_is_near_wall(s, gap, i))
                status = thudi_search_push_wall(s, &s->at, w, i, gap);
        }
    return status;
}
