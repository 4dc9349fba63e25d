// The phase FIND_MISSING: push the rows that the trial position shows to be missing.
//
// A pair is judged by lin, its gap at the trial position by the linearised constraint:
//
//     lin = d . e / |d| - radii
//
// d and e are the vectors between the centres at the start of the step and at the trial position.
// The gap at the trial position is |e| - radii. A test without a division drops most pairs first.
#include "spheres/cell.h"
#include "spheres/obstacles.h"
#include "spheres/pairs.h"
#include "spheres/walls.h"

#include "core/rooms.h"
#include "core/threads.h"

#include <math.h>
#include <string.h>

// The test without a division enlarges its bounds by more than all roundings of a gap: by the
// factor OUTWARDS, and by the slack. The slack is the part ROUNDING of the displacements and radii.
static const double OUTWARDS = 1 + 0x1p-40, ROUNDING = 0x1p-46;

enum
{
    AT_A_TIME = 256 // pairs of the list that are tested together
};

// Write reaches: radius and margin, the displacement less the mean, and a shift. The shifts of two
// bodies together are at least twice that of the pair, which is enough for the law's row_margin.
static void write_reaches(thud_world *world, const thudi_near_motion *motion, int chunk)
{
    for (int i = thudi_world_chunk_start(world, chunk);
         i < thudi_world_chunk_start(world, chunk + 1); i++)
    {
        thudi_near_body *body = &world->near.bodies[i];
        double displacement = sqrt(body->reach); // thudi_near_measure left the square
        body->reach = body->radius * (1 + THUDI_NEAR_MARGIN) + displacement +
                      thudi_shift_of(&world->shift, thudi_near_size(motion, body->radius));
    }
}

// The search among the near pairs of one chunk.
typedef struct search
{
    const thud_world *world;
    const double *trial;
    double slack;        // length
    double allowed_miss; // length, see thudi_world_least_lin
    double least_gap;    // the smallest gap at the trial position so far
    bool is_apart;       // so far no two centres are at one point at the start of the step
} search;

static void note_gap(search *s, thudi_pair pair, const double offset[3], double radii)
{
    double distance, normal[3];
    // without this row the trial position may have both centres at one point: the distance is 0
    (void)thudi_world_direction(s->world, s->trial, pair.a, pair.b, offset, &distance, normal);
    double gap = distance - radii;
    s->least_gap = gap < s->least_gap ? gap : s->least_gap;
}

// The test without a division for four pairs without images: one bit for each pair that may need a
// row. Notes the gaps that may be the smallest.
static inline unsigned may_have_met_four(search *s, const thudi_pair *pairs, const double *squares)
{
    static const double offset[3] = {0, 0, 0};
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
    four product = d[0] * e[0] + d[1] * e[1] + d[2] * e[2], radii = own + other;
    four square_after = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    four shift = thudi_shift_of_four(&world->shift, four_smaller(own, other));
    four least = radii + thudi_world_least_lin_four(world, shift, s->allowed_miss);
    four bound = (s->least_gap + radii) * OUTWARDS + s->slack;
    s->is_apart = four_all(distance > 0) && s->is_apart;
    unsigned closer = four_bits((bound > 0) & (square_after < bound * bound));
    for (; closer != 0; closer &= closer - 1)
    {
        int k = __builtin_ctz(closer);
        note_gap(s, pairs[k], offset, radii[k]);
    }
    return four_bits(product < (least * OUTWARDS + s->slack) * distance);
}

// The same for one pair, which may have an image.
static unsigned may_have_met_one(search *s, thudi_pair pair, double square)
{
    const thud_world *world = s->world;
    const thudi_near_body *own = &world->near.bodies[pair.a];
    const thudi_near_body *other = &world->near.bodies[thudi_world_partner(world, pair.b)];
    double product = 0, square_after = 0, distance = sqrt(square);
    double radii = own->radius + other->radius, offset[3];
    double shift = thudi_world_shift(world, own->radius, other->radius);
    thudi_world_offset(world, own->q, other->q, pair.b, offset);
    for (int k = 0; k < 3; k++)
    {
        double d = thudi_image_between(own->q[k], other->q[k], offset[k]);
        double e = d + (other->v[k] - own->v[k]);
        product += d * e;
        square_after += e * e;
    }
    double bound = (s->least_gap + radii) * OUTWARDS + s->slack;
    if (bound > 0 && square_after < bound * bound)
        note_gap(s, pair, offset, radii);
    s->is_apart = distance > 0 && s->is_apart;
    double least = radii + thudi_world_least_lin(world, shift, s->allowed_miss);
    return product < (least * OUTWARDS + s->slack) * distance;
}

// Does a pair need a row? Computes lin as its row would.
static bool has_met(const search *s, thudi_pair pair, double square)
{
    const thud_world *world = s->world;
    const thudi_near_body *own = &world->near.bodies[pair.a];
    const thudi_near_body *other = &world->near.bodies[thudi_world_partner(world, pair.b)];
    double shift = thudi_world_shift(world, own->radius, other->radius), offset[3];
    double distance = sqrt(square), lin = distance - (own->radius + other->radius);
    thudi_world_offset(world, own->q, other->q, pair.b, offset);
    for (int k = 0; k < 3; k++)
        lin += thudi_image_between(own->q[k], other->q[k], offset[k]) / distance *
               (other->v[k] - own->v[k]);
    return lin < thudi_world_least_lin(world, shift, s->allowed_miss);
}

