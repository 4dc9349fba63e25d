// A world of spheres: creation, views of its bodies, and its inclusion.
#include "spheres/cell.h"
#include "spheres/materials.h"
#include "spheres/obstacles.h"

#include "core/door.h"
#include "core/format.h"
#include "core/touching.h"

#include <math.h>
#include <stdarg.h>

// What a def that says nothing gets: the share of a radius that bodies stay apart, and that of
// h^2 |f| / m that a contact may be missed by.
static const double DEFAULT_TOL = 1e-5, DEFAULT_TOL_A = 1e-3;

// step_tol counts where it is more than this many times tol r: far more than its rounding.
static const double ABOVE = 1 + 0x1p-20;

double thud_step_tol(double tol, double tol_a, double h, double gravity, double least_radius)
{
    double length = tol_a * h * h * gravity;
    return length > tol * least_radius * ABOVE ? length : 0;
}

static thud_status check_def(const thud_world_def *def)
{
    if (def->dim != 2 && def->dim != 3)
        return THUD_ERR_ARGUMENT;
    if (!(def->h > 0) || !(def->drag >= 0) || !(def->tol >= 0) || !(def->tol_a >= 0) ||
        !(def->step_tol >= 0) || !(def->brick_side >= 0))
        return THUD_ERR_ARGUMENT;
    if ((def->order != THUD_SECOND_ORDER && def->order != THUD_FIRST_ORDER) || !(def->noise >= 0) ||
        (def->noise > 0 && def->order != THUD_FIRST_ORDER))
        return THUD_ERR_ARGUMENT;
    if (!isfinite(def->noise) || !isfinite(def->t0) || !isfinite(def->h) || !isfinite(def->drag) ||
        !isfinite(def->tol) || !isfinite(def->brick_side) || !isfinite(def->tol_a))
        return THUD_ERR_NOT_FINITE;
    for (int k = 0; k < def->dim; k++)
        if (!isfinite(def->gravity[k]))
            return THUD_ERR_NOT_FINITE;
    return def->radius_tt < 0 ? THUD_ERR_ARGUMENT : THUD_OK;
}

THUDI_DOOR thud_status thud_world_create(const thud_world_def *def, thud_world **out)
{
    thud_world_def filled = *def;
    *out = NULL;
    THUD_TRY(thud_float_check());
    if (filled.dim == 0)
        filled.dim = 3;
    if (filled.tol == 0)
        filled.tol = DEFAULT_TOL;
    if (filled.tol_a == 0)
        filled.tol_a = DEFAULT_TOL_A;
    THUD_TRY(check_def(&filled));
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_world *world = thudi_allocate_zeroed(&allocator, sizeof *world);
    if (!world)
        return THUD_ERR_MEMORY;
    filled.allocator = NULL;
    filled.numbers = NULL; // copied below
    world->allocator = world->near.cells.allocator = allocator;
    world->def = filled;
    world->dim = filled.dim;
    world->shift = (thudi_shift){
        .part = 2 * filled.tol, .least = 2 * filled.step_tol, .most = 2 * THUD_MOST_TOL};
    world->tolerance_share = THUDI_TOLERANCE_SHARE;
    thud_status status = thudi_world_read_materials(world, def);
    if (status >= 0)
        status = thudi_world_read_cell(world, &def->cell);
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
    thudi_array_free(&allocator, &world->numbers);
    thudi_array_free(&allocator, &world->walls);
    thudi_array_free(&allocator, &world->planes);
    thudi_array_free(&allocator, &world->radius);
    thudi_near_free(&world->near);
    thudi_array_free(&allocator, &world->chunks);
    thudi_array_free(&allocator, &world->is_new);
    thudi_array_free(&allocator, &world->overlaps);
    thudi_array_free(&allocator, &world->contact_body);
    thudi_array_free(&allocator, &world->contact_data);
    thudi_world_free_obstacles(world);
    thud_state_destroy(world->state);
    thudi_free(&allocator, world, sizeof *world);
}

void thudi_world_fail(thud_world *world, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)thudi_format_list(world->message, sizeof world->message, format, arguments);
    va_end(arguments);
    world->fault_obstacle = -1;
}

int thud_world_fault_obstacle(const thud_world *world)
{
    return world->message[0] != '\0' ? world->fault_obstacle : -1;
}

const char *thud_world_message(const thud_world *world)
{
    return world->message;
}

thud_status thud_world_set_drag(thud_world *world, double drag)
{
    if (!(drag >= 0) || !isfinite(drag))
        return THUD_ERR_ARGUMENT;
    world->def.drag = drag;
    return THUD_OK;
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
        .law = world->law->law,
        .mass = world->mass.items,
        .force = pulled ? thudi_world_force : NULL,
        .force_is_steady = !def->gravity_law && (!def->force || def->force_is_steady),
        .drag = def->drag,
        .gaps = thudi_world_gaps,
        .name = thudi_world_name,
        .name_user = world,
        .smooth = smoothness_of(world),
        .bricks = world->bricks.side > 0 ? &world->bricks : NULL,
        .user = world,
    };
}

thudi_near_view thudi_world_view(const thud_world *world, const double *q)
{
    return (thudi_near_view){
        .dim = world->dim,
        .count = world->count,
        .q = q,
        .radius = world->radius.items,
        .periods = thudi_world_periods(world),
        .is_sheared = world->def.cell.shear != NULL,
        .reach_limit = world->reach_limit,
        .shift = world->shift,
    };
}

thudi_near_view thudi_world_view_moving(const thud_world *world, const thud_moment *at,
                                        const double *to, const double *from)
{
    thudi_near_view view = thudi_world_view(world, at->q);
    view.to = to;
    view.from = from;
    view.w = at->w;
    // in first order nothing is left of the velocity before
    view.u = world->def.order == THUD_FIRST_ORDER ? NULL : at->u;
    return view;
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

thud_bodies thud_world_bodies(const thud_world *world)
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
