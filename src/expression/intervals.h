// Intervals of numbers, rounded outwards: what goes in is contained in what comes out.
#ifndef THUDI_INTERVALS_H
#define THUDI_INTERVALS_H

#include "core/math/elementary.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define THUDI_HALF_PI 1.57079632679489661923

// Of a result: more than the rounding of the elementary functions, which is below one ulp.
static const double INTERVAL_ROUNDING = 8 * DBL_EPSILON;

// Of an angle and of its number of turns: their rounding, when tops of the sine are looked for.
static const double INTERVAL_TOP = 1e-15;

// Larger angles are known too badly to say where the sine is.
static const double INTERVAL_ANGLE = 1e9;

typedef struct interval
{
    double low, high;
} interval;

static inline interval interval_whole(void)
{
    return (interval){-INFINITY, INFINITY};
}

static inline bool interval_has_zero(interval x)
{
    return x.low <= 0 && x.high >= 0;
}

// Ends that are no numbers are not known; ends that have overflowed are at least the largest.
static inline interval interval_make(double low, double high)
{
    low = isnan(low) ? -INFINITY : fmin(low, DBL_MAX);
    high = isnan(high) ? INFINITY : fmax(high, -DBL_MAX);
    return (interval){low, high};
}

// One rounding outwards.
static inline interval interval_round(double low, double high)
{
    return interval_make(nextafter(low, -INFINITY), nextafter(high, INFINITY));
}

// What an elementary function returned, widened by its rounding.
static inline interval interval_widen(double low, double high)
{
    return interval_make(low - INTERVAL_ROUNDING * fabs(low) - DBL_MIN,
                         high + INTERVAL_ROUNDING * fabs(high) + DBL_MIN);
}

static inline interval interval_minus(interval x)
{
    return (interval){-x.high, -x.low};
}

static inline interval interval_hull(interval a, interval b)
{
    return (interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

// A sum that is 0 is exact.
static inline interval interval_add(interval a, interval b)
{
    double low = a.low + b.low, high = a.high + b.high;
    interval sum = interval_round(low, high);
    return (interval){low == 0 ? 0 : sum.low, high == 0 ? 0 : sum.high};
}

static inline interval interval_subtract(interval a, interval b)
{
    return interval_add(a, interval_minus(b));
}

// 0 times anything is 0: the ends are limits.
static inline double interval_product(double a, double b)
{
    return a == 0 || b == 0 ? 0 : a * b;
}

// Nothing is rounded where a factor is 0.
static inline interval interval_multiply(interval a, interval b)
{
    if ((a.low == 0 && a.high == 0) || (b.low == 0 && b.high == 0))
        return (interval){0, 0};
    double p[4] = {interval_product(a.low, b.low), interval_product(a.low, b.high),
                   interval_product(a.high, b.low), interval_product(a.high, b.high)};
    double low = fmin(fmin(p[0], p[1]), fmin(p[2], p[3]));
    double high = fmax(fmax(p[0], p[1]), fmax(p[2], p[3]));
    bool positive = (a.low >= 0 && b.low >= 0) || (a.high <= 0 && b.high <= 0);
    bool negative = (a.low >= 0 && b.high <= 0) || (a.high <= 0 && b.low >= 0);
    interval product = interval_round(low, high);
    return (interval){positive && low == 0 ? 0 : product.low,
                      negative && high == 0 ? 0 : product.high};
}

// b does not contain 0.
static inline interval interval_divide(interval a, interval b)
{
    double p[4] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
    double low = p[0], high = p[0];
    for (int i = 0; i < 4; i++)
    {
        if (isnan(p[i])) // infinity by infinity
            return interval_whole();
        low = fmin(low, p[i]);
        high = fmax(high, p[i]);
    }
    interval quotient = interval_round(low, high);
    bool positive = b.low > 0 ? a.low >= 0 : a.high <= 0;
    bool negative = b.low > 0 ? a.high <= 0 : a.low >= 0;
    return (interval){positive ? fmax(quotient.low, 0) : quotient.low,
                      negative ? fmin(quotient.high, 0) : quotient.high};
}

static inline interval interval_abs(interval x)
{
    double low = interval_has_zero(x) ? 0 : fmin(fabs(x.low), fabs(x.high));
    return (interval){low, fmax(fabs(x.low), fabs(x.high))};
}

// x.low >= 0
static inline interval interval_sqrt(interval x)
{
    interval root = interval_round(sqrt(fmax(x.low, 0)), sqrt(fmax(x.high, 0)));
    return (interval){fmax(root.low, 0), root.high};
}

// A function that rises (falls) all along x.
static inline interval interval_rising(interval x, double (*f)(double))
{
    return interval_widen(f(x.low), f(x.high));
}

static inline interval interval_falling(interval x, double (*f)(double))
{
    return interval_widen(f(x.high), f(x.low));
}

static inline interval interval_exp(interval x)
{
    interval y = interval_rising(x, thudi_exp);
    return (interval){fmax(y.low, 0), y.high};
}

static inline interval interval_cosh(interval x)
{
    interval size = interval_abs(x), y = interval_rising(size, thudi_cosh);
    return (interval){fmax(y.low, 1), y.high};
}

// x^p: p whole, or x.low >= 0; without 0 in x where p < 0.
static inline interval interval_power(interval x, double p)
{
    bool odd = fmod(p, 2) != 0, whole = p == floor(p);
    if (p == 0)
        return (interval){1, 1};
    if (whole && !odd)
        x = interval_abs(x);
    double a = thudi_pow(x.low, p), b = thudi_pow(x.high, p);
    interval y = interval_widen(fmin(a, b), fmax(a, b));
    bool positive = x.low >= 0, negative = x.high <= 0 && whole && odd;
    return (interval){positive ? fmax(y.low, 0) : y.low, negative ? fmin(y.high, 0) : y.high};
}

// Is there a number top + 2 pi k in x, or nearly?
static inline bool interval_has_top(interval x, double top)
{
    double slack = INTERVAL_TOP * (fabs(x.low) + fabs(x.high) + 4);
    double turn = 4 * THUDI_HALF_PI, k = ceil((x.low - slack - top) / turn - INTERVAL_TOP);
    return top + k * turn <= x.high + slack || top + (k - 1) * turn >= x.low - slack;
}

// Between its tops and bottoms the sine (f) rises or falls.
static inline interval interval_wave(interval x, double (*f)(double), double top)
{
    interval all = {-1, 1};
    double size = fmax(fabs(x.low), fabs(x.high));
    if (!(x.high - x.low < 4 * THUDI_HALF_PI) || !(size < INTERVAL_ANGLE))
        return all;
    double a = f(x.low), b = f(x.high);
    interval y = interval_widen(fmin(a, b), fmax(a, b));
    double low = interval_has_top(x, top + 2 * THUDI_HALF_PI) ? -1 : fmax(y.low, -1);
    return (interval){low, interval_has_top(x, top) ? 1 : fmin(y.high, 1)};
}

static inline interval interval_sin(interval x)
{
    return interval_wave(x, thudi_sin, THUDI_HALF_PI);
}

static inline interval interval_cos(interval x)
{
    return interval_wave(x, thudi_cos, 0);
}

#endif
