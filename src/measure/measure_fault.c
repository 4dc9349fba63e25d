// Which measure of a scene is not a finite number, for people.
#include "measure/model_measures.h"

#include <math.h>
#include <stdio.h>

int thudi_measures_begin(const thud_model *model)
{
    int first = model->series->name_count; // the measures are the last columns
    for (int i = 0; i < model->scene->measure_count; i++)
        first -= thudi_measure_columns(model, &model->scene->measures[i]);
    return first;
}

int thudi_measure_of(const thud_model *model, int column, int *first)
{
    const thud_scene *scene = model->scene;
    *first = model->series->name_count;
    for (int i = scene->measure_count - 1; i >= 0; i--)
    {
        *first -= thudi_measure_columns(model, &scene->measures[i]);
        if (column >= *first)
            return i;
    }
    return -1;
}

bool thud_model_measure_fault(const thud_model *model, int measure, const double *values,
                              char *text, size_t size)
{
    const thud_scene *scene = model->scene;
    char number[THUD_NUMBER_SIZE];
    int first = model->series->name_count; // the measures are the last columns
    text[0] = '\0';
    for (int i = measure; i < scene->measure_count; i++)
        first -= thudi_measure_columns(model, &scene->measures[i]);
    const thud_scene_measure *what = &scene->measures[measure];
    for (int i = first; i < first + thudi_measure_columns(model, what); i++)
    {
        // a mean over no body is NAN, and so is a time that has not come
        bool may_be_nan =
            what->kind == THUD_MEASURE_COORDINATION || what->kind == THUD_MEASURE_TIME_WHEN;
        if (isfinite(values[i]) || (may_be_nan && isnan(values[i])))
            continue;
        if (what->kind == THUD_MEASURE_COUNT_THROUGH)
            (void)snprintf(text, size, "the plane of measure '%s' is not finite", what->name);
        else
            (void)snprintf(text, size, "measure '%s' is not finite: %s is %s", what->name,
                           model->series->names.items[i], thud_number_write(number, values[i]));
        return true;
    }
    return false;
}
