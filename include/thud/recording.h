/// A run of a scene that is recorded: from the first step to a run directory. (library thud_run)
///
///     thud_recording_create(&(thud_recording_def){.scene = scene, .folder = "pile.run"}, &r, &f);
///     thud_recording_run(r, INFINITY, &f);
///     thud_recording_close(r, &f);
///
/// The directory has the same bits as the one that the command 'thud run' writes, except that
/// times, host and threads in run.json may differ. Nothing here prints, and nothing knows of
/// signals or options: what a run has to say goes to callbacks, and the caller's flags stop it.
#ifndef THUD_RECORDING_H
#define THUD_RECORDING_H

#include "thud/json.h"
#include "thud/model.h"
#include "thud/record.h"
#include "thud/run.h"
#include "thud/words.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_recording thud_recording;

/// How far a run has got.
typedef struct thud_recording_progress
{
    double t;        ///< time of the last node
    double part;     ///< of the run that is done, 0 to 1
    double backward; ///< largest change of a gap that makes every step so far exact
    int contacts;    ///< that push in the last step
    bool is_second;  ///< this is the second run, at half the step; backward and contacts are 0
} thud_recording_progress;

typedef void thud_recording_progress_fn(const thud_recording_progress *progress, void *user);

/// What a run may have to say on its way.
typedef enum thud_recording_news
{
    THUD_RECORDING_WARNING = 0,   ///< the run goes on, and something is to be known about it
    THUD_RECORDING_CHECKPOINT = 1 ///< a checkpoint was written: if the run is killed now, nothing
                                  ///< up to this step is lost
} thud_recording_news;

/// step: number of the last step. text: one sentence without a full stop.
typedef void thud_recording_news_fn(thud_recording_news kind, int64_t step, const char *text,
                                    void *user);

/// What to record. Everything is borrowed until the recording is closed, except for the folder.
typedef struct thud_recording_def
{
    thud_scene *scene;  ///< resumed runs have their own; with `halve` its step is changed on the
                        ///< way, and put back
    thud_model *model;  ///< of the scene, at its start; NULL: it makes its own
    const char *folder; ///< the run directory; less than 1,024 bytes
    bool replace;       ///< a run that is in the folder is replaced
    thud_log_form log;  ///< how the log is stored; a run that is resumed or continued keeps its own
    bool no_check;      ///< leave out the independent check of every recorded step
    bool halve;         ///< after the run, run the scene at half its step, and compare
    thud_observe_fn *observe;             ///< at the start and after every step; NULL for none
    thud_recording_progress_fn *progress; ///< after every step; NULL for none
    thud_recording_news_fn *news;         ///< NULL for none
    void *user;                           ///< handed back to these
    volatile const int *stop;             ///< non-zero: write a checkpoint and end; NULL for never
    volatile const int *checkpoint;       ///< changed: write one and go on; NULL for never
    double deadline;   ///< stop before this time, in seconds of CLOCK_MONOTONIC; 0 for never
    int64_t max_steps; ///< stop after so many steps; 0 for never
    /// The members that take the steps together; NULL: alone. The first one records, the others
    /// call thud_recording_follow. The team is of no use for other runs until thud_team_begin.
    thud_team *team;
} thud_recording_def;

/// Begin a run directory with the scene's start. THUD_ERR_ARGUMENT: the folder holds something
/// that may not be replaced.
THUD_API thud_status thud_recording_create(const thud_recording_def *def,
                                           thud_recording **recording, thud_fault *fault);

/// Take up the run in def->folder where its newest whole checkpoint is; def->scene, model, replace,
/// no_check and halve are ignored. A run that is done can be resumed, too:
/// thud_recording_is_done tells, and nothing changes.
THUD_API thud_status thud_recording_resume(const thud_recording_def *def,
                                           thud_recording **recording, thud_fault *fault);

