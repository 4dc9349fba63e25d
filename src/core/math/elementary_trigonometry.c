// sin, cos and tan for all arguments: reduced with as many digits of 2/pi as it takes, then series.
#include "core/math/elementary.h"
#include "core/math/elementary_parts.h"

#include <stdbool.h>

__extension__ typedef unsigned __int128 wide;

enum
{
    PRECISE = 5 // terms of a series in doubled precision
};

// The factorials go with the powers of -x^2 in sin and cos, of x^2 in sinh and cosh.
static thudi_dd odd_series(thudi_dd x, thudi_dd square)
{
    thudi_dd sum =
        thudi_dd_series(square, thudi_odd_factorials + 1, THUDI_FACTORIALS - 1, PRECISE - 1);
    return thudi_dd_add(x, thudi_dd_multiply(x, thudi_dd_multiply(square, sum)));
}

static thudi_dd even_series(thudi_dd square)
{
    return thudi_dd_series(square, thudi_even_factorials, THUDI_FACTORIALS, PRECISE);
}

thudi_dd thudi_sin_series(thudi_dd x)
{
    return odd_series(x, thudi_dd_minus(thudi_dd_multiply(x, x)));
}

thudi_dd thudi_cos_series(thudi_dd x)
{
    return even_series(thudi_dd_minus(thudi_dd_multiply(x, x)));
}

thudi_dd thudi_sinh_series(thudi_dd x)
{
    return odd_series(x, thudi_dd_multiply(x, x));
}

thudi_dd thudi_cosh_series(thudi_dd x)
{
    return even_series(thudi_dd_multiply(x, x));
}

// 192 binary digits of 2/pi from place `first` on; place 1 is the first after the point.
static void digits_of_two_over_pi(int first, uint64_t digits[3])
{
    int offset = first + 63; // the table begins at place -63
    const uint64_t *word = thudi_two_over_pi + offset / 64;
    int shift = offset % 64;
    for (int i = 0; i < 3; i++)
        digits[i] = shift ? word[i] << shift | word[i + 1] >> (64 - shift) : word[i];
}

// The fraction[0] fraction[1] ... in [2^-62, 1/2], a number after the binary point, times pi/2.
static thudi_dd times_half_pi(const uint64_t fraction[3])
{
    int zeros = __builtin_clzll(fraction[0]);
    uint64_t high = fraction[0], low = fraction[1];
    if (zeros > 0)
    {
        high = high << zeros | low >> (64 - zeros);
        low = low << zeros | fraction[2] >> (64 - zeros);
    }
    double scale = thudi_power_of_two(-zeros);
    double top = (double)(high >> 11) * 0x1p-53 * scale;
    double rest = (double)((high & 0x7ff) << 42 | low >> 22) * 0x1p-106 * scale;
    return thudi_dd_multiply(thudi_fast_two_sum(top, rest), THUDI_HALF_PI);
}

// x = n pi/2 + r with |r| <= pi/4, x finite; returns n mod 4. With |x| = M 2^e the digits of 2/pi
// before place e - 1 give multiples of 4; of the rest 192 digits are kept, of which the product
// with M spoils 53 and no double is nearer to a multiple of pi/2 than 2^-61, so that 75 are left.
static int reduce(double x, thudi_dd *r)
{
    if (fabs(x) <= 0.78)
    {
        *r = thudi_dd_of(x);
        return 0;
    }
    uint64_t bits = thudi_bits_of(x), digits[3], product[3];
    uint64_t mantissa = (bits & 0xfffffffffffff) | (uint64_t)1 << 52;
    int e = (int)(bits >> 52 & 0x7ff) - 1075;
    digits_of_two_over_pi(e - 1, digits);
    wide carry = 0;
    for (int i = 2; i >= 0; i--)
    {
        carry += (wide)mantissa * digits[i];
        product[i] = (uint64_t)carry;
        carry >>= 64;
    }
    unsigned n = (unsigned)(product[0] >> 61) + 1; // half quarters, so that n/2 is rounded
    n /= 2;
    uint64_t fraction[3] = {product[0] << 2 | product[1] >> 62, product[1] << 2 | product[2] >> 62,
                            product[2] << 2};
    bool negative = fraction[0] >> 63;
    for (int i = 0; negative && i < 3; i++)
        fraction[i] = ~fraction[i]; // minus it, except for the last digit
    *r = times_half_pi(fraction);
    if (negative != (x < 0))
        *r = thudi_dd_minus(*r);
    return (int)((x < 0 ? 4 - n : n) & 3);
}

// sin(r + n pi/2)
static thudi_dd sin_quarter(thudi_dd r, int n)
{
    thudi_dd value = n & 1 ? thudi_cos_series(r) : thudi_sin_series(r);
    return n & 2 ? thudi_dd_minus(value) : value;
}

double thudi_sin(double x)
{
    if (!isfinite(x))
        return NAN;
    if (x == 0)
        return x;
    thudi_dd r;
    int n = reduce(x, &r);
    return thudi_dd_value(sin_quarter(r, n));
}

double thudi_cos(double x)
{
    if (!isfinite(x))
        return NAN;
    thudi_dd r;
    int n = reduce(x, &r);
    return thudi_dd_value(sin_quarter(r, n + 1));
}

double thudi_tan(double x)
{
    if (!isfinite(x))
        return NAN;
    if (x == 0)
        return x;
    thudi_dd r;
    int n = reduce(x, &r);
    return thudi_dd_value(thudi_dd_quotient(sin_quarter(r, n), sin_quarter(r, n + 1)));
}
