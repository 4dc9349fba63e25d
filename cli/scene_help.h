// Prints help on the keys of scene files: 'thud help scene KEY'.
#ifndef CLI_SCENE_HELP_H
#define CLI_SCENE_HELP_H

// Print the top-level keys with their values, grouped by the kind of scene that has them.
void cli_print_keys(void);

// Explain the keys whose path is `wanted` or ends with it: 'time.step', 'walls.floor.plane' or
// 'step'. If there are many, only their paths are printed. If there is none, print an error that
// suggests the nearest key, and return CLI_USAGE.
int cli_print_key(const char *wanted);

// Print the paths of all keys, separated by spaces, for shell completions.
void cli_print_key_paths(void);

// Print all keys as the Markdown tables that docs/scenes.md contains.
void cli_print_key_tables(void);
// Print the JSON Schema of scene files. Returns an exit code.
int cli_print_schema(void);

#endif
