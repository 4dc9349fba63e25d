// Reads the scene SCENE of the command line and builds its model.
#ifndef CLI_SCENE_ARGUMENT_H
#define CLI_SCENE_ARGUMENT_H

#include "options.h"

#include <thud/model.h>

// Read the scene file of the first argument, with the overrides of --set. Returns an exit code; if
// it is not CLI_DONE, the error has been printed.
int cli_read_scene(const cli_call *call, thud_scene **scene);

// Print a note for each key that --set added to the scene, unless --quiet is given. A misspelt
// name adds a key without effect and leaves the intended key as it is.
void cli_note_added(const cli_call *call, const thud_scene *scene);

// Build the scene's model. Print warnings, such as what the convergence theorem does not cover.
// Returns an exit code; if it is not CLI_DONE, the error has been printed.
int cli_make_model(const thud_scene *scene, thud_model **model);

#endif
