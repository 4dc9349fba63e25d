/// What is worth a warning in a scene that is valid: functions with kinks, walls too fast for the
/// step, lengths that do not fit the gravity.
#ifndef THUD_WARNINGS_H
#define THUD_WARNINGS_H

#include "thud/estimate.h"
#include "thud/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Called with "wall", its name, and the function.
typedef void thud_kinks_fn(const char *what, const char *name, const thud_expression *expression,
                           void *user);

/// Visit every function of time that has a kink; visit: NULL to count alone. Returns how many there
/// are.
THUD_API int thud_scene_each_kink(const thud_scene *scene, thud_kinks_fn *visit, void *user);

/// Warn of all that the theory does not cover, or that the step is too long for. model: made of the
/// scene.
THUD_API void thud_model_warn(const thud_scene *scene, const thud_model *model, thud_warn_fn *warn,
                              void *user);

/// Write that lengths are in metres, where no label says so and the smallest body may well be one
/// of millimetres: from 0.2 m across. Some scenes mean it, so that thud_model_warn leaves it out.
THUD_API void thud_units_write(const thud_scene *scene, thud_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
