// Packs filled from the problem, as doubles and, for large clusters, as floats too.
//
//     stop_i = min( shift_i / 2, accuracy h^2 a ) / h,   a = largest |f| / m over the cluster
//
// Clusters too large for the processor's own cache are swept in small packs, as long as what these
// round away is far below the stops; whether the sweeps are done is said by the exact rows alone.
#include "project/projector.h"

#include "core/threads.h"

#include <limits.h>
#include <string.h>

// Of the shift: no force, but the rounding of one, which nothing could tell.
static const double FAINT = 0x1p-36;

enum
{
    SMALL_FROM = 1 << 14 // packs
};

// Of the stop: what the floats of small packs may round away.
static const double ROUNDED = 0x1p-4;

typedef struct filling
{
    const thud_projection *problem;
    const int *which;
    thudi_packs *packs;
    int width;
    double pull; // accuracy h^2 a
} filling;

static int row_of(const filling *f, int i)
{
    return f->which ? f->which[i] : i;
}

// The largest |f| / m, squared, of any body.
static double largest_acceleration(const filling *f)
{
    const thud_projection *problem = f->problem;
    double largest = 0;
    for (int i = 0; i < f->packs->bodies && problem->force; i++)
    {
        double sum = 0;
        for (int k = 0; k < f->width; k++)
        {
            int at = f->packs->coordinate.items[i] + k;
            double pull = problem->force[at] / thudi_mass(problem, at);
            sum += pull * pull;
        }
        largest = sum > largest ? sum : largest;
    }
    return sqrt(largest);
}

static double stop_of(const filling *f, int row)
{
    double half = thudi_shift(f->problem, row) / 2;
    return (f->pull > FAINT * half && f->pull < half ? f->pull : half) / f->problem->h;
}

// x scaled into [1/2, 1) is x times this.
static double unit_of(double x)
{
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1, -exponent);
}

// Choose the units of the packs; false when the numbers are too far apart for them.
static bool choose_units(const filling *f)
{
    thudi_packs *p = f->packs;
    double heaviest = 0, lightest = INFINITY, longest = 0, shortest = INFINITY;
    for (int i = 0; i < p->bodies; i++)
    {
        double mass = thudi_mass(f->problem, p->coordinate.items[i]);
        heaviest = mass > heaviest ? mass : heaviest;
        lightest = mass < lightest ? mass : lightest;
    }
    for (int i = 0; i < p->rows; i++)
    {
        double stop = stop_of(f, row_of(f, i));
        longest = stop > longest ? stop : longest;
        shortest = stop < shortest ? stop : shortest;
    }
    p->per_velocity = unit_of(longest);
    p->per_impulse = p->per_velocity * unit_of(lightest);
    return heaviest / lightest < 0x1p60 && longest / shortest < 0x1p60 && shortest > 0x1p-900 &&
           longest < 0x1p900 && lightest > 0x1p-400 && heaviest < 0x1p400;
}

// 1 / m in the units of the packs.
static double inverse_mass(const filling *f, int body)
{
    const thudi_packs *p = f->packs;
    double mass = thudi_mass(f->problem, p->coordinate.items[body]);
    return 1 / (mass * (p->per_impulse / p->per_velocity));
}

static void fill_bodies(const filling *f)
{
    thudi_packs *p = f->packs;
    memset(p->velocity, 0, 4 * ((size_t)p->bodies + THUDI_PACK_BLOCKS) * sizeof *p->velocity);
    for (int i = 0; i < p->bodies; i++)
    {
        double inverse = inverse_mass(f, i);
        p->velocity[4 * (size_t)i + 3] = inverse;
        p->half_mass.items[i] = 0.5 / inverse;
    }
    memcpy(p->before, p->velocity,
           4 * ((size_t)p->bodies + THUDI_PACK_BLOCKS) * sizeof *p->velocity);
}

static void clear_packs(thudi_packs *p, int group)
{
    thudi_pack empty = {0};
    for (int k = 0; k < THUDI_PACK_WIDTH; k++)
        empty.a[k] = empty.b[k] = 4 * p->idle[group];
    for (int i = p->pack_first[group]; i < p->pack_first[group + 1]; i++)
        p->packs[i] = empty;
}

// The least float that is not below x.
static float float_above(double x)
{
    float near = (float)x;
    return (double)near < x ? nextafterf(near, INFINITY) : near;
}

// Row i of the cluster into its lane; false when a number is not finite.
static bool fill_lane(const filling *f, int i, int group)
{
    const thud_projection *problem = f->problem;
    thudi_packs *p = f->packs;
    int row = row_of(f, i), lane = p->slot.items[i] % THUDI_PACK_WIDTH;
    const thudi_row_head *head = &problem->rows->heads.items[row];
    const double *normal = problem->rows->slope.items + head->first + head->size - f->width;
    thudi_pack *pack = &p->packs[p->slot.items[i] / THUDI_PACK_WIDTH];
    int a = p->ends.items[2 * (size_t)i], b = p->ends.items[2 * (size_t)i + 1];
    double square = 0, weight = p->velocity[4 * (size_t)b + 3];
    if (a >= 0)
        weight += p->velocity[4 * (size_t)a + 3];
    for (int k = 0; k < f->width; k++)
        square += normal[k] * normal[k];
    double root = sqrt(square * weight), scale = 1 / root;
    for (int k = 0; k < f->width; k++)
        pack->normal[k][lane] = normal[k] * scale;
    double level = (head->gap - thudi_shift(problem, row)) / problem->h * p->per_velocity;
    double warm = problem->warm && problem->warm[row] > 0 ? problem->warm[row] : 0;
    pack->a[lane] = 4 * (a >= 0 ? a : p->idle[group]);
    pack->b[lane] = 4 * b;
    pack->level[lane] = level * scale;
    pack->inverse_stop[lane] = float_above(root / (stop_of(f, row) * p->per_velocity));
    pack->x[0][lane] = pack->x[1][lane] = warm * p->per_impulse * root;
    p->scale.items[i] = scale;
    return isfinite(level) && isfinite(pack->x[0][lane]) && square > 0x1p-40 && square < 0x1p40;
}

