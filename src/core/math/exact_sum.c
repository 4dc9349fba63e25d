// Sums without any error: 53 bits of every term in limbs of 32 bits, and one rounding at the end.
#include "core/math/exact_sum.h"

#include <math.h>
#include <string.h>

// A term changes a limb by less than 2^32, so this many cannot overflow one.
static const uint32_t MOST_TERMS = UINT32_C(1) << 30;

static const uint64_t LOW_HALF = UINT64_C(0xffffffff);

enum
{
    BIAS_OF_SPECIALS = 2047, // biased exponent of infinities and NaN
    FRACTION_BITS = 52
};

// Bring every limb but the last one into 0 .. 2^32 - 1. The last one keeps the sign.
static void carry(thudi_exact_sum *sum)
{
    int64_t over = 0;
    for (int i = 0; i < THUDI_EXACT_LIMBS - 1; i++)
    {
        int64_t all = sum->limb[i] + over;
        sum->limb[i] = (int64_t)((uint64_t)all & LOW_HALF);
        over = (all - sum->limb[i]) / (int64_t)(LOW_HALF + 1);
    }
    sum->limb[THUDI_EXACT_LIMBS - 1] += over;
    sum->terms = 1;
}

void thudi_exact_add(thudi_exact_sum *sum, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint64_t bias = bits >> FRACTION_BITS & BIAS_OF_SPECIALS, is_normal = bias > 0;
    if (bias == BIAS_OF_SPECIALS)
    {
        sum->above += x > 0;
        sum->below += x < 0;
        sum->nothings += x != x;
        return;
    }
    uint64_t fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
    uint64_t whole = fraction | is_normal << FRACTION_BITS, place = bias - is_normal;
    uint64_t by = place % 32, low = whole << by, high = whole >> 1 >> (63 - by);
    int64_t sign = -(int64_t)(bits >> 63), *limb = &sum->limb[place / 32];
    limb[0] += ((int64_t)(low & LOW_HALF) ^ sign) - sign; // the negative one if sign is -1
    limb[1] += ((int64_t)(low >> 32) ^ sign) - sign;
    limb[2] += ((int64_t)high ^ sign) - sign;
    if (++sum->terms >= MOST_TERMS)
        carry(sum);
}

void thudi_exact_join(thudi_exact_sum *sum, const thudi_exact_sum *other)
{
    if (sum->terms + other->terms >= MOST_TERMS)
        carry(sum);
    for (int i = 0; i < THUDI_EXACT_LIMBS; i++)
        sum->limb[i] += other->limb[i];
    sum->terms += other->terms;
    if (sum->terms >= MOST_TERMS)
        carry(sum);
    sum->above += other->above;
    sum->below += other->below;
    sum->nothings += other->nothings;
}

// Carry, and change the sign if it is negative. Is it?
static bool make_positive(thudi_exact_sum *sum)
{
    carry(sum);
    if (sum->limb[THUDI_EXACT_LIMBS - 1] >= 0)
        return false;
    for (int i = 0; i < THUDI_EXACT_LIMBS; i++)
        sum->limb[i] = -sum->limb[i];
    carry(sum);
    return true;
}

// The bits of the double nearest to a sum that is positive and has been carried. top: its highest
// limb that is not 0.
static uint64_t round_limbs(const int64_t *limb, int top)
{
    uint64_t first = (uint64_t)limb[top], second = top > 0 ? (uint64_t)limb[top - 1] : 0;
    uint64_t third = top > 1 ? (uint64_t)limb[top - 2] : 0, beyond = 0;
    int lead = __builtin_clzll(first) - 32, highest = 32 * top + 31 - lead;
    // the 64 highest bits of the sum, and all below them
    uint64_t window = (first << 32 | second) << lead | third >> 1 >> (31 - lead);
    beyond = third << lead & LOW_HALF;
    for (int i = 0; i < top - 2; i++)
        beyond |= (uint64_t)limb[i];
    if (highest <= FRACTION_BITS) // of the unit 2^-1074, as every double that small is
        return window >> (63 - highest);
    uint64_t bits = window >> 11, rest = window & 2047;
    bool up = rest > 1024 || (rest == 1024 && (beyond > 0 || bits % 2 == 1));
    // the implicit bit counts as one more in the exponent, and so does a carry of the fraction
    bits += ((uint64_t)(highest - FRACTION_BITS) << FRACTION_BITS) + up;
    const uint64_t infinite = (uint64_t)BIAS_OF_SPECIALS << FRACTION_BITS;
    return bits < infinite ? bits : infinite;
}

// The value of the finite terms.
static double round_once(const thudi_exact_sum *terms)
{
    thudi_exact_sum sum = *terms;
    bool negative = make_positive(&sum);
    int top = THUDI_EXACT_LIMBS - 1;
    if ((uint64_t)sum.limb[top] > LOW_HALF)
        return negative ? -INFINITY : INFINITY;
    while (top >= 0 && sum.limb[top] == 0)
        top--;
    uint64_t bits = top < 0 ? 0 : round_limbs(sum.limb, top) | (uint64_t)negative << 63;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double thudi_exact_value(const thudi_exact_sum *sum)
{
    if (sum->nothings > 0 || (sum->above > 0 && sum->below > 0))
        return NAN;
    if (sum->above > 0 || sum->below > 0)
        return sum->above > 0 ? INFINITY : -INFINITY;
    return round_once(sum);
}

bool thudi_exact_overflows(const thudi_exact_sum *sum)
{
    bool is_finite = sum->above == 0 && sum->below == 0 && sum->nothings == 0;
    return is_finite && isinf(round_once(sum));
}
