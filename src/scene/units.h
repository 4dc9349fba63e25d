// Units of what is computed, by the labels that a scene gives.
#ifndef THUDI_UNITS_H
#define THUDI_UNITS_H

#include "thud/scene.h"

enum
{
    THUDI_UNIT_SIZE = 200
};

// Units made of the scene's labels, "" when one that is needed is not given: each exponent in the
// order length, time, mass. "kg m/s^2" becomes N, and so on, where the labels are SI.
const char *thudi_unit(char text[THUDI_UNIT_SIZE], const thud_scene *scene, int length, int time,
                       int mass);

// Units of a contact force, and of a force per area (2D: per length). In order 1 a force is a mass
// times a velocity.
const char *thudi_force_unit(char text[THUDI_UNIT_SIZE], const thud_scene *scene);
const char *thudi_pressure_unit(char text[THUDI_UNIT_SIZE], const thud_scene *scene);

#endif
