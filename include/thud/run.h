/// A run: steps until an end time, with observers that look on and cannot steer.
#ifndef THUD_RUN_H
#define THUD_RUN_H

#include "thud/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What an observer sees. Everything is borrowed for the call.
typedef struct thud_view
{
    double t;                ///< the time looked at: a node, or an output time between nodes
    const double *q;         ///< q_h(t), affine between nodes, length dim
    const double *u;         ///< u_h on the step that ends at or contains t, length dim; the slope
                             ///< of q_h, unless contacts bounce (THUD_LAW_RESTITUTION)
    const thud_state *state; ///< at the node t_n+1 >= t
    const thud_report *report; ///< of the step just taken; NULL for the start
    const thud_inclusion *problem;
} thud_view;

/// Return 0, or anything else to end the run with THUD_STOPPED after this step.
typedef int thud_observe_fn(const thud_view *view, void *user);

typedef enum thud_when
{
    THUD_EVERY_STEP = 0,  ///< at the start and at every node
    THUD_OUTPUT_TIMES = 1 ///< at every output time of the run, by interpolation
} thud_when;

typedef struct thud_observer
{
    thud_observe_fn *observe;
    thud_when when;
    void *user; ///< handed back to observe
} thud_observer;

typedef struct thud_run_def
{
    double end;            ///< run to the first node t_n >= end (to within n ulps)
    const double *outputs; ///< output times, increasing; those outside the run are not seen
    int output_count;
    const thud_observer *observers;
    int observer_count;
    /// Looked at between steps and within them: when it is not 0 the run ends, and the step under
    /// way is dropped. NULL for none; with one of these the work's own do not count meanwhile.
    volatile const int *stop;
    double deadline; ///< likewise from this time on, in seconds of CLOCK_MONOTONIC; 0 for none
} thud_run_def;

/// How a run went: the worst of every certificate.
typedef struct thud_tally
{
    int64_t steps;
    double min_lin;        ///< smallest lin_i
    double min_gap;        ///< smallest g_i at any node, the start too; INFINITY if never looked at
    double violation;      ///< largest violation
    double violation_ulps; ///< largest in ulps
    double forward;        ///< largest forward bound
    double backward;       ///< largest backward bound
    double kkt;            ///< largest relative KKT residual
    double between;        ///< largest bound between nodes
    double defect;         ///< largest convexity defect
    unsigned news;         ///< all news met
    int64_t news_steps;    ///< steps that had any
    int64_t first_news;    ///< the first step (counted from 1) that had any, or 0
    int64_t added, dropped, polished, sweeps, rounds; ///< work, summed
    /// Steps whose enclosures hold, for K and for the problem that was solved; with restitution
    /// that of the velocities too. One cluster that was swept, or has none, leaves the step
    /// without. -1 where steps were not counted from the start on; no step is then.
    int64_t enclosed;
    double enclosure; ///< largest bound of these steps, for K itself
    double shifted;   ///< the same for the problem that was solved, and for velocities that bounced
    double weak;      ///< largest enlargement of a weak row in them
} thud_tally;

/// A tally before the first step, and after one more: for those who take steps themselves, or go on
/// with a run that was interrupted.
THUD_API thud_tally thud_tally_begin(void);
THUD_API void thud_tally_add(thud_tally *tally, const thud_report *report);

/// Has the state reached `end`, as thud_run sees it?
THUD_API bool thud_run_is_over(const thud_state *state, double end);

/// Run. THUD_OK, THUD_NEWS (tally->news: the run is done, with something to know about it),
/// THUD_STOPPED (by an observer, `stop` or `deadline`), or the error of the step that failed, with
/// the state at the last good node. Errors alone are < 0. tally: NULL if not wanted.
THUD_API thud_status thud_run(const thud_inclusion *problem, thud_state *state, thud_work *work,
                              const thud_run_def *def, thud_tally *tally);

#ifdef __cplusplus
}
#endif

#endif
