// Packs filled from the problem: in floats where these will do, else in doubles.
//
// The stop of a row is its tolerance (thudi_row_tolerance, with the largest acceleration of the
// cluster). Floats will do where all that they round away is far below every stop; how far is known
// before the sweeps except for the multipliers, which are watched.
#include "project/projector.h"
#include "project/sweep/packs_units.h"
#include "project/sweep/part.h"

#include "core/threads.h"

#include <limits.h>
#include <string.h>

// Of a number: what rounding to a float takes away.
static const double HALF_ULP = 0x1p-24;

// What rounding up to a float may add.
static const double FLOAT_ULP = 0x1p-23;

// The room of the multipliers to go back to.
static const char SAVED[] = "packs: saved multipliers";

// |slope|^2: floats hold the slopes of other rows badly, and such rows are rare.
static const double LEAST_SLOPE = 0x1p-40, LARGEST_SLOPE = 0x1p40;

// A level that stays finite when it is divided by the root of the diagonal.
static const double LARGEST_LEVEL = 0x1p900;

enum
{
    SPEEDS = 4, // of w: the velocities of two bodies, each of which may double
    AHEAD = 16, // rows
    CROWD = 4,  // multipliers as large as the largest whose roundings add up at a body
    ALIKE = 16  // ratio of masses up to which the heavier one's velocity needs no more digits
};

typedef struct filling
{
    const thud_projection *problem;
    thudi_packs *packs;
    double speed; // largest |w| of any coordinate, in the units of the packs
} filling;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// 1 / m in the units of the packs.
static double inverse_mass(const filling *f, int body)
{
    const thudi_packs *p = f->packs;
    double mass = thudi_mass(f->problem->mass, p->coordinate[body]);
    return 1 / (mass * (p->per_impulse / p->per_velocity));
}

// Velocities 0, masses, and the idle bodies.
static void fill_bodies(const filling *f)
{
    thudi_packs *p = f->packs;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (p->bricks > 1)
    for (int i = 0; i < p->bodies; i++)
    {
        double inverse = inverse_mass(f, i), *velocity = p->velocity + 4 * (size_t)i;
        velocity[0] = velocity[1] = velocity[2] = 0;
        velocity[3] = inverse;
        p->half_mass[i] = 0.5 / inverse;
    }
    memset(p->velocity + 4 * (size_t)p->bodies, 0, 4 * (size_t)p->idle_count * sizeof *p->velocity);
}

// The numbers of one row.
typedef struct lane
{
    int a, b;
    double inverse_tolerance, normal[3], level, x;
    double ratio; // of the masses of its bodies
} lane;

// A float that is not below x, and at most two units in the last place above.
static float float_above(double x)
{
    return (float)(x * (1 + FLOAT_ULP));
}

// The numbers of a placed row; false when one is not finite.
static bool make_lane(const filling *f, int at, int group, lane *made)
{
    const thud_projection *problem = f->problem;
    const thudi_packs *p = f->packs;
    const thudi_placed_row *placed = &p->placed[at];
    const thudi_row_head *head = &problem->rows->heads.items[placed->row];
    const double *normal = thudi_row_normal(problem->rows, head);
    double square = 0, of_b = p->velocity[4 * (size_t)placed->b + 3], weight = of_b;
    if (placed->a >= 0)
        weight += p->velocity[4 * (size_t)placed->a + 3];
    for (int k = 0; k < p->width; k++)
        square += normal[k] * normal[k];
    double root = sqrt(square * weight), scale = 1 / root;
    for (int k = 0; k < p->width; k++)
        made->normal[k] = normal[k] * scale;
    double level = (head->gap - thudi_shift(problem, placed->row)) / problem->h * p->per_velocity;
    double warm = problem->warm ? problem->warm[placed->row] : 0;
    made->a = 4 * (placed->a >= 0 ? placed->a : p->idle[group]);
    made->b = 4 * placed->b;
    made->level = level * scale;
    double tolerance = thudi_row_tolerance(problem, placed->row, p->pull);
    made->inverse_tolerance = root / (tolerance * p->per_velocity);
    made->x = warm > 0 && warm < INFINITY ? warm * p->per_impulse * root : 0;
    made->ratio = placed->a < 0 ? 1 : larger((weight - of_b) / of_b, of_b / (weight - of_b));
    p->scale[at] = scale;
    return isfinite(made->level) && isfinite(made->x) && square > LEAST_SLOPE &&
           square < LARGEST_SLOPE;
}

