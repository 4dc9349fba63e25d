/// A recorded run: its directory opened for reading, what its files say, the run verified by code
/// that shares nothing with the solver, and two runs compared. (library thud_run)
///
/// Nothing here changes a run, prints, or locks: a run that is being written may be read.
#ifndef THUD_RECORDED_H
#define THUD_RECORDED_H

#include "thud/json.h"
#include "thud/measured.h"
#include "thud/model.h"
#include "thud/record.h"
#include "thud/run.h"
#include "thud/team.h"
#include "thud/verify.h"
#include "thud/words.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_recorded thud_recorded;

typedef struct thud_recorded_def
{
    bool skip_damaged;           ///< leave out frames that do not match their checksums
    const thud_scene_def *scene; ///< to read instead of the folder's own scene; NULL for that
} thud_recorded_def;

/// Open a run directory. def: NULL for all defaults. THUD_ERR_RECORD when a file of it is missing,
/// damaged, or does not belong to the others; THUD_ERR_IO, THUD_ERR_MEMORY; for def->scene the
/// errors of thud_scene_read and thud_model_create. See thud_recorded_advise.
THUD_API thud_status thud_recorded_open(const char *folder, const thud_recorded_def *def,
                                        thud_recorded **out, thud_fault *fault);
THUD_API void thud_recorded_close(thud_recorded *recorded); ///< NULL is allowed

/// The parts of it; they live as long as it does.
THUD_API const char *thud_recorded_folder(const thud_recorded *recorded);
THUD_API const thud_scene *thud_recorded_scene(const thud_recorded *recorded);
THUD_API thud_model *thud_recorded_model(const thud_recorded *recorded);
THUD_API thud_log *thud_recorded_log(const thud_recorded *recorded);

/// Add a hint to a fault with THUD_ERR_RECORD that has none: what still works for this run. It
/// compares checkpoints, log and series, which takes as long as reading them. Other faults stay as
/// they are.
THUD_API void thud_recorded_advise(const char *folder, thud_fault *fault);

/// Read the first `count` frames, so that all their checksums are compared. times: of the first and
/// the last of them, unless NULL.
THUD_API thud_status thud_recorded_read_frames(const thud_recorded *recorded, int64_t count,
                                               double times[2], thud_fault *fault);

/// How many frames the log has up to node n.
THUD_API int64_t thud_recorded_count_frames(const thud_recorded *recorded, int64_t n);

/// THUD_ERR_RECORD, with a fault, if series.csv was changed since the newest checkpoint was
/// written. A run that is being written is not looked at.
THUD_API thud_status thud_recorded_check_series(const thud_recorded *recorded, thud_fault *fault);

/// What skip_damaged left out: "; 1 damaged frame left out, the first is frame 3",
/// "; the end of the log cannot be read", or "".
THUD_API const char *thud_recorded_left_out(const thud_recorded *recorded, char *text, size_t size);

/// How a run ended, as run.json, the lock and the log say. Numbers are NAN and texts "" where
/// run.json does not say, or is not there.
typedef struct thud_recorded_ending
{
    /// "running", "done", "stopped", "failed"; "interrupted" for a run that says that it is
    /// running, and is not; "incomplete" where frames or steps are missing, and by
    /// thud_recorded_read_info also where files are.
    char how[40];
    char error[512];     ///< why, if there is more to say
    char fault_text[80]; ///< what is wrong with run.json: missing, empty or not JSON; "" if nothing
                         ///< is
    char origin[1024];   ///< the run that this one continues
    double frames;       ///< that were recorded,
    double missing_frames, missing_steps; ///< and what of them the log does not have
    double figures[THUD_TALLY_COUNT]; ///< of the tally, each by its number, as THUD_TALLY_min_gap
    double checked, held;
    double worst[THUD_CERT_COUNT];
} thud_recorded_ending;

