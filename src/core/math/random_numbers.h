// Random numbers that are the same on every machine: xoshiro256**, seeded by splitmix64. The
// functions that draw a number change the state.
#ifndef THUDI_RANDOM_NUMBERS_H
#define THUDI_RANDOM_NUMBERS_H

#include <stdint.h>

typedef struct thudi_random
{
    uint64_t word[4]; // the state of xoshiro256**
} thudi_random;

thudi_random thudi_random_start(uint64_t seed);

// A seed for stream `number` of a run with this seed. It is below 2^53, so that a double holds it.
// Streams with consecutive numbers are as different as any others.
uint64_t thudi_random_derive(uint64_t seed, uint64_t number);

// 64 random bits.
uint64_t thudi_random_bits(thudi_random *random);

// A multiple of 2^-53 in [0, 1). All are equally likely.
double thudi_random_uniform(thudi_random *random);

// A whole number in [0, count). All are equally likely; count >= 1.
uint64_t thudi_random_below(thudi_random *random, uint64_t count);

// A number of the normal distribution with mean 0 and standard deviation 1.
double thudi_random_normal(thudi_random *random);

#endif
