// A jammed packing judged from its files.
#ifndef CLI_JAM_VERIFY_H
#define CLI_JAM_VERIFY_H

#include "options.h"

// `thud verify FOLDER` for a folder of `thud jam`. Returns an exit code.
int cli_jam_verify(const cli_call *call, const char *folder);

#endif
