// Four exact sums side by side: three doubles each, and an exact sum where these are not enough.
#include "core/math/exact_four.h"

#include "core/math/exact.h"

#include <math.h>
#include <string.h>

static void begin_rest(thudi_exact_four *sums)
{
    if (!sums->has_rest)
        memset(sums->rest, 0, sizeof sums->rest);
    sums->has_rest = true;
}

static void add_to_rest(thudi_exact_four *sums, four x)
{
    begin_rest(sums);
    for (int k = 0; k < 4; k++)
        thudi_exact_add(&sums->rest[k], x[k]);
}

void thudi_exact_four_spill(thudi_exact_four *sums, four x, four high_next, four low_next,
                            four beyond)
{
    four_dd last = four_two_sum(sums->last, beyond);
    if (!four_all(last.lo * four_of(0) == four_of(0))) // something is not finite
    {
        add_to_rest(sums, x);
        return;
    }
    sums->high = high_next;
    sums->low = low_next;
    sums->last = last.hi;
    if (four_bits(last.lo != four_of(0)))
        add_to_rest(sums, last.lo);
}

void thudi_exact_four_join(thudi_exact_four *sums, const thudi_exact_four *other)
{
    thudi_exact_four_add(sums, other->high);
    thudi_exact_four_add(sums, other->low);
    thudi_exact_four_add(sums, other->last);
    if (!other->has_rest)
        return;
    begin_rest(sums);
    for (int k = 0; k < 4; k++)
        thudi_exact_join(&sums->rest[k], &other->rest[k]);
}

// Add the terms of one lane.
static void add_lane(thudi_exact_sum *sum, const thudi_exact_four *sums, int lane)
{
    thudi_exact_add(sum, sums->high[lane]);
    thudi_exact_add(sum, sums->low[lane]);
    thudi_exact_add(sum, sums->last[lane]);
    if (sums->has_rest)
        thudi_exact_join(sum, &sums->rest[lane]);
}

// a + b rounded to odd: a sum that is no double becomes the one of its two neighbours whose last
// bit is 1. So a further addition can still tell on which side of a tie it was.
static double add_to_odd(double a, double b)
{
    thudi_dd sum = thudi_two_sum(a, b);
    uint64_t bits;
    memcpy(&bits, &sum.hi, sizeof bits);
    if (sum.lo != 0 && bits % 2 == 0)
        bits += (sum.lo > 0) == (sum.hi > 0) ? UINT64_C(1) : -UINT64_C(1);
    memcpy(&sum.hi, &bits, sizeof bits);
    return sum.hi;
}

// a + b + c, rounded once (Boldo and Melquiond 2008); NaN or infinite if a part overflows.
static double add_three(double a, double b, double c)
{
    thudi_dd low = thudi_two_sum(b, c), high = thudi_two_sum(a, low.hi);
    return high.hi + add_to_odd(high.lo, low.lo) + 0.0; // never -0
}

static double value_of_lane(const thudi_exact_four *sums, int lane)
{
    thudi_exact_sum all = {.terms = 0};
    add_lane(&all, sums, lane);
    return thudi_exact_value(&all);
}

void thudi_exact_four_values(const thudi_exact_four *sums, double values[4])
{
    for (int k = 0; k < 4; k++)
    {
        double value = add_three(sums->high[k], sums->low[k], sums->last[k]);
        values[k] = sums->has_rest || !isfinite(value) ? value_of_lane(sums, k) : value;
    }
}

double thudi_exact_four_total(const thudi_exact_four *sums)
{
    thudi_exact_sum all = {.terms = 0};
    for (int k = 0; k < 4; k++)
        add_lane(&all, sums, k);
    return thudi_exact_value(&all);
}
