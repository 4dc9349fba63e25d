// Normal numbers by counter: Philox4x32-10, and the polar angle and radius of Box and Muller
//
//     N = sqrt(-2 log a) cos(2 pi b),   a in (0, 1], b in [0, 1), 53 bits each
//
// with the library's own log and cos, so that the bits do not depend on the machine.
#include "core/math/normal.h"

#include "core/math/elementary.h"

#include <math.h>

void thudi_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3];
    uint32_t low = key[0], high = key[1];
    for (int round = 0; round < 10; round++)
    {
        uint64_t p = UINT64_C(0xD2511F53) * a, q = UINT64_C(0xCD9E8D57) * c;
        a = (uint32_t)(q >> 32) ^ b ^ low;
        b = (uint32_t)q;
        c = (uint32_t)(p >> 32) ^ d ^ high;
        d = (uint32_t)p;
        low += UINT32_C(0x9E3779B9);
        high += UINT32_C(0xBB67AE85);
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}

double thudi_normal(uint64_t seed, uint64_t n, uint32_t k)
{
    uint32_t counter[4] = {k, 0, (uint32_t)n, (uint32_t)(n >> 32)}, word[4];
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    thudi_philox(counter, key, word);
    uint64_t first = ((uint64_t)word[1] << 32 | word[0]) >> 11;
    uint64_t second = ((uint64_t)word[3] << 32 | word[2]) >> 11;
    double a = (double)(first + 1) * 0x1p-53, b = (double)second * 0x1p-53;
    return sqrt(-2 * thudi_log(a)) * thudi_cos(6.283185307179586 * b);
}

// The finaliser of splitmix64.
uint64_t thudi_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}
