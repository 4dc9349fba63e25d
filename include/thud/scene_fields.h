/// The keys of scenes, as data: what `thud help scene`, the tables of docs/scenes.md and the JSON
/// Schema for editors are made of. (library thud_scene)
#ifndef THUD_SCENE_FIELDS_H
#define THUD_SCENE_FIELDS_H

#include "thud/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A key and its value. Texts may hold the marks of Markdown: `code` and *stress*.
typedef struct thud_scene_field
{
    const char *path;    ///< such as "walls.NAME.plane.point"; N is a number in a list
    const char *kind;    ///< of scenes that have it: "spheres", "inclusion", or "both"
    const char *table;   ///< the table of docs/scenes.md in which it stands
    const char *local;   ///< the path in that table
    const char *value;   ///< how it is written: "number > 0"
    const char *initial; ///< the default, as code or in words; "required"
    const char *unit;    ///< in words; "" for none
    const char *help;    ///< what it means
} thud_scene_field;

/// Return true to end the walk.
typedef bool thud_scene_field_fn(const thud_scene_field *field, void *user);

/// Visit every key, in the order in which scenes are written; whether a visit ended the walk. What
/// is visited, and its texts, are valid during the visit.
THUD_API bool thud_scene_each_field(thud_scene_field_fn *visit, void *user);

/// Write a JSON Schema (draft 7) of scene files. THUD_ERR_MEMORY, THUD_ERR_IO if the sink fails.
THUD_API thud_status thud_scene_write_schema(thud_sink_fn *sink, void *user);

#ifdef __cplusplus
}
#endif

#endif
