/// What a scene measures at other steps: a run that is not recorded, statistics of its series, and
/// a study that halves the step. (library thud_run)
///
/// A step that is proved may still be too long: the proof says that the step was solved, not that
/// it is short enough. What the step itself costs is seen by halving it.
///
/// Series are taken as straight lines between the ends of steps. Tolerances stay as the scene has
/// them, so that what changes is due to the step alone.
#ifndef THUD_MEASURED_H
#define THUD_MEASURED_H

#include "thud/json.h"
#include "thud/model.h"
#include "thud/words.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_series_run_def
{
    thud_scene *scene; ///< its step is changed on the way, and put back
    double h;          ///< above 0
    /// Called at the start and after every step with all values of the series (thud_model_series:
    /// the time is column 1). Return 0 to go on, anything else to end with THUD_STOPPED.
    int (*observe)(const thud_model *model, const double *values, void *user);
    void *user;
    volatile const int *stop; ///< as in thud_run_def
    double deadline;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_series_run_def;

/// Run the scene at the step h to its end without recording it. THUD_OK, THUD_NEWS, THUD_STOPPED,
/// or the error of the model or of a step, with a fault. *steps: how many were taken.
THUD_API thud_status thud_series_run(const thud_series_run_def *def, int64_t *steps,
                                     thud_fault *fault);

/// End, mean and largest of one column, gathered on the way. Begin with all zero.
typedef struct thud_series_sum
{
    double end;      ///< the last value
    double largest;  ///< the value that is farthest from 0, with its sign; NAN if none is finite
    double integral; ///< over the time where both ends of a step have a finite value,
    double size;     ///< the same of the absolute value,
    double time;     ///< and how long that is
    double last;     ///< time of the last value
    int64_t count;   ///< of values
} thud_series_sum;

THUD_API void thud_series_sum_add(thud_series_sum *sum, double t, double value);
/// NAN where no step has a finite value at both ends.
THUD_API double thud_series_sum_mean(const thud_series_sum *sum);

/// What is computed of a column over a window: X(name, lower case name, what it is).
#define THUD_STATISTIC_LIST(X)                                                                     \
    X(END, "end", "value at the end of the window")                                                \
    X(MAXIMUM, "maximum", "largest value in the window")                                           \
    X(MINIMUM, "minimum", "smallest value in the window")                                          \
    X(MEAN, "mean", "mean over the time of the window")                                            \
    X(RATE, "rate", "slope over the window: of the straight line that fits best")

typedef enum thud_statistic
{
#define THUD_STATISTIC_ENUM(name, text, about) THUD_STATISTIC_##name,
    THUD_STATISTIC_LIST(THUD_STATISTIC_ENUM)
#undef THUD_STATISTIC_ENUM
        THUD_STATISTIC_COUNT
} thud_statistic;

/// A part of a run: between two times, and within these while a column, the guide, goes from one
/// value to another.
typedef struct thud_window
{
    double from, to; ///< times; -INFINITY and INFINITY for the whole run
    bool has_guide;
    /// From when the guide first reaches `low` (or the first time, if it is between both already)
    /// until it next reaches `high`. Falling if low > high. A guide that begins beyond `high` must
    /// first come back to `low`.
    double low, high;
} thud_window;

/// One column of a run: `count` times, increasing, and values; guide: NULL without one.
typedef struct thud_track
{
    const double *t, *value, *guide;
    int64_t count;
} thud_track;

/// Does the run reach the window, and its end?
THUD_API bool thud_window_is_reached(const thud_window *window, const thud_track *track);
/// The statistic, or NAN where the run does not reach the window, or the column has no value there.
THUD_API double thud_statistic_find(thud_statistic statistic, const thud_window *window,
                                    const thud_track *track);

/// One step of a study.
typedef struct thud_halving_level
{
    double h;
    int64_t steps;        ///< of all its runs
    double value;         ///< the statistic, the mean over all seeds; NAN if a run has none
    double scatter;       ///< standard deviation over seeds; NAN for one seed
    double change;        ///< from the level before; NAN for the first
    double change_spread; ///< standard error of that change over seeds; NAN for one seed
} thud_halving_level;

typedef enum thud_halving_verdict
{
    THUD_HALVING_STEADY,     ///< all changes are 0, to rounding
    THUD_HALVING_CONVERGING, ///< every change is at most 3/4 of the one before
    THUD_HALVING_CHANGING,   ///< it is not
    THUD_HALVING_SCATTERED, ///< the last change is within what seeds make by chance (Student, 95 %)
    THUD_HALVING_NOT_REACHED, ///< some run does not reach the window
    THUD_HALVING_NO_VALUE,    ///< all do, and in some the measure has no value there: it is NAN
    THUD_HALVING_WITHIN_STEP  ///< of times: the last change is at most the step of the coarser run
} thud_halving_verdict;

/// Views, valid as long as the thud_halving.
typedef struct thud_halving_result
{
    const thud_halving_level *levels;
    int level_count;
    const double *values; ///< of every run: by level, then by seed
    int seed_count;
    bool seeds_agree; ///< several seeds, and all made the same values: they change nothing
    thud_halving_verdict verdict;
    double left; ///< if CONVERGING: what all further halvings would add, if changes go on shrinking
                 ///< as the last ones do; else NAN
} thud_halving_result;

typedef struct thud_halving thud_halving;

typedef struct thud_halving_def
{
    thud_scene *scene; ///< its step is changed on the way, and put back
    int column;        ///< of the series
    int guide;         ///< column of the window's guide, if it has one
    bool is_time;      ///< the statistic is a time at which a step saw something
    thud_statistic statistic;
    thud_window window;
    double h;   ///< the largest step; 0: that of the scene
    int levels; ///< h, h/2, h/4 ...: 2 .. 16; 0 means 4
    int seeds;  ///< 1 .. 1000 runs at each step; 0 means 1. The first is the scene itself
    /// How the scene was read, if there are several seeds: it is read again with other samples.
    const thud_scene_def *source;
    /// Called now and then with the part of the work that is done, 0 to 1; return 0 to go on,
    /// anything else to end with THUD_STOPPED. NULL: no progress is reported.
    int (*progress)(double part, void *user);
    void *user;
    volatile const int *stop;        ///< as in thud_run_def
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_halving_def;

/// Run the study. THUD_OK, THUD_STOPPED (no result), THUD_ERR_ARGUMENT for a value out of range, or
/// the error of a run that failed; with a fault.
THUD_API thud_status thud_halving_create(const thud_halving_def *def, thud_halving **out,
                                         thud_fault *fault);
THUD_API void thud_halving_destroy(thud_halving *study); ///< NULL is allowed
THUD_API thud_halving_result thud_halving_view(const thud_halving *study);

/// What a second run at half the step made of one column of the series.
typedef struct thud_halved
{
    int column; ///< of thud_model_series; others are left out
    double end, end_halved, mean, mean_halved, largest, largest_halved;
    /// How these changed, in words: "+1.4 %", "same", or a number where the value is near 0 beside
    /// the usual size of the column. "" where it is not known.
    char end_change[32], mean_change[32], largest_change[32];
} thud_halved;

/// What the step of a run costs, as its run.json has it. Zero where it is not known.
typedef struct thud_accuracy
{
    double suggested_step, ratio;
    double step, steps, seconds; ///< of the second run
    thud_halved *halved;
    int halved_count; ///< 0: there was no second run
} thud_accuracy;

/// What is studied, in words and columns.
typedef struct thud_measured
{
    const thud_scene *scene;
    thud_series_column column, guide;
    thud_halving_def def;
    char unit[100]; ///< of the statistic
} thud_measured;

/// Write the result of a study for people, and for programs.
THUD_API void thud_measured_write(const thud_measured *measured, const thud_halving_result *result,
                                  thud_writer *writer);
THUD_API void thud_measured_json(const thud_measured *measured, const thud_halving_result *result,
                                 thud_json *json);
/// "end", "mean" and so on.
THUD_API const char *thud_statistic_name(thud_statistic statistic);

#ifdef __cplusplus
}
#endif

#endif
