// A world of spheres: bodies and walls come and go, all or nothing.
#include "spheres/world.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static thud_status check_def(const thud_world_def *def)
{
    if (def->dim != 2 && def->dim != 3)
        return THUD_ERR_ARGUMENT;
    if (!(def->h > 0) || !(def->drag >= 0) || !(def->tol >= 0) || !(def->tol_a >= 0))
        return THUD_ERR_ARGUMENT;
    if ((def->order != THUD_SECOND_ORDER && def->order != THUD_FIRST_ORDER) || !(def->noise >= 0) ||
        (def->noise > 0 && def->order != THUD_FIRST_ORDER))
        return THUD_ERR_ARGUMENT;
    if (!isfinite(def->noise) || !isfinite(def->t0) || !isfinite(def->h) || !isfinite(def->drag) ||
        !isfinite(def->tol) || !isfinite(def->tol_a))
        return THUD_ERR_NOT_FINITE;
    for (int k = 0; k < def->dim; k++)
        if (!isfinite(def->gravity[k]))
            return THUD_ERR_NOT_FINITE;
    return def->radius_tt < 0 ? THUD_ERR_ARGUMENT : THUD_OK;
}

thud_status thud_world_create(const thud_world_def *def, thud_world **out)
{
    thud_world_def filled = *def;
    *out = NULL;
    if (filled.dim == 0)
        filled.dim = 3;
    if (filled.tol == 0)
        filled.tol = 1e-5;
    if (filled.tol_a == 0)
        filled.tol_a = 1e-3;
    THUD_TRY(check_def(&filled));
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_world *world = thudi_allocate_zeroed(&allocator, sizeof *world);
    if (!world)
        return THUD_ERR_MEMORY;
    filled.allocator = NULL;
    filled.restitution = filled.glue = NULL; // copied below
    world->allocator = world->cells.allocator = allocator;
    world->def = filled;
    world->dim = filled.dim;
    world->shift_factor = 2 * filled.tol;
    thud_status status = thudi_world_take_materials(world, def);
    if (status >= 0)
        status = thudi_world_take_cell(world, &def->cell);
    if (status < 0)
    {
        thud_world_destroy(world);
        return status;
    }
    *out = world;
    return THUD_OK;
}

void thud_world_destroy(thud_world *world)
{
    if (!world)
        return;
    thud_allocator allocator = world->allocator;
    thudi_array_free(&allocator, &world->id);
    thudi_array_free(&allocator, &world->rest_radius);
    thudi_array_free(&allocator, &world->mass);
    thudi_array_free(&allocator, &world->material);
    thudi_array_free(&allocator, &world->pairs);
    thudi_array_free(&allocator, &world->walls);
    thudi_array_free(&allocator, &world->planes);
    thudi_array_free(&allocator, &world->wall_groups);
    thudi_array_free(&allocator, &world->radius);
    thudi_array_free(&allocator, &world->reach);
    thudi_near_free(world);
    thudi_array_free(&allocator, &world->overlaps);
    thudi_array_free(&allocator, &world->contact_body);
    thudi_array_free(&allocator, &world->contact_data);
    thudi_cells_free(&world->cells);
    thudi_images_free(&allocator, &world->images);
    thudi_world_free_obstacles(world);
    thud_state_destroy(world->state);
    thudi_free(&allocator, world, sizeof *world);
}

void thudi_world_say(thud_world *world, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(world->message, sizeof world->message, format, arguments);
    va_end(arguments);
}

const char *thud_world_message(const thud_world *world)
{
    return world->message;
}

static thud_status check_sphere(thud_world *world, const thud_sphere *sphere, int at)
{
    bool finite = isfinite(sphere->radius) && isfinite(sphere->mass);
    for (int k = 0; k < world->dim; k++)
        finite = finite && isfinite(sphere->center[k]) && isfinite(sphere->velocity[k]);
    bool positive = sphere->radius > 0 && sphere->mass > 0, moves = false;
    for (int k = 0; k < world->dim && world->def.order == THUD_FIRST_ORDER; k++)
        moves = moves || sphere->velocity[k] != 0;
    if (!finite)
        thudi_world_say(world, "sphere %d: a number is not finite", at);
    else if (!positive)
        thudi_world_say(world, "sphere %d: radius and mass must be positive", at);
    else if (moves)
        thudi_world_say(world, "sphere %d: a velocity at the start has no meaning in first order",
                        at);
    return !finite ? THUD_ERR_NOT_FINITE : positive && !moves ? THUD_OK : THUD_ERR_ARGUMENT;
}

