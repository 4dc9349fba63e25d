// The last value of every column that a measure of the scene has.
#ifndef CLI_MEASURE_VALUES_H
#define CLI_MEASURE_VALUES_H

#include "report.h"
#include "run_argument.h"

#include <thud/model.h>

enum
{
    CLI_MEASURE_COLUMNS = 500 // at most, as CLI_RUN_JSON is limited; series.csv has all
};

// Write "measures": {column: value} from a line of the series; those that are not finite are null.
void cli_measures_json(const thud_model *model, const double *values, thud_json *json);

// Read the last whole line of the series of a run directory, values: as many as the model has
// columns. All are NAN where there is no line, or the columns are others.
thud_status cli_measures_read(const char *folder, const thud_model *model, double *values,
                              thud_fault *fault);

// Both, of a run: all values are null where they cannot be read.
void cli_measures_of_run(const cli_run *run, thud_json *json);

#endif
