// What the step of a run costs: its ratio to the suggested one, and the second run at half of it.
#ifndef THUDI_RUN_ACCURACY_H
#define THUDI_RUN_ACCURACY_H

#include "run/run_summary.h"

enum
{
    THUDI_ACCURACY_BYTES =
        1 << 17 // of run.json before another measure is added: see THUDI_RUN_JSON
};

void thudi_accuracy_write(const thudi_run_summary *summary, thud_writer *out);

// The object "accuracy" of run.json.
void thudi_accuracy_json(const thudi_run_summary *summary, thud_json *json);

#endif
