// Four exact sums side by side: four doubles each, and an exact sum where these are not enough.
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

static void spill(thudi_exact_four *sums, four x)
{
    four_dd high = four_two_sum(sums->high, x), low = four_two_sum(sums->low, high.lo);
    four_dd third = four_two_sum(sums->third, low.lo);
    four_dd fourth = four_two_sum(sums->fourth, third.lo);
    if (four_bits(fourth.lo != four_of(0)))
    {
        bool is_finite = four_all(fourth.lo * four_of(0) == four_of(0));
        add_to_rest(sums, is_finite ? fourth.lo : x);
        if (!is_finite)
            return;
    }
    sums->high = high.hi;
    sums->low = low.hi;
    sums->third = third.hi;
    sums->fourth = fourth.hi;
}

void thudi_exact_four_spill(thudi_exact_four *sums, const four x[], int count)
{
    for (int i = 0; i < count; i++)
        spill(sums, x[i]);
}

void thudi_exact_four_join(thudi_exact_four *sums, const thudi_exact_four *other)
{
    const four terms[] = {other->high, other->low, other->third, other->fourth};
    thudi_exact_four_add_some(sums, terms, 4);
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
    thudi_exact_add(sum, sums->third[lane]);
    thudi_exact_add(sum, sums->fourth[lane]);
    if (sums->has_rest)
        thudi_exact_join(sum, &sums->rest[lane]);
}

void thudi_exact_four_add_to(const thudi_exact_four *sums, thudi_exact_sum *all)
{
    for (int k = 0; k < 4; k++)
        add_lane(all, sums, k);
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

// The value of one lane; NaN or infinite if it may need the rest.
static double quick_value(const thudi_exact_four *sums, int lane)
{
    bool is_quick = !sums->has_rest && sums->fourth[lane] == 0;
    return is_quick ? add_three(sums->high[lane], sums->low[lane], sums->third[lane]) : INFINITY;
}

// The value of the lanes first .. behind - 1 together.
static double value_of_lanes(const thudi_exact_four *sums, int first, int behind)
{
    thudi_exact_sum all = {.terms = 0};
    for (int k = first; k < behind; k++)
        add_lane(&all, sums, k);
    return thudi_exact_value(&all);
}

void thudi_exact_four_values(const thudi_exact_four *sums, double values[4])
{
    for (int k = 0; k < 4; k++)
    {
        double value = quick_value(sums, k);
        values[k] = isfinite(value) ? value : value_of_lanes(sums, k, k + 1);
    }
}

// Lane k of a comes from lane k + by, modulo four.
static inline four turned(four a, int by)
{
    return (four){a[by & 3], a[(by + 1) & 3], a[(by + 2) & 3], a[(by + 3) & 3]};
}

double thudi_exact_four_total(const thudi_exact_four *sums)
{
    four high = sums->high, low = sums->low, third = sums->third;
    thudi_exact_four all;
    thudi_exact_four_clear(&all);
    // lane 0 is added to by all four
    const four terms[] = {high,
                          low,
                          third,
                          turned(high, 1),
                          turned(low, 1),
                          turned(third, 1),
                          turned(high, 2),
                          turned(low, 2),
                          turned(third, 2),
                          turned(high, 3),
                          turned(low, 3),
                          turned(third, 3)};
    thudi_exact_four_add_some(&all, terms, sizeof terms / sizeof *terms);
    bool is_quick = !sums->has_rest && four_all(sums->fourth == four_of(0));
    double value = is_quick ? quick_value(&all, 0) : INFINITY;
    return isfinite(value) ? value : value_of_lanes(sums, 0, 4);
}
