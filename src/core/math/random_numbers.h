// Random numbers that are the same on every machine: xoshiro256**, seeded by splitmix64.
#ifndef THUDI_RANDOM_NUMBERS_H
#define THUDI_RANDOM_NUMBERS_H

#include <stdint.h>

typedef struct thudi_random
{
    uint64_t word[4];
} thudi_random;

thudi_random thudi_random_start(uint64_t seed);

// One of many seeds that follow from one, below 2^53; neighbours are no more alike than others.
uint64_t thudi_random_derive(uint64_t seed, uint64_t number);

uint64_t thudi_random_bits(thudi_random *random);

// A multiple of 2^-53 in [0, 1), all equally likely.
double thudi_random_uniform(thudi_random *random);

// A whole number in [0, count), all equally likely; count >= 1.
uint64_t thudi_random_below(thudi_random *random, uint64_t count);

// Mean 0, deviation 1.
double thudi_random_normal(thudi_random *random);

#endif
