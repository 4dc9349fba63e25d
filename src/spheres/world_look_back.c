// The rows known, once more at another time: what the law of restitution asks for.
#include "spheres/world.h"

static thud_status push_pair_again(const thud_world *world, const double *q, uint64_t key,
                                   thud_rows *rows)
{
    double distance, normal[3], shift[3];
    int a = thudi_world_find(world, thudi_key_high(key));
    int b = thudi_world_find(world, thudi_key_low(key) & world->body_bits);
    if (a < 0 || b < 0)
        return THUD_ERR_ARGUMENT;
    int partner = thudi_world_partner_of(world, key, b);
    thudi_world_shift_at(world, q, a, partner, shift);
    if (!thudi_world_direction(world, q, a, partner, shift, &distance, normal))
        return THUD_ERR_OVERLAP;
    double ra = world->radius.items[a], rb = world->radius.items[b];
    thud_pair_row row = {
        .key = key,
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
        int body = thudi_key_is_pair(key) ? -1 : thudi_world_find(world, thudi_key_low(key));
        if (thudi_key_is_pair(key))
            THUD_TRY(push_pair_again(world, at->q, key, rows));
        else if (thudi_key_is_surface(key))
            THUD_TRY(thudi_world_push_surface_again(world, at->q, &known, body, rows));
        else
            THUD_TRY(push_wall_again(world, at->q, thudi_key_high(key), body, rows));
    }
    return THUD_OK;
}
