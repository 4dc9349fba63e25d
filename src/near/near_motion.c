// The bodies as the loops over pairs read them, and how they move: means and maxima.
#include "near/near.h"

#include "core/threads.h"

#include <math.h>

thud_status thudi_near_open(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms)
{
    return thudi_room(rooms, &near->bodies, (size_t)view->count, "near bodies");
}

// Three numbers at x, or two; wide: a fourth one follows.
static inline four load_some(const double *x, int dim, bool wide)
{
    return wide ? four_load(x) : (four){x[0], x[1], dim == 3 ? x[2] : 0, 0};
}

// What bodies are made of: v = to - from.
typedef struct source
{
    const double *q, *to, *from, *old, *radius; // old: where the list was made
    int dim;
    double scale; // of the sums
} source;

// Body i, and its part of the sums of v and of the displacement since the list was made. The fourth
// numbers are of no use: the reach is written later.
static inline void write_body(const source *s, thudi_near_body *body, int i, bool wide, bool moves,
                              four sum[2])
{
    size_t at = (size_t)s->dim * (size_t)i;
    four q = load_some(s->q + at, s->dim, wide), v = load_some(s->to + at, s->dim, wide);
    if (moves)
        v -= load_some(s->from + at, s->dim, wide);
    four_store(body->q, q);
    four_store(body->v, v);
    body->radius = s->radius[i];
    sum[0] += v * s->scale;
    sum[1] += (q - load_some(s->old + at, s->dim, wide)) * s->scale;
}

// In three dimensions four numbers are read of every body but the last.
static void write_bodies(thudi_near *near, const thudi_near_view *view, int chunk)
{
    const double *from = view->from;
    const source s = {
        view->q,   view->to,         from, near->is_valid ? near->q.items : view->q, view->radius,
        view->dim, 1.0 / view->count};
    int i = thudi_near_chunk_start(view->count, chunk);
    int end = thudi_near_chunk_start(view->count, chunk + 1);
    int wide = view->dim < 3 ? i : end < view->count ? end : end - 1;
    thudi_near_body *bodies = near->bodies;
    four sum[2] = {{0}};
    for (; i < wide && from; i++)
        write_body(&s, &bodies[i], i, true, true, sum);
    for (; i < wide; i++)
        write_body(&s, &bodies[i], i, true, false, sum);
    for (; i < end; i++)
        write_body(&s, &bodies[i], i, false, from != NULL, sum);
    for (int k = 0; k < 3; k++)
    {
        near->chunks.items[chunk].sum[k] = sum[0][k];
        near->chunks.items[chunk].sum[3 + k] = sum[1][k];
    }
}

// Squares of |v - mean|, which are left in the place of the reach, and of |w - u|. Four bodies
// are measured at a time. Behind the chunk's end the first of the four is taken again.
static void find_largest(thudi_near *near, const thudi_near_view *view, int chunk,
                         const double mean[3])
{
    thudi_near_chunk *out = &near->chunks.items[chunk];
    int end = thudi_near_chunk_start(view->count, chunk + 1);
    four fastest = {0}, velocity_change = {0}, largest = {0};
    const double *before = view->u ? view->u : view->w;
    double kept = view->u ? 1 : 0;
    for (int i = thudi_near_chunk_start(view->count, chunk); i < end; i += 4)
    {
        thudi_near_body *body = &near->bodies[i];
        four v[4], du[4];
        int count = end - i < 4 ? end - i : 4;
        for (int k = 0; k < 4; k++)
        {
            int j = k < count ? k : 0;
            v[k] = four_load(body[j].v);
            du[k] = thudi_near_numbers(view, view->w, i + j) -
                    kept * thudi_near_numbers(view, before, i + j);
        }
        four_transpose(v); // the fourth is the radius
        four_transpose(du);
        four x = v[0] - mean[0], y = v[1] - mean[1], z = v[2] - mean[2];
        four beside = x * x + y * y + z * z;
        four change = du[0] * du[0] + du[1] * du[1] + du[2] * du[2];
        fastest = four_larger(beside, fastest);
        velocity_change = four_larger(change, velocity_change);
        largest = four_larger(v[3], largest);
        for (int k = 0; k < count; k++)
            body[k].reach = beside[k];
    }
    out->fastest = four_largest(fastest);
    out->velocity_change = four_largest(velocity_change);
    out->largest = four_largest(largest);
}

void thudi_near_measure(thudi_near *near, const thudi_near_view *view, thudi_near_motion *motion)
{
    int chunks = thudi_near_chunk_count(view->count);
    const thudi_near_chunk *chunk = near->chunks.items;
    *motion = (thudi_near_motion){.largest = 0};
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (view->count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < chunks; c++)
        write_bodies(near, view, c);
    for (int c = 0; c < chunks; c++)
        for (int k = 0; k < 3; k++)
        {
            motion->mean[k] += chunk[c].sum[k];
            motion->drift[k] += chunk[c].sum[3 + k];
        }
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (view->count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < chunks; c++)
        find_largest(near, view, c, motion->mean);
    for (int c = 0; c < chunks; c++)
    {
        motion->fastest = chunk[c].fastest > motion->fastest ? chunk[c].fastest : motion->fastest;
        motion->velocity_change = chunk[c].velocity_change > motion->velocity_change
                                      ? chunk[c].velocity_change
                                      : motion->velocity_change;
        motion->largest = chunk[c].largest > motion->largest ? chunk[c].largest : motion->largest;
    }
    motion->fastest = sqrt(motion->fastest);
    motion->velocity_change = sqrt(motion->velocity_change);
}
