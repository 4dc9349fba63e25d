// The kernels, written once on the lanes of whatever header was included before this one.
//
// Cost: one pass over the packs (512 bytes each) and over the velocities they touch (64 bytes a
// row).
#ifndef LANES_KERNEL
#error "include a lanes_*.h first"
#endif

#include "project/row_pack.h"

#include <stddef.h>

static double sum_of_lanes(lanes a)
{
    _Alignas(64) double at[8];
    double sum = 0;
    lanes_store(at, a);
    for (int k = 0; k < 8; k++)
        sum += at[k];
    return sum;
}

static double largest_of_lanes(lanes a)
{
    _Alignas(64) double at[8];
    double largest = 0;
    lanes_store(at, a);
    for (int k = 0; k < 8; k++)
        largest = at[k] > largest ? at[k] : largest;
    return largest;
}

// level + normal . (U_b - U_a)
static inline lanes rate_of(const thudi_pack *pack, const lanes ua[4], const lanes ub[4])
{
    lanes rate = lanes_load(pack->level);
    for (int c = 0; c < 3; c++)
        rate = lanes_fma(lanes_load(pack->normal[c]), lanes_sub(ub[c], ua[c]), rate);
    return rate;
}

// U_a -= impulse normal / m_a, U_b += impulse normal / m_b
static inline void push_bodies(const thudi_pack *pack, lanes impulse, lanes ua[4], lanes ub[4],
                               double *velocity)
{
    lanes push_a = lanes_mul(impulse, ua[3]), push_b = lanes_mul(impulse, ub[3]);
    for (int c = 0; c < 3; c++)
    {
        lanes normal = lanes_load(pack->normal[c]);
        ua[c] = lanes_fnma(push_a, normal, ua[c]);
        ub[c] = lanes_fma(push_b, normal, ub[c]);
    }
    lanes_scatter(velocity, pack->a, ua);
    lanes_scatter(velocity, pack->b, ub);
}

static void sweep(thudi_pack *packs, int count, int parity, double beta, double *velocity,
                  thudi_pack_sums *sums)
{
    lanes momentum = lanes_of(beta), zero = lanes_of(0), half = lanes_of(0.5);
    lanes turn = zero, decrease = zero, square = zero, worst = zero;
    for (int p = 0; p < count; p++)
    {
        thudi_pack *pack = &packs[p];
        lanes ua[4], ub[4];
        lanes_gather(velocity, pack->a, ua);
        lanes_gather(velocity, pack->b, ub);
        lanes x = lanes_load(pack->x[parity]), before = lanes_load(pack->x[1 - parity]);
        lanes y = lanes_fma(momentum, lanes_sub(x, before), x);
        lanes diagonal = lanes_invert_float(pack->inverse);
        lanes rate = rate_of(pack, ua, ub);
        lanes next = lanes_max(lanes_fnma(rate, lanes_load_float(pack->inverse), y), zero);
        lanes change = lanes_sub(next, y);
        lanes_store(pack->x[1 - parity], next);
        push_bodies(pack, change, ua, ub, velocity);
        lanes push = lanes_mul(change, diagonal);
        lanes residual = lanes_mul(lanes_abs(push), lanes_load_float(pack->inverse_stop));
        turn = lanes_fnma(change, lanes_sub(next, x), turn);
        decrease = lanes_fma(change, lanes_fma(half, push, rate), decrease);
        square = lanes_fma(residual, residual, square);
        worst = lanes_max(residual, worst);
    }
    double largest = largest_of_lanes(worst);
    sums->turn += sum_of_lanes(turn);
    sums->decrease += sum_of_lanes(decrease);
    sums->square += sum_of_lanes(square);
    sums->worst = largest > sums->worst ? largest : sums->worst;
}

static void push(const thudi_pack *packs, int count, int parity, double *velocity)
{
    for (int p = 0; p < count; p++)
    {
        lanes ua[4], ub[4];
        lanes_gather(velocity, packs[p].a, ua);
        lanes_gather(velocity, packs[p].b, ub);
        push_bodies(&packs[p], lanes_load(packs[p].x[parity]), ua, ub, velocity);
    }
}

static double residual(const thudi_pack *packs, int count, int parity, const double *velocity)
{
    lanes worst = lanes_of(0);
    for (int p = 0; p < count; p++)
    {
        lanes ua[4], ub[4];
        lanes_gather(velocity, packs[p].a, ua);
        lanes_gather(velocity, packs[p].b, ub);
        lanes load =
            lanes_mul(lanes_load(packs[p].x[parity]), lanes_invert_float(packs[p].inverse));
        lanes least = lanes_abs(lanes_min(load, rate_of(&packs[p], ua, ub)));
        worst = lanes_max(lanes_mul(least, lanes_load_float(packs[p].inverse_stop)), worst);
    }
    return largest_of_lanes(worst);
}

static double extrapolate(int bodies, double beta, const double *half_mass, double *velocity,
                          double *before)
{
    quad momentum = quad_of(beta), energy = quad_of(0);
    for (int i = 0; i < bodies; i++)
    {
        quad u = quad_load(velocity + 4 * (size_t)i);
        quad change = quad_sub(u, quad_load(before + 4 * (size_t)i));
        energy = quad_fma(quad_mul(change, change), quad_of(half_mass[i]), energy);
        quad_store(before + 4 * (size_t)i, u);
        quad_store(velocity + 4 * (size_t)i, quad_fma(momentum, change, u));
    }
    _Alignas(32) double at[4];
    quad_store(at, energy);
    return (at[0] + at[1]) + (at[2] + at[3]);
}

const thudi_kernel LANES_KERNEL = {
    .name = LANES_NAME,
    .sweep = sweep,
    .push = push,
    .residual = residual,
    .extrapolate = extrapolate,
    .is_supported = lanes_supported,
};
