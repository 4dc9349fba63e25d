// The bodies as the loops over pairs read them, and how they move: means and maxima.
#include "near/near.h"

#include "core/threads.h"

#include <math.h>

enum
{
    OF_VELOCITY,
    OF_DRIFT,
    SUMS // of a part: of v, and of the displacement since the list was made
};

thud_status thudi_near_open(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms)
{
    near->parts = view->count >= THUDI_CELLS_THREADS_FROM ? thudi_threads() : 1;
    THUD_TRY(thudi_room(rooms, &near->bodies, (size_t)view->count, "near bodies"));
    if (near->parts == 1) // its sums are on the stack
        return THUD_OK;
    return thudi_room(rooms, &near->sums, (size_t)near->parts * SUMS, "near sums");
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
} source;

// Write body i, and its v and displacement since the list was made. Their fourth numbers, and that
// of v in the body, are of no use: the reach is written later.
static inline void write_body(const source *s, thudi_near_body *body, int i, bool wide, bool moves,
                              four *velocity, four *drift)
{
    size_t at = (size_t)s->dim * (size_t)i;
    four q = load_some(s->q + at, s->dim, wide), v = load_some(s->to + at, s->dim, wide);
    if (moves)
        v -= load_some(s->from + at, s->dim, wide);
    four_store(body->q, q);
    four_store(body->v, v);
    body->radius = s->radius[i];
    *velocity = v;
    *drift = q - load_some(s->old + at, s->dim, wide);
}

enum
{
    AT_A_TIME = 4
};

// Bodies i .. end - 1, and their parts of the sums.
static inline __attribute__((always_inline)) void write_some(const source *s,
                                                             thudi_near_body *bodies, int i,
                                                             int end, bool wide, bool moves,
                                                             thudi_exact_four sums[SUMS])
{
    four velocity[AT_A_TIME], drift[AT_A_TIME];
    for (; i < end - (AT_A_TIME - 1); i += AT_A_TIME)
    {
        for (int k = 0; k < AT_A_TIME; k++)
            write_body(s, &bodies[i + k], i + k, wide, moves, &velocity[k], &drift[k]);
        thudi_exact_four_add_some(&sums[OF_VELOCITY], velocity, AT_A_TIME);
        thudi_exact_four_add_some(&sums[OF_DRIFT], drift, AT_A_TIME);
    }
    for (; i < end; i++)
    {
        write_body(s, &bodies[i], i, wide, moves, &velocity[0], &drift[0]);
        thudi_exact_four_add(&sums[OF_VELOCITY], velocity[0]);
        thudi_exact_four_add(&sums[OF_DRIFT], drift[0]);
    }
}

// In three dimensions four numbers are read of every body but the last.
static void write_bodies(thudi_near *near, const thudi_near_view *view, int part,
                         thudi_exact_four sums[SUMS])
{
    const double *from = view->from, *old = near->is_valid ? near->q.items : view->q;
    const source s = {view->q, view->to, from, old, view->radius, view->dim};
    int i = (int)((int64_t)part * view->count / near->parts);
    int end = (int)((int64_t)(part + 1) * view->count / near->parts);
    int wide = view->dim < 3 ? i : end < view->count ? end : end - 1;
    for (int k = 0; k < SUMS; k++)
        thudi_exact_four_clear(&sums[k]);
    if (from)
        write_some(&s, near->bodies, i, wide, true, true, sums);
    else
        write_some(&s, near->bodies, i, wide, true, false, sums);
    write_some(&s, near->bodies, wide > i ? wide : i, end, false, from != NULL, sums);
}

// The sums of all parts are exact, so they depend neither on the parts nor on the order of bodies.
static void find_mean(thudi_exact_four *sums, int parts, int count, double mean[3])
{
    double sum[4];
    for (int part = 1; part < parts; part++)
        thudi_exact_four_join(&sums[0], &sums[SUMS * (size_t)part]);
    thudi_exact_four_values(&sums[0], sum);
    for (int k = 0; k < 3; k++)
        mean[k] = count > 0 ? sum[k] / count : 0;
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

// Write all bodies, and the means over them. One part alone needs no team of threads.
static void find_means(thudi_near *near, const thudi_near_view *view, thudi_near_motion *motion)
{
    thudi_exact_four only[SUMS], *sums = near->parts > 1 ? near->sums : only;
    if (near->parts == 1)
        write_bodies(near, view, 0, sums);
    else
    {
#pragma omp parallel for num_threads(near->parts) schedule(static)
        for (int part = 0; part < near->parts; part++)
            write_bodies(near, view, part, sums + SUMS * (size_t)part);
    }
    find_mean(sums + OF_VELOCITY, near->parts, view->count, motion->mean);
    find_mean(sums + OF_DRIFT, near->parts, view->count, motion->drift);
}

static void find_maxima(thudi_near *near, const thudi_near_view *view, const double mean[3])
{
    int chunks = thudi_near_chunk_count(view->count);
    for (int c = 0; c < chunks && near->parts == 1; c++)
        find_largest(near, view, c, mean);
    if (near->parts == 1)
        return;
#pragma omp parallel for num_threads(near->parts) schedule(static)
    for (int c = 0; c < chunks; c++)
        find_largest(near, view, c, mean);
}

void thudi_near_measure(thudi_near *near, const thudi_near_view *view, thudi_near_motion *motion)
{
    int chunks = thudi_near_chunk_count(view->count);
    const thudi_near_chunk *chunk = near->chunks.items;
    *motion = (thudi_near_motion){.largest = 0};
    find_means(near, view, motion);
    find_maxima(near, view, motion->mean);
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
