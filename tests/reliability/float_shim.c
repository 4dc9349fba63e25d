// Loaded before the C library (LD_PRELOAD): sets another rounding and drops subnormal numbers
// before main, as a library that was compiled with -ffast-math may.
#include <fenv.h>
#include <immintrin.h>

__attribute__((constructor)) static void set_unit(void)
{
    (void)fesetround(FE_UPWARD);
    _mm_setcsr(_mm_getcsr() | 0x8040);
}
