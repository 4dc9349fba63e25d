// Four exact sums side by side, one in each lane, in a form that is cheap to add to:
//
//     sum = high + low + third + fourth + rest
//
// All but the rest are doubles. The rest is an exact sum that is begun only when a term needs it.
// Nothing is rounded before the end: the values are those of thudi_exact_value of the same terms.
#ifndef THUDI_EXACT_FOUR_H
#define THUDI_EXACT_FOUR_H

#include "core/math/exact_sum.h"
#include "core/math/four.h"

typedef struct thudi_exact_four
{
    four high, low, third, fourth;
    bool has_rest;
    thudi_exact_sum rest[4]; // of no use until has_rest
} thudi_exact_four;

// Make all four sums empty.
static inline void thudi_exact_four_clear(thudi_exact_four *sums)
{
    sums->high = sums->low = sums->third = sums->fourth = four_of(0);
    sums->has_rest = false;
}

// Add terms for which high and low may not be enough.
void thudi_exact_four_spill(thudi_exact_four *sums, const four x[], int count);

// Add `count` terms to each of the sums.
static inline __attribute__((always_inline)) void
thudi_exact_four_add_some(thudi_exact_four *sums, const four x[], int count)
{
    four high = sums->high, low = sums->low, lost = four_of(0);
    for (int i = 0; i < count; i++)
    {
        four_dd above = four_two_sum(high, x[i]), below = four_two_sum(low, above.lo);
        high = above.hi;
        low = below.hi;
        lost = (four)((four_flags)lost | (four_flags)below.lo); // NaN where something is not finite
    }
    if (four_bits(lost != four_of(0)))
    {
        thudi_exact_four_spill(sums, x, count);
        return;
    }
    sums->high = high;
    sums->low = low;
}

// Add a term to each of the sums.
static inline void thudi_exact_four_add(thudi_exact_four *sums, four x)
{
    thudi_exact_four_add_some(sums, &x, 1);
}

// Add all terms of four other sums.
void thudi_exact_four_join(thudi_exact_four *sums, const thudi_exact_four *other);

// The four values.
void thudi_exact_four_values(const thudi_exact_four *sums, double values[4]);

// Add all terms of all four lanes to another sum.
void thudi_exact_four_add_to(const thudi_exact_four *sums, thudi_exact_sum *all);

// The value of all terms in all four lanes.
double thudi_exact_four_total(const thudi_exact_four *sums);

#endif
