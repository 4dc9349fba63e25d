// The bodies as the loops over pairs read them, and how they move: means and maxima.
#include "spheres/world.h"

#include "core/threads.h"

// Body i, its numbers at `at`.
static void write_body(thudi_near_body *body, int dim, const double *q, const double *to,
                       const double *from)
{
    body->q[2] = body->v[2] = 0;
    for (int k = 0; k < dim; k++)
    {
        body->q[k] = q[k];
        body->v[k] = from ? to[k] - from[k] : to[k];
    }
}

// The same in three dimensions where a fourth number follows; the reach is written later.
static inline void write_body_wide(thudi_near_body *body, const double *q, const double *to,
                                   const double *from)
{
    thudi_four v = thudi_four_load(to);
    thudi_four_store(body->q, thudi_four_load(q));
    thudi_four_store(body->v, from ? v - thudi_four_load(from) : v);
}

// In three dimensions all of a number of bodies but the last of all is read four at a time.
static void write_bodies(thud_world *world, int chunk, const double *q, const double *to,
                         const double *from)
{
    thudi_near *near = &world->near;
    const double *old = near->is_valid ? near->q.items : q;
    size_t dim = (size_t)world->dim;
    int end = thudi_near_chunk_start(world, chunk + 1);
    double scale = 1.0 / world->count;
    thudi_four sum = {0}, drift = {0};
    for (int i = thudi_near_chunk_start(world, chunk); i < end; i++)
    {
        thudi_near_body *body = &near->bodies.items[i];
        size_t at = dim * (size_t)i;
        thudi_four way = {0};
        if (dim == 3 && i + 1 < world->count)
        {
            write_body_wide(body, q + at, to + at, from ? from + at : NULL);
            way = thudi_four_load(q + at) - thudi_four_load(old + at);
        }
        else
        {
            write_body(body, world->dim, q + at, to + at, from ? from + at : NULL);
            for (size_t k = 0; k < dim; k++)
                way[k] = q[at + k] - old[at + k];
        }
        sum += thudi_four_load(body->v) * scale; // the fourth is of no use
        drift += way * scale;
        body->radius = world->radius.items[i];
    }
    for (int k = 0; k < 3; k++)
    {
        near->chunks.items[chunk].sum[k] = sum[k];
        near->chunks.items[chunk].sum[3 + k] = drift[k];
    }
}

// Squares of |v - mean|, which are left in the place of the reach, and of |w - u|.
static void find_largest(thud_world *world, int chunk, const thud_moment *at, const double mean[3])
{
    thudi_near_chunk *out = &world->near.chunks.items[chunk];
    int dim = world->dim, end = thudi_near_chunk_start(world, chunk + 1);
    double fastest = 0, pull = 0, largest = 0;
    // in first order nothing is left of the velocity before
    double kept = world->def.order == THUD_FIRST_ORDER ? 0 : 1;
    for (int i = thudi_near_chunk_start(world, chunk); i < end; i++)
    {
        thudi_near_body *body = &world->near.bodies.items[i];
        const double *w = at->w + (size_t)dim * (size_t)i, *u = at->u + (size_t)dim * (size_t)i;
        double x = body->v[0] - mean[0], y = body->v[1] - mean[1], z = body->v[2] - mean[2];
        double du = w[0] - kept * u[0], dv = w[1] - kept * u[1];
        double dw = dim == 3 ? w[2] - kept * u[2] : 0;
        double beside = x * x + y * y + z * z, change = du * du + dv * dv + dw * dw;
        fastest = beside > fastest ? beside : fastest;
        pull = change > pull ? change : pull;
        largest = body->radius > largest ? body->radius : largest;
        body->reach = beside;
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
