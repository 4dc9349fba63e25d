// Two scenes compared by what they say.
#ifndef CLI_SCENE_TEXT_H
#define CLI_SCENE_TEXT_H

#include <thud/scene.h>

// Are both the same, with all defaults written out, bodies and meshes included? THUD_ERR_MEMORY.
thud_status cli_scene_compare(const thud_scene *a, const thud_scene *b, bool *same);

#endif
