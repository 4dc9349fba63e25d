// What contacts do, by the pair of materials that meet: the law of a world, and its numbers.
#include "spheres/materials.h"

#include "rows/key.h"

#include <string.h>

// The numbers of a pair of materials in a table of `count` by `count` pairs.
static const double *entry(const thud_law_info *law, const double *table, size_t count, size_t a,
                           size_t b)
{
    return table + (a * count + b) * (size_t)law->number_count;
}

static bool are_none(const thud_law_info *law, const double *numbers)
{
    for (int k = 0; k < law->number_count; k++)
        if (numbers[k] != law->numbers[k].none)
            return false;
    return true;
}

// Is every number in its range, and the table symmetric? *used: one is not `none`.
static bool is_sound(const thud_law_info *law, const double *table, size_t count, bool *used)
{
    *used = false;
    for (size_t a = 0; a < count && table; a++)
        for (size_t b = 0; b < count; b++)
        {
            const double *here = entry(law, table, count, a, b);
            const double *there = entry(law, table, count, b, a);
            for (int k = 0; k < law->number_count; k++)
                if (!(here[k] >= law->numbers[k].low && here[k] <= law->numbers[k].high) ||
                    here[k] != there[k])
                    return false;
            *used = *used || !are_none(law, here);
        }
    return true;
}

thud_status thudi_world_read_materials(thud_world *world, const thud_world_def *def)
{
    size_t count = def->material_count > 0 ? (size_t)def->material_count : 0;
    const thud_law_info *law = thud_law_find((int)def->law);
    bool used;
    world->law = thud_law_find(0);
    if (def->material_count < 0 || count > 10000 || !law ||
        !is_sound(law, def->numbers, count, &used))
        return THUD_ERR_ARGUMENT;
    if (!used && law->number_count > 0)
        return THUD_OK;
    world->law = law;
    if (!used)
        return THUD_OK;
    size_t size = count * count * (size_t)law->number_count;
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->numbers, size));
    memcpy(world->numbers.items, def->numbers, size * sizeof *world->numbers.items);
    return THUD_OK;
}

const double *thudi_world_numbers(const thud_world *world, int a, int b)
{
    if (world->law->number_count == 0)
        return NULL;
    return entry(world->law, world->numbers.items, (size_t)world->def.material_count, (size_t)a,
                 (size_t)b);
}

bool thudi_world_uses_law(const thud_world *world, int a, int b)
{
    const double *numbers = thudi_world_numbers(world, a, b);
    return numbers && !are_none(world->law, numbers);
}

void thudi_world_drop_memories(thud_world *world, int id)
{
    thud_state *state = world->state;
    // one number of a row that is not held is a first guess, as an impulse is
    if (!state || (!(world->law->traits & THUD_TRAIT_HELD_ROWS) && world->law->kept < 2))
        return;
    int kept = 0, width = state->more_width;
    for (int i = 0; i < state->multiplier_count; i++)
    {
        thud_key key = state->multipliers[i].key;
        bool is_pair = thudi_key_is_pair(key);
        int low = thudi_key_low(key, world->keys);
        int high = thudi_key_high(key);
        bool gone = low == id || thudi_world_find(world, low) < 0;
        gone = gone || (is_pair && (high == id || thudi_world_find(world, high) < 0));
        if (gone)
            continue;
        state->multipliers[kept] = state->multipliers[i];
        for (int k = 0; k < width; k++)
            state->more[kept * width + k] = state->more[i * width + k];
        kept++;
    }
    state->multiplier_count = kept;
}

bool thudi_world_has_material(const thud_world *world, int material)
{
    int count = world->def.material_count > 0 ? world->def.material_count : 1;
    return material >= 0 && material < count;
}

thud_status thud_world_set_material(thud_world *world, const int *ids, int count, int material)
{
    if (count < 0 || (count > 0 && !ids))
        return THUD_ERR_ARGUMENT;
    if (!thudi_world_has_material(world, material))
    {
        thudi_world_fail(world, "there is no material %d", material);
        return THUD_ERR_ARGUMENT;
    }
    for (int i = 0; i < count; i++)
        if (thudi_world_find(world, ids[i]) < 0)
        {
            thudi_world_fail(world, "there is no body %d", ids[i]);
            return THUD_ERR_ARGUMENT;
        }
    for (int i = 0; i < count; i++)
        world->material.items[thudi_world_find(world, ids[i])] = material;
    return THUD_OK;
}
