// CHECK: the pairs that could have met with the velocities found, and the rows that are missing;
// and the pushing of pair rows, for both phases.
#include "spheres/world.h"

#include "core/threads.h"

#include <math.h>

enum
{
    BATCH = 16384 // rows pushed at once, or those of one chunk if it has more
};

// Reach: radius and a margin, the way travelled beside the mean, and the shift, which is that of
// the smaller of two.
static void set_reach(thud_world *world, const thudi_near_motion *motion, int chunk)
{
    for (int i = thudi_near_chunk_start(world, chunk); i < thudi_near_chunk_start(world, chunk + 1);
         i++)
    {
        thudi_near_body *body = &world->near.bodies.items[i];
        double sum = 0;
        for (int k = 0; k < 3; k++)
        {
            double way = body->v[k] - motion->mean[k];
            sum += way * way;
        }
        body->reach = body->radius * (1 + THUDI_WORLD_MARGIN) + sqrt(sum) +
                      world->shift_factor * thudi_near_size(motion, body->radius);
    }
}

// The gap at the trial position.
static double gap_after(const thud_world *world, const double *trial, const thudi_near_pair *pair,
                        const double shift[3], double radii)
{
    double after, normal[3];
    // a trial without this row may well put both into one place
    (void)thudi_world_direction(world, trial, pair->a, pair->b, shift, &after, normal);
    return after - radii;
}

// lin = gap + normal . (way of b - way of a) < least
static bool has_met(const thudi_near_body *own, const thudi_near_body *other, const double shift[3],
                    double distance, double radii, double least)
{
    double lin = distance - radii;
    for (int k = 0; k < 3; k++)
        lin += thudi_image_between(own->q[k], other->q[k], shift[k]) / distance *
               (other->v[k] - own->v[k]);
    return lin < least;
}

// Of the near pairs of a chunk keep those that may have met, and find the smallest gap. With d and
// e the vectors between the centres before and after, lin = d . e / |d| - radii and the gap after
// is |e| - radii, but for rounding (slack); so most pairs are sorted out before anything is
// divided.
static int sort_out(thud_world *world, const double *trial, double slack, int chunk, int count)
{
    const thudi_near_body *bodies = world->near.bodies.items;
    thudi_near_chunk *result = &world->near.chunks.items[chunk];
    int start = thudi_near_chunk_start(world, chunk), kept = 0;
    thudi_near_pair *pairs = world->near.pairs.items + world->cells.first.items[start];
    double least = result->least_gap;
    bool coincides = false;
    for (int p = 0; p < count; p++)
    {
        thudi_near_pair pair = pairs[p];
        const thudi_near_body *own = &bodies[pair.a];
        const thudi_near_body *other = &bodies[thudi_world_partner(world, pair.b)];
        double along = 0, after = 0, distance = sqrt(pair.gap), radii = own->radius + other->radius;
        double shift = thudi_world_shift(world->shift_factor, own->radius, other->radius);
        double away[3];
        thudi_world_shift_of(world, own->q, other->q, pair.b, away);
        for (int k = 0; k < 3; k++)
        {
            double d = thudi_image_between(own->q[k], other->q[k], away[k]);
            double e = d + (other->v[k] - own->v[k]);
            along += d * e;
            after += e * e;
        }
        double bound = (least + radii) * (1 + 0x1p-40) + slack;
        if (bound > 0 && after < bound * bound)
        {
            double gap = gap_after(world, trial, &pair, away, radii);
            least = gap < least ? gap : least;
        }
        coincides = coincides || !(distance > 0);
        pairs[kept] = pair;
        double met = radii + thudi_world_least(world, shift, 0);
        kept += along < (met * (1 + 0x1p-40) + slack) * distance;
    }
    result->least_gap = least;
    result->coincides = coincides;
    return kept;
}

// The pairs of a chunk that could have met.
static void find_met(thud_world *world, const double *trial, double slack, double room, int chunk)
{
    const thudi_near_body *bodies = world->near.bodies.items;
    int start = thudi_near_chunk_start(world, chunk), count = thudi_near_select(world, chunk);
    thudi_near_pair *pairs = world->near.pairs.items + world->cells.first.items[start];
    int kept = sort_out(world, trial, slack, chunk, count), met = 0;
    for (int p = 0; p < kept; p++)
    {
        const thudi_near_body *own = &bodies[pairs[p].a];
        const thudi_near_body *other = &bodies[thudi_world_partner(world, pairs[p].b)];
        double shift = thudi_world_shift(world->shift_factor, own->radius, other->radius), away[3];
        thudi_world_shift_of(world, own->q, other->q, pairs[p].b, away);
        bool is_met = has_met(own, other, away, sqrt(pairs[p].gap), own->radius + other->radius,
                              thudi_world_least(world, shift, room));
        pairs[met] = pairs[p];
        met += is_met;
    }
    world->near.chunks.items[chunk].pair_count = met;
}

