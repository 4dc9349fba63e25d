// The number of threads.
#ifndef CLI_THREAD_COUNT_H
#define CLI_THREAD_COUNT_H

#include "commands.h"

// Use as many threads as --threads says, without it as many as OpenMP would, but no more than the
// system grants. argv is that of main: the program may have to restart with it.
int cli_use_threads(const cli_call *call, char **argv);

#endif