static thud_status reserve_bodies(thud_world *world, size_t count)
{
    const thud_allocator *allocator = &world->allocator;
    THUD_TRY(thudi_array_reserve(allocator, &world->id, count));
    THUD_TRY(thudi_array_reserve(allocator, &world->rest_radius, count));
    THUD_TRY(thudi_array_reserve(allocator, &world->radius, count));
    THUD_TRY(thudi_array_reserve(allocator, &world->reach, count));
    THUD_TRY(thudi_near_reserve(world, count));
    THUD_TRY(thudi_array_reserve(allocator, &world->material, count));
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
    return THUD_OK;
}

static void place(thud_world *world, int i, const thud_sphere *sphere)
{
    size_t at = (size_t)world->dim * (size_t)i;
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
    if (count > INT_MAX / world->dim - world->count || count > world->body_bits - world->next_id)
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
        thudi_world_say(world, "there is no body %d", id);
        return THUD_ERR_ARGUMENT;
    }
    place(world, i, sphere);
    thudi_world_forget(world, id);
    world->is_ready = false;
    return THUD_OK;
}

thud_status thud_world_set_drag(thud_world *world, double drag)
{
    if (!(drag >= 0) || !isfinite(drag))
        return THUD_ERR_ARGUMENT;
    world->def.drag = drag;
    return THUD_OK;
}

// Mark the bodies to go by a negative reach; false if an id is unknown or named twice.
static bool mark_for_removal(thud_world *world, const int *ids, int count)
{
    for (int i = 0; i < world->count; i++)
        world->reach.items[i] = 0;
    for (int k = 0; k < count; k++)
    {
        int i = thudi_world_find(world, ids[k]);
        if (i < 0 || world->reach.items[i] < 0)
        {
            thudi_world_say(world, "there is no body %d, or it is named twice", ids[k]);
            return false;
        }
        world->reach.items[i] = -1;
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
        if (world->reach.items[i] < 0 || !state) // without state all go
            continue;
        world->id.items[kept] = world->id.items[i];
        world->rest_radius.items[kept] = world->rest_radius.items[i];
        world->radius.items[kept] = world->radius.items[i];
        world->material.items[kept] = world->material.items[i];
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
    thudi_world_forget(world, -1);
    world->is_ready = false;
    return THUD_OK;
}

// A unit normal, the offset scaled with it; false for a zero or infinite one.
static bool normalise(int dim, thud_plane *plane)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += plane->normal[k] * plane->normal[k];
    double length = sqrt(sum);
    if (!(length > 0) || !isfinite(length) || !isfinite(plane->offset))
        return false;
    for (int k = 0; k < 3; k++)
        plane->normal[k] = k < dim ? plane->normal[k] / length : 0;
    plane->offset /= length;
    return isfinite(plane->offset);
}

thud_status thud_world_add_wall(thud_world *world, const thud_wall_def *def, int *wall)
{
    thud_wall_def copy = *def;
    if (!copy.motion && !normalise(world->dim, &copy.plane))
    {
        thudi_world_say(world, "wall %d: the normal is zero or a number is not finite",
                        world->wall_count);
        return THUD_ERR_ARGUMENT;
    }
    if (!thudi_world_has_material(world, copy.material))
    {
        thudi_world_say(world, "wall %d: there is no material %d", world->wall_count,
                        copy.material);
        return THUD_ERR_ARGUMENT;
    }
    size_t wanted = (size_t)world->wall_count + 1;
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->walls, wanted));
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->planes, wanted));
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->wall_groups, (wanted + 3) / 4));
    if (wall)
        *wall = world->wall_count;
    world->planes.items[world->wall_count] = copy.plane;
    world->walls.items[world->wall_count++] = copy;
    world->is_ready = false;
    return THUD_OK;
}

