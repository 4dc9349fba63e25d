// The members of a team at the end of a step, before they commit it.
#ifndef THUDI_MEETING_H
#define THUDI_MEETING_H

#include "step/work.h"

// All members commit their step, or none does. status: of the step of this member so far. An error
// of another one is this one's, too, with its message. It is an error as well if members have come
// to different numbers. Without a team the status is returned.
thud_status thudi_step_meet(const thud_state *state, thud_work *work, thud_status status);

#endif
