// Is the floating-point unit of every thread what every proof here assumes?
#ifndef THUDI_FLOAT_UNIT_H
#define THUDI_FLOAT_UNIT_H

#include "thud/base.h"

enum
{
    THUDI_TEAM_FROM = 2048 // coordinates: below, no loop that matters has more than one thread
};

// thud_float_check of this thread and, if a problem of `dim` coordinates may need them, of the
// others: a thread keeps the settings that it was started with.
thud_status thudi_float_check_team(int dim);

#endif
