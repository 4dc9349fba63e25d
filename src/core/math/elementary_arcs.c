// atan2 and what follows from it: atan, asin, acos; and hypot.
#include "core/math/elementary.h"
#include "core/math/elementary_parts.h"

#define NEGLIGIBLE 0x1p-64 // a ratio whose square, and whose sum with 1, does not show

// atan(y / x) for 0 <= y <= x: with c = j/64 near y/x,
// atan(y/x) = atan(c) + atan((y - c x) / (x + c y)), and the last argument is below 1/127.
static thudi_dd arc_small(thudi_dd y, thudi_dd x)
{
    double j = floor(y.hi / x.hi * 64 + 0.5), c = j / 64;
    thudi_dd above = thudi_dd_add(y, thudi_dd_scale(x, -c));
    thudi_dd below = thudi_dd_add(x, thudi_dd_scale(y, c));
    thudi_dd t = thudi_dd_quotient(above, below);
    thudi_dd square = thudi_dd_minus(thudi_dd_multiply(t, t));
    thudi_dd sum = thudi_dd_series(square, thudi_odd_reciprocals + 1, THUDI_RECIPROCALS - 1, 2);
    t = thudi_dd_add(t, thudi_dd_multiply(t, thudi_dd_multiply(square, sum)));
    return thudi_dd_add(thudi_arcs[(int)j], t);
}

// The angle of (x, y) in the first quarter; not both are 0, neither is far from 1 if both count.
static thudi_dd arc(thudi_dd y, thudi_dd x)
{
    if (y.hi < x.hi * NEGLIGIBLE)
        return thudi_dd_of(y.hi / x.hi);
    if (x.hi < y.hi * NEGLIGIBLE)
        return THUDI_HALF_PI;
    if (y.hi <= x.hi)
        return arc_small(y, x);
    return thudi_dd_add(THUDI_HALF_PI, thudi_dd_minus(arc_small(x, y)));
}

static thudi_dd half_turn_minus(thudi_dd angle)
{
    return thudi_dd_add(THUDI_EXACT_PI, thudi_dd_minus(angle));
}

// k with 2^k <= x < 2^(k+1), of a subnormal x a smaller one of no interest: -1023.
static int exponent_of(double x)
{
    return (int)(thudi_bits_of(x) >> 52 & 0x7ff) - 1023;
}

// x 2^-k for -1023 <= k <= 1023.
static double scale_down(double x, int k)
{
    return x * thudi_power_of_two(-k / 2) * thudi_power_of_two(-k - -k / 2);
}

// The angle of (x, y) for x, y >= 0, both possibly infinite or 0.
static thudi_dd arc_of(double y, double x)
{
    if (y == 0)
        return thudi_dd_of(0);
    if (isinf(x) || isinf(y))
    {
        y = isinf(y) ? 1 : 0;
        x = isinf(x) ? 1 : 0;
    }
    if (y < x * NEGLIGIBLE)
        return thudi_dd_of(y / x);
    int k = exponent_of(x > y ? x : y);
    return arc(thudi_dd_of(scale_down(y, k)), thudi_dd_of(scale_down(x, k)));
}

double thudi_atan2(double y, double x)
{
    if (isnan(x) || isnan(y))
        return NAN;
    thudi_dd angle = arc_of(fabs(y), fabs(x));
    if (signbit(x))
        angle = half_turn_minus(angle);
    return copysign(thudi_dd_value(angle), y);
}

double thudi_atan(double x)
{
    return thudi_atan2(x, 1);
}

// sqrt(1 - x^2)
static thudi_dd other_leg(double x)
{
    thudi_dd square = thudi_two_product(x, x);
    thudi_dd rest = thudi_dd_add(thudi_two_sum(1, -square.hi), thudi_dd_of(-square.lo));
    return thudi_dd_root(rest);
}

double thudi_asin(double x)
{
    if (!(fabs(x) <= 1))
        return NAN;
    return copysign(thudi_dd_value(arc(thudi_dd_of(fabs(x)), other_leg(x))), x);
}

double thudi_acos(double x)
{
    if (!(fabs(x) <= 1))
        return NAN;
    thudi_dd angle = arc(other_leg(x), thudi_dd_of(fabs(x)));
    return thudi_dd_value(x < 0 ? half_turn_minus(angle) : angle);
}

double thudi_hypot(const double *x, const int *index, int count)
{
    double largest = 0, rest = 0; // rest: NAN when an argument is
    for (int i = 0; i < count; i++)
    {
        double size = fabs(x[index[i]]);
        if (isinf(size))
            return INFINITY;
        largest = size > largest ? size : largest;
        rest += size - size;
    }
    if (isnan(rest) || largest == 0)
        return isnan(rest) ? NAN : 0;
    int k = exponent_of(largest);
    thudi_dd sum = {0, 0};
    for (int i = 0; i < count; i++)
    {
        double scaled = scale_down(x[index[i]], k);
        sum = thudi_dd_add_product(sum, scaled, scaled);
    }
    return scale_down(thudi_dd_value(thudi_dd_root(sum)), -k);
}
