// Opens the run directory that the argument RUN names, and prints errors about it.
#ifndef CLI_RUN_ARGUMENT_H
#define CLI_RUN_ARGUMENT_H

#include "options.h"
#include "report.h"

#include <thud/recorded.h>

// Open a run directory for reading. Returns an exit code. If it is not CLI_DONE, the error has been
// printed, and *run is NULL.
int cli_run_open(const char *folder, thud_recorded **run);
// The same for the run directory that the first argument names. With --skip-damaged, damaged frames
// are left out.
int cli_run_open_argument(const cli_call *call, thud_recorded **run);

// Print the fault of a run that could not be read. If a frame is damaged, the hint names
// --skip-damaged. Otherwise the hint says what still works for this run. Returns the exit code of
// `status`.
int cli_run_fail(const char *folder, thud_status status, thud_fault *fault);
// The same for commands that have no --skip-damaged: the hint does not name it.
int cli_run_fail_without_skip(const char *folder, thud_status status, thud_fault *fault);

// Warn if series.csv was changed after the newest checkpoint was written.
void cli_run_warn_of_changed_series(const thud_recorded *run);

#endif
