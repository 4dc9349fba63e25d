// What bodies are coloured by, as numbers.
#ifndef THUDI_BODY_VALUES_H
#define THUDI_BODY_VALUES_H

#include "thud/show.h"
#include "thud/snapshot.h"
#include "thud/units.h"

// value[i] of every body of the snapshot; PLAIN gives zeros.
void thudi_values_find(thud_color color, const thud_scene *scene, const thud_snapshot *snapshot,
                       double *value);

// The value that all but one part in `part` of them stay below or reach; they are reordered.
double thudi_values_most(double *value, int count, int part);

// The unit of a colour.
const char *thudi_color_unit(char text[THUD_UNIT_SIZE], const thud_scene *scene, thud_color color);
const char *thudi_color_name(thud_color color);

#endif