// What both kinds of packs hold alike, of row k. The first row comes before the others and puts the
// idle body in all places.
static void put_ends(const lane *from, int k, int idle, int a[], int b[], float inverse_tolerance[])
{
    for (int l = 0; k == 0 && l < THUDI_PACK_WIDTH; l++)
        a[l] = b[l] = 4 * idle;
    a[k] = from->a;
    b[k] = from->b;
    inverse_tolerance[k] = float_above(from->inverse_tolerance);
}

static void put(const lane *from, int k, int idle, thudi_pack *pack)
{
    if (k == 0)
        *pack = (thudi_pack){0};
    put_ends(from, k, idle, pack->a, pack->b, pack->inverse_tolerance);
    pack->level[k] = from->level;
    pack->x[0][k] = pack->x[1][k] = from->x;
    for (int c = 0; c < 3; c++)
        pack->normal[c][k] = from->normal[c];
}

static void put_small(const lane *from, int k, int idle, thudi_small_pack *pack)
{
    if (k == 0)
        *pack = (thudi_small_pack){0};
    put_ends(from, k, idle, pack->a, pack->b, pack->inverse_tolerance);
    pack->level[k] = (float)from->level;
    pack->x[0][k] = pack->x[1][k] = (float)from->x;
    for (int c = 0; c < 3; c++)
        pack->normal[c][k] = (float)from->normal[c];
}

// The size of the terms of a row's residual over its stop, except for the multipliers. Velocities
// may grow, by as much as these let them: two bodies, and room for that. What a light body gives to
// a heavy one must not be lost in its velocity.
static double size_of_terms(const lane *row, double speed)
{
    double slope = fabs(row->normal[0]) + fabs(row->normal[1]) + fabs(row->normal[2]);
    double motion = SPEEDS * slope * speed * larger(row->ratio / ALIKE, 1);
    return (fabs(row->level) + motion) * row->inverse_tolerance;
}

// What the rows of a group are like.
typedef struct sight
{
    double failed; // 1 if packs cannot hold a row
    double terms;  // largest size of the terms of a residual, over its stop
    double narrow; // largest 1 / stop
    double push;   // largest multiplier
} sight;

// Rows are far apart in memory: ask for those that come next.
static inline void prefetch_rows(const filling *f, int at, int end)
{
    const thud_rows *rows = f->problem->rows;
    const thudi_placed_row *placed = f->packs->placed;
    if (at + AHEAD >= end)
        return;
    int next = placed[at + AHEAD].row;
    __builtin_prefetch(&rows->heads.items[next].gap);
    __builtin_prefetch(&rows->heads.items[next].normal[2]); // it may lie in the next cache line
    if (f->problem->warm)
        __builtin_prefetch(&f->problem->warm[next]);
}

// The rows of a group from placed row `from` on.
static sight fill_rows(const filling *f, int g, int from, bool is_small)
{
    thudi_packs *p = f->packs;
    sight seen = {0};
    for (int at = from; at < p->row_first[g + 1]; at++)
    {
        lane made = {0};
        prefetch_rows(f, at, p->row_first[g + 1]);
        int slot = p->placed[at].slot, k = slot % THUDI_PACK_WIDTH;
        seen.failed = make_lane(f, at, g, &made) ? seen.failed : 1;
        seen.terms = larger(size_of_terms(&made, f->speed), seen.terms);
        seen.narrow = larger(made.inverse_tolerance, seen.narrow);
        seen.push = larger(made.x, seen.push);
        if (is_small)
            put_small(&made, k, p->idle[g], &p->small[slot / THUDI_PACK_WIDTH]);
        else
            put(&made, k, p->idle[g], &p->packs[slot / THUDI_PACK_WIDTH]);
    }
    return seen;
}

