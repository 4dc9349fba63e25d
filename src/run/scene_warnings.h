// What warnings of a scene share.
#ifndef THUDI_SCENE_WARNINGS_H
#define THUDI_SCENE_WARNINGS_H

#include "thud/warnings.h"

typedef struct thudi_warner
{
    thud_warn_fn *warn;
    void *user;
} thudi_warner;

void thudi_warn(const thudi_warner *warner, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Warn when gravity is the Earth's in m/s^2 and lengths are not in metres: by the labels of units,
// or, where there is none for lengths, when even the smallest body would be 4 m across.
void thudi_warn_of_units(const thud_scene *scene, const thudi_warner *warner);

#endif
