// A run directory that begins where a checkpoint of another run is.
#ifndef CLI_CONTINUE_RUN_H
#define CLI_CONTINUE_RUN_H

#include "session.h"

// Find the newest checkpoint of the run in `from` that is whole, of its scene, and before the
// scene's end; give the model and the recorder its state; and begin the record in run->folder.
// Returns an exit code, having said what was wrong.
int thudi_continue_run(cli_session *run, const char *from);

#endif
