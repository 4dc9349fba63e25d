/// The certificates of restitution beside those of every law.
#ifndef THUD_CHECKED_IMPACT_H
#define THUD_CHECKED_IMPACT_H

#include "verify/checked_law.h"

/// Verify the second projection, the coefficients and the displacement, with checker->node at (t_n,
/// q_n), into FEASIBLE, COMPLEMENTARITY, MOTION and ENERGY.
thud_status thudi_checker_impact(thudi_checker *checker);

#endif
