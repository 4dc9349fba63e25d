// A row of an obstacle once more, at the start of the step: what the law of impacts asks for.
#include "verify/spheres/checker_obstacles.h"

#include <string.h>

thud_status thudi_obstacles_push_again(const thudi_obstacles *obstacles, const thud_moment *at,
                                       const thud_row *known, thud_rows *rows)
{
    thud_key_parts parts = thud_key_read(known->key, THUD_KEYS_OPEN);
    int surface = (int)parts.a, body = (int)parts.b;
    int first = 0, k = 0, count = 0;
    for (; k < obstacles->def->obstacle_count; k++, first += count)
    {
        const thud_solid_def *solid = &obstacles->def->obstacles[k].solid;
        count = thudi_facet_count(solid) * thudi_facet_keys(solid);
        if (surface < first + count)
            break;
    }
    if (k == obstacles->def->obstacle_count || !obstacles->def->obstacles[k].motion)
        return thud_rows_push(rows, known);
    const thud_verify_obstacle *obstacle = &obstacles->def->obstacles[k];
    thud_pose pose = obstacle->pose;
    if (obstacle->motion(at->t, &pose, obstacle->user) != 0)
        return THUD_ERR_CALLBACK;
    thudi_frame frame = thudi_frame_of(&pose);
    double x[3] = {0, 0, 0}, y[3];
    int dim = obstacles->def->dim, facet = (surface - first) / thudi_facet_keys(&obstacle->solid);
    memcpy(x, at->q + (size_t)dim * (size_t)body, (size_t)dim * sizeof *x);
    thudi_frame_in(&frame, x, y);
    thud_row row = *known;
    row.gap = thudi_facet_view_from(&obstacle->solid, facet, y).distance - obstacles->radius[body];
    return thud_rows_push(rows, &row);
}
