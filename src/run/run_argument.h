// The run directory that a command is given, opened for reading.
#ifndef THUDI_RUN_ARGUMENT_H
#define THUDI_RUN_ARGUMENT_H

#include "options.h"

#include <thud/model.h>
#include <thud/record.h>

typedef struct thudi_run
{
    const char *folder; // as it was given
    thud_scene *scene;
    thud_model *model;
    thud_log *log;
    bool skips_damaged; // damaged frames of the log were left out
} thudi_run;

// Open all of it; returns an exit code, having said what was wrong. Close in any case.
int thudi_run_open(const char *folder, thudi_run *run);
// The same as the options of the call say: with --skip-damaged frames that are damaged are left
// out.
int thudi_run_open_call(const cli_call *call, thudi_run *run);
// The same, without a message: the fault tells what was wrong.
thud_status thudi_run_try(const char *folder, bool skips_damaged, thudi_run *run,
                          thud_fault *fault);
// The scene of a run directory, and its model. THUD_ERR_RECORD: a file of it is missing or changed.
thud_status thudi_run_read_scene(const char *folder, thud_scene **scene, thud_fault *fault);
thud_status thudi_run_read_model(const char *folder, thud_scene **scene, thud_model **model,
                                 thud_fault *fault);
// Complain of a run that cannot be read. Where frames are damaged, name the option that leaves them
// out; else say what can be done about the run.
int thudi_run_complain(const char *folder, thud_status status, thud_fault *fault);
// The same for commands without that option.
int thudi_run_complain_damaged(const char *folder, thud_status status, thud_fault *fault);
// Read the first `count` frames, so that all their checksums are compared; times of the first and
// the last of them, unless NULL.
thud_status thudi_run_read_frames(const thudi_run *run, int64_t count, double times[2],
                                  thud_fault *fault);
// Warn if series.csv was changed since the newest checkpoint was written.
void thudi_run_warn_of_series(const thudi_run *run);
// ", 1 damaged frame left out" or "": what was left out.
const char *thudi_run_left_out(const thudi_run *run, char *text, size_t size);
// The same with another scene than that of the folder, which is not looked at.
int thudi_run_open_by(const char *folder, const thud_scene_def *def, thudi_run *run);
void thudi_run_close(thudi_run *run);

#endif
