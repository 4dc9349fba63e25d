// The start of a world: overlaps refused or removed, and gaps opened to what the solver keeps.
//
// Positions move to the nearest ones (in the mass metric, linearised) with all gaps >= sigma: one
// step of the first-order scheme with U = 0, whose velocity is forgotten. Left to the scheme,
// bodies would keep the opening speed.
#include "spheres/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static thud_status note_overlap(thud_world *world, thud_start *start, int a, int b, double gap)
{
    double radius =
        b >= 0 ? fmin(world->radius.items[a], world->radius.items[b]) : world->radius.items[a];
    if (!(gap < -1e-12 * radius))
        return THUD_OK;
    THUD_TRY(
        thudi_array_reserve(&world->allocator, &world->overlaps, (size_t)start->overlap_count + 1));
    world->overlaps.items[start->overlap_count++] = (thud_overlap){
        .a = world->id.items[a], .b = b >= 0 ? world->id.items[b] : b, .depth = -gap};
    return THUD_OK;
}

static thud_status survey_obstacles(thud_world *world, const double *q, thud_start *start,
                                    bool *narrow)
{
    for (int k = 0; k < world->obstacle_count; k++)
        for (int i = 0; i < world->count; i++)
        {
            double gap;
            THUD_TRY(thudi_world_obstacle_gap(world, k, q, i, &gap));
            start->min_gap = fmin(start->min_gap, gap);
            *narrow = *narrow || gap < world->shift_factor * world->radius.items[i];
            THUD_TRY(note_overlap(world, start, i, THUD_OBSTACLE(k), gap));
        }
    return THUD_OK;
}

// All gaps below the shift: which overlap, and whether any must be opened.
static thud_status survey(thud_world *world, const double *q, thud_start *start, bool *narrow)
{
    start->min_gap = INFINITY;
    *narrow = false;
    double *reach = world->near.reach.items;
    world->near.is_valid = false; // its list is overwritten
    for (int i = 0; i < world->count; i++)
        reach[i] = world->radius.items[i] * (1 + THUDI_WORLD_MARGIN + world->shift_factor);
    const thudi_cells *cells = &world->cells;
    THUD_TRY(thudi_world_find_pairs(world, q, reach));
    thudi_cells_forget(&world->cells); // steps lend it memory
    for (int p = 0, a = 0; p < cells->pair_count; p++)
    {
        while (p >= cells->first.items[a + 1])
            a++;
        int partner = cells->partner.items[p], b = thudi_world_partner(world, partner);
        double distance, normal[3], shift[3];
        thudi_world_shift_at(world, q, a, partner, shift);
        if (!thudi_world_direction(world, q, a, partner, shift, &distance, normal))
        {
            thudi_world_say(world, "bodies %d and %d have the same centre", world->id.items[a],
                            world->id.items[b]);
            return THUD_ERR_OVERLAP;
        }
        double ra = world->radius.items[a], rb = world->radius.items[b], gap = distance - ra - rb;
        start->min_gap = fmin(start->min_gap, gap);
        *narrow = *narrow || gap < world->shift_factor * fmin(ra, rb);
        THUD_TRY(note_overlap(world, start, a, b, gap));
    }
    for (int w = 0; w < world->wall_count; w++)
        for (int i = 0; i < world->count; i++)
        {
            double gap = thudi_world_wall_gap(world, w, q, i);
            start->min_gap = fmin(start->min_gap, gap);
            *narrow = *narrow || gap < world->shift_factor * world->radius.items[i];
            THUD_TRY(note_overlap(world, start, i, -1 - w, gap));
        }
    return survey_obstacles(world, q, start, narrow);
}

