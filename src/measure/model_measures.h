// What the files of the measures share.
#ifndef THUDI_MODEL_MEASURES_H
#define THUDI_MODEL_MEASURES_H

#include "build/model.h"

enum
{
    THUDI_SERIES_TIME = 1 // the column t
};

// The contact of multiplier i, and its force: negative where glue pulls. False if it is of no body.
bool thudi_measure_touch(const thud_model *model, const thud_view *view, int i, thud_touch *touch,
                         double *force);

// How many columns of the series a measure has.
int thudi_measure_columns(const thud_model *model, const thud_scene_measure *measure);

// The first column of the first measure.
int thudi_measures_begin(const thud_model *model);

// The measure that a column is of, and its first column; -1 for a column of none.
int thudi_measure_of(const thud_model *model, int column, int *first);

// Each writes the values of one measure, in the order of its names, and returns their end.
double *thudi_measure_flow(thud_model *model, int measure, const thud_view *view, double *values);
double *thudi_measure_profile(const thud_model *model, const thud_scene_measure *measure,
                              const thud_view *view, double *values);
double *thudi_measure_bodies(const thud_model *model, const thud_scene_measure *measure,
                             const thud_view *view, double *values);
double *thudi_measure_stress(const thud_model *model, const thud_scene_measure *measure,
                             const thud_view *view, double *values);

#endif
