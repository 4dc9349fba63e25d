/// One step of Maury's scheme, and what can be said of it.
///
///     f_n   = mean of f(s, q_n) over [t_n, t_n+1]
///     w     = u_n + h M^-1 f_n                              (first order: w = mean of U)
///     u_n+1 = P_K(w),  K = { v : g_i(t_n+1, q_n) + h grad g_i(t_n+1, q_n) . v >= 0 }
///     q_n+1 = q_n + h u_n+1
///
/// for inelastic contacts; thud_inclusion.law names the others, docs/models.md has their equations.
#ifndef THUD_STEP_H
#define THUD_STEP_H

#include "thud/inclusion.h"
#include "thud/project.h"
#include "thud/team.h"
#include "thud/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_work thud_work; ///< all the memory a step needs

typedef struct thud_work_def
{
    /// Method and tolerance of the projection; its `stop` and `deadline` drop the whole step.
    thud_projector_def projector;
    double accuracy;        ///< tol_a of iterative methods, see thud_projection; default 1e-3
    double tolerance_share; ///< of iterative methods too, see thud_projection; default 1/2
    /// Of the mean force, relative to the mean of |f|; default 1e-12. Next to a singularity away
    /// from t = 0 the spacing of the doubles may not allow it: report.quadrature_error tells.
    double quadrature_tolerance;
    int quadrature_limit;            ///< evaluations of f in one step; default 100,000
    int round_limit;                 ///< projections in one step; default 100
    bool skip_convexity;             ///< do not evaluate g at the new position (see min_gap)
    bool skip_uniqueness;            ///< do not compute gamma when multipliers are not unique
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_work_def;

/// What a finished step may have to tell, as bits of thud_report.news.
typedef enum thud_news
{
    /// A tangent of g_i, at one end of the step, is above g_i at the other end, beyond rounding:
    /// g_i is not convex there, or its gradient is wrong. The proof of g >= 0 does not hold for it.
    THUD_NEWS_NOT_CONVEX = 1,
    /// The slopes of the tight rows are dependent: compare sum mu_i slope_i, not single mu_i.
    THUD_NEWS_NOT_UNIQUE = 2,
    /// Tight rows can hold each other in equilibrium (gamma = INFINITY): hypothesis A6' fails
    /// and K has no interior.
    THUD_NEWS_SELF_STRESS = 4,
    /// K is empty for the shifted gaps but not for smaller shifts: no room for sigma.
    THUD_NEWS_NO_ROOM = 8,
    /// K is empty, but only by the rounding of some gaps, which were enlarged by that much: an
    /// exact fit. It has no interior.
    THUD_NEWS_EXACT_FIT = 16,
    /// The first step began inside a constraint: g_i(t_0, q_0) < 0 beyond rounding (start_gap). The
    /// step leads out of it, with a velocity of about -g_i/h.
    THUD_NEWS_START_INSIDE = 32
} thud_news;

/// Seconds spent in each stage of the step, by the monotonic clock. Never part of a result. Early
/// searches for missing rows are made during the projection, and count as check.
typedef struct thud_profile
{
    double predict, linearise, project, check, commit;
    double certify; ///< the part of project that the certificates took
} thud_profile;

/// The last step, grouped by the stage that writes the fields. Arrays are views into the work
/// space, valid until its next use.
typedef struct thud_report
{
    // predict
    const double *mean_force; ///< f_n (first order: U_n), length dim
    const double *w;          ///< the prediction, length dim
    int force_evaluations;
    double quadrature_error; ///< estimate, relative to the mean of |f|
    // linearise
    const thud_rows *rows; ///< sorted by key
    // project
    const double *target; ///< what was projected, length dim: w, with glue w + M^-1 G^T gamma_n
    thud_answer answer;   ///< P_K(w), multipliers, certificate; Farkas vector if infeasible
    thud_effort effort;   ///< of all projections of the step
    double shift_scale;   ///< 1, or less when THUD_NEWS_NO_ROOM
    // the law of contacts; views of `answer` where it is inelastic
    const double *velocity; ///< u_n+1, length dim
    const double *move;     ///< (q_n+1 - q_n) / h, length dim
    const double *impulse;  ///< h lambda_i, one per row: M (u_n+1 - w) = sum of impulse_i slope_i
    const double *lin;      ///< gap_i + h slope_i . move, one per row
    /// With restitution the velocities are a projection of their own, apart from that of the move:
    /// onto impact_rows, where the gaps enclosed are those less impact_scale shifts. No rows, and
    /// nothing in impact, where nothing bounced.
    thud_answer impact;
    const thud_rows *impact_rows;
    double impact_scale;
    // check
    int rounds; ///< projections made; 1 if all missing rows joined the first, or none was missing
    int rows_missed;    ///< rows that THUD_FIND_MISSING added, during projections and after them
    double min_gap;     ///< smallest g_i(t_n+1, q_n+1); INFINITY without rows; if skipped what the
                        ///< problem told by thud_rows_note_gap, NAN if nothing
    double start_gap;   ///< in the first step the smallest g_i(t_0, q_0), INFINITY without rows; in
                        ///< others, and if skipped, NAN
    thud_key start_key; ///< of the row with it
    double defect;      ///< largest lin_i - g_i(t_n+1, q_n+1) beyond rounding, or the same seen
                        ///< from q_n+1 back to q_n; 0 if convex
    thud_key defect_key; ///< of the row with the largest defect
    double between;      ///< g >= min(g(t_n, q_n), lin) - between during the step, for
                         ///< convex g; INFINITY when the problem does not say how
                         ///< smooth it is
    double gamma;        ///< of the tight rows, when THUD_NEWS_NOT_UNIQUE; else NAN
    unsigned news;       ///< bits of thud_news
    // all
    thud_profile profile;
} thud_report;

/// def: NULL for all defaults.
THUD_API thud_status thud_work_create(const thud_work_def *def, thud_work **out);
THUD_API void thud_work_destroy(thud_work *work); ///< NULL is allowed

/// Free the scratch memory of the work space. Call this between two steps, where other work needs
/// memory: a recording does so before it writes and verifies a frame. The next step allocates it
/// again. The report of the last step stays valid.
THUD_API void thud_work_release(thud_work *work);

/// Advance the state by one step. THUD_OK, or THUD_NEWS with report->news: the step is taken, and
/// there is something to know about it. THUD_NEWS is no error, errors are < 0. On any error the
/// state is untouched and thud_work_message says what went wrong. A step with no more
/// constraints than an earlier one allocates nothing.
THUD_API thud_status thud_step(const thud_inclusion *problem, thud_state *state, thud_work *work);

/// From now on look at these, as in thud_projector_def. A step that is dropped for them returns
/// THUD_ERR_STOPPED and leaves the state untouched, as every error does; taken again it has the
/// bits that it would have had.
THUD_API void thud_work_set_stop(thud_work *work, volatile const int *stop, double deadline);

/// Take steps together with the other members of a team; to be called before the first step. Every
/// member calls thud_step with an equal problem and an equal state, and all have the state of a
/// step alone then. An error of one member is that of all, and no state has changed. It is an
/// error, too, if members come to different numbers. Borrowed; NULL: alone.
THUD_API void thud_work_set_team(thud_work *work, thud_team *team);

/// The last step taken or attempted with this work space.
THUD_API const thud_report *thud_work_report(const thud_work *work);

/// One sentence on the last error, with step, time and the names of constraints; "" if none.
THUD_API const char *thud_work_message(const thud_work *work);
/// The same with its status, step, row and wall; its text is "" if there was none.
THUD_API const thud_fault *thud_work_fault(const thud_work *work);
/// The wall that this blames, obstacles counted after the walls; -1 for none.
THUD_API int thud_work_wall(const thud_work *work);

/// The number of threads that steps may use, as OpenMP has it. Results do not depend on it.
THUD_API int thud_threads(void);

#ifdef __cplusplus
}
#endif

#endif
