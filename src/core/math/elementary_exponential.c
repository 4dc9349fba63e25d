// exp, log and pow, and sinh, cosh and tanh, which are made of exp.
#include "core/math/elementary.h"
#include "core/math/elementary_parts.h"

#include <stdbool.h>

// ln 2 / 64 and ln 2 in two parts, the first so short that its products below are exact.
#define STEP_HI 0x1.62e42fefa0000p-7
#define STEP_LO 0x1.cf79abc9e3b3ap-46
#define STEPS_PER_UNIT 0x1.71547652b82fep+6
#define LN2_HI 0x1.62e42fefa3800p-1
#define LN2_LO 0x1.ef35793c76730p-45

#define EXP_LARGEST 710.0     // exp overflows before,
#define EXP_SMALLEST (-746.0) // and is 0 from here on down

// exp(x) = result * 2^*exponent for |x| <= 1100, relative error below 2^-66. With x = n ln2/64 + r:
// exp(x) = 2^(n/64) (1 + r + r^2/2 + ...), |r| < 0.0055.
static thudi_dd exp_parts(thudi_dd x, int *exponent)
{
    double n = floor(fma(x.hi, STEPS_PER_UNIT, 0.5));
    thudi_dd r = thudi_two_sum(fma(-n, STEP_HI, x.hi), x.lo);
    r = thudi_dd_add(r, thudi_two_product(-n, STEP_LO));
    double s = r.hi, tail = fma(s, 1.0 / 5040, 1.0 / 720);
    tail = fma(s, fma(s, fma(s, tail, 1.0 / 120), 1.0 / 24), 1.0 / 6);
    tail = s * s * fma(s, tail, 0.5);
    thudi_dd p = thudi_fast_two_sum(r.hi, r.lo + tail);
    double whole = floor(n / THUDI_POWERS);
    thudi_dd power = thudi_powers[(int)(n - whole * THUDI_POWERS)];
    *exponent = (int)whole;
    return thudi_dd_add(power, thudi_dd_multiply(power, p));
}

// log(1 + r) for |r| < 2^-7, relative error below 2^-72.
static thudi_dd log_near_one(thudi_dd r)
{
    static const double c[] = {-1.0 / 4, 1.0 / 5, -1.0 / 6,  1.0 / 7,
                               -1.0 / 8, 1.0 / 9, -1.0 / 10, 1.0 / 11};
    double tail = 0;
    for (int k = sizeof c / sizeof *c - 1; k >= 0; k--)
        tail = r.hi * (c[k] + tail);
    thudi_dd sum = thudi_dd_add(thudi_odd_reciprocals[1], thudi_dd_of(tail)); // 1/3 + ...
    sum = thudi_dd_add(thudi_dd_of(-0.5), thudi_dd_multiply(sum, r));
    return thudi_dd_add(r, thudi_dd_multiply(thudi_dd_multiply(r, r), sum));
}

// log(x), 0 < x < inf, relative error below 2^-70. With x = 2^k m, 0.7 < m < 1.42, and c near 1/m:
// log(x) = k ln2 - log(c) + log(1 + (m c - 1)).
static thudi_dd log_parts(double x)
{
    int k = 0;
    if (x < 0x1p-1022)
    {
        x *= 0x1p54;
        k = -54;
    }
    uint64_t bits = thudi_bits_of(x);
    k += (int)(bits >> 52) - 1023;
    double m = thudi_of_bits((bits & 0xfffffffffffff) | ((uint64_t)1023 << 52));
    if (m > 1.4142135)
    {
        m *= 0.5;
        k++;
    }
    thudi_log_entry near = thudi_logarithms[(int)floor(m * 128 + 0.5) - THUDI_LOGARITHM_FIRST];
    thudi_dd p = thudi_two_product(m, near.c);
    thudi_dd rest = log_near_one(thudi_fast_two_sum(p.hi - 1, p.lo));
    thudi_dd twos = thudi_dd_add(thudi_dd_of(k * LN2_HI), thudi_two_product(k, LN2_LO));
    return thudi_dd_add(thudi_dd_add(twos, near.minus_log), rest);
}

