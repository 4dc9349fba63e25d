// How a run ended, as run.json says; a run that says that it is running, and is not, was
// interrupted.
#ifndef THUDI_RUN_ENDING_H
#define THUDI_RUN_ENDING_H

#include "run/run_json.h"

#include <thud/record.h>
#include <thud/verify.h>

// Numbers are NAN and texts "" where run.json does not say, or is not there.
typedef struct thudi_run_ending
{
    char text[THUDI_RUN_JSON];
    char how[40], error[512];
    char origin[1024];                    // the run that this one continues
    double frames;                        // that were recorded,
    double missing_frames, missing_steps; // and what of them the log does not have
    double steps, sweeps;
    double min_gap, violation, backward, forward, between;
    double checked, held;
    double worst[THUD_CERT_COUNT];
} thudi_run_ending;

void thudi_run_ending_read(const char *folder, thudi_run_ending *end);

// Compare with the log: a run of which frames or steps are missing or damaged is "incomplete",
// whatever run.json says, and `error` tells what is missing. last: time of the last frame that is
// there.
void thudi_run_ending_match(thudi_run_ending *end, const thud_log_summary *log, double last);

// Look for files without which the run cannot be resumed or shown: series.csv, and at least one
// checkpoint. A run that lacks them is "incomplete" unless it failed, and `error` names them. A run
// that is being written may not have them yet.
void thudi_run_ending_files(const char *folder, thudi_run_ending *end);

#endif
