// The scene that a command is given, read and made into a model.
#ifndef CLI_SCENE_ARGUMENT_H
#define CLI_SCENE_ARGUMENT_H

#include "options.h"

#include <thud/model.h>

// Read the scene named by the first argument, with the overrides of --set. Returns an exit code,
// having said what was wrong.
int cli_read_scene(const cli_call *call, thud_scene **scene);

// Say which keys --set added to it, unless --quiet: one that is misspelt would change nothing.
void cli_note_added(const cli_call *call, const thud_scene *scene);

// Build its problem; warn of what the theory does not cover.
int cli_make_model(const thud_scene *scene, thud_model **model);

#endif
