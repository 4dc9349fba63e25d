// Elementary functions of the checker's own, by their power series after a reduction:
//
//     exp x = 2^k exp r,  r = x - k ln 2,  |r| <= ln 2 / 2
//     log x = k ln 2 + 2 atanh f,  x = 2^k m,  f = (m - 1) / (m + 1),  |f| <= 0.172
//     sin, cos of r = x - n pi / 2,  |r| <= pi / 4
#include "verify/checker_functions.h"

#include <math.h>
#include <stdbool.h>

// ln 2 and pi / 2, each as a sum of doubles.
static const double LN2[2] = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const double QUARTER[3] = {0x1.921fb54442d18p0, 0x1.1a62633145c07p-54,
                                  -0x1.f1976b7ed8fbcp-110};

double thudi_checker_exp(double x)
{
    if (isnan(x) || x > 710)
        return isnan(x) ? NAN : INFINITY;
    if (x < -746)
        return 0;
    double k = floor(x / LN2[0] + 0.5), sum = 1;
    double r = fma(-k, LN2[1], fma(-k, LN2[0], x));
    for (int n = 15; n >= 1; n--)
        sum = fma(sum, r / n, 1);
    return ldexp(sum, (int)k);
}

double thudi_checker_log(double x)
{
    int k;
    double m = frexp(x, &k), sum = 0;
    if (m < 0x1.6a09e667f3bcdp-1) // sqrt(1/2)
    {
        m *= 2;
        k--;
    }
    double f = (m - 1) / (m + 1);
    for (int n = 25; n >= 3; n -= 2)
        sum = fma(sum, f * f, 1.0 / n);
    return fma(k, LN2[0], 2 * f + (2 * f * (f * f) * sum + k * LN2[1]));
}

double thudi_checker_sinh(double x)
{
    double sum = 1;
    if (fabs(x) >= 1)
        return (thudi_checker_exp(x) - thudi_checker_exp(-x)) / 2;
    for (int n = 20; n >= 2; n -= 2)
        sum = fma(sum, x * x / (n * (n + 1)), 1);
    return x * sum;
}

double thudi_checker_cosh(double x)
{
    return (thudi_checker_exp(x) + thudi_checker_exp(-x)) / 2;
}

// sin(x + shift pi / 2)
static double wave(double x, int shift)
{
    double n = floor(x / QUARTER[0] + 0.5), sum = 1;
    double r = fma(-n, QUARTER[2], fma(-n, QUARTER[1], fma(-n, QUARTER[0], x)));
    if (!isfinite(x) || !isfinite(r))
        return NAN;
    int turn = ((int)(n - 4 * floor(n / 4)) + shift) % 4;
    bool is_sine = turn % 2 == 0;
    for (int k = 20; k >= 2; k -= 2)
        sum = fma(sum, -(r * r) / (is_sine ? k * (k + 1) : k * (k - 1)), 1);
    double value = is_sine ? r * sum : sum;
    return turn >= 2 ? -value : value;
}

double thudi_checker_sin(double x)
{
    return wave(x, 0);
}

double thudi_checker_cos(double x)
{
    return wave(x, 1);
}

double thudi_checker_length(double x, double y)
{
    int k;
    double larger = fmax(fabs(x), fabs(y));
    if (isinf(larger) || !(larger > 0))
        return isnan(x) || isnan(y) ? NAN : larger;
    (void)frexp(larger, &k);
    double a = ldexp(x, -k), b = ldexp(y, -k);
    return ldexp(sqrt(a * a + b * b), k);
}

double thudi_checker_length3(double x, double y, double z)
{
    return thudi_checker_length(thudi_checker_length(x, y), z);
}
