/// What the checker verifies of a step with restitution, in addition to the nine certificates.
#ifndef THUD_CHECKED_IMPACT_H
#define THUD_CHECKED_IMPACT_H

#include "verify/checked_law.h"

/// Verify the second projection, the coefficients and the displacement, with checker->node at (t_n,
/// q_n), into FEASIBLE, COMPLEMENTARITY, MOTION and ENERGY.
thud_status thudi_checker_verify_impact(thudi_checker *checker);

#endif
