/// Steps of a model verified by the independent checker. (library thud_run)
#ifndef THUD_MODEL_VERIFY_H
#define THUD_MODEL_VERIFY_H

#include "thud/model.h"
#include "thud/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Judge the step from `before` to `after` by the independent checker, with all constraints found
/// anew: for spheres by a search that shares nothing with the world's. mean_force: f_n, or NULL.
THUD_API thud_status thud_model_verify(thud_model *model, const thud_state *before,
                                       const thud_state *after, const double *mean_force,
                                       thud_verdict *verdict);

/// The same for a step whose rows of obstacles are on record: `directions` sorted by key, as
/// thud_model_directions wrote them. Only what the checker's own distances confirm is used.
THUD_API thud_status thud_model_verify_recorded(thud_model *model, const thud_state *before,
                                                const thud_state *after, const double *mean_force,
                                                const thud_direction *directions, int count,
                                                thud_verdict *verdict);

#ifdef __cplusplus
}
#endif

#endif
