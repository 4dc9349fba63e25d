// The sweep over small packs, all of it in floats: for pack_kernel.h alone. What floats lose is
// found by the passes in doubles, which have the last word.
#ifndef LANES_KERNEL
#error "for pack_kernel.h"
#endif

enum
{
    SOME_PACKS = 64 // so many are added up in floats, their sums in doubles
};

// What a sweep saw so far, by lane.
typedef struct small_tally
{
    eight turn, decrease, worst, largest;
} small_tally;

static void add_small_tally(const small_tally *seen, thudi_pack_sums *sums)
{
    _Alignas(32) float at[4][8];
    double turn = 0, decrease = 0;
    eight_store(at[0], seen->turn);
    eight_store(at[1], seen->decrease);
    eight_store(at[2], seen->worst);
    eight_store(at[3], seen->largest);
    for (int k = 0; k < 8; k++)
    {
        double worst = (double)at[2][k], largest = (double)at[3][k];
        turn += (double)at[0][k];
        decrease += (double)at[1][k];
        sums->worst = worst > sums->worst ? worst : sums->worst;
        sums->largest = largest > sums->largest ? largest : sums->largest;
    }
    sums->turn += turn;
    sums->decrease += decrease;
}

static inline void small_sweep_pack(thudi_small_pack *pack, int parity, float beta, float *velocity,
                                    small_tally *seen)
{
    eight ua[4], ub[4], normal[3];
    eight_gather(velocity, pack->a, ua);
    eight_gather(velocity, pack->b, ub);
    eight x = eight_load(pack->x[parity]), before = eight_load(pack->x[1 - parity]);
    eight y = eight_fma(eight_of(beta), eight_sub(x, before), x);
    eight rate = eight_load(pack->level);
    for (int c = 0; c < 3; c++)
    {
        normal[c] = eight_load(pack->normal[c]);
        rate = eight_fma(normal[c], eight_sub(ub[c], ua[c]), rate);
    }
    eight next = eight_max(eight_sub(y, rate), eight_of(0)), change = eight_sub(next, y);
    eight push_a = eight_mul(change, ua[3]), push_b = eight_mul(change, ub[3]);
    eight_store(pack->x[1 - parity], next);
    for (int c = 0; c < 3; c++)
    {
        ua[c] = eight_fnma(push_a, normal[c], ua[c]);
        ub[c] = eight_fma(push_b, normal[c], ub[c]);
    }
    eight_scatter(velocity, pack->a, ua);
    eight_scatter(velocity, pack->b, ub);
    eight residual = eight_mul(eight_abs(change), eight_load(pack->inverse_tolerance));
    seen->turn = eight_fnma(change, eight_sub(next, x), seen->turn);
    seen->decrease = eight_fma(change, eight_fma(eight_of(0.5F), change, rate), seen->decrease);
    seen->worst = eight_max(residual, seen->worst);
    seen->largest = eight_max(next, seen->largest);
}

static void small_sweep(thudi_small_pack *packs, int count, int parity, float beta, float *velocity,
                        thudi_pack_sums *sums)
{
    for (int first = 0; first < count; first += SOME_PACKS)
    {
        int end = count - first < SOME_PACKS ? count : first + SOME_PACKS;
        small_tally seen = {eight_of(0), eight_of(0), eight_of(0), eight_of(0)};
        for (int p = first; p < end; p++)
            small_sweep_pack(&packs[p], parity, beta, velocity, &seen);
        add_small_tally(&seen, sums);
    }
}
