// What a certificate for pair rows has of every unit: THUDI_UNIT_NUMBERS numbers, in room for sums.
//
// First sum_i mu_i slope_i in doubled precision and the size of its terms; then, for the rows, what
// they need of it: the velocity and 1 / m, |origin|, reach.
#ifndef THUDI_CERTIFICATE_BLOCKS_H
#define THUDI_CERTIFICATE_BLOCKS_H

#include "certify/certificate.h"
#include "core/math/four.h"

// A constant that the compiler may unroll loops by.
#define INLINE static inline __attribute__((always_inline))

enum
{
    THUDI_UNIT_NUMBERS = 12
};

// Where the numbers of the unit are that starts at this coordinate.
INLINE size_t thudi_unit_place(int coordinate, int width)
{
    return (size_t)coordinate * (size_t)(THUDI_UNIT_NUMBERS / width);
}

static inline double *thudi_units(const thudi_proof *proof)
{
    return (double *)(((uintptr_t)proof->sums + 31) / 32 * 32);
}

// The best of four numbers and one more, by thudi_larger or thudi_smaller.
static inline double thudi_best_of(four a, double best, double (*better)(double, double))
{
    double at[4];
    four_store(at, a);
    for (int l = 0; l < 4; l++)
        best = better(at[l], best);
    return best;
}

// The rows low .. high - 1 of a certificate, of which the units are done.
void thudi_certify_pair_rows(const thudi_proof *proof, int low, int high, thudi_share *share);

#endif
