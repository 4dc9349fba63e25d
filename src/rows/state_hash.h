// The hash of a state, from parts that are summed: it does not depend on the order in which
// coordinates and multipliers are stored, visited or shared among threads.
//
//     hash = chain(1, before, t0, n, h, dim, multipliers, kept numbers, sum mod 2^64)
//     sum  = sum over coordinates of chain(2, number, q, u)
//          + sum over multipliers of chain(3, key, impulse, memory, kept numbers)
//
// chain(x, a, b, ...) takes in one word after the other:  x <- y * ODD mod 2^64, y = z xor z >> 32,
// z = x xor word.  At its end it takes in 0 and becomes x xor x >> 29. Every operation is
// one-to-one in x and in the word, so that no change of a single word is lost.
#ifndef THUDI_STATE_HASH_H
#define THUDI_STATE_HASH_H

#include "thud/inclusion.h"

// What a coordinate adds to the sum. Its number is its index in a state that has all coordinates:
// of a body with D coordinates, D times its id plus the axis.
uint64_t thudi_hash_coordinate(uint64_t number, double q, double u);

// What a multiplier adds to the sum; more: the `width` numbers that are kept beyond its memory.
uint64_t thudi_hash_multiplier(const thud_multiplier *multiplier, const double *more, int width);

// The hash of a state whose parts have this sum. Reads no array of the state.
uint64_t thudi_hash_of_sum(const thud_state *state, uint64_t sum, uint64_t before);

#endif