static sight fill_groups(const filling *f, bool is_small)
{
    const thudi_packs *p = f->packs;
    double failed = 0, terms = 0, narrow = 0, push = 0;
#pragma omp parallel for num_threads(thudi_threads()) schedule(dynamic)                            \
    reduction(max                                                                                  \
              : failed, terms, narrow, push) if (p->bricks > 1)
    for (int g = 0; g < p->groups; g++)
    {
        sight seen = fill_rows(f, g, p->row_first[g], is_small);
        failed = larger(seen.failed, failed);
        terms = larger(seen.terms, terms);
        narrow = larger(seen.narrow, narrow);
        push = larger(seen.push, push);
    }
    return (sight){failed, terms, narrow, push};
}

// Packs that there may be when late rows have joined, each in a pack of its own.
static size_t pack_room(const thudi_packs *p)
{
    return (size_t)p->pack_first[p->groups] + (size_t)(p->row_room - p->rows);
}

// Fill the packs and see what their rows are like, those of other members, too. status: of the room
// for the packs, which are filled if it is open.
static thud_status fill_and_see(const filling *f, bool is_small, thud_status status, sight *seen)
{
    if (status == THUD_OK)
        *seen = fill_groups(f, is_small);
    double all[] = {seen->failed, seen->terms, seen->narrow, seen->push};
    THUD_TRY(thudi_part_agree(f->packs->part, status, all, 4));
    *seen = (sight){all[0], all[1], all[2], all[3]};
    return THUD_OK;
}

// THUD_NEWS when a number does not fit; the room is closed then.
static thud_status fill_small(const filling *f)
{
    thudi_packs *p = f->packs;
    sight seen = {0};
    int open = thud_rooms_count(p->rooms);
    size_t packs = pack_room(p);
    thud_status status = thudi_room(p->rooms, &p->small, packs, "packs: floats");
    if (status == THUD_OK)
        status = thudi_room(p->rooms, &p->small_saved, THUDI_PACK_WIDTH * packs, SAVED);
    THUD_TRY(fill_and_see(f, true, status, &seen));
    p->lost = seen.terms * HALF_ULP;
    p->lost_by_push = CROWD * seen.narrow * HALF_ULP;
    p->largest = seen.push;
    if (seen.failed == 0 && thudi_packs_lost(p) <= THUDI_MOST_LOST)
        return THUD_OK;
    thud_rooms_close(p->rooms, open);
    return THUD_NEWS;
}

static thud_status fill_doubles(const filling *f)
{
    thudi_packs *p = f->packs;
    sight seen = {0};
    size_t packs = pack_room(p);
    thud_status status = thudi_room(p->rooms, &p->packs, packs, "packs: doubles");
    if (status == THUD_OK)
        status = thudi_room(p->rooms, &p->saved, THUDI_PACK_WIDTH * packs, SAVED);
    THUD_TRY(fill_and_see(f, false, status, &seen));
    return seen.failed == 0 ? THUD_OK : THUD_NEWS;
}

// Fill small packs if floats will do, else packs of doubles.
static thud_status fill(const filling *f, double shortest)
{
    thudi_packs *p = f->packs;
    // a first look spares filling them in vain
    bool hopeful = SPEEDS * f->speed * HALF_ULP <= THUDI_MOST_LOST * shortest;
    thud_status status = hopeful ? fill_small(f) : THUD_NEWS;
    p->is_small = status == THUD_OK;
    return status == THUD_NEWS ? fill_doubles(f) : status;
}

// Lay out the part of a member, or all rows.
static thud_status lay_out(const thudi_packing *packing, thudi_packs *p)
{
    bool is_cut = false;
    p->part = NULL;
    thud_status status = THUD_OK;
    if (thudi_team_is_shared(packing->team))
        status = thudi_part_take(packing, &is_cut, p);
    if (status == THUD_OK && !is_cut)
        status = thudi_packs_lay_out(packing, p);
    if (status == THUD_OK && p->bodies > INT_MAX / 4 - p->idle_count)
        status = THUD_NEWS; // packs count places of velocities
    return status;
}

