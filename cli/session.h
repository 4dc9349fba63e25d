// A session of a run: what `thud run` and `thud resume` share.
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "options.h"
#include "run/recorder.h"
#include "run/run_summary.h"

// Everything that a session holds, so that one function can let go of it.
typedef struct cli_session
{
    const cli_call *call;
    thud_scene *scene;
    thud_model *model;
    thud_work *work;
    cli_progress progress;
    thudi_recorder recorder;
    thudi_halving halving;
    thudi_run_summary summary;
    char folder[1024];
    char origin[1024]; // the run that this one continues, "" for none
    char error[700];
} cli_session;

// All return exit codes, having said what was wrong. In this order; end in any case.
int cli_session_begin(cli_session *run, const cli_call *call); // then fill folder, scene, model
int cli_session_prepare(cli_session *run);                     // then open the record
int cli_session_take(cli_session *run);                        // steps, run.json and summary
int cli_session_close(cli_session *run, int code);             // the record; gives back the code
void cli_session_end(cli_session *run);

// Write run.json as things are now. Errors of the record are said when it is closed.
int cli_session_write_json(cli_session *run);

#endif
