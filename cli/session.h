// One call of `thud run` or `thud resume`: the code that both commands share.
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "options.h"
#include "progress.h"
#include "report.h"

#include <thud/recording.h>

enum
{
    CLI_FOLDER_SIZE = 1024 // bytes of a run directory's path, with the final 0
};

typedef struct cli_session
{
    const cli_call *call;
    thud_recording_def def;
    thud_recording *recording; // the caller makes it after cli_session_watch
    cli_progress progress;
    bool is_second; // with --halve: the second run, at half the step, has begun
} cli_session;

// Call these functions in this order, up to the first of cli_session_run, cli_session_follow and
// cli_session_close: each of these is the last call. An `int` is an exit code; if it is not
// CLI_DONE, the error has been printed.

// Read the options into session->def.
int cli_session_begin(cli_session *session, const cli_call *call);
// Set the run directory. `folder` is borrowed for as long as the session lasts.
int cli_session_folder(cli_session *session, const char *folder);
// Catch signals and start the progress line. After it, the caller creates session->recording.
void cli_session_watch(cli_session *session);
// Take all steps, print the summary and close the recording.
int cli_session_run(cli_session *session);
// In place of cli_session_run, and without a recording, for all processes of a team but the first:
// take the steps that the first process takes.
int cli_session_follow(cli_session *session);
// Close the recording without taking steps.
int cli_session_close(cli_session *session);

#endif
