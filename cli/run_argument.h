// The run directory that a command is given, opened for reading.
#ifndef CLI_RUN_ARGUMENT_H
#define CLI_RUN_ARGUMENT_H

#include <thud/model.h>
#include <thud/record.h>

typedef struct cli_run
{
    const char *folder; // as it was given
    thud_scene *scene;
    thud_model *model;
    thud_log *log;
} cli_run;

// Open all of it; returns an exit code, having said what was wrong. Close in any case.
int cli_run_open(const char *folder, cli_run *run);
// The same with another scene than that of the folder, which is not looked at.
int cli_run_open_by(const char *folder, const thud_scene_def *def, cli_run *run);
void cli_run_close(cli_run *run);

#endif
