// FIND_MISSING: the pairs that could have met with the velocities found, and the rows that are
// missing.
#include "spheres/cell.h"
#include "spheres/obstacles.h"
#include "spheres/pairs.h"
#include "spheres/walls.h"

#include "core/rooms.h"
#include "core/threads.h"

#include <math.h>

// Distances are compared with bounds that are larger by this, and by a slack that is this part of
// the lengths in play: more than all roundings of a gap.
static const double OUTWARDS = 1 + 0x1p-40, ROUNDING = 0x1p-46;

// Reach: radius and a margin, the way travelled beside the mean, and the shift, which is that of
// the smaller of two.
static void set_reach(thud_world *world, const thudi_near_motion *motion, int chunk)
{
    for (int i = thudi_world_chunk_start(world, chunk);
         i < thudi_world_chunk_start(world, chunk + 1); i++)
    {
        thudi_near_body *body = &world->near.bodies[i];
        double way = sqrt(body->reach); // as measured
        body->reach = body->radius * (1 + THUDI_NEAR_MARGIN) + way +
                      world->shift_factor * thudi_near_size(motion, body->radius);
    }
}

// The gap at the trial position.
static double gap_after(const thud_world *world, const double *trial, thudi_pair pair,
                        const double offset[3], double radii)
{
    double after, normal[3];
    // a trial without this row may well put both into one place
    (void)thudi_world_direction(world, trial, pair.a, pair.b, offset, &after, normal);
    return after - radii;
}

// lin = gap + normal . (way of b - way of a) < least
static bool has_met(const thudi_near_body *own, const thudi_near_body *other,
                    const double offset[3], double distance, double radii, double least)
{
    double lin = distance - radii;
    for (int k = 0; k < 3; k++)
        lin += thudi_image_between(own->q[k], other->q[k], offset[k]) / distance *
               (other->v[k] - own->v[k]);
    return lin < least;
}

// Of the near pairs of a chunk those that may have met, and the smallest gap. With d and e the
// vectors between the centres before and after, lin = d . e / |d| - radii and the gap after is
// |e| - radii, up to rounding (slack). So most pairs are sorted out before any division.
typedef struct sieve
{
    const thud_world *world;
    const double *trial;
    double slack, room;
    double least; // gap
    bool apart;   // no two centres in one place
} sieve;

static void note_gap(sieve *s, thudi_pair pair, const double away[3], double radii)
{
    double gap = gap_after(s->world, s->trial, pair, away, radii);
    s->least = gap < s->least ? gap : s->least;
}

// Four pairs without images: one bit for each that may have met.
static inline unsigned sift_four(sieve *s, const thudi_pair *pairs, const double *squares)
{
    static const double away[3] = {0, 0, 0};
    const thud_world *world = s->world;
    const thudi_near_body *a[4], *b[4];
    four d[4], e[4], distance = four_sqrt(four_load(squares));
    for (int k = 0; k < 4; k++)
    {
        a[k] = &world->near.bodies[pairs[k].a];
        b[k] = &world->near.bodies[pairs[k].b];
        d[k] = four_load(b[k]->q) - four_load(a[k]->q);
        e[k] = d[k] + (four_load(b[k]->v) - four_load(a[k]->v));
    }
    four_transpose(d);
    four_transpose(e);
    four own = {a[0]->radius, a[1]->radius, a[2]->radius, a[3]->radius};
    four other = {b[0]->radius, b[1]->radius, b[2]->radius, b[3]->radius};
    four along = d[0] * e[0] + d[1] * e[1] + d[2] * e[2], radii = own + other;
    four after = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    four shift = world->shift_factor * four_smaller(own, other);
    four met = radii + thudi_world_least_four(world, shift, s->room);
    four bound = (s->least + radii) * OUTWARDS + s->slack;
    s->apart = four_bits(distance > 0) == 15 && s->apart;
    unsigned low = four_bits((bound > 0) & (after < bound * bound));
    for (; low != 0; low &= low - 1)
    {
        int k = __builtin_ctz(low);
        note_gap(s, pairs[k], away, radii[k]);
    }
    return four_bits(along < (met * OUTWARDS + s->slack) * distance);
}

