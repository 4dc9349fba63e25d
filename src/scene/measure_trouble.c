// Which measure of a scene of spheres is not a finite number, for people.
#include "scene/model_measures.h"

#include <math.h>
#include <stdio.h>

int thudi_measure_columns(const thud_model *model, const thud_scene_measure *measure)
{
    bool is_flat = model->scene->dim == 2;
    switch (measure->kind)
    {
    case THUD_MEASURE_FORCE_ON:
        return is_flat ? 2 : 3;
    case THUD_MEASURE_TORQUE_ON:
        return is_flat ? 1 : 3;
    case THUD_MEASURE_FLOW_THROUGH:
        return 2;
    case THUD_MEASURE_PRESSURE_PROFILE:
        return measure->bins;
    case THUD_MEASURE_STRESS:
        return is_flat ? 4 : 7;
    case THUD_MEASURE_COORDINATION:
        return 3;
    case THUD_MEASURE_COUNT_THROUGH:
    case THUD_MEASURE_PACKING_FRACTION:
        break;
    }
    return 1;
}

int thudi_measure_of(const thud_model *model, int column, int *first)
{
    const thud_scene *scene = model->scene;
    *first = model->name_count; // the measures are the last columns
    for (int i = scene->measure_count - 1; i >= 0; i--)
    {
        *first -= thudi_measure_columns(model, &scene->measures[i]);
        if (column >= *first)
            return i;
    }
    return -1;
}

bool thud_model_measure_trouble(const thud_model *model, int measure, const double *values,
                                char *text, size_t size)
{
    const thud_scene *scene = model->scene;
    char number[THUD_NUMBER_SIZE];
    int first = model->name_count; // the measures are the last columns
    text[0] = '\0';
    for (int i = measure; i < scene->measure_count; i++)
        first -= thudi_measure_columns(model, &scene->measures[i]);
    const thud_scene_measure *what = &scene->measures[measure];
    for (int i = first; i < first + thudi_measure_columns(model, what); i++)
    {
        bool is_mean = what->kind == THUD_MEASURE_COORDINATION && isnan(values[i]); // over no body
        if (isfinite(values[i]) || is_mean)
            continue;
        if (what->kind == THUD_MEASURE_COUNT_THROUGH)
            (void)snprintf(text, size, "the plane of measure '%s' is not finite", what->name);
        else
            (void)snprintf(text, size, "measure '%s' is not finite: %s is %s", what->name,
                           model->names.items[i], thud_number_write(number, values[i]));
        return true;
    }
    return false;
}
