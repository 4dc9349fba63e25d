// Rows by their keys, however far apart: those known, once more at another time, for laws that look
// back; and the pairs that a law still holds.
#include "spheres/cell.h"
#include "spheres/materials.h"
#include "spheres/obstacles.h"
#include "spheres/pairs.h"
#include "spheres/walls.h"

#include "rows/key.h"

// The same numbers, bit for bit, as those of a pair that was found to be near.
static thud_status push_pair(const thud_world *world, const double *q, thud_key key,
                             thud_rows *rows)
{
    double distance, normal[3], offset[3];
    int a = thudi_world_find(world, thudi_key_high(key));
    int b = thudi_world_find(world, thudi_key_low(key, world->keys));
    if (a < 0 || b < 0)
        return THUD_ERR_ARGUMENT;
    int partner = thudi_world_partner_of(world, key, b);
    thudi_world_offset_at(world, q, a, partner, offset);
    if (!thudi_world_direction(world, q, a, partner, offset, &distance, normal))
        return THUD_ERR_OVERLAP;
    double ra = world->radius.items[a], rb = world->radius.items[b];
    thud_pair_row row = {
        .key = key,
        .gap = distance - ra - rb,
        .shift = thudi_world_shift(world, ra, rb),
        .a = world->dim * a,
        .b = world->dim * b,
        .normal = {normal[0], normal[1], normal[2]},
        .law = world->law->law,
        .numbers = thudi_world_numbers(world, world->material.items[a], world->material.items[b]),
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
        thud_row_room room;
        thud_row known = thud_rows_get(at->known, i, &room);
        thud_key key = known.key;
        int body =
            thudi_key_is_pair(key) ? -1 : thudi_world_find(world, thudi_key_low(key, world->keys));
        if (thudi_key_is_pair(key))
            THUD_TRY(push_pair(world, at->q, key, rows));
        else if (thudi_key_is_surface(key))
            THUD_TRY(thudi_world_push_surface_again(world, at->q, &known, body, rows));
        else
            THUD_TRY(push_wall_again(world, at->q, thudi_key_high(key), body, rows));
    }
    return THUD_OK;
}

// Near pairs are in the rows already, by the order of their keys.
thud_status thudi_world_push_held(const thud_world *world, const thud_moment *at, thud_rows *rows)
{
    int near = thud_rows_count(rows);
    if (!(world->law->traits & THUD_TRAIT_HELD_ROWS))
        return THUD_OK;
    for (int m = 0, i = 0; m < at->multiplier_count; m++)
    {
        const thud_multiplier *held = &at->multipliers[m];
        if (!thudi_key_is_pair(held->key) || held->memory == 0)
            continue;
        while (i < near && thud_key_before(thud_rows_get(rows, i, NULL).key, held->key))
            i++;
        if (i == near || !thud_key_same(thud_rows_get(rows, i, NULL).key, held->key))
            THUD_TRY(push_pair(world, at->q, held->key, rows));
    }
    return THUD_OK;
}
