// A run that is being written: how far it is and how fast it gets on, from its files alone.
#ifndef THUDI_RUN_NOW_H
#define THUDI_RUN_NOW_H

#include "report.h"
#include "run/run_argument.h"
#include "run/run_ending.h"

// Numbers are NAN where they are not known.
typedef struct thudi_run_now
{
    double step, t; // of the last line of the series
    double part;    // of the run that is done, 0 to 1
    double steps_per_second, time_per_second;
    double seconds_left;
    double min_gap, violation, backward, forward; // of that step
} thudi_run_now;

// A step and when it was taken, in seconds of any clock.
typedef struct thudi_moment
{
    double step, when;
} thudi_moment;

// Fill in rates and the time left, for a run that was at two moments.
void thudi_run_now_rate(thudi_run_now *now, const thud_scene *scene, thudi_moment from,
                        thudi_moment to);

// Read it. Nothing is locked, and files may grow meanwhile.
void thudi_run_now_read(const char *folder, const thudi_run *run, const thudi_run_ending *end,
                        thudi_run_now *now);
void thudi_run_now_print(const thudi_run_now *now, const thud_scene *scene);
void thudi_run_now_json(const thudi_run_now *now, thud_json *json);

#endif
