// The time when a column of the series reaches a value: the first t at which it is there, after it
// was on the other side.
#include "measure/model_measures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Stages of a time_when.
static const double WAITS = -1, IS_THERE = 1; // 0: has not been on the other side yet

void thud_model_follow(const thud_model *model, double *stage, double *time, double *values)
{
    const thud_scene *scene = model->scene;
    for (int i = 0, first = thudi_measures_begin(model); i < scene->measure_count; i++)
    {
        const thud_scene_measure *measure = &scene->measures[i];
        int own = first;
        first += thudi_measure_columns(model, measure);
        if (measure->kind != THUD_MEASURE_TIME_WHEN)
            continue;
        double beyond = values[model->series->watched[i]] - measure->value; // nan: nothing changes
        beyond = measure->falls ? -beyond : beyond;
        if (beyond < 0 && stage[i] != IS_THERE)
            stage[i] = WAITS;
        if (beyond >= 0 && stage[i] == WAITS)
        {
            stage[i] = IS_THERE;
            time[i] = values[THUDI_SERIES_TIME];
        }
        values[own] = stage[i] == IS_THERE ? time[i] : NAN;
    }
}

void thud_model_follow_from(const thud_model *model, double *stage, double *time,
                            const double *values)
{
    const thud_scene *scene = model->scene;
    for (int i = 0, first = thudi_measures_begin(model); i < scene->measure_count; i++)
    {
        double told = values[first];
        first += thudi_measure_columns(model, &scene->measures[i]);
        if (scene->measures[i].kind != THUD_MEASURE_TIME_WHEN)
            continue;
        // a time equal to that of this line is found again from this line
        bool is_before = told < values[THUDI_SERIES_TIME];
        stage[i] = isnan(told) ? 0 : is_before ? IS_THERE : WAITS;
        time[i] = is_before ? told : 0;
    }
}

// The hint lists the columns that begin with this name and a dot, else it names the nearest column.
static thud_status fail_column(const thud_model *model, const thud_scene_measure *measure,
                               thud_fault *fault)
{
    char hint[sizeof((thud_fault *)0)->hint] = "";
    size_t length = strlen(measure->column), used = 0;
    for (int i = 0; i < model->series->name_count && used < sizeof hint; i++)
    {
        const char *name = model->series->names.items[i];
        if (strncmp(name, measure->column, length) == 0 && name[length] == '.')
            used += (size_t)snprintf(hint + used, sizeof hint - used, "%s%s",
                                     used > 0 ? ", " : "use one of its columns: ", name);
    }
    const char *nearest =
        thud_nearest(measure->column, length, (const char *const *)model->series->names.items,
                     model->series->name_count);
    if (used == 0 && nearest)
        (void)snprintf(hint, sizeof hint, "did you mean '%s'?", nearest);
    else if (used == 0)
        (void)snprintf(hint, sizeof hint, "name a column of series.csv, such as 'kinetic'");
    (void)thudi_fail_unplaced(fault, THUD_ERR_SCENE, hint,
                              "measure.%s.time_when.column: there is no column '%s'", measure->name,
                              measure->column);
    thudi_fault_place(fault, &measure->place);
    return THUD_ERR_SCENE;
}

thud_status thudi_times_find(thud_model *model, thud_fault *fault)
{
    const thud_scene *scene = model->scene;
    for (int i = 0; i < scene->measure_count; i++)
    {
        const thud_scene_measure *measure = &scene->measures[i];
        int column = 0, first;
        if (measure->kind != THUD_MEASURE_TIME_WHEN)
            continue;
        while (column < model->series->name_count &&
               strcmp(model->series->names.items[column], measure->column) != 0)
            column++;
        if (column == model->series->name_count)
            return fail_column(model, measure, fault);
        int other = thudi_measure_of(model, column, &first);
        if (other >= 0 && scene->measures[other].kind == THUD_MEASURE_TIME_WHEN)
        {
            (void)thudi_fail_unplaced(
                fault, THUD_ERR_SCENE, "name a column that is not a time_when itself",
                "measure.%s.time_when.column: '%s' is %s", measure->name, measure->column,
                other == i ? "this measure" : "a time_when as well");
            thudi_fault_place(fault, &measure->place);
            return THUD_ERR_SCENE;
        }
        model->series->watched[i] = column;
    }
    return THUD_OK;
}