static int deeper(const void *x, const void *y)
{
    const thud_overlap *a = x, *b = y;
    if (a->depth != b->depth)
        return a->depth < b->depth ? 1 : -1;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

// Positions with all gaps >= sigma into q, by one step of first order that ends now.
static thud_status open_gaps(thud_world *world, double *q)
{
    const thud_state *state = world->state;
    thud_inclusion problem = thud_world_inclusion(world);
    thud_work_def work_def = thud_world_work(world);
    thud_state_def def = {.dim = state->dim,
                          .t0 = thud_state_time(state) - state->h,
                          .h = state->h,
                          .q = state->q,
                          .allocator = &world->allocator};
    thud_state *copy = NULL;
    thud_work *work = NULL;
    thud_law law = world->law;
    problem.order = THUD_FIRST_ORDER;
    problem.law = world->law = THUD_LAW_DRY;
    problem.force = NULL;
    problem.drag = problem.noise = 0;
    work_def.allocator = &world->allocator;
    work_def.stop_share = THUDI_OPENED_STOP;
    thud_status status = thud_state_create(&def, &copy);
    if (status >= 0)
        status = thud_work_create(&work_def, &work);
    double factor = world->shift_factor;
    world->shift_factor = THUDI_OPENED * factor;
    world->stop_share = work_def.stop_share;
    world->is_opening = true;
    if (status >= 0)
        status = thud_step(&problem, copy, work);
    world->is_opening = false;
    world->shift_factor = factor;
    world->stop_share = THUDI_STOP;
    world->law = law;
    if (status >= 0)
        memcpy(q, copy->q, (size_t)state->dim * sizeof *q);
    else if (work)
        thudi_world_say(world, "the start cannot be opened: %s", thud_work_message(work));
    thud_work_destroy(work);
    thud_state_destroy(copy);
    return status;
}

static double largest_move(const thud_world *world, const double *q)
{
    double largest = 0;
    for (int i = 0; i < world->count; i++)
    {
        double sum = 0;
        for (int k = 0; k < world->dim; k++)
        {
            double move = q[world->dim * i + k] - world->state->q[world->dim * i + k];
            sum += move * move;
        }
        largest = fmax(largest, sqrt(sum));
    }
    return largest;
}

static thud_status open_and_commit(thud_world *world, thud_start *start)
{
    bool narrow;
    size_t size = (size_t)world->state->dim * sizeof(double);
    double *q = thudi_allocate_zeroed(&world->allocator, size);
    if (!q)
        return THUD_ERR_MEMORY;
    world->is_ready = true; // for the step that opens
    thud_status status = open_gaps(world, q);
    thud_start after = {0};
    if (status >= 0)
        status = thudi_world_look_at(world, thud_state_time(world->state));
    if (status >= 0)
        status = survey(world, q, &after, &narrow);
    world->is_ready = status >= 0;
    if (status >= 0)
    {
        start->largest_shift = largest_move(world, q);
        start->min_gap = after.min_gap;
        memcpy(world->state->q, q, size);
        status = narrow ? THUD_NEWS : THUD_OK;
    }
    thudi_free(&world->allocator, q, size);
    return status;
}

static void say_overlaps(thud_world *world, const thud_start *start)
{
    int b = start->overlaps[0].b;
    bool is_obstacle = b <= THUD_OBSTACLE(0), is_wall = b < 0 && !is_obstacle;
    thudi_world_say(world, "%d overlaps, the deepest of body %d with %s %d", start->overlap_count,
                    start->overlaps[0].a,
                    is_obstacle ? "obstacle"
                    : is_wall   ? "wall"
                                : "body",
                    is_obstacle ? THUD_OBSTACLE(b)
                    : is_wall   ? -1 - b
                                : b);
}

// What has no meaning in first order is refused, in words.
static bool refuses_order(thud_world *world)
{
    const thud_world_def *def = &world->def;
    const char *what = NULL;
    bool pulled = def->gravity_law != NULL;
    for (int k = 0; k < world->dim; k++)
        pulled = pulled || def->gravity[k] != 0;
    if (pulled)
        what = "gravity has";
    else if (def->drag > 0)
        what = "drag has";
    else if (world->law != THUD_LAW_DRY)
        what = "restitution and glue have";
    if (!what || def->order != THUD_FIRST_ORDER)
        return false;
    thudi_world_say(world, "%s no meaning in first order: bodies want velocities", what);
    return true;
}

thud_status thud_world_prepare(thud_world *world, thud_overlap_rule rule, thud_start *start)
{
    thud_start own;
    bool narrow;
    if (!start)
        start = &own;
    *start = (thud_start){.min_gap = INFINITY};
    world->message[0] = '\0';
    world->is_ready = world->near.is_valid = false;
    if (!world->state)
    {
        thudi_world_say(world, "the world has no bodies");
        return THUD_ERR_ARGUMENT;
    }
    if (refuses_order(world) || thudi_world_refuses_obstacles(world))
        return THUD_ERR_ARGUMENT;
    THUD_TRY(thudi_world_look_at(world, thud_state_time(world->state)));
    THUD_TRY(thudi_world_check_obstacles_fit(world));
    thud_status status = survey(world, world->state->q, start, &narrow);
    start->overlaps = world->overlaps.items;
    if (start->overlap_count > 1)
        qsort(world->overlaps.items, (size_t)start->overlap_count, sizeof *world->overlaps.items,
              deeper);
    THUD_TRY(status);
    if (start->overlap_count > 0 && rule == THUD_REFUSE_OVERLAP)
    {
        say_overlaps(world, start);
        return THUD_ERR_OVERLAP;
    }
    if (narrow)
        return open_and_commit(world, start);
    world->is_ready = true;
    return THUD_OK;
}
