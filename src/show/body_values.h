// What bodies are coloured by, as numbers.
#ifndef THUDI_BODY_VALUES_H
#define THUDI_BODY_VALUES_H

#include "record/exporter.h"
#include "thud/show.h"

enum
{
    THUDI_UNIT_SIZE = 200
};

// value[i] of every body of the shot; PLAIN gives zeros.
void thudi_values_find(thud_color color, const thud_scene *scene, const thudi_shot *shot,
                       double *value);

// The value that all but one part in `part` of them stay below or reach; they are reordered.
double thudi_values_most(double *value, int count, int part);

// Units made of the scene's labels, "" when one that is needed is not given: each exponent in the
// order length, time, mass. "kg m/s^2" becomes N, and so on, where the labels are SI.
const char *thudi_unit(char text[THUDI_UNIT_SIZE], const thud_scene *scene, int length, int time,
                       int mass);

// The unit of a colour.
const char *thudi_color_unit(char text[THUDI_UNIT_SIZE], const thud_scene *scene, thud_color color);
const char *thudi_color_name(thud_color color);

#endif
