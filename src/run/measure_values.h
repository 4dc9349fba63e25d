// The last value of every column that a measure of the scene has.
#ifndef THUDI_MEASURE_VALUES_H
#define THUDI_MEASURE_VALUES_H

#include "thud/json.h"
#include "thud/model.h"
#include "thud/record.h"

enum
{
    THUDI_MEASURE_COLUMNS = 500 // at most, as THUDI_RUN_JSON is limited; series.csv has all
};

// Write "measures": {column: value} from a line of the series; those that are not finite are null.
void thudi_measures_json(const thud_model *model, const double *values, thud_json *json);

// Read the last whole line of the series of a run directory, values: as many as the model has
// columns. All are NAN where there is no line, or the columns are others.
thud_status thudi_measures_read(const char *folder, const thud_model *model, double *values,
                                thud_fault *fault);

#endif
