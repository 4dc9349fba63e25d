// thud converge --measure: one measure of a scene at h, h/2, h/4 and so on.
#ifndef CLI_CONVERGE_MEASURE_H
#define CLI_CONVERGE_MEASURE_H

#include "options.h"

#include <thud/measured.h>

// Does the call ask for it? CLI_USAGE, having said so, when options of it are given without it.
int cli_converge_asks_measure(const cli_call *call, bool *asks);

// Returns the exit code.
int cli_converge_measure(const cli_call *call, thud_scene *scene);

// What is studied, in words and columns.
typedef struct cli_measured
{
    const thud_scene *scene;
    thud_series_column column, guide;
    thud_halving_def def;
    char unit[100]; // of the statistic
} cli_measured;

void cli_measured_print(const cli_measured *measured, const thud_halving_result *result);
int cli_measured_print_json(const cli_measured *measured, const thud_halving_result *result);
const char *cli_statistic_name(thud_statistic statistic);

#endif
