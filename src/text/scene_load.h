// The tree of a whole scene: its file, the files it includes, and overrides.
#ifndef THUDI_SCENE_LOAD_H
#define THUDI_SCENE_LOAD_H

#include "text/tree.h"
#include "thud/scene.h"

// Where a scene comes from, opened. `folder` is -1 when it may name no files.
typedef struct thudi_origin
{
    const char *file;          // as messages call it
    const char *folder_prefix; // what messages put in front of files below the folder: "" or "dir/"
    int folder;
    bool no_links;      // follow none
    const char **added; // by override: the key that it added, or NULL
    bool is_replaced;   // overrides took parts of the scene away that were more than numbers
} thudi_origin;

// A path that a scene names must be relative, without "..". THUD_ERR_SCENE.
thud_status thudi_path_check(const thudi_tree *node, const thudi_origin *origin, thud_fault *fault);

// Load all. The tree and *origin live in the arena; close origin->folder in any case.
thud_status thudi_scene_load(const thud_scene_def *def, thudi_arena *arena, thudi_tree **root,
                             thudi_origin *origin, thud_fault *fault);

#endif