static bool fill_packs(const filling *f)
{
    thudi_packs *p = f->packs;
    int failed = 0;
#pragma omp parallel for num_threads(thudi_threads()) schedule(dynamic) reduction(+ : failed) if (p->groups > 1)
    for (int g = 0; g < p->groups; g++)
    {
        clear_packs(p, g);
        for (int at = p->row_first[g]; at < p->row_first[g + 1]; at++)
            failed += !fill_lane(f, p->order.items[at], g);
    }
    return failed == 0;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// What decides whether small packs will do.
typedef struct narrowing
{
    double speed; // given: largest |w| of any coordinate
    double terms; // largest size of the terms of a residual, over its stop
    double stop;  // largest 1 / stop
} narrowing;

static void narrow_lane(const thudi_pack *pack, int k, thudi_small_pack *small, narrowing *seen)
{
    double inverse_stop = (double)pack->inverse_stop[k], slope = 0;
    small->a[k] = pack->a[k];
    small->b[k] = pack->b[k];
    small->inverse_stop[k] = pack->inverse_stop[k];
    small->level[k] = (float)pack->level[k];
    small->x[0][k] = small->x[1][k] = (float)pack->x[0][k];
    for (int c = 0; c < 3; c++)
    {
        small->normal[c][k] = (float)pack->normal[c][k];
        slope += fabs(pack->normal[c][k]);
    }
    // velocities may grow, by as much as the multipliers let them; two bodies, and room for that
    double terms = fabs(pack->level[k]) + pack->x[0][k] + 4 * slope * seen->speed;
    seen->terms = larger(seen->terms, terms * inverse_stop);
    seen->stop = larger(seen->stop, inverse_stop);
}

static double largest_speed(const thud_projection *problem, const thudi_packs *p)
{
    double speed = 0;
    for (int i = 0; i < p->bodies; i++)
        for (int k = 0; k < p->width; k++)
            speed = larger(speed, fabs(problem->w[p->coordinate.items[i] + k]));
    return speed * p->per_velocity;
}

// Copy the packs to small ones; false when their floats would not do.
static bool copy_small(const thud_projection *problem, thudi_packs *p)
{
    double speed = largest_speed(problem, p), terms = 0, stop = 0, room = ROUNDED * 0x1p24;
#pragma omp parallel for num_threads(thudi_threads()) schedule(dynamic)                            \
    reduction(max                                                                                  \
              : terms, stop) if (p->groups > 1)
    for (int g = 0; g < p->groups; g++)
    {
        narrowing seen = {.speed = speed};
        for (int i = p->pack_first[g]; i < p->pack_first[g + 1]; i++)
            for (int k = 0; k < THUDI_PACK_WIDTH; k++)
                narrow_lane(&p->packs[i], k, &p->small[i], &seen);
        terms = larger(terms, seen.terms);
        stop = larger(stop, seen.stop);
    }
    p->largest = room / stop;
    return terms < room;
}

thud_status thudi_packs_narrow(const thud_projection *problem, const thud_allocator *allocator,
                               thudi_packs *p)
{
    size_t packs = (size_t)p->pack_first[p->groups];
    THUD_TRY(thudi_array_reserve(allocator, &p->small_room, packs + 1));
    p->small = (thudi_small_pack *)(((uintptr_t)p->small_room.items + 31) / 32 * 32);
    p->is_small = copy_small(problem, p);
    p->is_guess = !p->is_small; // floats are not it any more
    thudi_packs_start(problem, p);
    return THUD_OK;
}

thud_status thudi_packs_begin(const thud_projection *problem, const int *which, int count,
                              const thud_allocator *allocator, thudi_packs *packs)
{
    filling f = {.problem = problem, .which = which, .packs = packs};
    packs->kernel = thudi_kernel_choose();
    packs->parity = 0;
    packs->width = f.width = problem->rows->heads.items[row_of(&f, 0)].width;
    thud_status status = thudi_packs_lay_out(problem, which, count, allocator, packs);
    if (status != THUD_OK)
        return status;
    if (packs->bodies > INT_MAX / 4 - THUDI_PACK_BLOCKS)
        return THUD_NEWS; // packs count places of velocities
    f.pull = problem->accuracy * problem->h * problem->h * largest_acceleration(&f);
    if (!choose_units(&f))
        return THUD_NEWS;
    fill_bodies(&f);
    if (!fill_packs(&f))
        return THUD_NEWS;
    packs->is_small = false;
    packs->is_guess = true;
    if (packs->pack_first[packs->groups] >= SMALL_FROM)
        return thudi_packs_narrow(problem, allocator, packs);
    thudi_packs_start(problem, packs);
    return THUD_OK;
}
