// The units of what a run records, as text.
#ifndef THUDI_UNIT_TEXTS_H
#define THUDI_UNIT_TEXTS_H

#include "thud/record.h"
#include "thud/units.h"

typedef struct thudi_unit_texts
{
    thud_log_units all; // these:
    char length[THUD_UNIT_SIZE], time[THUD_UNIT_SIZE], velocity[THUD_UNIT_SIZE];
    char force[THUD_UNIT_SIZE], impulse[THUD_UNIT_SIZE];
} thudi_unit_texts;

// Those of a scene.
void thudi_unit_texts_make(thudi_unit_texts *units, const thud_scene *scene);

#endif
