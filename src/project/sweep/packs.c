// The sweeps over packs: the operations of a sweeper on them.
//
// Inside a brick or patch sums are taken in the order of the packs. Across them they are exact, so
// the order of the groups does not count. Small packs are swept in floats, and what comes of it is
// evaluated in doubles, with what their rows may be off on top.
#include "project/projector.h"
#include "project/sweep/part.h"

#include "core/threads.h"

#include <string.h>

enum
{
    MOST_SMALL_SWEEPS = 2000 // in floats: momentum adds up what is rounded away
};

// U = w of the bodies; the idle ones stay at rest. Ghosts get theirs from other members.
static void start_velocity(const thud_projection *problem, const thudi_packs *p, double *velocity)
{
    int width = p->width, own = p->body_first[p->bricks];
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (p->bricks > 1)
    for (int i = 0; i < own; i++)
        for (int k = 0; k < width; k++)
            velocity[4 * (size_t)i + (size_t)k] =
                problem->w[p->coordinate[i] + k] * p->per_velocity;
    if (p->part)
        thudi_part_forget(p->part, velocity, sizeof *velocity);
}

// All threads call it behind a phase. Behind phase 0 a part gets the velocities of its ghosts.
static void end_phase(const thudi_packs *p, int phase, void *velocity, size_t size)
{
#pragma omp barrier
    if (phase > 0 || !p->part)
        return;
#pragma omp master
    thudi_part_exchange(p->part, velocity, size);
#pragma omp barrier
}

// The groups of a phase from here to *end are those of this thread. Each thread gets consecutive
// ones with about as many packs, the same in every sweep: they stay in its cache. A group belongs
// to the thread in whose share its middle lies.
static int first_of_share(const thudi_packs *p, int phase, int *end)
{
    int first = p->phase_first[phase], last = p->phase_first[phase + 1];
    *end = last;
    if (p->bricks == 1)
        return first;
    int64_t base = p->pack_first[first], all = p->pack_first[last] - base;
    int64_t threads = omp_get_num_threads(), own = omp_get_thread_num();
    int bounds[2];
    for (int side = 0; side < 2; side++)
    {
        int low = first, high = last;
        while (low < high)
        {
            int g = low + (high - low) / 2;
            int64_t middle = p->pack_first[g] + (int64_t)p->pack_first[g + 1] - 2 * base;
            if (middle * threads < 2 * (own + side) * all)
                low = g + 1;
            else
                high = g;
        }
        bounds[side] = low;
    }
    *end = own == threads - 1 ? last : bounds[1];
    return bounds[0];
}

static void push_group(const thudi_packs *p, int g, int parity, double *velocity)
{
    int first = p->pack_first[g], count = p->pack_first[g + 1] - first;
    if (p->is_small)
        p->kernel->small_push(p->small + first, count, parity, velocity);
    else
        p->kernel->push(p->packs + first, count, parity, velocity);
}

// velocity = w + M^-1 G^T x[parity]
static void rebuild(const thud_projection *problem, const thudi_packs *p, int parity,
                    double *velocity)
{
    start_velocity(problem, p, velocity);
#pragma omp parallel num_threads(thudi_threads()) if (p->bricks > 1)
    for (int phase = 0; phase < p->phases; phase++)
    {
        int end;
        for (int g = first_of_share(p, phase, &end); g < end; g++)
            push_group(p, g, parity, velocity);
        end_phase(p, phase, velocity, sizeof *velocity);
    }
}

// Numbers of all velocities, those of idle bodies too.
static size_t numbers_of(const thudi_packs *p)
{
    return 4 * ((size_t)p->bodies + (size_t)p->idle_count);
}

static void round_velocity(const thudi_packs *p, float *to)
{
    size_t count = numbers_of(p);
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (p->bricks > 1)
    for (size_t k = 0; k < count; k++)
        to[k] = (float)p->velocity[k];
}

void thudi_packs_start(const thud_projection *problem, thudi_packs *p)
{
    rebuild(problem, p, p->parity, p->velocity);
    if (p->is_small)
    {
        round_velocity(p, p->small_velocity);
        round_velocity(p, p->small_before);
    }
    else
        memcpy(p->before, p->velocity, numbers_of(p) * sizeof *p->before);
    p->is_fresh = true;
}

// The rest of both velocities, when p->velocity is that of the present multipliers.
static void recompute_rest(const thud_projection *problem, thudi_packs *p)
{
    if (!p->is_small)
    {
        rebuild(problem, p, 1 - p->parity, p->before);
        return;
    }
    round_velocity(p, p->small_velocity);
    rebuild(problem, p, 1 - p->parity, p->velocity);
    round_velocity(p, p->small_before);
}

void thudi_packs_recompute(const thud_projection *problem, thudi_packs *p)
{
    rebuild(problem, p, p->parity, p->velocity);
    if (!p->is_small)
        memcpy(p->before, p->velocity, numbers_of(p) * sizeof *p->before); // the masses
    recompute_rest(problem, p);
}

