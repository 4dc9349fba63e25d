// The scenes that come with Thud, embedded at build time from the folder scenes/.
#ifndef CLI_SHIPPED_SCENES_H
#define CLI_SHIPPED_SCENES_H

#include <stddef.h>

typedef struct shipped_scene
{
    const char *name;
    const char *text;
    size_t length;
} shipped_scene;

extern const shipped_scene shipped_scenes[];
extern const int shipped_scene_count;

#endif
