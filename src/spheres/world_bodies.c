// Bodies come to a world of spheres, change and go, all or nothing.
#include "spheres/materials.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static thud_status check_sphere(thud_world *world, const thud_sphere *sphere, int at)
{
    bool finite = isfinite(sphere->radius) && isfinite(sphere->mass);
    for (int k = 0; k < world->dim; k++)
        finite = finite && isfinite(sphere->center[k]) && isfinite(sphere->velocity[k]);
    bool positive = sphere->radius > 0 && sphere->mass > 0, moves = false;
    for (int k = 0; k < world->dim && world->def.order == THUD_FIRST_ORDER; k++)
        moves = moves || sphere->velocity[k] != 0;
    if (!finite)
        thudi_world_fail(world, "sphere %d: a number is not finite", at);
    else if (!positive)
        thudi_world_fail(world, "sphere %d: radius and mass must be positive", at);
    else if (moves)
        thudi_world_fail(world, "sphere %d: a velocity at the start has no meaning in first order",
                         at);
    return !finite ? THUD_ERR_NOT_FINITE : positive && !moves ? THUD_OK : THUD_ERR_ARGUMENT;
}

static thud_status reserve_bodies(thud_world *world, size_t count)
{
    const thud_allocator *allocator = &world->allocator;
    THUD_TRY(thudi_array_reserve(allocator, &world->id, count));
    THUD_TRY(thudi_array_reserve(allocator, &world->rest_radius, count));
    THUD_TRY(thudi_array_reserve(allocator, &world->radius, count));
    THUD_TRY(thudi_near_reserve(&world->near, world->dim, count));
    THUD_TRY(
        thudi_array_reserve(allocator, &world->chunks, (size_t)thudi_near_chunk_count((int)count)));
    THUD_TRY(thudi_array_reserve(allocator, &world->material, count));
    THUD_TRY(thudi_array_reserve(allocator, &world->is_new, count));
    return thudi_array_reserve(allocator, &world->mass, (size_t)world->dim * count);
}

// A state for count bodies with the time and multipliers of the present one.
static thud_status new_state(const thud_world *world, int count, thud_state **out)
{
    const thud_state *old = world->state;
    size_t size = (size_t)world->dim * (size_t)count;
    double *zero = thudi_allocate_zeroed(&world->allocator, size * sizeof *zero);
    *out = NULL;
    if (!zero)
        return THUD_ERR_MEMORY;
    thud_state_def def = {.dim = (int)size,
                          .t0 = old ? old->t0 : world->def.t0,
                          .h = old ? old->h : world->def.h,
                          .q = zero,
                          .allocator = &world->allocator};
    thud_status status = thud_state_create(&def, out);
    thudi_free(&world->allocator, zero, size * sizeof *zero);
    if (status < 0 || !old)
        return status;
    (*out)->n = old->n;
    status = thud_state_widen(*out, old->more_width);
    if (status >= 0)
        status = thud_state_reserve(*out, old->multiplier_count);
    if (status < 0)
    {
        thud_state_destroy(*out);
        *out = NULL;
        return status;
    }
    (*out)->multiplier_count = old->multiplier_count;
    if (old->multiplier_count > 0)
        memcpy((*out)->multipliers, old->multipliers,
               (size_t)old->multiplier_count * sizeof *old->multipliers);
    size_t more = (size_t)old->multiplier_count * (size_t)old->more_width;
    if (more > 0)
        memcpy((*out)->more, old->more, more * sizeof *old->more);
    return THUD_OK;
}

static void place(thud_world *world, int i, const thud_sphere *sphere)
{
    size_t at = (size_t)world->dim * (size_t)i;
    world->is_new.items[i] = true;
    world->rest_radius.items[i] = world->radius.items[i] = sphere->radius;
    for (int k = 0; k < world->dim; k++)
    {
        world->mass.items[at + (size_t)k] = sphere->mass;
        world->state->q[at + (size_t)k] = sphere->center[k];
        world->state->u[at + (size_t)k] = sphere->velocity[k];
    }
}

