// The units of what a run records: what is stored with them, and what a verification expects.
#include "run/recorded/unit_texts.h"

// Coordinates of an inclusion may each have another dimension.
void thudi_unit_texts_make(thudi_unit_texts *units, const thud_scene *scene)
{
    units->all = (thud_log_units){.time = thud_unit_text(units->time, scene, 0, 1, 0)};
    if (scene->kind != THUD_SCENE_SPHERES)
        return;
    units->all.length = thud_unit_text(units->length, scene, 1, 0, 0);
    units->all.velocity = thud_unit_text(units->velocity, scene, 1, -1, 0);
    // in order 1 the force is the wanted velocity
    units->all.force =
        scene->order == 1 ? units->all.velocity : thud_unit_force(units->force, scene);
    units->all.impulse = thud_unit_text(units->impulse, scene, 1, -1, 1);
}