// Of some near pairs those that need a row stay; returns how many.
static int keep_met(search *s, thudi_pair *pairs, int count, const double *squares)
{
    int kept = 0, tested;
    for (int p = 0; p < count; p += tested)
    {
        tested = p < count - 3 && !s->world->is_periodic ? 4 : 1;
        unsigned candidates = tested == 4 ? may_have_met_four(s, pairs + p, squares + p)
                                          : may_have_met_one(s, pairs[p], squares[p]);
        for (; candidates != 0; candidates &= candidates - 1)
        {
            int k = p + __builtin_ctz(candidates);
            pairs[kept] = pairs[k];
            kept += has_met(s, pairs[k], squares[k]);
        }
    }
    return kept;
}

// Find the pairs of a chunk that need a row, and its smallest gap. They are written to `met`, or
// counted alone where that is NULL. Nearly all near pairs are dropped, so few are held at a time.
static void find_met(thud_world *world, const thudi_near_view *view, double slack,
                     double allowed_miss, int chunk, thudi_pair *met)
{
    thudi_world_chunk *result = &world->chunks.items[chunk];
    thudi_near_place place = thudi_near_begin(&world->near, view, chunk);
    // the walls have already written their smallest gap
    search s = {world, view->to, slack, allowed_miss, result->least_gap, true};
    int count = 0;
    while (place.pair < place.end)
    {
        thudi_pair pairs[AT_A_TIME];
        double squares[AT_A_TIME];
        int near = thudi_near_select(&world->near, view, AT_A_TIME, &place, pairs, squares);
        int kept = keep_met(&s, pairs, near, squares);
        if (met)
            memcpy(met + count, pairs, (size_t)kept * sizeof *pairs);
        count += kept;
    }
    result->least_gap = s.least_gap;
    result->coincides = !s.is_apart;
    result->pair_count = count;
}

// The pairs that need a row, by chunk, into a room of their size: they are searched again where
// there are any.
static thud_status list_met(thud_world *world, const thudi_near_view *view, double slack,
                            double allowed_miss, thud_rooms *rooms)
{
    thudi_world_chunk *chunk = world->chunks.items;
    int chunks = thudi_world_chunk_count(world), count = 0; // no more than are in the list
    for (int c = 0; c < chunks; c++)
    {
        chunk[c].first_pair = count;
        count += chunk[c].pair_count;
    }
    THUD_TRY(thudi_room(rooms, &world->near.pairs, (size_t)count, "pairs that met"));
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(dynamic) if (count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < chunks; c++)
        if (chunk[c].pair_count > 0)
            find_met(world, view, slack, allowed_miss, c, thudi_world_pairs(world, c));
    return THUD_OK;
}

// Open the rooms by body, and write the bodies and their reaches.
static thud_status measure(thud_world *world, const thudi_near_view *view, thud_rooms *rooms,
                           thudi_near_motion *motion)
{
    THUD_TRY(thudi_near_open(&world->near, view, rooms));
    THUD_TRY(thudi_room(rooms, &world->at_wall, (size_t)world->count, "bodies at walls"));
    thudi_near_measure(&world->near, view, motion);
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (world->count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < thudi_world_chunk_count(world); c++)
        write_reaches(world, motion, c);
    return THUD_OK;
}

// The same with a list that has all near pairs. Packs may be open below these rooms, so little is
// open while a list is made: the bodies are written once more after it.
static thud_status measure_and_list(thud_world *world, const thudi_near_view *view,
                                    thud_rooms *rooms, thudi_near_motion *motion)
{
    int open = thud_rooms_count(rooms);
    THUD_TRY(measure(world, view, rooms, motion));
    thudi_near_request request = {.travel = motion->fastest, .again = true};
    if (!thudi_near_needs_list(&world->near, view, motion, &request))
        return THUD_OK;
    thud_rooms_close(rooms, open);
    THUD_TRY(thudi_world_fail_search(world, thudi_near_make_list(&world->near, view, rooms)));
    return measure(world, view, rooms, motion);
}

thud_status thudi_world_find_missing(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    thudi_near_motion motion;
    int chunks = thudi_world_chunk_count(world);
    bool is_parallel = world->count >= THUDI_CELLS_THREADS_FROM, coincides = false;
    thud_rooms *rooms = thud_rows_rooms(rows);
    thudi_near_view view = thudi_world_view_moving(world, at, at->trial, at->q);
    THUD_TRY(measure_and_list(world, &view, rooms, &motion));
    double slack = motion.fastest + motion.largest;
    double allowed_miss =
        motion.velocity_change > 0 ? world->def.tol_a * at->h * motion.velocity_change : INFINITY;
    for (int k = 0; k < 3; k++)
        slack += fabs(motion.mean[k]);
    slack *= ROUNDING;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)                             \
    reduction(||                                                                                   \
              : coincides) if (is_parallel)
    for (int c = 0; c < chunks; c++)
    {
        thudi_walls_find_missing(world, &view, allowed_miss, c);
        find_met(world, &view, slack, allowed_miss, c, NULL);
        coincides = coincides || world->chunks.items[c].coincides;
    }
    if (coincides)
        return THUD_ERR_OVERLAP;
    for (int c = 0; c < chunks; c++)
        thud_rows_note_gap(rows, world->chunks.items[c].least_gap);
    THUD_TRY(list_met(world, &view, slack, allowed_miss, rooms));
    THUD_TRY(thudi_world_push_pairs(world, rows));
    THUD_TRY(thudi_walls_push_met(world, at, allowed_miss, rows));
    return thudi_world_find_missing_rows(world, at, rows);
}
