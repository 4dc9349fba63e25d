// What the files of the measures share.
#ifndef THUDI_MODEL_MEASURES_H
#define THUDI_MODEL_MEASURES_H

#include "build/model.h"
#include "core/math/exact_sum.h"

enum
{
    THUDI_SERIES_TIME = 1 // the column t
};

// What a model remembers for its series.
typedef struct thudi_series
{
    THUDI_ARRAY(char *) names; // each is a separate block
    int name_count;
    signed char *sides;    // by body and counting measure: the side it was on, 0 unknown
    double *crossed;       // by measure, so far; of a time_when see thud_model_fields
    double *carried;       // the mass that crossed a polygon, or the time
    int *watched;          // by measure: the column whose value a time_when waits for
    double *radii;         // scratch: a number for every body, if there are measures
    thudi_exact_sum *sums; // scratch: one for every wall and obstacle, or every bin of a profile
    int sum_count;
} thudi_series;

// Give the model its series; free it.
thud_status thudi_series_make(thud_model *model, thud_fault *fault);
void thudi_series_discard(thud_model *model);
// Add a name of the series, made of three parts.
thud_status thudi_model_add_name(thud_model *model, const char *first, const char *name,
                                 const char *last);
// Find the columns that measures of kind time_when wait for, once all have names.
thud_status thudi_times_find(thud_model *model, thud_fault *fault);
// Names of a measure, and values of one that is not of a plane.
thud_status thudi_measure_names(thud_model *model, const thud_scene_measure *measure);
double *thudi_measure_values(thud_model *model, int which, const thud_view *view, double *values);

// The contact of multiplier i, and its force, which is negative where glue pulls. False if no body
// has it.
bool thudi_measure_touch(const thud_model *model, const thud_view *view, int i, thud_touch *touch,
                         double *force);

// How many columns of the series a measure has.
int thudi_measure_columns(const thud_model *model, const thud_scene_measure *measure);

// The first column of the first measure.
int thudi_measures_begin(const thud_model *model);

// The measure that a column belongs to, and that measure's first column; -1 if it belongs to none.
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
