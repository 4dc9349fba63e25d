// The list of pairs that may be near. It is made once, and used as long as it has all near pairs.
//
// The list holds all pairs with |Q_b - Q_a| < R_a + R_b. Q and R are the positions and reaches when
// it was made. The near pairs are those with |q_b - q_a| < r_a + r_b now. For any vector c
//     |Q_b - Q_a| <= |q_b - q_a| + |q_a - Q_a - c| + |q_b - Q_b - c|,
// so the list has all near pairs if r_i + |q_i - Q_i - c| <= R_i for every body. list_covers tests
// that. Its c is the mean displacement since the list was made, and it adds a margin for rounding.
// thudi_near_select then tests every pair of the list, so rows do not depend on when it was made.
#include "near/near.h"

#include "core/threads.h"

#include <math.h>
#include <string.h>

// A list reaches farther than it must by a skin, in radii, so that it serves several steps. Slow
// bodies need less. If bodies are fast, the next step needs another list in any case.
static const double SLOW_SKIN = 0.1, USUAL_SKIN = 0.3, FAST_SKIN = 0.02;

// The largest distance that a body moves in a step, in the largest radii: below SLOW the bodies are
// slow, from FAST on they are fast.
static const double SLOW = 0.02, FAST = 0.3;

// near->extra, in radii, is at most MOST_EXTRA. It shrinks by the factor FADING when the list
// before has lasted to the end of a step.
static const double MOST_EXTRA = 0.15, FADING = 0.9;

// The rounding of a displacement less the drift, as a part of the drift.
static const double DRIFT_ROUNDING = 0x1p-45;

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

// By how much the list falls short for the bodies of a chunk: the maximum, in radii of the body; 0
// if it covers all. Four bodies are measured at a time. Behind the chunk's end the first of the
// four is taken again.
static double shortfall_of_chunk(const thudi_near *near, const thudi_near_view *view,
                                 const double drift[3], int chunk)
{
    const four mean = {drift[0], drift[1], drift[2], 0};
    int end = thudi_near_chunk_start(view->count, chunk + 1);
    double rounding = DRIFT_ROUNDING * (fabs(drift[0]) + fabs(drift[1]) + fabs(drift[2])), most = 0;
    for (int i = thudi_near_chunk_start(view->count, chunk); i < end; i += 4)
    {
        four moved[4], reach, radius, listed_reach;
        for (int k = 0; k < 4; k++)
        {
            int j = i + k < end ? i + k : i;
            const thudi_near_body *body = &near->bodies[j];
            moved[k] = four_load(body->q) - thudi_near_numbers(view, near->q.items, j) - mean;
            reach[k] = body->reach;
            radius[k] = body->radius;
            listed_reach[k] = near->reach.items[j];
        }
        four_transpose(moved);
        four sum = moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2];
        four lack = reach + four_sqrt(sum) + rounding - listed_reach * THUDI_NEAR_INWARDS;
        if (four_all(lack <= most * radius))
            continue;
        for (int k = 0; k < 4; k++)
            if (!(lack[k] <= most * radius[k]))
                most = lack[k] / radius[k];
    }
    return most;
}

// Has the list all near pairs? Writes near->shortfall.
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
        double lack = shortfall_of_chunk(near, view, motion->drift, c);
        most = lack > most ? lack : most;
    }
    near->shortfall = most;
    return most == 0;
}

// Write near->reach: the reach that is needed now or later, plus the skin. In a cell it is at most
// the cell's limit; only a reach that is needed now may be larger, which thudi_near_find refuses.
static void choose_reach(thudi_near *near, const thudi_near_view *view,
                         const thudi_near_motion *motion, const thudi_near_request *request)
{
    double travel = request->travel;
    double skin = travel < SLOW * motion->largest   ? SLOW_SKIN
                  : travel < FAST * motion->largest ? USUAL_SKIN
                                                    : FAST_SKIN + near->extra;
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (view->count >= THUDI_CELLS_THREADS_FROM)
    for (int i = 0; i < view->count; i++)
    {
        const thudi_near_body *body = &near->bodies[i];
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += (body->v[k] - motion->mean[k]) * (body->v[k] - motion->mean[k]);
        double later = body->radius * (1 + THUDI_NEAR_MARGIN) + request->ahead * sqrt(sum) +
                       thudi_shift_of(&view->shift, thudi_near_size(motion, body->radius));
        double needed = body->reach > later ? body->reach : later;
        double wanted = needed + skin * body->radius;
        double limit = body->reach > view->reach_limit ? body->reach : view->reach_limit;
        near->reach.items[i] = wanted < limit ? wanted : limit;
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

bool thudi_near_needs_list(thudi_near *near, const thudi_near_view *view,
                           const thudi_near_motion *motion, const thudi_near_request *request)
{
    if (list_covers(near, view, motion))
        return false;
    // a list that was made or used earlier in this step fell short: the next ones reach farther
    if (near->is_valid && request->again)
        near->extra += near->shortfall < MOST_EXTRA ? near->shortfall : MOST_EXTRA;
    else
        near->extra *= FADING;
    near->extra = near->extra < MOST_EXTRA ? near->extra : MOST_EXTRA;
    near->is_valid = false;
    choose_reach(near, view, motion, request);
    memcpy(near->q.items, view->q, (size_t)view->dim * (size_t)view->count * sizeof *near->q.items);
    near->shear = view->periods ? view->periods->shear : 0;
    return true;
}

thud_status thudi_near_make_list(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms)
{
    THUD_TRY(thudi_near_find(near, view, rooms));
    near->is_valid = true;
    return THUD_OK;
}