thud_status thudi_world_check(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    thudi_near_motion motion;
    int chunks = thudi_near_chunk_count(world);
    bool many = world->count >= THUDI_CELLS_THREADS_FROM, coincides = false;
    thudi_near_measure(world, at, at->trial, at->q, &motion);
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (many)
    for (int c = 0; c < chunks; c++)
        set_reach(world, &motion, c);
    THUD_TRY(thudi_near_cover(world, at, &motion, 0));
    double slack = motion.fastest + motion.largest;
    double room = motion.pull > 0 ? world->def.tol_a * at->h * motion.pull : INFINITY;
    for (int k = 0; k < 3; k++)
        slack += fabs(motion.mean[k]);
    slack *= 0x1p-46;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)                             \
    reduction(||                                                                                   \
              : coincides) if (many)
    for (int c = 0; c < chunks; c++)
    {
        thudi_walls_check(world, at, room, c);
        find_met(world, at->trial, slack, room, c);
        coincides = coincides || world->near.chunks.items[c].coincides;
    }
    if (coincides)
        return THUD_ERR_OVERLAP;
    for (int c = 0; c < chunks; c++)
        thud_rows_note_gap(rows, world->near.chunks.items[c].least_gap);
    THUD_TRY(thudi_near_push(world, rows));
    THUD_TRY(thudi_walls_push_met(world, at, room, rows));
    return thudi_world_check_obstacles(world, at, rows);
}

static void write_rows(const thud_world *world, int chunk, thud_pair_row *out)
{
    const int *material = world->material.items, dim = world->dim;
    const double factor = world->shift_factor;
    const thudi_near_body *bodies = world->near.bodies.items;
    const thudi_near_pair *pairs =
        world->near.pairs.items + world->cells.first.items[thudi_near_chunk_start(world, chunk)];
    for (int p = 0; p < world->near.chunks.items[chunk].pair_count; p++)
    {
        int a = pairs[p].a, b = thudi_world_partner(world, pairs[p].b);
        const thudi_near_body *own = &bodies[a], *other = &bodies[b];
        double away[3];
        thudi_world_shift_of(world, own->q, other->q, pairs[p].b, away);
        double dx = thudi_image_between(own->q[0], other->q[0], away[0]);
        double dy = thudi_image_between(own->q[1], other->q[1], away[1]);
        double dz = thudi_image_between(own->q[2], other->q[2], away[2]);
        double distance = sqrt(dx * dx + dy * dy + dz * dz);
        out[p] = (thud_pair_row){
            .key = thudi_world_key(world, a, pairs[p].b),
            .gap = distance - own->radius - other->radius,
            .shift = thudi_world_shift(factor, own->radius, other->radius),
            .a = dim * a,
            .b = dim * b,
            .normal = {dx / distance, dy / distance, dz / distance},
            .restitution = thudi_world_restitution(world, material[a], material[b]),
            .glue = thudi_world_glue(world, material[a], material[b]),
        };
    }
}

thud_status thudi_near_push(thud_world *world, thud_rows *rows)
{
    int chunks = thudi_near_chunk_count(world);
    thudi_near_chunk *chunk = world->near.chunks.items;
    for (int from = 0, to; from < chunks; from = to)
    {
        int count = 0;
        for (to = from; to < chunks && (to == from || count + chunk[to].pair_count <= BATCH); to++)
        {
            chunk[to].first_row = count;
            count += chunk[to].pair_count;
        }
        THUD_TRY(thudi_array_reserve(&world->allocator, &world->near.rows, (size_t)count));
        thud_pair_row *out = world->near.rows.items;
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (count >= THUDI_CELLS_THREADS_FROM)
        for (int c = from; c < to; c++)
            write_rows(world, c, out + chunk[c].first_row);
        THUD_TRY(thud_rows_push_pairs(rows, world->dim, out, count));
    }
    return THUD_OK;
}
