/// A projection as a step of a world poses it.
#ifndef POSED_H
#define POSED_H

#include <stdbool.h>
#include <thud/step.h>

/// Begin with zeroes.
typedef struct posed
{
    thud_projection problem; ///< valid until the next step with the same work space
    double *origin;          ///< where the step began
    thud_status status;      ///< of the step
} posed;

/// Take a step, and pose its last projection again. Only for inelastic contacts: laws change the
/// projection. A step without an admissible velocity will do. False if the step fails otherwise, or
/// memory is missing.
bool posed_take(posed *posed, const thud_inclusion *problem, thud_state *state, thud_work *work);
void posed_free(posed *posed);

#endif
