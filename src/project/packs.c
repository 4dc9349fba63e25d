// The sweeps over packs: filling them from the problem, and the operations of a sweeper on them.
//
//     stop_i = min( shift_i / 2, accuracy h^2 a ) / h,   a = largest |f| / m over the cluster
//
// Every sum over groups is taken in the order of the groups, whoever worked on them.
#include "project/projector.h"

#include "core/threads.h"

#include <float.h>
#include <string.h>

// Of the shift: no force, but the rounding of one, which nothing could tell.
static const double FAINT = 0x1p-36;

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

// U = w, and the idle bodies: infinite mass, at rest.
static void start_velocity(const thud_projection *problem, const thudi_packs *p, double *velocity)
{
    int width = p->width;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (p->groups > 1)
    for (int i = 0; i < p->bodies; i++)
        for (int k = 0; k < width; k++)
            velocity[4 * (size_t)i + (size_t)k] =
                problem->w[p->coordinate.items[i] + k] * p->per_velocity;
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
    {
        empty.a[k] = empty.b[k] = p->idle[group];
        empty.inverse[k] = 1;
    }
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
    {
        pack->normal[k][lane] = normal[k];
        square += normal[k] * normal[k];
    }
    double level = (head->gap - thudi_shift(problem, row)) / problem->h * p->per_velocity;
    double warm = problem->warm && problem->warm[row] > 0 ? problem->warm[row] : 0;
    pack->a[lane] = a >= 0 ? a : p->idle[group];
    pack->b[lane] = b;
    pack->level[lane] = level;
    pack->inverse[lane] = (float)(1 / (square * weight));
    pack->inverse_stop[lane] = float_above(1 / (stop_of(f, row) * p->per_velocity));
    pack->x[0][lane] = pack->x[1][lane] = warm * p->per_impulse;
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

// velocity = w + M^-1 G^T x[parity]
static void rebuild(const thud_projection *problem, const thudi_packs *p, int parity,
                    double *velocity)
{
    start_velocity(problem, p, velocity);
#pragma omp parallel num_threads(thudi_threads()) if (p->groups > 1)
    for (int phase = 0; phase < p->phases; phase++)
    {
#pragma omp for schedule(static)
        for (int g = p->phase_first[phase]; g < p->phase_first[phase + 1]; g++)
            p->kernel->push(p->packs + p->pack_first[g], p->pack_first[g + 1] - p->pack_first[g],
                            parity, velocity);
    }
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
    f.pull = problem->accuracy * problem->h * problem->h * largest_acceleration(&f);
    if (!choose_units(&f))
        return THUD_NEWS;
    fill_bodies(&f);
    if (!fill_packs(&f))
        return THUD_NEWS;
    rebuild(problem, packs, packs->parity, packs->velocity);
    memcpy(packs->before, packs->velocity, 4 * (size_t)packs->bodies * sizeof *packs->velocity);
    return THUD_OK;
}

// Bodies of one block, and what it adds to the energy.
static double extrapolate_block(thudi_packs *p, int block, double beta)
{
    int first = (int)((int64_t)block * p->bodies / p->blocks);
    int last = (int)((int64_t)(block + 1) * p->bodies / p->blocks);
    return p->kernel->extrapolate(last - first, beta, p->half_mass.items + first,
                                  p->velocity + 4 * (size_t)first, p->before + 4 * (size_t)first);
}

static void sweep_group(thudi_packs *p, int g, double beta)
{
    p->sums[g] = (thudi_pack_sums){0};
    p->kernel->sweep(p->packs + p->pack_first[g], p->pack_first[g + 1] - p->pack_first[g],
                     p->parity, beta, p->velocity, &p->sums[g]);
}

thudi_sweep thudi_packs_sweep(thudi_packs *p, double beta)
{
    double energy[THUDI_PACK_BLOCKS];
    thudi_sweep seen = {0};
#pragma omp parallel num_threads(thudi_threads()) if (p->groups > 1)
    {
#pragma omp for schedule(static)
        for (int block = 0; block < p->blocks; block++)
            energy[block] = extrapolate_block(p, block, beta);
        for (int phase = 0; phase < p->phases; phase++)
        {
#pragma omp for schedule(static)
            for (int g = p->phase_first[phase]; g < p->phase_first[phase + 1]; g++)
                sweep_group(p, g, beta);
        }
    }
    p->parity = 1 - p->parity;
    for (int block = 0; block < p->blocks; block++)
        seen.energy += energy[block];
    for (int g = 0; g < p->groups; g++)
    {
        seen.turn += p->sums[g].turn;
        seen.decrease += p->sums[g].decrease;
        seen.square += p->sums[g].square;
        seen.worst = p->sums[g].worst > seen.worst ? p->sums[g].worst : seen.worst;
    }
    seen.square /= p->rows;
    return seen;
}

double thudi_packs_evaluate(const thud_projection *problem, thudi_packs *p)
{
    double worst = 0;
    rebuild(problem, p, p->parity, p->velocity);
    rebuild(problem, p, 1 - p->parity, p->before); // both, or momentum amplifies the drift
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)                             \
    reduction(max                                                                                  \
              : worst) if (p->groups > 1)
    for (int g = 0; g < p->groups; g++)
    {
        double here =
            p->kernel->residual(p->packs + p->pack_first[g],
                                p->pack_first[g + 1] - p->pack_first[g], p->parity, p->velocity);
        worst = here > worst ? here : worst;
    }
    return worst;
}

void thudi_packs_save(thudi_packs *p)
{
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (p->groups > 1)
    for (int i = 0; i < p->pack_first[p->groups]; i++)
        memcpy(p->saved.items + THUDI_PACK_WIDTH * (size_t)i, p->packs[i].x[p->parity],
               sizeof p->packs[i].x[0]);
}

void thudi_packs_restore(const thud_projection *problem, thudi_packs *p)
{
    for (int i = 0; i < p->pack_first[p->groups]; i++)
        for (int k = 0; k < 2; k++)
            memcpy(p->packs[i].x[k], p->saved.items + THUDI_PACK_WIDTH * (size_t)i,
                   sizeof p->packs[i].x[k]);
    rebuild(problem, p, p->parity, p->velocity);
    memcpy(p->before, p->velocity, 4 * (size_t)p->bodies * sizeof *p->velocity);
}

void thudi_packs_collect(const thudi_packs *p, const int *which, double *x)
{
    for (int i = 0; i < p->rows; i++)
    {
        int slot = p->slot.items[i];
        x[which ? which[i] : i] =
            p->packs[slot / THUDI_PACK_WIDTH].x[p->parity][slot % THUDI_PACK_WIDTH] /
            p->per_impulse;
    }
}

double thudi_packs_length(const thudi_packs *p)
{
    double sum = 0;
    for (int i = 0; i < p->bodies; i++)
    {
        const double *u = p->velocity + 4 * (size_t)i;
        sum += 2 * p->half_mass.items[i] * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    return sqrt(sum / (p->per_impulse * p->per_velocity));
}

void thudi_packs_free(thudi_packs *packs, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &packs->order);
    thudi_array_free(allocator, &packs->slot);
    thudi_array_free(allocator, &packs->ends);
    thudi_array_free(allocator, &packs->coordinate);
    thudi_array_free(allocator, &packs->half_mass);
    thudi_array_free(allocator, &packs->taken);
    thudi_array_free(allocator, &packs->codes);
    thudi_array_free(allocator, &packs->velocities);
    thudi_array_free(allocator, &packs->owner);
    thudi_array_free(allocator, &packs->room);
    thudi_array_free(allocator, &packs->saved);
}
