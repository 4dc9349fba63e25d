// The observer of a run: writes the series at every step and frames at output times, has each
// recorded step checked, and writes checkpoints.
#ifndef THUDI_RECORDER_H
#define THUDI_RECORDER_H

#include "thud/recording.h"
#include "thud/verify.h"

// When a run ends early, or writes a checkpoint out of turn. Looked at after every step.
typedef struct thudi_requests
{
    volatile const int *stop;       // non-zero: write a checkpoint and end the run
    volatile const int *checkpoint; // changed: write one and go on
    double deadline;                // of the monotonic clock; INFINITY for none
    int64_t steps;                  // left until the run is to stop; negative for no end
} thudi_requests;

// Callbacks of a run that is under way; each may be NULL.
typedef struct thudi_listener
{
    thud_recording_progress_fn *progress;
    thud_recording_news_fn *news;
    void *user;
} thudi_listener;

typedef struct thudi_recorder
{
    // what it works for
    const thud_scene *scene;
    thud_model *model;
    thud_record *record;
    thud_work *work; // of the steps; its scratch memory is freed before a step is recorded
    thudi_requests requests;
    thudi_listener listener;
    // its memory
    thud_state *before;         // the last node
    double *values;             // of the series
    bool *told;                 // by measure: a warning said that it is not finite
    thud_direction *directions; // of the last step, if it is recorded
    int direction_count, direction_room;
    int answered;    // last value of requests.checkpoint that was acted on
    bool is_resumed; // the start has been recorded before
    int64_t first;   // node that the record begins at; -1 while that is not known
    bool compares;   // the record is a rehearsal, whose checkpoints are looked at after every step
    double smallest; // radius, INFINITY for inclusions
    double slowest;  // seconds that a checkpoint took at most
    // what is kept in checkpoints; see thudi_recorder_fields
    int64_t is_checking;           // recorded steps are judged
    int64_t next_frame;            // output times passed so far
    uint64_t chain;                // hash of all states so far
    thud_tally tally;              // how the run went
    int64_t checked, held;         // steps judged, and those that passed
    double worst[THUD_CERT_COUNT]; // value of every certificate, the largest
    int64_t concave_step;          // the first that met a constraint that is not convex, 0 if none,
    thud_key concave_key;          // and which one
    // what it found
    thud_status status;           // of the first error, THUD_OK if none
    bool is_stopping;             // the last step ended the run early, as asked
    thud_certificate_name failed; // the first certificate that did not hold,
    long long failed_step;        // in this step, 0 if none,
    thud_key failed_key;          // for this constraint, THUD_NO_KEY for none,
    char failed_where[200];       // in words
    char concave[200];            // the constraint that is not convex
    double seconds;               // spent here,
    double checkpoint_seconds;    // of these for checkpoints
    int checkpoints;              // written
} thudi_recorder;

thud_status thudi_recorder_begin(thudi_recorder *recorder);
void thudi_recorder_end(thudi_recorder *recorder);

// Resume a run from a checkpoint: give the model its state, and the recorder, which has begun, its
// memory. THUD_ERR_RECORD when the checkpoint is not of this scene.
thud_status thudi_recorder_restore(thudi_recorder *recorder, const thud_checkpoint *checkpoint,
                                   thud_fault *fault);

// Begin a record, which is open, at the state that the model is in: figures count from here on.
thud_status thudi_recorder_continue(thudi_recorder *recorder);
// Take note of a node before that, which is not recorded; report: NULL for the start.
void thudi_recorder_pass(thudi_recorder *recorder, const thud_report *report);

enum
{
    THUDI_RECORDER_FIELDS = 8 + THUD_TALLY_COUNT,
    THUDI_RUN_FIELDS = THUD_STATE_FIELDS + THUD_MODEL_FIELDS + THUDI_RECORDER_FIELDS
};

// Those of the recorder alone.
void thudi_recorder_own_fields(thudi_recorder *recorder, thud_field fields[THUDI_RECORDER_FIELDS]);

// The same without figures of the tally that the checkpoint does not have, as it is older than they
// are; whole ones are -1 from now on. Returns how many are left.
int thudi_recorder_known_fields(thudi_recorder *recorder, const thud_checkpoint *checkpoint,
                                thud_field fields[THUDI_RECORDER_FIELDS]);

// Was this figure not counted from the start on? Then it is -1.
bool thudi_is_uncounted(const thud_tally *tally, int figure);
// The tally of a checkpoint; what it does not have stays as it is.
void thudi_recorder_read_tally(const thud_checkpoint *checkpoint, thud_tally *tally);

// What makes a state useless for a run of the scene; NULL if nothing does.
const char *thudi_state_fault(const thud_state *state, const thud_scene *scene);

// Make room in a state for the multipliers of a checkpoint, and for the numbers that the law keeps.
thud_status thudi_state_fit(const thud_checkpoint *checkpoint, thud_law law, thud_state *state);

// The table of everything that a run must keep; returns how many fields it has.
int thudi_recorder_fields(thudi_recorder *recorder, thud_field fields[THUDI_RUN_FIELDS]);

// Is the step that ends at t recorded? *passed: output times that were passed, 0 at first.
bool thudi_is_output(const thud_scene *scene, double t, int64_t *passed);

// Is the worst of this check a row, named by its key? If not, it is a coordinate or nothing.
bool thudi_check_is_row(const thud_scene *scene, thud_certificate_name name,
                        const thud_check *check);

// A thud_observe_fn for THUD_EVERY_STEP; its user is the recorder. Ends the run when recording
// failed, a check did, or it is wished.
int thudi_recorder_observe(const thud_view *view, void *user);

// The run was stopped between two observations: write a checkpoint of the last node, unless one was
// written for that reason, or something failed.
void thudi_recorder_stop(thudi_recorder *recorder, const thud_state *state);

#endif
