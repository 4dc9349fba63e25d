// What the keys of a scene's rows mean.
#include "thud/scene.h"

thud_key_space thud_scene_keys(const thud_scene *scene)
{
    const bool *axis = scene->cell.is_periodic;
    if (scene->kind != THUD_SCENE_SPHERES)
        return THUD_KEYS_NUMBERED;
    return axis[0] || axis[1] || axis[2] ? THUD_KEYS_PERIODIC : THUD_KEYS_OPEN;
}

int thud_scene_constraint_of(const thud_scene *scene, thud_key key)
{
    thud_key_parts parts = thud_key_read(key, THUD_KEYS_NUMBERED);
    return parts.a >= 0 && parts.a < scene->constraint_count ? (int)parts.a : -1;
}
