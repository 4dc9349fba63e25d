// The keys of scenes, explained: 'thud help scene KEY'.
#ifndef CLI_SCENE_HELP_H
#define CLI_SCENE_HELP_H

// Print the keys at the top of scenes, one a line.
void cli_print_keys(void);

// Explain a key by its path or the end of it: 'time.step', 'walls.floor.plane' or 'step'.
// CLI_USAGE, with the nearest key, when there is none.
int cli_print_key(const char *wanted);

// Print the paths of all keys, separated by blanks, for completions.
void cli_print_key_paths(void);

// Print all keys as the tables of docs/scenes.md; a JSON Schema of scenes.
void cli_print_key_tables(void);
int cli_print_schema(void);

#endif