/// Begin a run directory in def->folder with the newest whole checkpoint of the run in `from`,
/// whose log may be damaged; `from` is not changed. def->scene, model, replace, no_check and halve
/// are ignored. THUD_ERR_ARGUMENT: def->folder holds something that may not be replaced, or lies in
/// `from`.
THUD_API thud_status thud_recording_continue(const thud_recording_def *def, const char *from,
                                             thud_recording **recording, thud_fault *fault);

/// What all members of a team but the first do while the first one creates or resumes a recording,
/// runs and closes it: they take the same steps. def->scene and model, if any, must be equal to
/// those of the first member; without them they are read from the run in def->folder. Looks at
/// def->stop, too. THUD_STOPPED: the first member has ended the run, or somebody stopped it. Errors
/// are those of the team.
THUD_API thud_status thud_recording_follow(const thud_recording_def *def, thud_fault *fault);

/// Is `folder`, which need not exist yet, the run directory `from` or inside it? Writing there
/// would change that run.
THUD_API bool thud_recording_is_within(const char *folder, const char *from);

/// Take steps until the time is `until` or later, but never beyond the end of the scene. INFINITY
/// means the end of the scene. The function may be called again.
///
/// THUD_OK or THUD_NEWS, as thud_run. THUD_STOPPED: `stop`, `deadline`, `max_steps` or `observe`
/// ended it after a checkpoint; or the run is done, and its second run was stopped. Errors come
/// with a fault: the step that failed, what is to blame and what to do.
THUD_API thud_status thud_recording_run(thud_recording *recording, double until, thud_fault *fault);

/// How a run went.
typedef struct thud_recording_figures
{
    const char *ending; ///< "running", "done", "stopped" or "failed"
    const char *error;  ///< one sentence, "" if none
    bool is_recorded;   ///< all of this is in the run directory: no file failed
    double reached;     ///< time of the last node
    double seconds;     ///< that it took
    int resumed;        ///< how often it was taken up again
    int64_t first;      ///< the step after which the record begins: 0 unless it continues another
    int64_t frames;     ///< recorded
    int64_t checked, held;   ///< recorded steps that were judged, and those that passed
    uint64_t hash;           ///< of all states
    const thud_tally *tally; ///< the worst of every certificate
} thud_recording_figures;

/// Texts and tally are views.
THUD_API thud_recording_figures thud_recording_summary(const thud_recording *recording);

/// The same in words, as 'thud run' prints it.
THUD_API void thud_recording_write(const thud_recording *recording, thud_writer *writer);
/// The same as in run.json.
THUD_API void thud_recording_write_json(const thud_recording *recording, thud_json *json);

/// Has the run reached the end of its scene, and does run.json say so?
THUD_API bool thud_recording_is_done(const thud_recording *recording);

/// The scene of the run, its model, and the state at the last node.
THUD_API const thud_scene *thud_recording_scene(const thud_recording *recording);
THUD_API const thud_model *thud_recording_model(const thud_recording *recording);
THUD_API const thud_state *thud_recording_state(const thud_recording *recording);

/// Close the directory and free the recording; NULL is fine. A run between its start and its end is
/// stopped here: a checkpoint is written, from which it can be resumed.
THUD_API thud_status thud_recording_close(thud_recording *recording, thud_fault *fault);

/// Write the title of a scene, and in a second line, without a final newline, its size and its
/// step.
THUD_API void thud_scene_write_head(const thud_scene *scene, thud_writer *writer);

/// Write one sentence on the steps whose set of pushing contacts is proved, if there are any:
/// `held` of `all`. noun: "step" or "recorded step". bounds: largest error of the velocity for the
/// gaps themselves, for the gaps less their shifts, and the largest enlargement of a gap.
THUD_API void thud_write_enclosed(thud_writer *writer, int indent, int64_t held, int64_t all,
                                  const char *noun, const double bounds[3]);

/// What the libraries were made of.
typedef struct thud_build
{
    const char *commit, *compiler, *flags;
} thud_build;

THUD_API thud_build thud_build_info(void);

#ifdef __cplusplus
}
#endif

#endif
