// Four exact sums side by side, one in each lane, in a form that is cheap to add to:
//
//     sum = high + low + last + rest
//
// high, low and last are doubles, and rest an exact sum that is begun only when a term needs it.
// Nothing is rounded before the end: the values are those of thudi_exact_value of the same terms.
#ifndef THUDI_EXACT_FOUR_H
#define THUDI_EXACT_FOUR_H

#include "core/math/exact_sum.h"
#include "core/math/four.h"

typedef struct thudi_exact_four
{
    four high, low, last;
    bool has_rest;
    thudi_exact_sum rest[4]; // of no use until has_rest
} thudi_exact_four;

// Make all four sums empty.
static inline void thudi_exact_four_clear(thudi_exact_four *sums)
{
    sums->high = sums->low = sums->last = four_of(0);
    sums->has_rest = false;
}

// Add terms for which high and low are not enough: high_next and low_next would be their new
// values, and beyond what these lose.
void thudi_exact_four_spill(thudi_exact_four *sums, four x, four high_next, four low_next,
                            four beyond);

// Add a term to each of the sums.
static inline void thudi_exact_four_add(thudi_exact_four *sums, four x)
{
    four_dd high = four_two_sum(sums->high, x), low = four_two_sum(sums->low, high.lo);
    if (four_bits(low.lo != four_of(0))) // NaN too, from terms or sums that are not finite
    {
        thudi_exact_four_spill(sums, x, high.hi, low.hi, low.lo);
        return;
    }
    sums->high = high.hi;
    sums->low = low.hi;
}

// Add all terms of four other sums.
void thudi_exact_four_join(thudi_exact_four *sums, const thudi_exact_four *other);

// The four values.
void thudi_exact_four_values(const thudi_exact_four *sums, double values[4]);

// The value of all terms in all four lanes.
double thudi_exact_four_total(const thudi_exact_four *sums);

#endif