thud_status thud_world_add_box(thud_world *world, const double low[3], const double high[3],
                               int *first)
{
    int start = world->wall_count;
    for (int k = 0; k < world->dim; k++)
        for (int side = 0; side < 2; side++)
        {
            double at = side ? high[k] : low[k];
            thud_wall_def def = {.plane.offset = side ? -at : at};
            def.plane.normal[k] = side ? -1 : 1;
            thud_status status = isnan(at) ? THUD_ERR_NOT_FINITE : THUD_OK;
            if (status >= 0 && isfinite(at))
                status = thud_world_add_wall(world, &def, NULL);
            if (status < 0)
            {
                world->wall_count = start; // all or nothing
                return status;
            }
        }
    if (first)
        *first = start;
    return THUD_OK;
}

thud_status thudi_world_look_at(thud_world *world, double t)
{
    double *radius = world->radius.items;
    if (!world->def.radii)
        memcpy(radius, world->rest_radius.items, (size_t)world->count * sizeof *radius);
    else if (world->def.radii(t, world->count, world->id.items, radius, world->def.user) != 0)
        return THUD_ERR_CALLBACK;
    for (int i = 0; i < world->count; i++)
        if (!(radius[i] > 0) || !isfinite(radius[i]))
            return THUD_ERR_NOT_FINITE;
    for (int w = 0; w < world->wall_count; w++)
    {
        const thud_wall_def *wall = &world->walls.items[w];
        if (!wall->motion)
            continue;
        if (wall->motion(t, &world->planes.items[w], wall->user) != 0)
            return THUD_ERR_CALLBACK;
        if (!normalise(world->dim, &world->planes.items[w]))
            return THUD_ERR_NOT_FINITE;
    }
    thudi_walls_group(world);
    THUD_TRY(thudi_world_shear_at(world, t));
    THUD_TRY(thudi_world_check_cell(world));
    return thudi_world_place_obstacles(world, t);
}

// Widen the bounds by those of a wall or obstacle that moves: is it known how?
static bool widen(thud_world *world, const thud_smoothness *own, double radius_tt)
{
    world->smooth.gap_tt = fmax(world->smooth.gap_tt, radius_tt + own->gap_tt);
    world->smooth.gap_tq = fmax(world->smooth.gap_tq, own->gap_tq);
    return !isnan(own->gap_tt) && !isnan(own->gap_tq);
}

// Twice the radii's bound for pairs, once and their own for what moves; NULL when one is not known.
static const thud_smoothness *smoothness_of(thud_world *world)
{
    double radius_tt = world->def.radii ? world->def.radius_tt : 0;
    bool known = !isnan(radius_tt);
    world->smooth = (thud_smoothness){.gap_tt = 2 * radius_tt};
    for (int w = 0; w < world->wall_count; w++)
        if (world->walls.items[w].motion)
            known = widen(world, &world->walls.items[w].smooth, radius_tt) && known;
    for (int k = 0; k < world->obstacle_count; k++)
        if (world->obstacles.items[k].def.motion)
            known = widen(world, &world->obstacles.items[k].def.smooth, radius_tt) && known;
    world->own_smooth = world->smooth;
    if (world->def.cell.shear && world->state)
        known = thudi_world_smooth_shear(world, world->state->q) && known;
    return known ? &world->smooth : NULL;
}

thud_inclusion thud_world_inclusion(thud_world *world)
{
    const thud_world_def *def = &world->def;
    bool pulled = def->force || def->gravity_law;
    for (int k = 0; k < world->dim; k++)
        pulled = pulled || def->gravity[k] != 0;
    return (thud_inclusion){
        .dim = world->dim * world->count,
        .order = def->order,
        .noise = def->noise,
        .seed = def->seed,
        .law = world->law,
        .mass = world->mass.items,
        .force = pulled ? thudi_world_force : NULL,
        .force_is_steady = !def->gravity_law && (!def->force || def->force_is_steady),
        .drag = def->drag,
        .gaps = thudi_world_gaps,
        .smooth = smoothness_of(world),
        .user = world,
    };
}

thud_state *thud_world_state(thud_world *world)
{
    return world->state;
}

thud_work_def thud_world_work(const thud_world *world)
{
    return (thud_work_def){
        .accuracy = world->def.tol_a, .skip_convexity = true, .skip_uniqueness = true};
}

thud_bodies thud_world_look(const thud_world *world)
{
    return (thud_bodies){
        .count = world->count,
        .dim = world->dim,
        .id = world->id.items,
        .radius = world->radius.items,
        .mass = world->mass.items,
        .q = world->state ? world->state->q : NULL,
        .u = world->state ? world->state->u : NULL,
    };
}
