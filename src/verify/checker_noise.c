// The noise of a step, computed again: s N / sqrt(h), N by the published generator Philox4x32-10
// keyed by seed and t_0, counting coordinates and steps, and by the formula of Box and Muller. Its
// log and cos are the checker's own, so that it agrees with the step's to rounding only.
#include "verify/checker.h"
#include "verify/checker_functions.h"

#include <string.h>

static const double TURN = 0x1.921fb54442d18p2; // 2 pi

// One round on the counter x with the key of the round.
static void stir(uint32_t x[4], uint64_t key)
{
    uint64_t product[2] = {(uint64_t)x[0] * 0xD2511F53u, (uint64_t)x[2] * 0xCD9E8D57u};
    uint32_t next[4] = {(uint32_t)(product[1] >> 32) ^ x[1] ^ (uint32_t)key, (uint32_t)product[1],
                        (uint32_t)(product[0] >> 32) ^ x[3] ^ (uint32_t)(key >> 32),
                        (uint32_t)product[0]};
    memcpy(x, next, sizeof next);
}

static uint64_t scramble(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

// A number in [0, 1) of 53 bits.
static double part(uint32_t low, uint32_t high)
{
    uint64_t bits = (uint64_t)high << 21 | low >> 11;
    return ldexp((double)bits, -53);
}

static double normal(uint64_t key, uint64_t n, uint32_t k)
{
    uint32_t x[4] = {k, 0, (uint32_t)(n & 0xffffffffu), (uint32_t)(n >> 32)};
    for (uint32_t round = 0; round < 10; round++)
    {
        uint32_t low = (uint32_t)key + round * 0x9E3779B9u;
        uint32_t high = (uint32_t)(key >> 32) + round * 0xBB67AE85u;
        stir(x, (uint64_t)high << 32 | low);
    }
    double radius = part(x[0], x[1]) + ldexp(1, -53), angle = part(x[2], x[3]);
    return sqrt(-2 * thudi_checker_log(radius)) * thudi_checker_cos(TURN * angle);
}

void thudi_checker_add_noise(thudi_checker *checker)
{
    const thud_inclusion *problem = checker->problem;
    uint64_t start;
    memcpy(&start, &checker->before->t0, sizeof start);
    for (int k = 0; k < checker->dim && problem->noise > 0; k++)
    {
        double n =
            normal(problem->seed ^ scramble(start), (uint64_t)checker->before->n, (uint32_t)k);
        double push = problem->noise * n / sqrt(checker->h);
        checker->force[k] += push;
        // cos of an angle near a right one is known to an ulp of 2 pi
        checker->force_size[k] += fabs(push) + 8 * problem->noise / sqrt(checker->h);
    }
}
