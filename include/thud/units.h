/// Units of quantities, made of the labels that a scene gives for length, time and mass.
/// (library thud_scene)
#ifndef THUD_UNITS_H
#define THUD_UNITS_H

#include "thud/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    THUD_UNIT_SIZE = 200 ///< room for a unit, with its end
};

/// Write the unit with these exponents of length, time and mass into text: "kg m/s", for example.
/// Where the labels are SI, "kg m/s^2" becomes N; J, Pa, N s and N/m are known too. The text is
/// empty when a label that is needed is not given. Returns text.
THUD_API const char *thud_unit_text(char text[THUD_UNIT_SIZE], const thud_scene *scene, int length,
                                    int time, int mass);

/// The unit of a contact force, and of a force per area (2D: per length). In order 1 a force is a
/// mass times a velocity.
THUD_API const char *thud_unit_force(char text[THUD_UNIT_SIZE], const thud_scene *scene);
THUD_API const char *thud_unit_pressure(char text[THUD_UNIT_SIZE], const thud_scene *scene);

#ifdef __cplusplus
}
#endif

#endif
