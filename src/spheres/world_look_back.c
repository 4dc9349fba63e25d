// The rows known, once more at another time: what the law of restitution asks for.
#include "spheres/world.h"

static thud_status push_pair_again(const thud_world *world, const double *q, int a, int b,
                                   thud_rows *rows)
{
    double distance, normal[3];
    if (a < 0 || b < 0)
        return THUD_ERR_ARGUMENT;
    if (!thudi_world_direction(world, q, a, b, &distance, normal))
        return THUD_ERR_OVERLAP;
    double ra = world->radius.items[a], rb = world->radius.items[b];
    thud_pair_row row = {
        .key = thudi_world_pair_key(world->id.items[a], world->id.items[b]),
        .gap = distance - ra - rb,
        .shift = thudi_world_shift(world->shift_factor, ra, rb),
        .a = world->dim * a,
        .b = world->dim * b,
        .normal = {normal[0], normal[1], normal[2]},
        .restitution =
            thudi_world_restitution(world, world->material.items[a], world->material.items[b]),
        .glue = thudi_world_glue(world, world->material.items[a], world->material.items[b]),
    };
    return thud_rows_push_pairs(rows, world->dim, &row, 1);
}

static thud_status push_wall_again(const thud_world *world, const double *q, int wall, int i,
                                   thud_rows *rows)
{
    if (i < 0)
        return THUD_ERR_ARGUMENT;
    thud_pair_row row = thudi_walls_row(world, wall, q, i);
    return thud_rows_push_pairs(rows, world->dim, &row, 1);
}

thud_status thudi_world_look_back(const thud_world *world, const thud_moment *at, thud_rows *rows)
{
    for (int i = 0; i < thud_rows_count(at->known); i++)
    {
        thud_row known = thud_rows_get(at->known, i);
        uint64_t key = known.key;
        if (key >> 63 && key & 0x80000000u)
        {
            int body = thudi_world_find(world, (int)(key & 0x7fffffffu));
            THUD_TRY(thudi_world_push_surface_again(world, at->q, &known, body, rows));
            continue;
        }
        int low = (int)(key & 0xffffffffu), high = (int)(key >> 32 & 0x7fffffffu);
        int b = thudi_world_find(world, low);
        THUD_TRY(key >> 63 ? push_wall_again(world, at->q, high, b, rows)
                           : push_pair_again(world, at->q, thudi_world_find(world, high), b, rows));
    }
    return THUD_OK;
}
