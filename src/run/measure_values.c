// The last value of every column that a measure of the scene has.
#include "run/measure_values.h"
#include "core/fault.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <thud/record.h>

void thudi_measures_json(const thud_model *model, const double *values, thud_json *json)
{
    const char *const *names;
    int count = thud_model_series(model, &names), shown = 0;
    thud_json_open(json, "measures");
    for (int i = 0; i < count && shown < THUDI_MEASURE_COLUMNS; i++)
    {
        thud_series_column column;
        thud_model_series_column(model, i, &column);
        if (column.measure < 0)
            continue;
        thud_json_number(json, column.name, values[i]);
        shown++;
    }
    thud_json_close(json);
}

static bool has_columns(const thud_series *series, const thud_model *model)
{
    const char *const *names;
    int count = thud_model_series(model, &names);
    bool same = thud_series_columns(series) == count;
    for (int i = 0; same && i < count; i++)
        same = strcmp(thud_series_name(series, i), names[i]) == 0;
    return same;
}

thud_status thudi_measures_read(const char *folder, const thud_model *model, double *values,
                                thud_fault *fault)
{
    const char *const *names;
    int count = thud_model_series(model, &names);
    thud_series *series;
    for (int i = 0; i < count; i++)
        values[i] = NAN;
    *fault = thudi_fault_none();
    THUD_TRY(thud_series_open(folder, NULL, &series, fault));
    bool found;
    thud_status status =
        has_columns(series, model) ? thud_series_last(series, values, &found, fault) : THUD_OK;
    thud_series_close(series);
    return status;
}