/// Read it and compare it with the log, of which `last` is the time of the last frame. A run of
/// which frames or steps are missing or damaged is "incomplete", whatever run.json says.
/// THUD_ERR_MEMORY.
THUD_API thud_status thud_recorded_end(const thud_recorded *recorded, double last,
                                       thud_recorded_ending *end);

/// What run.json says of the cost of the step; where it does not say, what follows from the scene.
/// The caller frees the list `halved`. THUD_ERR_MEMORY.
THUD_API thud_status thud_recorded_accuracy(const thud_recorded *recorded, thud_accuracy *accuracy);

/// A run that is being written: how far it is and how fast it gets on, from its files alone.
/// Numbers are NAN where they are not known.
typedef struct thud_recorded_now
{
    double step, t; ///< of the last line of the series
    double part;    ///< of the run that is done, 0 to 1
    double steps_per_second, time_per_second;
    double seconds_left;
    double min_gap, violation, backward, forward; ///< of that step
} thud_recorded_now;

/// All there is to say of a run without verifying it.
typedef struct thud_recorded_info
{
    thud_recorded_ending end;
    thud_recorded_now now; ///< of one that is being written
    double times[2];       ///< of the first and the last frame; NAN if there is none
    bool is_damaged;       ///< the log is damaged: frames that are were left out
} thud_recorded_info;

/// Read all of the log, and look at run.json and the other files.
THUD_API thud_status thud_recorded_read_info(const thud_recorded *recorded,
                                             thud_recorded_info *info, thud_fault *fault);
/// Write it for people, and for programs.
THUD_API void thud_recorded_info_write(const thud_recorded *recorded,
                                       const thud_recorded_info *info, thud_writer *writer);
THUD_API void thud_recorded_info_json(const thud_recorded *recorded, const thud_recorded_info *info,
                                      thud_json *json);

/// Write the name of coordinate k as people know it: "body 3, x", "body 'probe', y" or "coordinate
/// 'z'".
THUD_API void thud_scene_name_coordinate(const thud_scene *scene, int64_t k, char *text,
                                         size_t size);

/// The first difference of two runs.
typedef struct thud_recorded_difference
{
    bool is_same;          ///< none was found, and both have as many steps
    bool has_other_dim;    ///< they have different numbers of coordinates: nothing was compared
    bool has_none;         ///< they have no step in common: no step was compared
    int64_t begin, common; ///< steps from `begin` up to `common` are in both
    int64_t first;         ///< the first whose hashes differ; `common` if none do
    bool is_shown;         ///< frames that both recorded show a difference,
    int64_t step;          ///< the first in this step:
    char text[400];        ///< "body 3, x: 1 and 2"
} thud_recorded_difference;

/// Compare hashes of all steps that both have, and frames of the same step.
THUD_API thud_status thud_recorded_compare(const thud_recorded *a, const thud_recorded *b,
                                           thud_recorded_difference *difference, thud_fault *fault);
/// Write it for people.
THUD_API void thud_recorded_difference_write(const thud_recorded_difference *difference,
                                             const thud_recorded *a, const thud_recorded *b,
                                             thud_writer *writer);

/// Steps to compute again.
typedef enum thud_rerun
{
    THUD_RERUN_NONE = 0,
    THUD_RERUN_ALL = 1, ///< from the start on
    THUD_RERUN_TAIL = 2 ///< from the older checkpoint on
} thud_rerun;

/// What part of the work is done, 0 to 1; anything but 0 ends it with THUD_STOPPED.
typedef int thud_recorded_progress_fn(double part, void *user);

typedef struct thud_recorded_verify_def
{
    thud_rerun rerun;
    bool enclose;                        ///< prove which contacts push in every recorded step
    thud_recorded_progress_fn *progress; ///< NULL for none; of a team, that of the first member
    void *user;
    /// The members that verify together; NULL: alone. All of them have opened the run, and make the
    /// same call. They get the same verdict as one alone, or an error.
    thud_team *team;
} thud_recorded_verify_def;

