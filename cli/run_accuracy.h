// What the step of a run costs: its ratio to the suggested one, and the second run at half of it.
#ifndef CLI_RUN_ACCURACY_H
#define CLI_RUN_ACCURACY_H

#include "run_summary.h"

enum
{
    CLI_ACCURACY_BYTES = 1 << 17 // of run.json before another measure is added: see CLI_RUN_JSON
};

void cli_accuracy_print(const cli_run_summary *summary);

// The object "accuracy" of run.json.
void cli_accuracy_json(const cli_run_summary *summary, thud_json *json);

#endif