// Bodies of one brick, and what it adds to the energy.
static double extrapolate_brick(thudi_packs *p, int brick, double beta)
{
    int first = p->body_first[brick], last = p->body_first[brick + 1];
    if (p->is_small)
        return p->kernel->small_extrapolate(last - first, beta, p->half_mass + first,
                                            p->small_velocity + 4 * (size_t)first,
                                            p->small_before + 4 * (size_t)first);
    return p->kernel->extrapolate(last - first, beta, p->half_mass + first,
                                  p->velocity + 4 * (size_t)first, p->before + 4 * (size_t)first);
}

static void sweep_group(thudi_packs *p, int g, double beta)
{
    int first = p->pack_first[g], count = p->pack_first[g + 1] - first;
    p->sums[g] = (thudi_pack_sums){0};
    if (p->is_small)
        p->kernel->small_sweep(p->small + first, count, p->parity, (float)beta, p->small_velocity,
                               &p->sums[g]);
    else
        p->kernel->sweep(p->packs + first, count, p->parity, beta, p->velocity, &p->sums[g]);
}

// Does the group count here? A part takes rows of other members' groups, too.
static bool is_own(const thudi_packs *p, int g)
{
    return !p->is_own || p->is_own[g];
}

// What all groups saw, those of other members, too. Their sums are added without error, so their
// order does not count.
static thudi_sweep join_groups(const thudi_packs *p)
{
    thudi_packet all = {0};
    thudi_exact_sum *energy = &all.sum[0], *turn = &all.sum[1], *decrease = &all.sum[2];
    double worst = 0, largest = 0;
    for (int brick = 0; brick < p->bricks; brick++)
        thudi_exact_add(energy, p->energy[brick]);
    for (int g = 0; g < p->groups; g++)
    {
        if (!is_own(p, g))
            continue;
        thudi_exact_add(turn, p->sums[g].turn);
        thudi_exact_add(decrease, p->sums[g].decrease);
        worst = p->sums[g].worst > worst ? p->sums[g].worst : worst;
        largest = p->sums[g].largest > largest ? p->sums[g].largest : largest;
    }
    all.largest[0] = worst;
    all.largest[1] = largest;
    if (p->part)
        (void)thudi_team_reduce(p->part->team, &all); // the team keeps its error
    return (thudi_sweep){thudi_exact_value(energy), thudi_exact_value(turn),
                         thudi_exact_value(decrease), all.largest[0], all.largest[1]};
}

thudi_sweep thudi_packs_sweep(thudi_packs *p, double beta)
{
    p->is_fresh = p->is_guess = false;
    p->small_sweeps += p->is_small;
    void *velocity = p->is_small ? (void *)p->small_velocity : p->velocity;
    size_t size = p->is_small ? sizeof *p->small_velocity : sizeof *p->velocity;
    if (p->part)
        thudi_part_forget(p->part, velocity, size);
#pragma omp parallel num_threads(thudi_threads()) if (p->bricks > 1)
    {
        int end, brick = first_of_share(p, 0, &end); // phase 0: group and brick are one
        for (; brick < end; brick++)
        {
            p->energy[brick] = extrapolate_brick(p, brick, beta);
            sweep_group(p, brick, beta);
        }
        for (int phase = 1; phase < p->phases; phase++)
        {
            end_phase(p, phase - 1, velocity, size);
            for (int g = first_of_share(p, phase, &end); g < end; g++)
                sweep_group(p, g, beta);
        }
    }
    p->parity = 1 - p->parity;
    if (p->groups > 1 || p->part)
        return join_groups(p);
    const thudi_pack_sums *seen = &p->sums[0];
    return (thudi_sweep){p->energy[0], seen->turn, seen->decrease, seen->worst, seen->largest};
}

static double residual_of_group(const thudi_packs *p, int g)
{
    int first = p->pack_first[g], count = p->pack_first[g + 1] - first;
    return p->is_small ? p->kernel->small_residual(p->small + first, count, p->parity, p->velocity)
                       : p->kernel->residual(p->packs + first, count, p->parity, p->velocity);
}

double thudi_packs_evaluate(const thud_projection *problem, thudi_packs *p)
{
    double worst = 0;
    if (!p->is_fresh)
        rebuild(problem, p, p->parity, p->velocity);
    if (p->part) // classes behind those that the part took have moved its ghosts
        thudi_part_exchange(p->part, p->velocity, sizeof *p->velocity);
#pragma omp parallel for num_threads(thudi_threads()) schedule(static, 1)                          \
    reduction(max                                                                                  \
              : worst) if (p->bricks > 1)
    for (int g = 0; g < p->groups; g++)
    {
        double here = is_own(p, g) ? residual_of_group(p, g) : 0;
        worst = here > worst ? here : worst;
    }
    (void)thudi_part_agree(p->part, THUD_OK, &worst, 1); // the team keeps its error
    worst += p->is_small ? thudi_packs_lost(p) : 0;
    if (worst > 1 && !p->is_fresh)
        recompute_rest(problem, p); // both, or momentum amplifies the drift
    return worst;
}