thud_status thud_world_add(thud_world *world, const thud_sphere *spheres, int count, int *first)
{
    if (count < 0 || (count > 0 && !spheres))
        return THUD_ERR_ARGUMENT;
    if (count > INT_MAX / world->dim - world->count || count > world->body_mask - world->next_id)
        return THUD_ERR_LIMIT;
    for (int i = 0; i < count; i++)
        THUD_TRY(check_sphere(world, &spheres[i], i));
    if (first)
        *first = world->next_id;
    if (count == 0)
        return THUD_OK;
    thud_state *state;
    THUD_TRY(reserve_bodies(world, (size_t)(world->count + count)));
    THUD_TRY(new_state(world, world->count + count, &state));
    if (world->state)
    {
        memcpy(state->q, world->state->q, (size_t)world->state->dim * sizeof *state->q);
        memcpy(state->u, world->state->u, (size_t)world->state->dim * sizeof *state->u);
    }
    thud_state_destroy(world->state);
    world->state = state;
    for (int i = 0; i < count; i++)
    {
        world->id.items[world->count + i] = world->next_id + i;
        world->material.items[world->count + i] = 0;
        place(world, world->count + i, &spheres[i]);
    }
    world->count += count;
    world->next_id += count;
    world->is_ready = false;
    return THUD_OK;
}

// Ids increase along the bodies.
int thudi_world_find(const thud_world *world, int id)
{
    int low = 0, high = world->count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (world->id.items[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < world->count && world->id.items[low] == id ? low : -1;
}

thud_status thud_world_set(thud_world *world, int id, const thud_sphere *sphere)
{
    int i = thudi_world_find(world, id);
    THUD_TRY(check_sphere(world, sphere, id));
    if (i < 0)
    {
        thudi_world_fail(world, "there is no body %d", id);
        return THUD_ERR_ARGUMENT;
    }
    place(world, i, sphere);
    thudi_world_drop_memories(world, id);
    world->is_ready = false;
    return THUD_OK;
}

// Mark the bodies to go by a negative reach; false if an id is unknown or named twice.
static bool mark_for_removal(thud_world *world, const int *ids, int count)
{
    world->near.is_valid = false; // it was that of the list
    for (int i = 0; i < world->count; i++)
        world->near.reach.items[i] = 0;
    for (int k = 0; k < count; k++)
    {
        int i = thudi_world_find(world, ids[k]);
        if (i < 0 || world->near.reach.items[i] < 0)
        {
            thudi_world_fail(world, "there is no body %d, or it is named twice", ids[k]);
            return false;
        }
        world->near.reach.items[i] = -1;
    }
    return true;
}

thud_status thud_world_remove(thud_world *world, const int *ids, int count)
{
    thud_state *state = NULL;
    if (count < 0 || (count > 0 && !ids) || !mark_for_removal(world, ids, count))
        return THUD_ERR_ARGUMENT;
    if (count < world->count)
        THUD_TRY(new_state(world, world->count - count, &state));
    size_t size = (size_t)world->dim * sizeof(double);
    int kept = 0;
    for (int i = 0; i < world->count; i++)
    {
        size_t from = (size_t)world->dim * (size_t)i, to = (size_t)world->dim * (size_t)kept;
        if (world->near.reach.items[i] < 0 || !state) // without state all go
            continue;
        world->id.items[kept] = world->id.items[i];
        world->rest_radius.items[kept] = world->rest_radius.items[i];
        world->radius.items[kept] = world->radius.items[i];
        world->material.items[kept] = world->material.items[i];
        world->is_new.items[kept] = world->is_new.items[i];
        memmove(world->mass.items + to, world->mass.items + from, size);
        memcpy(state->q + to, world->state->q + from, size);
        memcpy(state->u + to, world->state->u + from, size);
        kept++;
    }
    if (!state && world->state) // the last body goes, but time goes on
    {
        world->def.t0 = thud_state_time(world->state);
        world->def.h = world->state->h;
    }
    thud_state_destroy(world->state);
    world->state = state;
    world->count = kept;
    thudi_world_drop_memories(world, -1);
    world->is_ready = false;
    return THUD_OK;
}
