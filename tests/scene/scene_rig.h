/// What the tests of scenes share: reports as the program prints them, texts in memory, equality.
#ifndef SCENE_RIG_H
#define SCENE_RIG_H

#include "thud/scene.h"

enum
{
    RIG_REPORT_SIZE = 2048
};

/// A text that grows.
typedef struct rig_text
{
    char *bytes; ///< ended by a null byte
    size_t length, capacity;
} rig_text;

/// Append to a rig_text; a thud_sink_fn.
int rig_sink(const char *bytes, size_t length, void *user);
void rig_text_free(rig_text *text);

/// The whole of a file, or fail the test.
bool rig_load(const char *path, rig_text *text);

/// The exit code of the program for a status.
int rig_exit_code(thud_status status);

/// Read a scene and write what the program would say of it: "thud: error: FILE:LINE:COL: TEXT",
/// "  hint: HINT", "exit CODE", a line each; "" when it is fine.
void rig_report(const thud_scene_def *def, char report[RIG_REPORT_SIZE]);

/// Read a scene that must be fine, or fail the test and return NULL.
thud_scene *rig_read(const thud_scene_def *def);
thud_scene *rig_read_text(const char *text);

/// Are two scenes the same, all numbers bit for bit? Not compared: file, places, origins of
/// bodies, whether the step was automatic. Fails the test with the first difference.
bool rig_same(const thud_scene *a, const thud_scene *b);

#endif
