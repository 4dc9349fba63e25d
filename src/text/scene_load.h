// The tree of a whole scene: its file, the files it includes, and overrides.
#ifndef THUDI_SCENE_LOAD_H
#define THUDI_SCENE_LOAD_H

#include "text/tree.h"
#include "thud/scene.h"

// The opened origin of a scene. `folder` is -1 when the scene may name no files.
typedef struct thudi_origin
{
    const char *file;          // the name that messages use
    const char *folder_prefix; // precedes names of files below the folder in messages: "" or "dir/"
    int folder;
    bool no_links;      // do not follow links
    const char **added; // for each override: the key that it added, or NULL
    bool is_replaced;   // an override replaced something other than a number
} thudi_origin;

// A path that a scene names must be relative, without "..". THUD_ERR_SCENE.
thud_status thudi_path_check(const thudi_tree *node, const thudi_origin *origin, thud_fault *fault);

// Load the file, its includes and the overrides. The tree and *origin live in the arena. Close
// origin->folder in any case.
thud_status thudi_scene_load(const thud_scene_def *def, thudi_arena *arena, thudi_tree **root,
                             thudi_origin *origin, thud_fault *fault);

#endif