thud_status thudi_packs_begin(const thudi_packing *packing, thudi_packs *p)
{
    const thud_projection *problem = packing->problem;
    const int *which = packing->which;
    filling f = {.problem = problem, .packs = p};
    double shortest;
    p->kernel = thudi_kernel_choose();
    p->parity = p->small_sweeps = 0;
    p->width = thudi_row_width(&problem->rows->heads.items[which ? which[0] : 0]);
    thud_status status = lay_out(packing, p);
    if (status != THUD_OK)
        return status;
    status = thudi_packs_choose_units(packing, status, p, &f.speed, &shortest);
    if (status != THUD_OK)
        return status;
    p->speed = f.speed;
    p->shortest = shortest;
    p->longest = 1;
    fill_bodies(&f);
    status = fill(&f, shortest);
    if (status != THUD_OK)
        return status;
    p->is_guess = true;
    thudi_packs_start(problem, p);
    return THUD_OK;
}

bool thudi_packs_can_fill(const thud_projection *problem, const thudi_packs *p,
                          const thud_rows *rows, int row, double *shortest, double *longest)
{
    const thudi_row_head *head = &rows->heads.items[row];
    const double *normal = thudi_row_normal(rows, head);
    double shift = head->shift * problem->shift_scale, square = 0;
    double stop = thudi_shift_tolerance(problem, shift, p->pull) * p->per_velocity;
    double least = stop < *shortest ? stop : *shortest, most = larger(stop, *longest);
    for (int k = 0; k < p->width; k++)
        square += normal[k] * normal[k];
    bool is_level = fabs(head->gap - shift) / problem->h * p->per_velocity < LARGEST_LEVEL;
    if (!is_level || !(square > LEAST_SLOPE && square < LARGEST_SLOPE) ||
        !(most / least < THUDI_MOST_APART))
        return false;
    *shortest = least;
    *longest = most;
    return true;
}

thud_status thudi_packs_fill_late(const thud_projection *problem, thudi_packs *p, int from)
{
    filling f = {.problem = problem, .packs = p, .speed = p->speed};
    sight seen = fill_rows(&f, p->groups - 1, from, p->is_small);
    p->lost = larger(seen.terms * HALF_ULP, p->lost);
    p->lost_by_push = larger(CROWD * seen.narrow * HALF_ULP, p->lost_by_push);
    return seen.failed == 0 ? THUD_OK : THUD_ERR_NOT_FINITE;
}

thud_status thudi_packs_fill_again(const thud_projection *problem, thudi_packs *p)
{
    filling f = {.problem = problem, .packs = p, .speed = p->speed};
    sight seen = {0};
    size_t packs = pack_room(p), slots = THUDI_PACK_WIDTH * packs;
    thud_status status;
    if (p->is_small)
    {
        status = thudi_room(p->rooms, &p->small, packs, "packs: floats");
        if (status == THUD_OK)
            status = thudi_room(p->rooms, &p->small_saved, slots, SAVED);
    }
    else
    {
        status = thudi_room(p->rooms, &p->packs, packs, "packs: doubles");
        if (status == THUD_OK)
            status = thudi_room(p->rooms, &p->saved, slots, SAVED);
    }
    fill_bodies(&f);
    THUD_TRY(fill_and_see(&f, p->is_small, status, &seen));
    p->lost = larger(seen.terms * HALF_ULP, p->lost);
    p->lost_by_push = larger(CROWD * seen.narrow * HALF_ULP, p->lost_by_push);
    return seen.failed == 0 ? THUD_OK : THUD_ERR_NOT_FINITE;
}

thud_status thudi_packs_widen(const thud_projection *problem, thudi_packs *p)
{
    if (!p->is_small)
        return THUD_OK;
    THUD_TRY(fill_doubles(&(filling){.problem = problem, .packs = p}));
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (p->bricks > 1)
    for (int i = 0; i < p->pack_first[p->groups]; i++)
        for (int k = 0; k < THUDI_PACK_WIDTH; k++)
        {
            size_t slot = THUDI_PACK_WIDTH * (size_t)i + (size_t)k;
            for (int parity = 0; parity < 2; parity++)
                p->packs[i].x[parity][k] = (double)p->small[i].x[parity][k];
            p->saved[slot] = (double)p->small_saved[slot];
        }
    p->is_small = p->is_guess = false;
    thudi_packs_recompute(problem, p);
    return THUD_OK;
}
