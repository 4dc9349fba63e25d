// The run directory that a command is given, opened for reading.
#ifndef CLI_RUN_ARGUMENT_H
#define CLI_RUN_ARGUMENT_H

#include "options.h"
#include "report.h"

#include <thud/recorded.h>

// Open it; returns an exit code, having said what was wrong: *run is NULL then.
int cli_run_open(const char *folder, thud_recorded **run);
// The same as the options of the call say: with --skip-damaged frames that are damaged are left
// out.
int cli_run_open_call(const cli_call *call, thud_recorded **run);

// Complain of a run that cannot be read. Where frames are damaged, name the option that leaves them
// out; else say what can be done about the run.
int cli_run_complain(const char *folder, thud_status status, thud_fault *fault);
// The same for commands without that option.
int cli_run_complain_damaged(const char *folder, thud_status status, thud_fault *fault);

// Warn if series.csv was changed since the newest checkpoint was written.
void cli_run_warn_of_series(const thud_recorded *run);

#endif
