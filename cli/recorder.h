// The observer of a run: writes the series at every step and frames at output times, and has each
// recorded step checked.
#ifndef CLI_RECORDER_H
#define CLI_RECORDER_H

#include "progress.h"

#include <thud/model.h>
#include <thud/record.h>

typedef struct cli_recorder
{
    // what it works for
    const thud_scene *scene;
    thud_model *model;
    thud_record *record;
    bool is_checking;
    cli_progress *progress;
    volatile const int *stop; // non-zero: record this step and end the run
    // its memory
    thud_state *before; // the last node
    double *values;     // of the series
    int next_frame;     // output times passed so far
    // what it found
    thud_status status; // of the first error, THUD_OK if none
    bool is_stopping;   // the last step was recorded because a stop was asked for
    long long checked, held;
    double worst[THUD_CERT_COUNT]; // value of every certificate, the largest
    thud_certificate_name failed;  // the first certificate that did not hold,
    long long failed_step;         // in this step, 0 if none,
    char failed_where[200];        // for this constraint
    long long concave_step;        // the first that met a constraint that is not convex, 0 if none,
    char concave[200];             // and which one
    double backward;               // the worst so far, for the progress
    double seconds;                // spent here
} cli_recorder;

thud_status cli_recorder_begin(cli_recorder *recorder);
void cli_recorder_end(cli_recorder *recorder);

// A thud_observe_fn for THUD_EVERY_STEP; its user is the recorder. Ends the run when recording
// failed or a check did.
int cli_recorder_observe(const thud_view *view, void *user);

#endif
