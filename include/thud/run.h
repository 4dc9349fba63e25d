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
                             ///< of q_h, unless the law has THUD_TRAIT_MOVE_APART
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

/// How a run went, one line a figure: X(name, type, fold, source, key, column, show, sentence).
///
/// The struct, thud_tally_add, checkpoints, run.json, `thud info`, pages and audits are made from
/// this list: a figure is added here, and nowhere else.
///
/// - type: WHOLE (int64_t), REAL (double) or BITS (unsigned).
/// - fold: how a step is added; see thud_figure_fold.
/// - source: of the step, in terms of its `report`; see thud_tally_add.
/// - key: path in run.json, "" where it is not there.
/// - column: of the series, from which an audit gathers it again; "" where none has it.
/// - show: where else it is seen; see thud_figure_show.
/// - sentence: what it is.
///
/// Enclosures hold for K and for the problem that was solved; with restitution that of the
/// velocities too. One cluster that was swept, or has none, leaves the step without.
#define THUD_TALLY_LIST(X)                                                                         \
    X(steps, WHOLE, SUM, 1, "steps", "", TOLD, "steps taken")                                      \
    X(min_lin, REAL, MIN, certificate->min_lin, "", "", HIDDEN, "smallest lin_i")                  \
    X(min_gap, REAL, MIN, fmin(report->min_gap, report->start_gap), "worst.min_gap", "min_gap",    \
      TOLD, "smallest g_i at any node, the start too; INFINITY if never looked at")                \
    X(violation, REAL, MAX, certificate->violation, "worst.violation", "violation", SHOWN,         \
      "largest violation")                                                                         \
    X(violation_ulps, REAL, MAX, certificate->violation_ulps, "", "", HIDDEN,                      \
      "largest violation in ulps")                                                                 \
    X(backward, REAL, MAX, certificate->backward, "worst.backward", "backward", TOLD,              \
      "largest backward bound")                                                                    \
    X(forward, REAL, MAX, certificate->forward, "worst.forward", "forward", TOLD,                  \
      "largest forward bound")                                                                     \
    X(kkt, REAL, MAX, certificate->kkt, "worst.kkt", "kkt", HIDDEN,                                \
      "largest relative KKT residual")                                                             \
    X(between, REAL, BOUND, report->between, "worst.between", "between", SHOWN,                    \
      "largest bound between nodes")                                                               \
    X(defect, REAL, MAX, report->defect, "", "", HIDDEN, "largest convexity defect")               \
    X(news, BITS, UNION, report->news, "worst.news", "news", HIDDEN, "all news met")               \
    X(news_steps, WHOLE, SUM, report->news != 0, "", "", HIDDEN, "steps that had any")             \
    X(first_news, WHOLE, FIRST, report->news ? tally->steps : 0, "", "", HIDDEN,                   \
      "the first step, counted from 1, that had any; 0 for none")                                  \
    X(added, WHOLE, SUM, report->effort.added, "", "", HIDDEN, "rows that entered active sets")    \
    X(dropped, WHOLE, SUM, report->effort.dropped, "", "", HIDDEN, "rows that left them")          \
    X(polished, WHOLE, SUM, report->effort.polished, "", "", HIDDEN,                               \
      "refinements in doubled precision")                                                          \
    X(sweeps, WHOLE, SUM, report->effort.sweeps, "sweeps", "sweeps", SHOWN,                        \
      "sweeps of projections")                                                                     \
    X(rounds, WHOLE, SUM, report->rounds, "", "rounds", HIDDEN, "projections")                     \
    X(most_rows, WHOLE, MAX, thud_rows_count(report->rows), "most_rows", "rows", SAID,             \
      "most constraints in a step")                                                                \
    X(enclosed, WHOLE, SUM, is_enclosed, "enclosed.steps", "", HIDDEN,                             \
      "steps whose enclosures hold")                                                               \
    X(enclosure, REAL, MAX, is_enclosed ? own->bound : 0, "enclosed.bound", "", HIDDEN,            \
      "largest bound of these steps, for K itself")                                                \
    X(shifted, REAL, MAX, is_enclosed ? shifted : 0, "enclosed.bound_shifted", "", HIDDEN,         \
      "the same for the problem that was solved, and for velocities that bounced")                 \
    X(weak, REAL, MAX, is_enclosed ? weak : 0, "enclosed.weak", "", HIDDEN,                        \
      "largest enlargement of a weak row in them")

/// How a run went: the worst of every certificate. A whole number is -1 where steps were not
/// counted from the start on; no step is then.
typedef struct thud_tally
{
#define THUD_WHOLE int64_t
#define THUD_REAL double
#define THUD_BITS unsigned
#define THUD_TALLY_MEMBER(name, type, fold, source, key, column, show, sentence) THUD_##type name;
    THUD_TALLY_LIST(THUD_TALLY_MEMBER)
#undef THUD_TALLY_MEMBER
#undef THUD_WHOLE
#undef THUD_REAL
#undef THUD_BITS
} thud_tally;

/// The number of each figure, such as THUD_TALLY_min_gap.
enum
{
#define THUD_TALLY_ENUM(name, type, fold, source, key, column, show, sentence) THUD_TALLY_##name,
    THUD_TALLY_LIST(THUD_TALLY_ENUM)
#undef THUD_TALLY_ENUM
        THUD_TALLY_COUNT
};

typedef enum thud_figure_type
{
    THUD_FIGURE_WHOLE,
    THUD_FIGURE_REAL,
    THUD_FIGURE_BITS
} thud_figure_type;

typedef enum thud_figure_fold
{
    THUD_FIGURE_SUM,
    THUD_FIGURE_MIN,
    THUD_FIGURE_MAX,
    THUD_FIGURE_BOUND, ///< the largest; one that is not known (NAN) makes it INFINITY
    THUD_FIGURE_FIRST, ///< the first that is not 0
    THUD_FIGURE_UNION  ///< of bits
} thud_figure_fold;

typedef enum thud_figure_show
{
    THUD_FIGURE_HIDDEN, ///< nowhere else: not in the page, not by `thud info`
    THUD_FIGURE_SHOWN,  ///< as a number in the page of a run
    THUD_FIGURE_TOLD,   ///< as SHOWN, and by `thud info --json`
    THUD_FIGURE_SAID    ///< as TOLD, and with its sentence in a line of its own, in the page and by
                        ///< `thud info`
} thud_figure_show;

/// A figure of a tally, as THUD_TALLY_LIST has it.
typedef struct thud_figure
{
    const char *name, *key, *column, *text;
    thud_figure_type type;
    thud_figure_fold fold;
    thud_figure_show show;
    size_t offset; ///< in a thud_tally
} thud_figure;

/// All of them, THUD_TALLY_COUNT; the same at every call.
THUD_API const thud_figure *thud_tally_figures(void);
/// The value of one.
THUD_API double thud_tally_value(const thud_tally *tally, int figure);
/// Add the value of a step to one figure.
THUD_API void thud_tally_fold(thud_tally *tally, int figure, double value);

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
