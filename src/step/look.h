// The search of a step for missing rows while sweeps go on: see thudi_look.
#ifndef THUDI_STEP_LOOK_H
#define THUDI_STEP_LOOK_H

#include "project/projector.h"
#include "step/law.h"

// For a projection of this stage, whose rows are those of the work space. Borrows `stage`.
thudi_look thudi_look_of(thudi_stage *stage);

#endif
