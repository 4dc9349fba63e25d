// The run directory that a command is given, opened for reading.
#ifndef CLI_RUN_ARGUMENT_H
#define CLI_RUN_ARGUMENT_H

#include "options.h"

#include <thud/model.h>
#include <thud/record.h>

typedef struct cli_run
{
    const char *folder; // as it was given
    thud_scene *scene;
    thud_model *model;
    thud_log *log;
    bool skips_damaged; // damaged frames of the log were left out
} cli_run;

// Open all of it; returns an exit code, having said what was wrong. Close in any case.
int cli_run_open(const char *folder, cli_run *run);
// The same as the options of the call say: with --skip-damaged frames that are damaged are left
// out.
int cli_run_open_call(const cli_call *call, cli_run *run);
// Complain of a log that cannot be read, and name the option that leaves out damaged frames.
int cli_run_complain(thud_status status, thud_fault *fault);
// ", 1 damaged frame left out" or "": what was left out.
const char *cli_run_left_out(const cli_run *run, char *text, size_t size);
// The same with another scene than that of the folder, which is not looked at.
int cli_run_open_by(const char *folder, const thud_scene_def *def, cli_run *run);
void cli_run_close(cli_run *run);

#endif