/// Recorded steps whose set of pushing contacts was proved, by factors of a stated size; see
/// thud_enclose.
typedef struct thud_enclosed
{
    int64_t steps, held;         ///< looked at, -1 if that was not asked for; and proved
    int64_t others;              ///< steps not proved because, computed again, they differ
    double bound, shifted, weak; ///< the largest, as in `enclosed` of run.json
} thud_enclosed;

/// Which scene a run was verified by.
typedef enum thud_scene_source
{
    THUD_SCENE_OWN = 0,       ///< that of its folder
    THUD_SCENE_SAME = 1,      ///< another one, which says the same
    THUD_SCENE_DIFFERENT = 2, ///< another one, which says something else
    THUD_SCENE_UNREADABLE = 3 ///< another one; that of the folder cannot be read
} thud_scene_source;

/// What was found.
typedef struct thud_recorded_verdict
{
    thud_scene_source source;
    int64_t first;          ///< node that the run begins at; steps before it are not in it
    int64_t frames, steps;  ///< recorded frames; number of the last node
    int64_t judged, held;   ///< steps judged, and those that passed
    int64_t unproved;       ///< that could not be judged, as their force cannot be integrated
    int64_t verified;       ///< that hold, or were computed again
    int64_t verified_older; ///< of `verified`: steps up to the older checkpoint, by certificates
    thud_check worst[THUD_CERT_COUNT];
    thud_digest digest; ///< of all records
    int64_t rerun;      ///< steps computed again, -1 if none,
    int64_t rerun_from; ///< from the state after this step on
    int64_t kept;       ///< the last step of which there is a checkpoint
    bool is_over;       ///< the run has reached its end
    double reached;
    bool has_json;       ///< there is a run.json that speaks of the end of the log,
    bool json_is_ours;   ///< written by this version: its figures can be compared
    bool has_halved;     ///< it tells of a second run at half the step, which left no other file
    int64_t failed_step; ///< of the first certificate that does not hold; 0 if all do
    thud_certificate_name failed;
    char failed_where[200];
    /// What does not fit together, and where; text is "" if all does.
    thud_fault damage;  ///< the log, checkpoints and their states
    thud_fault figures; ///< what series.csv, run.json and checkpoints tell of the steps
    thud_enclosed enclosed;
} thud_recorded_verdict;

/// Look at every frame and every link of the chain of hashes, at the series, run.json and
/// checkpoints; with `rerun` compare every byte of log and series with what the steps give. def:
/// NULL for all defaults. An error means that no verdict could be reached.
THUD_API thud_status thud_recorded_verify(const thud_recorded *recorded,
                                          const thud_recorded_verify_def *def,
                                          thud_recorded_verdict *verdict, thud_fault *fault);

/// Is the run over, does run.json speak of its end, and is every step verified, those before
/// `first` too?
THUD_API bool thud_recorded_is_complete(const thud_recorded_verdict *verdict);
/// "OK", "IN PART", "NOT OVER", "NOT PROVED", "FAILED", "DAMAGED".
THUD_API const char *thud_recorded_verdict_name(const thud_recorded_verdict *verdict);
/// What is wrong with the run, and what can be done. THUD_OK if nothing is; THUD_ERR_RECORD;
/// THUD_ERR_NOT_CONVERGED where a step fails, is not proved or, with `complete`, was not verified.
THUD_API thud_status thud_recorded_verdict_fault(const thud_recorded *recorded,
                                                 const thud_recorded_verdict *verdict,
                                                 bool complete, thud_fault *fault);
/// Write the verdict for people and for programs. scene: the path of def.scene, or NULL.
THUD_API void thud_recorded_verdict_write(const thud_recorded *recorded,
                                          const thud_recorded_verdict *verdict, const char *scene,
                                          thud_writer *writer);
THUD_API void thud_recorded_verdict_json(const thud_recorded *recorded,
                                         const thud_recorded_verdict *verdict, const char *scene,
                                         thud_json *json);

#ifdef __cplusplus
}
#endif

#endif
