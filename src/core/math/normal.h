// Random numbers without a state: the same three numbers in give the same bits out, everywhere.
#ifndef THUDI_NORMAL_H
#define THUDI_NORMAL_H

#include <stdint.h>

// Philox4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw 2011): four random words from a counter and
// a key.
void thudi_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

// A normal number of mean 0 and variance 1, for step `n` and coordinate `k`.
double thudi_normal(uint64_t seed, uint64_t n, uint32_t k);

// Another number from each, 0 from 0.
uint64_t thudi_mix(uint64_t x);

#endif
