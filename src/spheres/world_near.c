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

// Beyond what is asked for, a list covers this part of a radius when bodies are slow, so that it
// serves for many steps, and little when it will have to be made again anyway.
static const double slow_skin = 0.1, fast_skin = 0.02, slow = 0.04;
static const double most_extra = 0.15, fading = 0.9;

thud_status thudi_near_reserve(thud_world *world, size_t count)
{
    const thud_allocator *allocator = &world->allocator;
    thudi_near *near = &world->near;
    THUD_TRY(thudi_array_reserve(allocator, &near->q, (size_t)world->dim * count));
    THUD_TRY(thudi_array_reserve(allocator, &near->reach, count));
    THUD_TRY(thudi_array_reserve(allocator, &near->bodies, count));
    THUD_TRY(thudi_array_reserve(allocator, &near->chunks, count / THUDI_NEAR_CHUNK + 1));
    THUD_TRY(thudi_array_reserve(allocator, &near->at_wall, count));
    THUD_TRY(thudi_array_reserve(allocator, &near->speed, count));
    return thudi_array_reserve(allocator, &near->ring, count);
}

void thudi_near_free(thud_world *world)
{
    const thud_allocator *allocator = &world->allocator;
    thudi_near *near = &world->near;
    thudi_array_free(allocator, &near->q);
    thudi_array_free(allocator, &near->reach);
    thudi_array_free(allocator, &near->bodies);
    thudi_array_free(allocator, &near->pairs);
    thudi_array_free(allocator, &near->chunks);
    thudi_array_free(allocator, &near->at_wall);
    thudi_array_free(allocator, &near->speed);
    thudi_array_free(allocator, &near->ring);
    thudi_array_free(allocator, &near->rows);
}

static void write_bodies(thud_world *world, int chunk, const double *q, const double *to,
                         const double *from)
{
    thudi_near *near = &world->near;
    const double *old = near->is_valid ? near->q.items : q;
    size_t dim = (size_t)world->dim;
    int end = thudi_near_chunk_start(world, chunk + 1);
    double scale = 1.0 / world->count, sum[6] = {0};
    for (int i = thudi_near_chunk_start(world, chunk); i < end; i++)
    {
        thudi_near_body *body = &near->bodies.items[i];
        body->q[2] = body->v[2] = 0;
        for (size_t k = 0; k < dim; k++)
        {
            size_t at = dim * (size_t)i + k;
            double v = from ? to[at] - from[at] : to[at];
            body->q[k] = q[at];
            body->v[k] = v;
            sum[k] += v * scale;
            sum[3 + k] += (q[at] - old[at]) * scale;
        }
        body->radius = world->radius.items[i];
    }
    memcpy(near->chunks.items[chunk].sum, sum, sizeof sum);
}

static void find_largest(thud_world *world, int chunk, const thud_moment *at, const double mean[3])
{
    thudi_near_chunk *out = &world->near.chunks.items[chunk];
    int dim = world->dim, end = thudi_near_chunk_start(world, chunk + 1);
    double fastest = 0, pull = 0, largest = 0;
    // in first order nothing is left of the velocity before
    double kept = world->def.order == THUD_FIRST_ORDER ? 0 : 1;
    for (int i = thudi_near_chunk_start(world, chunk); i < end; i++)
    {
        const thudi_near_body *body = &world->near.bodies.items[i];
        double beside = 0, change = 0;
        for (int k = 0; k < dim; k++)
        {
            size_t j = (size_t)dim * (size_t)i + (size_t)k;
            double v = body->v[k] - mean[k], du = at->w[j] - kept * at->u[j];
            beside += v * v;
            change += du * du;
        }
        fastest = beside > fastest ? beside : fastest;
        pull = change > pull ? change : pull;
        largest = body->radius > largest ? body->radius : largest;
    }
    out->fastest = fastest;
    out->pull = pull;
    out->largest = largest;
}

