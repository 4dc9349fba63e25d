// What a run says at its end: to people, and to run.json.
#ifndef CLI_RUN_SUMMARY_H
#define CLI_RUN_SUMMARY_H

#include "halve.h"
#include "recorder.h"
#include "report.h"
#include "step_advice.h"

#include <thud/run.h>

typedef struct cli_run_summary
{
    const thud_scene *scene;
    const char *folder;
    const cli_recorder *recorder;
    const char *ending; // "running", "done", "stopped" or "failed"
    const char *error;  // one line, "" if none
    const char *origin; // the run that this one continues, "" for none
    int resumed;        // how often the run was taken up again
    double seconds;
    double reached;       // time of the last node
    int64_t frames;       // recorded
    thud_digest digest;   // of all records
    thud_profile profile; // seconds by stage, summed
    cli_step_advice advice;
    const cli_halving *halving; // the second run, if it was asked for
} cli_run_summary;

void cli_run_summary_print(const cli_run_summary *summary);

// The contents of run.json, also printed by --json.
void cli_run_summary_json(const cli_run_summary *summary, thud_json *json);

#endif
