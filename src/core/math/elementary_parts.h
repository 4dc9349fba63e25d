// What the files of the elementary functions share: arithmetic in doubled precision, the tables,
// and the pieces that exp, log and pow have in common.
#ifndef THUDI_ELEMENTARY_PARTS_H
#define THUDI_ELEMENTARY_PARTS_H

#include "core/math/exact.h"

#include <stdint.h>
#include <string.h>

enum
{
    THUDI_POWERS = 64,          // 2^(j/64)
    THUDI_LOGARITHM_FIRST = 91, // i of the first entry
    THUDI_LOGARITHMS = 91,      // c near 128/i, and -log(c)
    THUDI_ARCS = 65,            // atan(j/64)
    THUDI_FACTORIALS = 11,      // 1/(2k + 1)! and 1/(2k)!
    THUDI_RECIPROCALS = 6,      // 1/(2k + 1)
    THUDI_TWO_OVER_PI = 21      // words of 64 bits: a zero, then the binary digits of 2/pi
};

typedef struct thudi_log_entry
{
    double c;
    thudi_dd minus_log;
} thudi_log_entry;

extern const thudi_dd thudi_powers[THUDI_POWERS];
extern const thudi_log_entry thudi_logarithms[THUDI_LOGARITHMS];
extern const thudi_dd thudi_arcs[THUDI_ARCS];
extern const thudi_dd thudi_odd_factorials[THUDI_FACTORIALS];
extern const thudi_dd thudi_even_factorials[THUDI_FACTORIALS];
extern const thudi_dd thudi_odd_reciprocals[THUDI_RECIPROCALS];
extern const uint64_t thudi_two_over_pi[THUDI_TWO_OVER_PI];

#define THUDI_EXACT_PI ((thudi_dd){0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53})
#define THUDI_HALF_PI ((thudi_dd){0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54})

static inline thudi_dd thudi_dd_of(double x)
{
    return (thudi_dd){x, 0};
}

static inline thudi_dd thudi_dd_minus(thudi_dd a)
{
    return (thudi_dd){-a.hi, -a.lo};
}

static inline thudi_dd thudi_dd_multiply(thudi_dd a, thudi_dd b)
{
    thudi_dd p = thudi_two_product(a.hi, b.hi);
    return thudi_fast_two_sum(p.hi, p.lo + fma(a.hi, b.lo, a.lo * b.hi));
}

static inline thudi_dd thudi_dd_quotient(thudi_dd a, thudi_dd b)
{
    double quotient = a.hi / b.hi;
    double rest = fma(-quotient, b.hi, a.hi) + fma(-quotient, b.lo, a.lo);
    return thudi_fast_two_sum(quotient, rest / b.hi);
}

// The square root of a >= 0.
static inline thudi_dd thudi_dd_root(thudi_dd a)
{
    double root = sqrt(a.hi);
    if (!(root > 0))
        return thudi_dd_of(root);
    return thudi_fast_two_sum(root, (fma(-root, root, a.hi) + a.lo) / (2 * root));
}

// c[0] + z (c[1] + z (c[2] + ...)), the first `precise` terms in doubled precision.
static inline thudi_dd thudi_dd_series(thudi_dd z, const thudi_dd *c, int count, int precise)
{
    double tail = 0;
    for (int k = count - 1; k >= precise; k--)
        tail = fma(tail, z.hi, c[k].hi);
    thudi_dd sum = thudi_dd_of(tail);
    for (int k = precise - 1; k >= 0; k--)
        sum = thudi_dd_add(c[k], thudi_dd_multiply(sum, z));
    return sum;
}

static inline uint64_t thudi_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double thudi_of_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// 2^k for -1022 <= k <= 1023.
static inline double thudi_power_of_two(int k)
{
    return thudi_of_bits((uint64_t)(k + 1023) << 52);
}

// a 2^k for -2044 <= k <= 2046; rounded at most twice, where the result is subnormal.
static inline double thudi_dd_scaled(thudi_dd a, int k)
{
    int half = k / 2;
    return thudi_dd_value(a) * thudi_power_of_two(half) * thudi_power_of_two(k - half);
}

// sin and cos for |x| <= 0.8, sinh and cosh too, relative error below 2^-65.
thudi_dd thudi_sin_series(thudi_dd x);
thudi_dd thudi_cos_series(thudi_dd x);
thudi_dd thudi_sinh_series(thudi_dd x);
thudi_dd thudi_cosh_series(thudi_dd x);

#endif