thud_status thudi_packs_widen_if_needed(const thud_projection *problem, thudi_packs *p,
                                        const thudi_sweep *seen)
{
    p->largest = seen->largest;
    bool enough = thudi_packs_lost(p) <= THUDI_MOST_LOST && p->small_sweeps < MOST_SMALL_SWEEPS;
    return enough ? THUD_OK : thudi_packs_widen(problem, p);
}

// Multiplier k of pack i.
static double multiplier(const thudi_packs *p, int i, int k)
{
    return p->is_small ? (double)p->small[i].x[p->parity][k] : p->packs[i].x[p->parity][k];
}

void thudi_packs_save(thudi_packs *p)
{
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (p->bricks > 1)
    for (int i = 0; i < p->pack_first[p->groups]; i++)
        for (int k = 0; k < THUDI_PACK_WIDTH; k++)
        {
            size_t slot = THUDI_PACK_WIDTH * (size_t)i + (size_t)k;
            if (p->is_small)
                p->small_saved[slot] = p->small[i].x[p->parity][k];
            else
                p->saved[slot] = p->packs[i].x[p->parity][k];
        }
}

void thudi_packs_restore(const thud_projection *problem, thudi_packs *p)
{
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (p->bricks > 1)
    for (int i = 0; i < p->pack_first[p->groups]; i++)
        for (int k = 0; k < THUDI_PACK_WIDTH; k++)
        {
            size_t slot = THUDI_PACK_WIDTH * (size_t)i + (size_t)k;
            if (p->is_small)
                p->small[i].x[0][k] = p->small[i].x[1][k] = p->small_saved[slot];
            else
                p->packs[i].x[0][k] = p->packs[i].x[1][k] = p->saved[slot];
        }
    thudi_packs_start(problem, p);
}

thud_status thudi_packs_velocity(const thudi_packs *p, double *velocity)
{
    bool is_rough = p->is_small && !p->is_fresh;
    if (p->part)
        return thudi_part_velocity(p, is_rough, velocity);
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (p->bricks > 1)
    for (int i = 0; i < p->bodies; i++)
        for (int k = 0; k < p->width; k++)
        {
            size_t at = 4 * (size_t)i + (size_t)k;
            double u = is_rough ? (double)p->small_velocity[at] : p->velocity[at];
            velocity[p->coordinate[i] + k] = u / p->per_velocity;
        }
    return THUD_OK;
}

static void write_multiplier(void *x, const void *record)
{
    const thudi_row_multiplier *from = record;
    ((double *)x)[from->row] = from->x;
}

// The multipliers of the groups that a part owns go to all members.
static void share_multipliers(const thudi_packs *p, double *x)
{
    const thudi_part *part = p->part;
    thudi_row_multiplier *own = part->own;
    for (int g = 0; g < p->groups; g++)
        for (int i = p->row_first[g]; is_own(p, g) && i < p->row_first[g + 1]; i++)
            *own++ = (thudi_row_multiplier){x[p->placed[i].row], p->placed[i].row};
    thudi_part_gather(part, part->rows_of, sizeof *own, part->own, write_multiplier, x);
}

// A guess that was right is the answer, to the bit: the scale of a row is no power of two.
void thudi_packs_collect(const thud_projection *problem, const thudi_packs *p, double *x)
{
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (p->bricks > 1)
    for (int i = 0; i < p->rows; i++)
    {
        int slot = p->placed[i].slot, row = p->placed[i].row;
        double impulse = multiplier(p, slot / THUDI_PACK_WIDTH, slot % THUDI_PACK_WIDTH);
        x[row] = p->is_guess && impulse > 0 ? problem->warm[row]
                                            : impulse * (p->scale[i] / p->per_impulse);
    }
    if (p->part)
        share_multipliers(p, x);
}

// |U|_M^2 of the bodies of one brick, in the units of the packs.
static double square_of_brick(const thudi_packs *p, int brick)
{
    double sum = 0;
    for (int i = p->body_first[brick]; i < p->body_first[brick + 1]; i++)
    {
        double square = 0;
        for (int k = 0; k < p->width; k++)
        {
            size_t at = 4 * (size_t)i + (size_t)k;
            double u = p->is_small ? (double)p->small_velocity[at] : p->velocity[at];
            square += u * u;
        }
        sum += 2 * p->half_mass[i] * square;
    }
    return sum;
}

double thudi_packs_length(const thudi_packs *p)
{
    thudi_packet all = {0};
    for (int brick = 0; brick < p->bricks; brick++)
        thudi_exact_add(&all.sum[0], square_of_brick(p, brick));
    if (p->part)
        (void)thudi_team_reduce(p->part->team, &all); // the team keeps its error
    return sqrt(thudi_exact_value(&all.sum[0]) / (p->per_impulse * p->per_velocity));
}
