// What contacts do, by the pair of materials that meet: the tables of a world, and its law.
#include "spheres/world.h"

#include <math.h>
#include <string.h>

// Is every entry in its range, and the table symmetric? *used: one entry is not 0.
static bool is_sound(const double *table, int count, double low, double high, bool *used)
{
    *used = false;
    for (int a = 0; a < count && table; a++)
        for (int b = 0; b < count; b++)
        {
            double value = table[a * (size_t)count + (size_t)b];
            if (!(value >= low && value <= high) || value != table[b * (size_t)count + (size_t)a])
                return false;
            *used = *used || value != 0;
        }
    return true;
}

thud_status thudi_world_take_materials(thud_world *world, const thud_world_def *def)
{
    size_t count = def->material_count > 0 ? (size_t)def->material_count : 0;
    bool bounces, glued;
    if (def->material_count < 0 || count > 10000 ||
        !is_sound(def->restitution, (int)count, 0, 1, &bounces) ||
        !is_sound(def->glue, (int)count, -INFINITY, 0, &glued) || (bounces && glued))
        return THUD_ERR_ARGUMENT;
    if (!bounces && !glued)
        return THUD_OK;
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->pairs, count * count));
    memcpy(world->pairs.items, bounces ? def->restitution : def->glue,
           count * count * sizeof *world->pairs.items);
    world->law = bounces ? THUD_LAW_RESTITUTION : THUD_LAW_GLUE;
    return THUD_OK;
}

void thudi_world_forget(thud_world *world, int id)
{
    thud_state *state = world->state;
    if (!state || world->law != THUD_LAW_GLUE)
        return;
    int kept = 0;
    for (int i = 0; i < state->multiplier_count; i++)
    {
        thud_key key = state->multipliers[i].key;
        bool is_pair = thudi_key_is_pair(key);
        int low = thudi_key_low(key, world->keys);
        int high = thudi_key_high(key);
        bool gone = low == id || thudi_world_find(world, low) < 0;
        gone = gone || (is_pair && (high == id || thudi_world_find(world, high) < 0));
        if (!gone)
            state->multipliers[kept++] = state->multipliers[i];
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
        thudi_world_say(world, "there is no material %d", material);
        return THUD_ERR_ARGUMENT;
    }
    for (int i = 0; i < count; i++)
        if (thudi_world_find(world, ids[i]) < 0)
        {
            thudi_world_say(world, "there is no body %d", ids[i]);
            return THUD_ERR_ARGUMENT;
        }
    for (int i = 0; i < count; i++)
        world->material.items[thudi_world_find(world, ids[i])] = material;
    return THUD_OK;
}

static double entry(const thud_world *world, thud_law law, int a, int b)
{
    size_t count = (size_t)world->def.material_count;
    return world->law == law ? world->pairs.items[(size_t)a * count + (size_t)b] : 0;
}

double thudi_world_restitution(const thud_world *world, int a, int b)
{
    return entry(world, THUD_LAW_RESTITUTION, a, b);
}

double thudi_world_glue(const thud_world *world, int a, int b)
{
    return entry(world, THUD_LAW_GLUE, a, b);
}
