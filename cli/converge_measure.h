// thud converge --measure: one measure of a scene at h, h/2, h/4 and so on.
#ifndef CLI_CONVERGE_MEASURE_H
#define CLI_CONVERGE_MEASURE_H

#include "options.h"

#include <thud/measured.h>

// Does the call ask for it? CLI_USAGE, with a message, when its options are given without it.
int cli_converge_asks_measure(const cli_call *call, bool *asks);

// Returns the exit code.
int cli_converge_measure(const cli_call *call, thud_scene *scene);

#endif
