// Lengths that do not fit the gravity of the scene, as millimetres with 9.81.
#ifndef CLI_UNIT_HINT_H
#define CLI_UNIT_HINT_H

#include <thud/scene.h>

// Warn when gravity is the Earth's in m/s^2 and lengths are not in metres: by the labels of units,
// or, where there is none for lengths, when even the smallest body would be 4 m across.
void cli_warn_of_units(const thud_scene *scene);

// Print that lengths are in metres where no label says so and the smallest body may well be one of
// millimetres: from 0.2 m across. Some scenes mean it, so that a run does not repeat it.
void cli_note_units(const thud_scene *scene);

#endif
