/// What a run will need and what its step will cost, before it is begun: memory, disk, and the step
/// that is suggested for a scene. (library thud_run)
#ifndef THUD_ESTIMATE_H
#define THUD_ESTIMATE_H

#include "thud/json.h"
#include "thud/model.h"
#include "thud/words.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_estimate
{
    double steps;
    double frames;
    double memory;           ///< bytes
    double disk;             ///< bytes
    double memory_available; ///< bytes, 0 if unknown
    double disk_available;   ///< bytes, 0 if unknown
} thud_estimate;

/// What a run of the scene needs. folder: where the run directory is to be, for the room there.
THUD_API thud_estimate thud_estimate_run(const thud_scene *scene, const char *folder);

/// THUD_OK, or THUD_ERR_LIMIT with a fault when more is needed than 80 % of what there is.
THUD_API thud_status thud_estimate_check(const thud_estimate *estimate, const thud_scene *scene,
                                         thud_fault *fault);

/// Is there more needed than 80 % of what there is? Then *what is "memory" or "disk".
THUD_API bool thud_estimate_is_too_much(const thud_estimate *estimate, const char **what);

/// Bytes of memory that there are, or may be taken (ulimit -v); 0 if unknown.
THUD_API double thud_memory_available(void);
/// Are they more than 80 % of those?
THUD_API bool thud_memory_is_too_much(double bytes);

/// Bytes that packing `count` spheres takes at most; see thud/jamming.h.
THUD_API double thud_estimate_jam(double count);
/// Bytes that reading a scene and building its model take, by bodies.
THUD_API double thud_estimate_building(double bodies);
/// Bytes that a run takes at least, by bodies.
THUD_API double thud_estimate_bodies(double bodies);

/// How many bodies a scene may have so that building it takes no more than 80 % of the memory.
THUD_API int thud_bodies_that_fit(void);

/// How the step of a scene stands to the one suggested for it.
typedef struct thud_step_advice
{
    double suggested; ///< 0 where there is no suggestion
    double ratio;     ///< of the scene's step to it; 0 where there is no suggestion
    const char *why;  ///< what the suggestion follows from
    bool is_far;      ///< the step is so much longer that results may be far off
} thud_step_advice;

THUD_API thud_step_advice thud_step_advise(const thud_scene *scene, const thud_model *model);

/// Called with one sentence, without a full stop.
typedef void thud_warn_fn(const char *text, void *user);

/// Warn of a step that is far above the suggested one, or long beside the flight of what bounces.
THUD_API void thud_step_warn(const thud_scene *scene, const thud_model *model, thud_warn_fn *warn,
                             void *user);

/// Write a line that says so, of a step that is far above the suggested one; nothing of any other.
/// indent: what the line begins with.
THUD_API void thud_step_write_far(const char *indent, const thud_scene *scene,
                                  const thud_model *model, thud_writer *writer);
/// Write "suggested_step" and "step_ratio".
THUD_API void thud_step_write_json(const thud_scene *scene, const thud_model *model,
                                   thud_json *json);

/// Write one line on the tolerances of a scene of spheres: its quality, tol_a, and the part of a
/// radius that gaps are kept above. Nothing for inclusions. indent: blanks before it.
THUD_API void thud_tolerances_write(const thud_scene *scene, const thud_model *model, int indent,
                                    thud_writer *writer);
/// Write "tol", "tol_a" and "effective_tol" (thud_model_tol); null for inclusions.
THUD_API void thud_tolerances_write_json(const thud_scene *scene, const thud_model *model,
                                         thud_json *json);

/// Warn of a grid for the paths of a crowd that takes long to make, with a spacing that would be
/// quick.
THUD_API void thud_paths_warn(const thud_scene *scene, thud_warn_fn *warn, void *user);

#ifdef __cplusplus
}
#endif

#endif
