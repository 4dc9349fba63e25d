// Is the floating-point unit what every proof here assumes?
#ifndef THUDI_FLOAT_UNIT_H
#define THUDI_FLOAT_UNIT_H

#include "thud/base.h"

// THUD_OK, or THUD_ERR_FLOAT when the processor lacks the baseline (AVX2, FMA), when rounding is
// not to nearest, or when another library has switched subnormal numbers off.
thud_status thudi_float_unit_check(void);

#endif
