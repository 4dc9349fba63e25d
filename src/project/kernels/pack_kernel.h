// The kernels, written once on the lanes of whatever header was included before this one.
//
// Cost: one pass over the packs (480 bytes each, or 288) and over the velocities they touch (64
// bytes a row).
#ifndef LANES_KERNEL
#error "include a lanes_*.h first"
#endif

#include "project/kernels/row_pack.h"

#include <stddef.h>

// Vectors of lanes in a pack.
enum
{
    PARTS = THUDI_PACK_WIDTH / LANES
};

// What a sweep saw so far, by lane.
typedef struct tally
{
    lanes turn, decrease, worst, largest;
} tally;

static double sum_of_lanes(const lanes part[PARTS])
{
    _Alignas(64) double at[THUDI_PACK_WIDTH];
    double sum = 0;
    for (int i = 0; i < PARTS; i++)
        lanes_store(at + (size_t)i * LANES, part[i]);
    for (int k = 0; k < THUDI_PACK_WIDTH; k++)
        sum += at[k];
    return sum;
}

static double largest_of_lanes(lanes a)
{
    _Alignas(64) double at[LANES];
    double largest = 0;
    lanes_store(at, a);
    for (int k = 0; k < LANES; k++)
        largest = at[k] > largest ? at[k] : largest;
    return largest;
}

static void add_tally(const tally seen[PARTS], thudi_pack_sums *sums)
{
    lanes turn[PARTS], decrease[PARTS];
    for (int i = 0; i < PARTS; i++)
    {
        double worst = largest_of_lanes(seen[i].worst), largest = largest_of_lanes(seen[i].largest);
        turn[i] = seen[i].turn;
        decrease[i] = seen[i].decrease;
        sums->worst = worst > sums->worst ? worst : sums->worst;
        sums->largest = largest > sums->largest ? largest : sums->largest;
    }
    sums->turn += sum_of_lanes(turn);
    sums->decrease += sum_of_lanes(decrease);
}

#define PACK thudi_pack
#define PACK_OWN(name) name
#define PACK_LOAD lanes_load
#define PACK_NUMBER double
#define PACK_QUAD_LOAD quad_load
#define PACK_QUAD_STORE quad_store
#include "project/kernels/pack_passes.h"

#define PACK thudi_small_pack
#define PACK_OWN(name) small_##name
#define PACK_LOAD lanes_load_float
#define PACK_NUMBER float
#define PACK_QUAD_LOAD quad_load_float
#define PACK_QUAD_STORE quad_store_float
#include "project/kernels/pack_passes.h"

// The rows from k on.
static inline void sweep_part(thudi_pack *pack, int k, int parity, double beta, double *velocity,
                              tally *seen)
{
    lanes ua[4], ub[4];
    lanes_gather(velocity, pack->a + k, ua);
    lanes_gather(velocity, pack->b + k, ub);
    lanes x = lanes_load(pack->x[parity] + k), before = lanes_load(pack->x[1 - parity] + k);
    lanes y = lanes_fma(lanes_of(beta), lanes_sub(x, before), x);
    lanes rate = rate_of(pack, k, ua, ub);
    lanes next = lanes_max(lanes_sub(y, rate), lanes_of(0));
    lanes_store(pack->x[1 - parity] + k, next);
    lanes change = lanes_sub(next, y);
    push_bodies(pack, k, change, ua, ub, velocity);
    lanes residual = lanes_mul(lanes_abs(change), lanes_load_float(pack->inverse_tolerance + k));
    seen->turn = lanes_fnma(change, lanes_sub(next, x), seen->turn);
    seen->decrease = lanes_fma(change, lanes_fma(lanes_of(0.5), change, rate), seen->decrease);
    seen->worst = lanes_max(residual, seen->worst);
    seen->largest = lanes_max(next, seen->largest);
}

static void sweep(thudi_pack *packs, int count, int parity, double beta, double *velocity,
                  thudi_pack_sums *sums)
{
    tally seen[PARTS];
    for (int i = 0; i < PARTS; i++)
        seen[i] = (tally){lanes_of(0), lanes_of(0), lanes_of(0), lanes_of(0)};
    for (int p = 0; p < count; p++)
#pragma GCC unroll 2
        for (int i = 0; i < PARTS; i++)
            sweep_part(&packs[p], i * LANES, parity, beta, velocity, &seen[i]);
    add_tally(seen, sums);
}

#include "project/kernels/pack_floats.h"

const thudi_kernel LANES_KERNEL = {
    .name = LANES_NAME,
    .sweep = sweep,
    .push = push,
    .residual = residual,
    .small_sweep = small_sweep,
    .small_push = small_push,
    .small_residual = small_residual,
    .extrapolate = extrapolate,
    .small_extrapolate = small_extrapolate,
    .is_supported = lanes_supported,
};
