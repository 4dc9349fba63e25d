// The members of a team that take the steps of one run, or verify it. The first member decides, and
// writes all that is written; the others follow it.
#ifndef THUDI_RUN_MEMBERS_H
#define THUDI_RUN_MEMBERS_H

#include "thud/model.h"
#include "thud/step.h"
#include "thud/team.h"

// Meet the other members, who may bring an error. Without a team the status is returned.
thud_status thudi_meet_members(thud_team *team, thud_status status, thud_fault *fault);

// All members get the state of the first one. They have met before, so that all of them are here.
thud_status thudi_share_state(thud_team *team, thud_state *state, thud_fault *fault);

// Take every step that the first member takes. Returns the error of the step that ended it;
// THUD_ERR_STOPPED if the first member has parted.
thud_status thudi_follow_steps(thud_model *model, thud_work *work, thud_fault *fault);

// The first member takes no more steps: the others get THUD_ERR_STOPPED.
void thudi_part_from_members(thud_team *team);

#endif
