// Is the floating-point unit what every proof here assumes: nearest rounding, gradual underflow?
// And does the processor have the instructions of this build? This file is compiled for every
// x86-64.
#include "core/math/float_unit.h"

#include "core/memory.h"
#include "core/threads.h"

#include <float.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "hashes and files hold numbers of little-endian processors");
_Static_assert(FLT_EVAL_METHOD == 0, "double arithmetic must be done in double");

thud_status thud_float_check(void)
{
#ifdef THUD_NEEDS_AVX2 // the rest of the library is compiled for x86-64-v3
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return THUD_ERR_FLOAT;
#endif
    // volatile: these must happen at run time, with the unit's present settings
    volatile double one = 1, half_ulp = DBL_EPSILON / 2, smallest = DBL_MIN;
    volatile double tie = one + half_ulp, odd_tie = (one + DBL_EPSILON) + half_ulp;
    volatile double negative_tie = -one - half_ulp, subnormal = smallest / 4;
    bool nearest_even = tie == 1 && odd_tie == 1 + 2 * DBL_EPSILON && negative_tie == -1;
    return nearest_even && subnormal * 4 == smallest ? THUD_OK : THUD_ERR_FLOAT;
}

thud_status thudi_float_check_team(int dim)
{
    int wrong = 0;
    THUD_TRY(thud_float_check());
    if (dim < THUDI_TEAM_FROM)
        return THUD_OK;
#pragma omp parallel num_threads(thudi_threads()) reduction(+ : wrong)
    wrong += thud_float_check() != THUD_OK;
    return wrong == 0 ? THUD_OK : THUD_ERR_FLOAT;
}
