/// Convergence studies: one scene at many steps, against what is known of its solution.
/// (library thud_run)
///
/// Convergence holds up to a subsequence only: for some bounded forces the limit depends on how h
/// goes to 0. So several sequences of steps are followed, each of at least three, and it is told
/// whether they go to the same limit:
///
///     halves   h, h/2, h/4, ...        thirds   h, h/3, h/9, ...
///     golden   0.618 h, 0.618 h/2, 0.618 h/4, ...
///
/// Tolerances shrink with the step: those of the scene, times its part of the first.
///
/// Errors, of all coordinates together, in the Euclidean norm:
///
///     u        integral of |u_h - u| over time, steps split where the reference is not smooth
///     q        largest |q_h - q|, q_h affine between nodes
///     impulse  integral of |L_h - L| over time, plus |L_h - L| at the end; L is the cumulative
///              impulse of the constraints on [start, t], sum of lambda_i grad g_i integrated. It
///              is a distance of the measures themselves (weak-*), unique where single lambda_i are
///              not
#ifndef THUD_CONVERGE_H
#define THUD_CONVERGE_H

#include "thud/json.h"
#include "thud/model.h"
#include "thud/words.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What runs are measured by, the best first.
typedef enum thud_reference
{
    THUD_REFERENCE_EXACT,  ///< the scene says what the solution is
    THUD_REFERENCE_EVENTS, ///< a few spheres, followed from impact to impact: thud/events.h
    THUD_REFERENCE_FINEST  ///< the run with the smallest step; differences from it prove nothing
} thud_reference;

/// The three errors.
typedef enum thud_norm
{
    THUD_NORM_U,
    THUD_NORM_Q,
    THUD_NORM_IMPULSE,
    THUD_NORM_COUNT
} thud_norm;

/// What a sequence of steps does, by the distances in q of its runs k and k + 1, d_k: the largest
/// of their second half against the largest of their first. A sequence whose d_k / h_k stay below
/// those of the first halves of all sequences settles in any case: chance makes some d_k small.
typedef enum thud_sequence_kind
{
    THUD_SEQUENCE_SETTLES, ///< d_k / h_k does not grow to more than 4 times
    THUD_SEQUENCE_SLOW,    ///< it does, but d_k shrinks, at least as the fourth root of h
    THUD_SEQUENCE_WANDERS  ///< it does not
} thud_sequence_kind;

typedef enum thud_converge_verdict
{
    THUD_CONVERGE_WITHIN, ///< one limit, and errors stay below C h
    THUD_CONVERGE_SLOWER, ///< one limit, but the largest error / h of the finer half of the runs is
                          ///< more than 2 times that of the coarser half
    THUD_CONVERGE_AGREE,  ///< one limit, as far as can be told without a solution
    /// Two sequences that settle end more than 20 times as far apart as their C h explains, C the
    /// largest of all that settle.
    THUD_CONVERGE_SEVERAL,
    /// It cannot be told: no two limits are seen, but the runs have not come near one either. Their
    /// differences do not shrink, or, without a solution, d_k / h_k grows; or what is left to the
    /// limit, C h, or the distance of the ends exceeds a tenth of the motion.
    THUD_CONVERGE_UNKNOWN
} thud_converge_verdict;

typedef struct thud_converge_run
{
    int sequence, level;
    double h;
    double part; ///< tolerances are those of the scene times this
    int64_t steps;
    double error[THUD_NORM_COUNT]; ///< NAN for the finest run when it is the reference
} thud_converge_run;

typedef struct thud_converge_sequence
{
    const char *name;
    int first, count; ///< of the runs, the largest step first
    thud_sequence_kind kind;
    int limit;     ///< which limit it goes to, from 0; -1 when it wanders
    double change; ///< distance in q of its last two runs
} thud_converge_sequence;

/// The result. Views, valid as long as the thud_converge.
typedef struct thud_converge_result
{
    thud_reference reference;
    const char *why; ///< why no better reference was used; "" for an exact solution
    const thud_converge_run *runs;
    int run_count;
    const thud_converge_sequence *sequences;
    int sequence_count;
    int limit_count;
    double spread;                    ///< largest distance in q of the ends of two sequences
    double motion;                    ///< largest distance in q from the start
    double left;                      ///< largest C h of the last runs, C by differences in q
    double constant[THUD_NORM_COUNT]; ///< C: largest error / h, see thud_converge_is_near
    double order[THUD_NORM_COUNT];    ///< slope of log error over log h; NAN: all is rounding
    thud_converge_verdict verdict;
} thud_converge_result;

typedef struct thud_converge thud_converge;

typedef struct thud_converge_def
{
    thud_scene *scene; ///< its step and tolerances are changed on the way, and put back
    double h;          ///< the largest step; 0: that of the scene
    int levels;        ///< of the halves, 3 .. 16; 0 means 6. Others go about as far down
    bool no_exact;     ///< do as if the scene had no exact solution
    bool no_events;    ///< do not try to follow impacts
    /// Called before each run with its number and how many there are; return 0 to go on, anything
    /// else to end with THUD_STOPPED. NULL for none.
    int (*progress)(int run, int count, void *user);
    void *user;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_converge_def;

/// Run the study. THUD_OK, THUD_STOPPED (no result), THUD_ERR_ARGUMENT (noise, or a value out of
/// range), THUD_ERR_LIMIT when the finest run is too large to be kept, or the error of a run that
/// failed; with a fault.
THUD_API thud_status thud_converge_create(const thud_converge_def *def, thud_converge **out,
                                          thud_fault *fault);
THUD_API void thud_converge_destroy(thud_converge *study); ///< NULL is allowed

THUD_API thud_converge_result thud_converge_view(const thud_converge *study);

/// Is this run too near to the finest one to be measured by it? An error C h shows as a difference
/// of C (h - h_finest) only: half of it at h = 2 h_finest, three quarters at 4 h_finest. Runs below
/// that are left out of charts, constants and orders. False where a solution is known.
THUD_API bool thud_converge_is_near(const thud_converge_result *result, int run);

/// "exact", "events", "finest".
THUD_API const char *thud_reference_name(thud_reference reference);

/// Write the result for people, and for programs.
THUD_API void thud_converge_write(const thud_scene *scene, const thud_converge_result *result,
                                  thud_writer *writer);
THUD_API void thud_converge_json(const thud_scene *scene, const thud_converge_result *result,
                                 thud_json *json);

#ifdef __cplusplus
}
#endif

#endif
