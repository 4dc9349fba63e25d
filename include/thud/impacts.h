/// The impacts of a recorded run, and whether they obey the law of collision. (library thud_run)
///
/// The limit has measures for multipliers: atoms at impacts, and a density where contact lasts. In
/// a run with step h an atom is an impulse of a few steps (the scheme takes two for an impact), the
/// density gives impulses of size h. Told apart by this rule: an atom begins where the impulse of
/// a constraint is above `threshold` and more than 4 times that of the step before, and ends after
/// two or three steps, before one with less than a quarter of its largest. The threshold is factor
/// h F, F the largest sum of |forces| in any step, or 1e-9 of the largest momentum: impacts that
/// are weaker cannot be told from load at that step. Where its first step has less than the
/// threshold, one of up to 5 times that may be missed.
///
/// Atoms that overlap in time and share bodies are one impact, and contacts that carry load in
/// these steps and touch its bodies belong to it, too. With u- before its first step and u+ after
/// its last, the law is
///
///     u+ = P_C u- + e (P_C u- - u-),   C = { v : d_t g_i + grad g_i . v >= 0, its contacts i }
///
/// in the metric of the masses, one e as in docs/models.md. The residual |u+ - that| goes to 0 with
/// h. It does not where the law itself acts twice: with e > 0 a contact that others have closed is
/// a new impact in the next step.
#ifndef THUD_IMPACTS_H
#define THUD_IMPACTS_H

#include "thud/json.h"
#include "thud/model.h"
#include "thud/record.h"
#include "thud/recorded.h"
#include "thud/words.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_impacts thud_impacts;

/// A contact of an impact.
typedef struct thud_impact_contact
{
    thud_key key;         ///< see thud_model_describe
    bool is_atom;         ///< false: it only carries load meanwhile
    double impulse;       ///< in all steps of the impact
    double before, after; ///< d_t g + grad g . u with u-, u+
} thud_impact_contact;

typedef struct thud_impact
{
    double t;                         ///< within h: by how the impulse is split over its steps
    int64_t first_step, last_step;    ///< steps are counted from 1
    int first_contact, contact_count; ///< of thud_impacts_result
    int first_coordinate, coordinate_count;
    double jump;        ///< |u+ - u-|
    double restitution; ///< e
    double residual;    ///< |u+ - law|; NAN: not known, for more than 400 contacts, an obstacle
                        ///< that moves, or a shear
} thud_impact;

/// Views, valid as long as the thud_impacts.
typedef struct thud_impacts_result
{
    const thud_impact *impacts; ///< by time
    int impact_count;
    const thud_impact_contact *contacts;
    int contact_count;
    const int *coordinates; ///< of the impacts,
    const double *before;   ///< and their u-
    const double *after;    ///< and u+
    int coordinate_count;
    double h, threshold;
    double atoms;    ///< sum of |impulses| in atoms
    double density;  ///< sum of all others
    double residual; ///< the largest that is known
} thud_impacts_result;

typedef struct thud_impacts_def
{
    const thud_scene *scene;         ///< of order 2
    const thud_model *model;         ///< made of that scene
    thud_log *log;                   ///< with every step: `record: all`
    double factor;                   ///< of the threshold; 0 means 4
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_impacts_def;

/// Find the impacts. THUD_ERR_ARGUMENT for order 1, which has none, and for a log without every
/// step; THUD_ERR_RECORD when the log is damaged; THUD_ERR_MEMORY; with a fault.
THUD_API thud_status thud_impacts_create(const thud_impacts_def *def, thud_impacts **out,
                                         thud_fault *fault);
THUD_API void thud_impacts_destroy(thud_impacts *impacts); ///< NULL is allowed

THUD_API thud_impacts_result thud_impacts_view(const thud_impacts *impacts);

/// Write the impacts of a run: for people, as a table, and for programs.
THUD_API void thud_impacts_write(const thud_recorded *run, const thud_impacts_result *result,
                                 thud_writer *writer);
THUD_API void thud_impacts_write_csv(const thud_recorded *run, const thud_impacts_result *result,
                                     thud_writer *writer);
THUD_API void thud_impacts_json(const thud_recorded *run, const thud_impacts_result *result,
                                thud_json *json);

#ifdef __cplusplus
}
#endif

#endif
