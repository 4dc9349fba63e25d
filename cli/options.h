// The commands and their options: one table, from which parsing, --help, the manual pages and the
// completions all come.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>

enum
{
    CLI_ARGUMENTS = 4, // most arguments of any command
    CLI_VALUES = 256,  // options given in one call
    CLI_NAMES = 64     // commands, or options of one command, at most
};

typedef struct cli_option
{
    const char *name;    // without the dashes
    char letter;         // short form, or 0
    const char *value;   // what to call its value, NULL for a flag
    const char *about;   // one sentence, lower case, no full stop
    const char *choices; // words its value may be, separated by spaces; NULL for any
} cli_option;

typedef struct cli_given
{
    const cli_option *option;
    const char *value;
} cli_given;

typedef struct cli_call cli_call;

typedef struct cli_command
{
    const char *name;
    const char *arguments; // as in the usage line
    int least, most;       // arguments
    const char *about;     // one line
    const char *text;      // what it does, in paragraphs
    const cli_option *options;
    int option_count;
    const char *examples;             // lines
    int (*run)(const cli_call *call); // returns the exit code
    bool is_shared; // all processes of a job run it; of other commands the first one alone
} cli_command;

// A parsed command line.
struct cli_call
{
    const cli_command *command;
    const char *arguments[CLI_ARGUMENTS];
    int argument_count;
    cli_given given[CLI_VALUES];
    int given_count;
};

extern const cli_command cli_commands[];
extern const int cli_command_count;
extern const cli_option cli_common_options[]; // every command also has these
extern const int cli_common_option_count;

// NULL if no command has that name.
const cli_command *cli_command_named(const char *name);
// The same, with an error message and a hint if there is none.
const cli_command *cli_find_command(const char *name);

// Fill *call from the words after the command's name. Returns 0, or CLI_USAGE after a message.
int cli_parse(const cli_command *command, int count, char **words, cli_call *call);

bool cli_has(const cli_call *call, const char *option);
const char *cli_value(const cli_call *call, const char *option, const char *otherwise);
// All values of an option that may be repeated, in order; returns how many.
int cli_values(const cli_call *call, const char *option, const char *values[CLI_VALUES]);

// Texts made from the table, to standard output.
void cli_print_usage(const cli_command *command);  // NULL: of the program
void cli_print_manual(const cli_command *command); // roff; NULL: of the program
int cli_print_completion(const char *shell);       // bash, zsh or fish; CLI_USAGE for others

#endif
