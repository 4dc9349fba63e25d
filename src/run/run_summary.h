// What a run says at its end: to people, and to run.json.
#ifndef THUDI_RUN_SUMMARY_H
#define THUDI_RUN_SUMMARY_H

#include "run/halve.h"
#include "run/recorder.h"
#include <thud/estimate.h>

#include <thud/run.h>

// Pairs farther apart than this part of their radii are not looked at; see thud_start.
static const double THUDI_FAR_PART = 0.01;

typedef struct thudi_run_summary
{
    const thud_scene *scene;
    const char *folder;
    const thudi_recorder *recorder;
    const char *ending; // "running", "done", "stopped" or "failed"
    const char *error;  // one line, "" if none
    const char *origin; // the run that this one continues, "" for none
    int resumed;        // how often the run was resumed
    double seconds;
    double reached;       // time of the last node
    int64_t frames;       // recorded
    thud_digest digest;   // of all records
    thud_profile profile; // seconds by stage, summed
    thud_step_advice advice;
    const thudi_halving *halving; // the second run, if it was asked for
} thudi_run_summary;

// For people, at the end of a run.
void thudi_run_summary_write(const thudi_run_summary *summary, thud_writer *out);

// The contents of run.json, also printed by --json.
void thudi_run_summary_json(const thudi_run_summary *summary, thud_json *json);

#endif
