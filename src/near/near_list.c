// The list of pairs that may be near: made once, used as long as it covers what is asked for.
//
// The list holds all pairs with |Q_b - Q_a| < R_a + R_b, Q and R the positions and reaches when it
// was made. Asked for are all pairs with |q_b - q_a| < r_a + r_b. For any vector c
//     |Q_b - Q_a| <= |q_b - q_a| + |q_a - Q_a - c| + |q_b - Q_b - c|,
// so the list holds them if r_i + |q_i - Q_i - c| <= R_i for every body. That is tested, with c the
// mean way and a margin for rounding. The pairs of the list are then tested one by one, so it makes
// no difference when the list was made.
#include "near/near.h"

#include "core/threads.h"

#include <math.h>
#include <string.h>

// A list reaches farther than it is asked to by a skin, in radii, so that it serves a few steps.
// The skin is thinner when bodies are slow, and thin when the next step needs another list in any
// case. Slow and fast are the ways of a step, in radii.
static const double slow_skin = 0.1, usual_skin = 0.3, fast_skin = 0.02, slow = 0.02, fast = 0.3;
static const double most_extra = 0.15, fading = 0.9;

thud_status thudi_near_reserve(thudi_near *near, int dim, size_t count)
{
    const thud_allocator *allocator = &near->cells.allocator;
    THUD_TRY(thudi_array_reserve(allocator, &near->q, (size_t)dim * count));
    THUD_TRY(thudi_array_reserve(allocator, &near->reach, count));
    return thudi_array_reserve(allocator, &near->chunks, count / THUDI_NEAR_CHUNK + 1);
}

void thudi_near_free(thudi_near *near)
{
    const thud_allocator *allocator = &near->cells.allocator;
    thudi_array_free(allocator, &near->q);
    thudi_array_free(allocator, &near->reach);
    thudi_array_free(allocator, &near->chunks);
    thudi_cells_free(&near->cells);
}

// By how much the list falls short for a body of a chunk, in radii; 0 if it covers all. Four bodies
// at a time, behind the end of the chunk the first of them again.
static double shortfall(const thudi_near *near, const thudi_near_view *view, const double drift[3],
                        int chunk)
{
    const four mean = {drift[0], drift[1], drift[2], 0};
    int end = thudi_near_chunk_start(view->count, chunk + 1);
    double rounding = 0x1p-45 * (fabs(drift[0]) + fabs(drift[1]) + fabs(drift[2])), most = 0;
    for (int i = thudi_near_chunk_start(view->count, chunk); i < end; i += 4)
    {
        four way[4], reach, radius, listed;
        for (int k = 0; k < 4; k++)
        {
            int j = i + k < end ? i + k : i;
            const thudi_near_body *body = &near->bodies[j];
            way[k] = four_load(body->q) - thudi_near_numbers(view, near->q.items, j) - mean;
            reach[k] = body->reach;
            radius[k] = body->radius;
            listed[k] = near->reach.items[j];
        }
        four_transpose(way);
        four sum = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
        four lack = reach + four_sqrt(sum) + rounding - listed * THUDI_NEAR_INWARDS;
        if (four_bits(lack <= most * radius) == 15)
            continue;
        for (int k = 0; k < 4; k++)
            if (!(lack[k] <= most * radius[k]))
                most = lack[k] / radius[k];
    }
    return most;
}

static bool list_covers(thudi_near *near, const thudi_near_view *view,
                        const thudi_near_motion *motion)
{
    double most = 0;
    if (!near->is_valid)
        return false;
    if (view->is_sheared)
    {
        near->shortfall = thudi_near_shortfall_sheared(near, view);
        return near->shortfall == 0;
    }
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)                             \
    reduction(max                                                                                  \
              : most) if (view->count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < thudi_near_chunk_count(view->count); c++)
    {
        double lack = shortfall(near, view, motion->drift, c);
        most = lack > most ? lack : most;
    }
    near->shortfall = most;
    return most == 0;
}

// How far the list is to reach, by body.
static void choose_reach(thudi_near *near, const thudi_near_view *view,
                         const thudi_near_motion *motion, const thudi_near_request *request)
{
    double way = request->way;
    double skin = way < slow * motion->largest   ? slow_skin
                  : way < fast * motion->largest ? usual_skin
                                                 : fast_skin + near->extra;
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (view->count >= THUDI_CELLS_THREADS_FROM)
    for (int i = 0; i < view->count; i++)
    {
        const thudi_near_body *body = &near->bodies[i];
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += (body->v[k] - motion->mean[k]) * (body->v[k] - motion->mean[k]);
        double later = body->radius * (1 + THUDI_NEAR_MARGIN) + request->ahead * sqrt(sum) +
                       view->shift_factor * thudi_near_size(motion, body->radius);
        double wanted = body->reach > later ? body->reach : later;
        double more = wanted + skin * body->radius;
        double limit = body->reach > view->reach_limit ? body->reach : view->reach_limit;
        near->reach.items[i] = more < limit ? more : limit;
    }
}

thud_status thudi_near_find(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms)
{
    const double *reach = near->reach.items;
    if (!view->periods)
        return thudi_cells_find(&near->cells, rooms, view->dim, view->count, view->q, reach);
    for (int i = 0; i < view->count; i++)
        if (!(reach[i] <= view->reach_limit))
        {
            near->too_far = i;
            return THUD_ERR_STEP;
        }
    return thudi_images_find(&near->cells, rooms, view->periods, view->dim, view->count, view->q,
                             reach);
}

thud_status thudi_near_cover(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms,
                             const thudi_near_motion *motion, const thudi_near_request *request)
{
    if (list_covers(near, view, motion))
        return THUD_OK;
    // a list made for this step fell short of it: the next ones reach farther
    if (near->is_valid && request->again)
        near->extra += near->shortfall < most_extra ? near->shortfall : most_extra;
    else
        near->extra *= fading;
    near->extra = near->extra < most_extra ? near->extra : most_extra;
    near->is_valid = false;
    choose_reach(near, view, motion, request);
    memcpy(near->q.items, view->q, (size_t)view->dim * (size_t)view->count * sizeof *near->q.items);
    near->shear = view->periods ? view->periods->shear : 0;
    THUD_TRY(thudi_near_find(near, view, rooms));
    near->is_valid = true;
    return THUD_OK;
}
