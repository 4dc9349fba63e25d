// The list of pairs that may be near: made once, used as long as it covers what is asked for.
//
// The list holds all pairs with |Q_b - Q_a| < R_a + R_b, Q and R the positions and reaches when it
// was made. Asked for are all pairs with |q_b - q_a| < r_a + r_b. For any vector c
//     |Q_b - Q_a| <= |q_b - q_a| + |q_a - Q_a - c| + |q_b - Q_b - c|,
// so the list holds them if r_i + |q_i - Q_i - c| <= R_i for every body. That is tested, with c the
// mean way and a margin for rounding. What is asked for is then judged pair by pair, so it makes no
// difference when the list was made.
#include "spheres/world.h"

#include "core/threads.h"

#include <math.h>
#include <string.h>

// Beyond what is asked for, a list covers so much of a radius that it serves for a few steps: less
// when bodies are slow, and little when it will have to be made again anyway. Slow and fast are
// the ways of a step, in radii.
static const double slow_skin = 0.1, usual_skin = 0.3, fast_skin = 0.02, slow = 0.02, fast = 0.3;
static const double most_extra = 0.15, fading = 0.9;

thud_status thudi_near_reserve(thud_world *world, size_t count)
{
    const thud_allocator *allocator = &world->allocator;
    thudi_near *near = &world->near;
    THUD_TRY(thudi_array_reserve(allocator, &near->q, (size_t)world->dim * count));
    THUD_TRY(thudi_array_reserve(allocator, &near->reach, count));
    return thudi_array_reserve(allocator, &near->chunks, count / THUDI_NEAR_CHUNK + 1);
}

void thudi_near_free(thud_world *world)
{
    const thud_allocator *allocator = &world->allocator;
    thudi_near *near = &world->near;
    thudi_array_free(allocator, &near->q);
    thudi_array_free(allocator, &near->reach);
    thudi_array_free(allocator, &near->chunks);
}

// By how much the list falls short for a body of a chunk, in radii; 0 if it covers all. Four bodies
// at a time, behind the end of the chunk the first of them again.
static double shortfall(const thud_world *world, const double drift[3], int chunk)
{
    const thudi_near *near = &world->near;
    const four mean = {drift[0], drift[1], drift[2], 0};
    int end = thudi_near_chunk_start(world, chunk + 1);
    double rounding = 0x1p-45 * (fabs(drift[0]) + fabs(drift[1]) + fabs(drift[2])), most = 0;
    for (int i = thudi_near_chunk_start(world, chunk); i < end; i += 4)
    {
        four way[4], reach, radius, listed;
        for (int k = 0; k < 4; k++)
        {
            int j = i + k < end ? i + k : i;
            const thudi_near_body *body = &near->bodies[j];
            way[k] = four_load(body->q) - thudi_near_numbers(world, near->q.items, j) - mean;
            reach[k] = body->reach;
            radius[k] = body->radius;
            listed[k] = near->reach.items[j];
        }
        four_transpose(way);
        four sum = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
        four lack = reach + four_sqrt(sum) + rounding - listed * (1 - 0x1p-40);
        if (four_bits(lack <= most * radius) == 15)
            continue;
        for (int k = 0; k < 4; k++)
            if (!(lack[k] <= most * radius[k]))
                most = lack[k] / radius[k];
    }
    return most;
}

static bool list_covers(thud_world *world, const thudi_near_motion *motion)
{
    double most = 0;
    if (!world->near.is_valid)
        return false;
    if (world->def.cell.shear)
    {
        world->near.shortfall = thudi_near_shortfall_sheared(world);
        return world->near.shortfall == 0;
    }
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)                             \
    reduction(max                                                                                  \
              : most) if (world->count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < thudi_near_chunk_count(world); c++)
    {
        double lack = shortfall(world, motion->drift, c);
        most = lack > most ? lack : most;
    }
    world->near.shortfall = most;
    return most == 0;
}

// How far the list is to reach, by body; way: of the fastest in a step.
static void choose_reach(thud_world *world, const thudi_near_motion *motion, double ahead,
                         double way)
{
    thudi_near *near = &world->near;
    double skin = way < slow * motion->largest   ? slow_skin
                  : way < fast * motion->largest ? usual_skin
                                                 : fast_skin + near->extra;
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (world->count >= THUDI_CELLS_THREADS_FROM)
    for (int i = 0; i < world->count; i++)
    {
        const thudi_near_body *body = &near->bodies[i];
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += (body->v[k] - motion->mean[k]) * (body->v[k] - motion->mean[k]);
        double later = body->radius * (1 + THUDI_WORLD_MARGIN) + ahead * sqrt(sum) +
                       world->shift_factor * thudi_near_size(motion, body->radius);
        double wanted = body->reach > later ? body->reach : later;
        double more = wanted + skin * body->radius;
        double limit = body->reach > world->reach_limit ? body->reach : world->reach_limit;
        near->reach.items[i] = more < limit ? more : limit;
    }
}

thud_status thudi_near_cover(thud_world *world, thud_rooms *rooms, const thud_moment *at,
                             const thudi_near_motion *motion, double ahead)
{
    thudi_near *near = &world->near;
    if (list_covers(world, motion))
        return THUD_OK;
    // a list made for this step that fell short of it: the next ones reach farther
    if (near->is_valid && at->phase == THUD_CHECK)
        near->extra += near->shortfall < most_extra ? near->shortfall : most_extra;
    else
        near->extra *= fading;
    near->extra = near->extra < most_extra ? near->extra : most_extra;
    near->is_valid = false;
    choose_reach(world, motion, ahead, motion->fastest * (at->phase == THUD_CHECK ? 1 : at->h));
    memcpy(near->q.items, at->q, (size_t)world->dim * (size_t)world->count * sizeof *near->q.items);
    near->shear = world->periods.shear;
    THUD_TRY(thudi_world_find_pairs(world, rooms, at->q, near->reach.items));
    near->is_valid = true;
    return THUD_OK;
}
