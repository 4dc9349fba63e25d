// The scenes that come with Thud, embedded at build time from the folder scenes/.
#ifndef CLI_SHIPPED_SCENES_H
#define CLI_SHIPPED_SCENES_H

#include <stddef.h>

typedef struct shipped_scene
{
    const char *name;
    const char *text;
    size_t length;
    const char *mesh; // NAME.stl, which the scene needs beside it; NULL for most
    size_t mesh_length;
} shipped_scene;

extern const shipped_scene shipped_scenes[];
extern const int shipped_scene_count;

#endif