void thudi_near_measure(thud_world *world, const thud_moment *at, const double *to,
                        const double *from, thudi_near_motion *motion)
{
    int chunks = thudi_near_chunk_count(world);
    const thudi_near_chunk *chunk = world->near.chunks.items;
    *motion = (thudi_near_motion){.largest = 0};
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (world->count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < chunks; c++)
        write_bodies(world, c, at->q, to, from);
    for (int c = 0; c < chunks; c++)
        for (int k = 0; k < 3; k++)
        {
            motion->mean[k] += chunk[c].sum[k];
            motion->drift[k] += chunk[c].sum[3 + k];
        }
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (world->count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < chunks; c++)
        find_largest(world, c, at, motion->mean);
    for (int c = 0; c < chunks; c++)
    {
        motion->fastest = chunk[c].fastest > motion->fastest ? chunk[c].fastest : motion->fastest;
        motion->pull = chunk[c].pull > motion->pull ? chunk[c].pull : motion->pull;
        motion->largest = chunk[c].largest > motion->largest ? chunk[c].largest : motion->largest;
    }
    motion->fastest = sqrt(motion->fastest);
    motion->pull = sqrt(motion->pull);
}

// By how much the list falls short for a body of a chunk, in radii; 0 if it covers all.
static double shortfall(const thud_world *world, const double drift[3], int chunk)
{
    const thudi_near *near = &world->near;
    size_t dim = (size_t)world->dim;
    int end = thudi_near_chunk_start(world, chunk + 1);
    double rounding = 0x1p-45 * (fabs(drift[0]) + fabs(drift[1]) + fabs(drift[2])), most = 0;
    for (int i = thudi_near_chunk_start(world, chunk); i < end; i++)
    {
        const thudi_near_body *body = &near->bodies.items[i];
        double sum = 0;
        for (size_t k = 0; k < dim; k++)
        {
            double way = body->q[k] - near->q.items[dim * (size_t)i + k] - drift[k];
            sum += way * way;
        }
        double lack = body->reach + sqrt(sum) + rounding - near->reach.items[i] * (1 - 0x1p-40);
        if (!(lack <= most * body->radius))
            most = lack / body->radius;
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

// How far the list is to reach, by body.
static void choose_reach(thud_world *world, const thudi_near_motion *motion, double ahead)
{
    thudi_near *near = &world->near;
    bool calm = ahead * motion->fastest < slow * motion->largest;
    double skin = calm ? slow_skin : fast_skin + near->extra;
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (world->count >= THUDI_CELLS_THREADS_FROM)
    for (int i = 0; i < world->count; i++)
    {
        const thudi_near_body *body = &near->bodies.items[i];
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

thud_status thudi_near_cover(thud_world *world, const thud_moment *at,
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
    choose_reach(world, motion, ahead);
    memcpy(near->q.items, at->q, (size_t)world->dim * (size_t)world->count * sizeof *near->q.items);
    near->shear = world->periods.shear;
    THUD_TRY(thudi_world_find_pairs(world, at->q, near->reach.items));
    THUD_TRY(thudi_array_reserve(&world->allocator, &near->pairs, (size_t)world->cells.pair_count));
    near->is_valid = true;
    return THUD_OK;
}

int thudi_near_select(thud_world *world, int chunk)
{
    if (world->is_periodic)
        return thudi_near_select_images(world, chunk);
    const int *first = world->cells.first.items, *partner = world->cells.partner.items;
    const thudi_near_body *bodies = world->near.bodies.items;
    int start = thudi_near_chunk_start(world, chunk), count = 0;
    int end = thudi_near_chunk_start(world, chunk + 1);
    thudi_near_pair *out = world->near.pairs.items + first[start];
    for (int a = start; a < end; a++)
    {
        const double x = bodies[a].q[0], y = bodies[a].q[1], z = bodies[a].q[2];
        const double own = bodies[a].reach;
        for (int p = first[a]; p < first[a + 1]; p++)
        {
            const thudi_near_body *other = &bodies[partner[p]];
            double dx = other->q[0] - x, dy = other->q[1] - y, dz = other->q[2] - z;
            double square = dx * dx + dy * dy + dz * dz, reach = own + other->reach;
            out[count].a = a; // overwritten unless it is near: that is hard to foresee
            out[count].b = partner[p];
            out[count].gap = square;
            count += square < reach * reach;
        }
    }
    return count;
}
