// How a run ended, as run.json says; a run that says that it is running, and is not, was
// interrupted.
#ifndef CLI_RUN_ENDING_H
#define CLI_RUN_ENDING_H

#include "run_json.h"

#include <thud/verify.h>

// Numbers are NAN and texts "" where run.json does not say, or is not there.
typedef struct cli_run_ending
{
    char text[CLI_RUN_JSON];
    char how[40], error[512];
    double steps, sweeps;
    double min_gap, violation, backward, forward, between;
    double checked, held;
    double worst[THUD_CERT_COUNT];
} cli_run_ending;

void cli_run_ending_read(const char *folder, cli_run_ending *end);

#endif
