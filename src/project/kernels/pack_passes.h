// The passes over packs that are made in doubles, written once for both ways to store them;
// pack_kernel.h includes this for each. There is no guard against that.
//
//     PACK            the type of a pack
//     PACK_OWN(name)  its own function of that name
//     PACK_LOAD       how its numbers are read
//     PACK_NUMBER     what the velocities that its sweep carries along are made of
//     PACK_QUAD_LOAD  how four of these are read
//     PACK_QUAD_STORE how they are written
#ifndef PACK
#error "for pack_kernel.h"
#endif

// level + normal . (U_b - U_a) of the rows from k on.
static inline lanes PACK_OWN(rate_of)(const PACK *pack, int k, const lanes ua[4], const lanes ub[4])
{
    lanes rate = PACK_LOAD(pack->level + k);
    for (int c = 0; c < 3; c++)
        rate = lanes_fma(PACK_LOAD(pack->normal[c] + k), lanes_sub(ub[c], ua[c]), rate);
    return rate;
}

// U_a -= impulse normal / m_a, U_b += impulse normal / m_b
static inline void PACK_OWN(push_bodies)(const PACK *pack, int k, lanes impulse, lanes ua[4],
                                         lanes ub[4], double *velocity)
{
    lanes push_a = lanes_mul(impulse, ua[3]), push_b = lanes_mul(impulse, ub[3]);
    for (int c = 0; c < 3; c++)
    {
        lanes normal = PACK_LOAD(pack->normal[c] + k);
        ua[c] = lanes_fnma(push_a, normal, ua[c]);
        ub[c] = lanes_fma(push_b, normal, ub[c]);
    }
    lanes_scatter(velocity, pack->a + k, ua);
    lanes_scatter(velocity, pack->b + k, ub);
}

static void PACK_OWN(push)(const PACK *packs, int count, int parity, double *velocity)
{
    for (int p = 0; p < count; p++)
        for (int k = 0; k < THUDI_PACK_WIDTH; k += LANES)
        {
            lanes ua[4], ub[4], x = PACK_LOAD(packs[p].x[parity] + k);
            lanes_gather(velocity, packs[p].a + k, ua);
            lanes_gather(velocity, packs[p].b + k, ub);
            PACK_OWN(push_bodies)(&packs[p], k, x, ua, ub, velocity);
        }
}

static double PACK_OWN(residual)(const PACK *packs, int count, int parity, const double *velocity)
{
    lanes worst = lanes_of(0);
    for (int p = 0; p < count; p++)
        for (int k = 0; k < THUDI_PACK_WIDTH; k += LANES)
        {
            lanes ua[4], ub[4], x = PACK_LOAD(packs[p].x[parity] + k);
            lanes_gather(velocity, packs[p].a + k, ua);
            lanes_gather(velocity, packs[p].b + k, ub);
            lanes least = lanes_abs(lanes_min(x, PACK_OWN(rate_of)(&packs[p], k, ua, ub)));
            worst = lanes_max(lanes_mul(least, lanes_load_float(packs[p].inverse_tolerance + k)),
                              worst);
        }
    return largest_of_lanes(worst);
}

static double PACK_OWN(extrapolate)(int bodies, double beta, const double *half_mass,
                                    PACK_NUMBER *velocity, PACK_NUMBER *before)
{
    quad momentum = quad_of(beta), energy = quad_of(0);
    for (int i = 0; i < bodies; i++)
    {
        quad u = PACK_QUAD_LOAD(velocity + 4 * (size_t)i);
        quad change = quad_sub(u, PACK_QUAD_LOAD(before + 4 * (size_t)i));
        energy = quad_fma(quad_mul(change, change), quad_of(half_mass[i]), energy);
        PACK_QUAD_STORE(before + 4 * (size_t)i, u);
        PACK_QUAD_STORE(velocity + 4 * (size_t)i, quad_fma(momentum, change, u));
    }
    _Alignas(32) double at[4];
    quad_store(at, energy);
    return (at[0] + at[1]) + (at[2] + at[3]);
}

#undef PACK
#undef PACK_OWN
#undef PACK_LOAD
#undef PACK_NUMBER
#undef PACK_QUAD_LOAD
#undef PACK_QUAD_STORE
