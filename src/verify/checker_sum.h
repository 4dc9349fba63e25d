/// Sums in doubled precision (two doubles, about 32 digits), so that the rounding of the checker
/// itself never decides a verdict. Written with fma alone: long double would do natively, but not
/// under valgrind.
///
///     a + b = s + e,  s = fl(a + b),  e = (a - (s - (s - a))) + (b - (s - a))        (Knuth)
///     a b   = p + e,  p = fl(a b),    e = fma(a, b, -p)
///
/// Anything not finite makes the sum not a number, which no certificate accepts.
#ifndef THUD_CHECKER_SUM_H
#define THUD_CHECKER_SUM_H

#include <math.h>

typedef struct thudi_sum
{
    double high, low; ///< the value is high + low, |low| at most half an ulp of high
} thudi_sum;

static inline double thudi_sum_value(thudi_sum s)
{
    return s.high + s.low;
}

static inline thudi_sum thudi_sum_plus(thudi_sum s, double x)
{
    double high = s.high + x;
    double part = high - s.high;
    double low = s.low + ((s.high - (high - part)) + (x - part));
    double sum = high + low;
    return (thudi_sum){sum, low - (sum - high)};
}

static inline thudi_sum thudi_sum_plus_product(thudi_sum s, double a, double b)
{
    double product = a * b;
    return thudi_sum_plus(thudi_sum_plus(s, fma(a, b, -product)), product);
}

static inline thudi_sum thudi_sum_times(thudi_sum s, double x)
{
    double high = s.high * x;
    double low = fma(s.high, x, -high) + s.low * x;
    double sum = high + low;
    return (thudi_sum){sum, low - (sum - high)};
}

static inline thudi_sum thudi_sum_plus_sum(thudi_sum s, thudi_sum x)
{
    return thudi_sum_plus(thudi_sum_plus(s, x.low), x.high);
}

#endif
