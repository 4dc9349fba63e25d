// Reads the scene that the argument SCENE names, and builds its model.
#ifndef CLI_SCENE_ARGUMENT_H
#define CLI_SCENE_ARGUMENT_H

#include "options.h"

#include <thud/model.h>

// Read the scene file that the first argument names, and apply the overrides of --set. Print a note
// for each key that they added. Returns an exit code; if it is not CLI_DONE, the error has been
// printed. The caller destroys *scene.
int cli_read_scene(const cli_call *call, thud_scene **scene);

// Print a note for each key that --set added to the scene, unless --quiet is given. Reason: a
// misspelt name, such as 'rubbr' in materials.rubbr.density, adds a material and does not change
// the intended one.
void cli_note_added_keys(const cli_call *call, const thud_scene *scene);

// Build the scene's model. Print warnings, such as conditions of the convergence theorem that do
// not hold. Returns an exit code; if it is not CLI_DONE, the error has been printed.
int cli_create_model(const thud_scene *scene, thud_model **model);

#endif