// The same for one pair, which may have an image.
static unsigned sift_one(sieve *s, thudi_pair pair, double square)
{
    const thud_world *world = s->world;
    const thudi_near_body *own = &world->near.bodies[pair.a];
    const thudi_near_body *other = &world->near.bodies[thudi_world_partner(world, pair.b)];
    double along = 0, after = 0, distance = sqrt(square), radii = own->radius + other->radius;
    double shift = thudi_world_shift(world->shift_factor, own->radius, other->radius), away[3];
    thudi_world_offset(world, own->q, other->q, pair.b, away);
    for (int k = 0; k < 3; k++)
    {
        double d = thudi_image_between(own->q[k], other->q[k], away[k]);
        double e = d + (other->v[k] - own->v[k]);
        along += d * e;
        after += e * e;
    }
    double bound = (s->least + radii) * OUTWARDS + s->slack;
    if (bound > 0 && after < bound * bound)
        note_gap(s, pair, away, radii);
    s->apart = distance > 0 && s->apart;
    double met = radii + thudi_world_least(world, shift, s->room);
    return along < (met * OUTWARDS + s->slack) * distance;
}

static bool is_met(const sieve *s, thudi_pair pair, double square)
{
    const thud_world *world = s->world;
    const thudi_near_body *own = &world->near.bodies[pair.a];
    const thudi_near_body *other = &world->near.bodies[thudi_world_partner(world, pair.b)];
    double shift = thudi_world_shift(world->shift_factor, own->radius, other->radius), away[3];
    thudi_world_offset(world, own->q, other->q, pair.b, away);
    return has_met(own, other, away, sqrt(square), own->radius + other->radius,
                   thudi_world_least(world, shift, s->room));
}

// The pairs of a chunk that could have met.
static void find_met(thud_world *world, const thudi_near_view *view, double slack, double room,
                     int chunk)
{
    thudi_world_chunk *result = &world->chunks.items[chunk];
    thudi_pair *pairs = thudi_world_pairs(world, chunk);
    const double *squares = thudi_world_pair_gaps(world, chunk);
    int count = thudi_near_select(&world->near, view, chunk), met = 0, some;
    sieve s = {world, view->to, slack, room, result->least_gap, true};
    for (int p = 0; p < count; p += some)
    {
        some = p < count - 3 && !world->is_periodic ? 4 : 1;
        unsigned may =
            some == 4 ? sift_four(&s, pairs + p, squares + p) : sift_one(&s, pairs[p], squares[p]);
        for (; may != 0; may &= may - 1)
        {
            int k = p + __builtin_ctz(may);
            pairs[met] = pairs[k];
            met += is_met(&s, pairs[k], squares[k]);
        }
    }
    result->least_gap = s.least;
    result->coincides = !s.apart;
    result->pair_count = met;
}

thud_status thudi_world_find_missing(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    thudi_near_motion motion;
    int chunks = thudi_world_chunk_count(world);
    bool many = world->count >= THUDI_CELLS_THREADS_FROM, coincides = false;
    thud_rooms *rooms = thud_rows_rooms(rows);
    thudi_near_view view = thudi_world_view_moving(world, at, at->trial, at->q);
    THUD_TRY(thudi_near_open(&world->near, &view, rooms));
    THUD_TRY(thudi_room(rooms, &world->at_wall, (size_t)world->count, "bodies at walls"));
    thudi_near_measure(&world->near, &view, &motion);
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (many)
    for (int c = 0; c < chunks; c++)
        set_reach(world, &motion, c);
    thudi_near_request request = {.way = motion.fastest, .again = true};
    THUD_TRY(thudi_world_fail_search(
        world, thudi_near_cover(&world->near, &view, rooms, &motion, &request)));
    THUD_TRY(thudi_near_open_pairs(&world->near, rooms));
    double slack = motion.fastest + motion.largest;
    double room = motion.pull > 0 ? world->def.tol_a * at->h * motion.pull : INFINITY;
    for (int k = 0; k < 3; k++)
        slack += fabs(motion.mean[k]);
    slack *= ROUNDING;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)                             \
    reduction(||                                                                                   \
              : coincides) if (many)
    for (int c = 0; c < chunks; c++)
    {
        thudi_walls_find_missing(world, &view, room, c);
        find_met(world, &view, slack, room, c);
        coincides = coincides || world->chunks.items[c].coincides;
    }
    if (coincides)
        return THUD_ERR_OVERLAP;
    for (int c = 0; c < chunks; c++)
        thud_rows_note_gap(rows, world->chunks.items[c].least_gap);
    THUD_TRY(thudi_world_push_pairs(world, rows));
    THUD_TRY(thudi_walls_push_met(world, at, room, rows));
    return thudi_world_find_missing_rows(world, at, rows);
}
