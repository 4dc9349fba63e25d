// A run that is being written: how far it is and how fast it gets on, from its files alone.
#ifndef CLI_RUN_NOW_H
#define CLI_RUN_NOW_H

#include "report.h"
#include "run_argument.h"
#include "run_ending.h"

// Numbers are NAN where they are not known.
typedef struct cli_run_now
{
    double step, t; // of the last line of the series
    double part;    // of the run that is done, 0 to 1
    double steps_per_second, time_per_second;
    double seconds_left;
    double min_gap, violation, backward, forward; // of that step
} cli_run_now;

// A step and when it was taken, in seconds of any clock.
typedef struct cli_moment
{
    double step, when;
} cli_moment;

// Fill in rates and the time left, for a run that was at two moments.
void cli_run_now_rate(cli_run_now *now, const thud_scene *scene, cli_moment from, cli_moment to);

// Read it. Nothing is locked, and files may grow meanwhile.
void cli_run_now_read(const char *folder, const cli_run *run, const cli_run_ending *end,
                      cli_run_now *now);
void cli_run_now_print(const cli_run_now *now, const thud_scene *scene);
void cli_run_now_json(const cli_run_now *now, thud_json *json);

#endif
