// a b + c of four numbers, rounded once, where AVX2 does not have it; for four.h alone.
//
// Without the instruction: with p = fl(a b) the product is p + pl exactly (Dekker: halves of 26
// bits), and p + c is s + sl exactly. sl + pl is o + e exactly. o is rounded to odd: where e is not
// 0 and the last bit of o is 0, o goes to its neighbour towards e. Then fl(s + o) = fl(a b + c), as
// s has at least two bits less than s + o (Boldo and Melquiond). This needs nearest rounding and
// numbers far from overflow and underflow; libc's fma, which is exact and slow, does all others.
#ifndef THUDI_FOUR_FUSED_H
#define THUDI_FOUR_FUSED_H

#ifndef THUDI_FOUR_H
#error "for four.h"
#endif

#ifdef __aarch64__
#include <arm_neon.h>

static inline four_half four_half_fma(four_half a, four_half b, four_half c)
{
    return (four_half)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
}
#elif defined __FMA__
static inline four_half four_half_fma(four_half a, four_half b, four_half c)
{
    return (four_half){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])};
}
#else
static __attribute__((noinline, unused)) four_half four_half_fma_extreme(four_half a, four_half b,
                                                                         four_half c)
{
    return (four_half){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])};
}

static inline four_half four_half_fma(four_half a, four_half b, four_half c)
{
    const double least = 0x1p-900, most = 0x1p1000, widest = 0x1p990, split = 0x1p27 + 1;
    four_half p = a * b, size = four_half_abs(p), addend = four_half_abs(c);
    four_half_flags zero = (a == 0) | (b == 0);
    four_half_flags fine = (zero | ((size > least) & (size < most))) & (four_half_abs(a) < widest) &
                           (four_half_abs(b) < widest) & (addend < most) &
                           ((addend > least) | (c == 0));
    if ((fine[0] & fine[1]) == 0)
        return four_half_fma_extreme(a, b, c);
    four_half x = split * a, ah = x - (x - a), al = a - ah;
    four_half y = split * b, bh = y - (y - b), bl = b - bh;
    four_half pl = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    four_half s = p + c, t = s - p, sl = (p - (s - t)) + (c - t);
    four_half o = sl + pl, w = o - sl, e = (sl - (o - w)) + (pl - w);
    four_half sum = four_half_where(s == 0, pl, s + four_half_to_odd(o, e));
    return four_half_where(zero, s, sum);
}
#endif

#endif
