// Every expression and table of a scene, with its name: one walk for all who must forget none.
#ifndef THUDI_VARYING_H
#define THUDI_VARYING_H

#include "thud/scene.h"

typedef enum thudi_varying_use
{
    THUDI_VARYING_STEP,    // of t and all coordinates: a step cannot be taken without it
    THUDI_VARYING_BODY,    // of t and the position of one body; a step needs it too
    THUDI_VARYING_MEASURE, // of t: only the series needs it
    THUDI_VARYING_EXACT    // of t: only studies need it
} thudi_varying_use;

typedef struct thudi_varying
{
    const thud_expression *expression; // NULL: `growth` is a table
    const thud_scene_growth *growth;   // NULL unless it multiplies radii
    thudi_varying_use use;
    // the name "walls.floor.point[1]": parts that are NULL, and an index below 0, are left out
    const char *group, *name, *field;
    int index;
} thudi_varying;

// Return true to end the walk.
typedef bool thudi_varying_fn(const thudi_varying *varying, void *user);

// Visit all that the scene has, constants too; whether a visit ended the walk.
bool thudi_scene_each_varying(const thud_scene *scene, thudi_varying_fn *visit, void *user);

void thudi_varying_name(const thudi_varying *varying, char *text, size_t size);

#endif
