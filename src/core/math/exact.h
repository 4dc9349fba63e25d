// Doubled precision: a number is hi + lo with |lo| <= ulp(hi)/2; errors below 2^-100 of the terms.
// Used where a residual must be known better than the numbers it is made of.
#ifndef THUDI_EXACT_H
#define THUDI_EXACT_H

#include <math.h>

typedef struct thudi_dd
{
    double hi, lo;
} thudi_dd;

// a + b exactly (Knuth).
static inline thudi_dd thudi_two_sum(double a, double b)
{
    double s = a + b, t = s - a;
    return (thudi_dd){s, (a - (s - t)) + (b - t)};
}

// a + b exactly, |a| >= |b| (Dekker).
static inline thudi_dd thudi_fast_two_sum(double a, double b)
{
    double s = a + b;
    return (thudi_dd){s, b - (s - a)};
}

// a * b exactly.
static inline thudi_dd thudi_two_product(double a, double b)
{
    double p = a * b;
    return (thudi_dd){p, fma(a, b, -p)};
}

static inline thudi_dd thudi_dd_add(thudi_dd a, thudi_dd b)
{
    thudi_dd s = thudi_two_sum(a.hi, b.hi), t = thudi_two_sum(a.lo, b.lo);
    s = thudi_fast_two_sum(s.hi, s.lo + t.hi);
    return thudi_fast_two_sum(s.hi, s.lo + t.lo);
}

static inline thudi_dd thudi_dd_add_product(thudi_dd a, double b, double c)
{
    return thudi_dd_add(a, thudi_two_product(b, c));
}

static inline thudi_dd thudi_dd_scale(thudi_dd a, double b)
{
    thudi_dd p = thudi_two_product(a.hi, b);
    return thudi_fast_two_sum(p.hi, fma(a.lo, b, p.lo));
}

static inline thudi_dd thudi_dd_divide(thudi_dd a, double b)
{
    double quotient = a.hi / b;
    double rest = fma(-quotient, b, a.hi) + a.lo;
    return thudi_fast_two_sum(quotient, rest / b);
}

static inline double thudi_dd_value(thudi_dd a)
{
    return a.hi + a.lo;
}

#endif
