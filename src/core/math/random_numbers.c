// Random numbers that are the same on every machine. Whole numbers come from xoshiro256** (Blackman
// and Vigna). Doubles are made of them by exact operations, sqrt, and the library's own logarithm.
#include "core/math/random_numbers.h"

#include "core/math/elementary.h"

#include <math.h>

// splitmix64, with the constants of its authors (Steele, Lea and Flood; Stafford's mix 13).
static uint64_t next_of_splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

thudi_random thudi_random_start(uint64_t seed)
{
    thudi_random random;
    for (int i = 0; i < 4; i++)
        random.word[i] = next_of_splitmix(&seed);
    return random;
}

uint64_t thudi_random_derive(uint64_t seed, uint64_t number)
{
    uint64_t mixed = next_of_splitmix(&seed) ^ number;
    return next_of_splitmix(&mixed) >> 11;
}

static uint64_t rotate_left(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

uint64_t thudi_random_bits(thudi_random *random)
{
    uint64_t *s = random->word, result = rotate_left(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double thudi_random_uniform(thudi_random *random)
{
    return (double)(thudi_random_bits(random) >> 11) * 0x1p-53;
}

uint64_t thudi_random_below(thudi_random *random, uint64_t count)
{
    // 2^64 mod count: so many values must be left out, or small results would be more likely
    uint64_t excess = (0 - count) % count, bits;
    do
        bits = thudi_random_bits(random);
    while (bits < excess);
    return bits % count;
}

// Marsaglia's polar method. It makes two numbers; the second is dropped, so that the state stays
// four words.
double thudi_random_normal(thudi_random *random)
{
    double x, norm_squared;
    do
    {
        x = 2 * thudi_random_uniform(random) - 1;
        double y = 2 * thudi_random_uniform(random) - 1;
        norm_squared = x * x + y * y;
    } while (norm_squared >= 1 || norm_squared == 0);
    return x * sqrt(-2 * thudi_log(norm_squared) / norm_squared);
}
