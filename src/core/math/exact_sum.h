// Sums without any error, rounded once. Integers add in any order, so a sum has the same bits
// however its terms are ordered, grouped and joined.
//
//     value = sum limb_i 2^(32 i - 1074),   i = 0 .. 67
//
// A term has 53 bits, which are shifted and added to three limbs. The value of a sum is the nearest
// double, the even one of two; of no terms, and of zeros of any sign, it is +0.
#ifndef THUDI_EXACT_SUM_H
#define THUDI_EXACT_SUM_H

#include <stdbool.h>
#include <stdint.h>

enum
{
    THUDI_EXACT_LIMBS = 68
};

// All 0 is a sum without terms.
typedef struct thudi_exact_sum
{
    int64_t limb[THUDI_EXACT_LIMBS];
    uint32_t terms;                  // since the last carry; they bound every limb
    uint64_t above, below, nothings; // how many terms are +inf, -inf and NaN
} thudi_exact_sum;

void thudi_exact_add(thudi_exact_sum *sum, double x);

// Add all terms of another sum.
void thudi_exact_join(thudi_exact_sum *sum, const thudi_exact_sum *other);

// The sum, rounded once. It is infinite if it is too large for a double; NaN if a term is NaN, or
// if terms of both signs are infinite.
double thudi_exact_value(const thudi_exact_sum *sum);

// Is every term finite, but their sum too large for a double?
bool thudi_exact_overflows(const thudi_exact_sum *sum);

#endif