// exp(x) with the sign of `sign`, rounded; the caller has excluded NAN.
static double exp_rounded(thudi_dd x, double sign)
{
    if (x.hi > EXP_LARGEST)
        return copysign(INFINITY, sign);
    if (x.hi < EXP_SMALLEST)
        return copysign(0, sign);
    int exponent;
    thudi_dd parts = exp_parts(x, &exponent);
    return copysign(thudi_dd_scaled(parts, exponent), sign);
}

double thudi_exp(double x)
{
    return isnan(x) ? NAN : exp_rounded(thudi_dd_of(x), 1);
}

double thudi_log(double x)
{
    if (isnan(x) || x < 0)
        return NAN;
    if (x == 0)
        return -INFINITY;
    return isinf(x) ? INFINITY : thudi_dd_value(log_parts(x));
}

static bool is_whole(double y)
{
    return floor(y) == y;
}

// x^y where x is 0 or infinite or y is infinite.
static double pow_at_limits(double x, double y, double sign)
{
    if (isinf(y))
    {
        if (fabs(x) == 1)
            return 1;
        return (fabs(x) > 1) == (y > 0) ? INFINITY : 0;
    }
    return copysign((x == 0) == (y > 0) ? 0 : INFINITY, sign);
}

double thudi_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (isnan(x) || isnan(y))
        return NAN;
    if (y == 1 || y == 2)
        return y == 1 ? x : x * x;
    bool odd = is_whole(y) && !is_whole(y / 2);
    double sign = odd ? x : 1;
    if (x == 0 || isinf(x) || isinf(y))
        return pow_at_limits(x, y, sign);
    if (x < 0 && !is_whole(y))
        return NAN;
    thudi_dd logarithm = log_parts(fabs(x));
    double size = y * logarithm.hi;
    if (!(fabs(size) < 1000)) // far out, and what follows would overflow
        return exp_rounded(thudi_dd_of(size), sign);
    return exp_rounded(thudi_dd_scale(logarithm, y), sign);
}

// exp(x) as one number in doubled precision, |x| <= 100.
static thudi_dd exp_doubled(double x)
{
    int exponent;
    thudi_dd parts = exp_parts(thudi_dd_of(x), &exponent);
    double scale = thudi_power_of_two(exponent);
    return (thudi_dd){parts.hi * scale, parts.lo * scale};
}

// exp(x) / 2 for x > 40, where exp(-x) does not show.
static double half_exp(double x)
{
    if (x > EXP_LARGEST + 1)
        return INFINITY;
    int exponent;
    thudi_dd parts = exp_parts(thudi_dd_of(x), &exponent);
    return thudi_dd_scaled(parts, exponent - 1);
}

#define SERIES_UP_TO 0.5
#define ONE_SIDED_FROM 40.0

double thudi_sinh(double x)
{
    double size = fabs(x);
    if (isnan(x) || x == 0)
        return isnan(x) ? NAN : x;
    if (size < SERIES_UP_TO)
        return thudi_dd_value(thudi_sinh_series(thudi_dd_of(x)));
    if (size > ONE_SIDED_FROM)
        return copysign(half_exp(size), x);
    thudi_dd e = exp_doubled(size), inverse = thudi_dd_quotient(thudi_dd_of(1), e);
    return copysign(0.5 * thudi_dd_value(thudi_dd_add(e, thudi_dd_minus(inverse))), x);
}

double thudi_cosh(double x)
{
    double size = fabs(x);
    if (isnan(x))
        return NAN;
    if (size > ONE_SIDED_FROM)
        return half_exp(size);
    thudi_dd e = exp_doubled(size), inverse = thudi_dd_quotient(thudi_dd_of(1), e);
    return 0.5 * thudi_dd_value(thudi_dd_add(e, inverse));
}

double thudi_tanh(double x)
{
    double size = fabs(x);
    if (isnan(x) || x == 0)
        return isnan(x) ? NAN : x;
    if (size < SERIES_UP_TO)
    {
        thudi_dd s = thudi_sinh_series(thudi_dd_of(x)), c = thudi_cosh_series(thudi_dd_of(x));
        return thudi_dd_value(thudi_dd_quotient(s, c));
    }
    if (size > ONE_SIDED_FROM)
        return copysign(1, x);
    thudi_dd e = exp_doubled(2 * size), one = thudi_dd_of(1);
    thudi_dd above = thudi_dd_add(e, thudi_dd_minus(one)), below = thudi_dd_add(e, one);
    return copysign(thudi_dd_value(thudi_dd_quotient(above, below)), x);
}
