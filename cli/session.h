// A session of a run: what `thud run` and `thud resume` share.
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "options.h"
#include "progress.h"
#include "report.h"

#include <thud/recording.h>

enum
{
    CLI_FOLDER_SIZE = 1024 // of the path of a run directory
};

typedef struct cli_session
{
    const cli_call *call;
    thud_recording_def def;
    thud_recording *recording;
    cli_progress progress;
    bool is_second; // the second run, at half the step, has begun
} cli_session;

// All return exit codes, having said what was wrong. In this order.
int cli_session_begin(cli_session *run, const cli_call *call); // what the options say
int cli_session_folder(cli_session *run, const char *folder);  // where to, borrowed
void cli_session_watch(cli_session *run);                      // signals; then make recording
int cli_session_take(cli_session *run);                        // steps and summary; closes
int cli_session_close(cli_session *run);                       // without steps

#endif
