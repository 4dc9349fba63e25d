// Random numbers that are the same on every machine: whole numbers by xoshiro256** (Blackman and
// Vigna), doubles made of them by exact steps, sqrt and the library's own logarithm.
#include "core/math/random_numbers.h"

#include "core/math/elementary.h"

#include <math.h>

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

static uint64_t rotate(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

uint64_t thudi_random_bits(thudi_random *random)
{
    uint64_t *s = random->word, result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

double thudi_random_uniform(thudi_random *random)
{
    return (double)(thudi_random_bits(random) >> 11) * 0x1p-53;
}

uint64_t thudi_random_below(thudi_random *random, uint64_t count)
{
    uint64_t excess = (0 - count) % count, bits; // 2^64 mod count: those would favour small numbers
    do
        bits = thudi_random_bits(random);
    while (bits < excess);
    return bits % count;
}

// Marsaglia's polar method. The second number it yields is not kept: no state but the words.
double thudi_random_normal(thudi_random *random)
{
    double x, square;
    do
    {
        x = 2 * thudi_random_uniform(random) - 1;
        double y = 2 * thudi_random_uniform(random) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * thudi_log(square) / square);
}
