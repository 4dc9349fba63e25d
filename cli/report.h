// Exit codes, errors, and text for people and machines.
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "thud/json.h"
#include "thud/words.h"

#include <stdio.h>

// The exit codes: X(name, value, meaning).
#define CLI_EXIT_LIST(X)                                                                           \
    X(DONE, 0, "done")                                                                             \
    X(BUG, 1, "a bug in Thud")                                                                     \
    X(USAGE, 2, "the command line is wrong")                                                       \
    X(SCENE, 3, "the scene, or the file of a problem, is invalid")                                 \
    X(IO, 4, "a file could not be read or written")                                                \
    X(LIMIT, 5, "not enough memory, or a limit was exceeded")                                      \
    X(NUMERICS, 6, "numerical failure: infeasible, not converged, not finite, not verified")       \
    X(RECORD, 7, "the run directory is damaged, or is not a run directory")                        \
    X(BUSY, 8, "the run directory is in use")                                                      \
    X(DIFFERENT, 9, "two runs differ, or sequences of steps have different limits")                \
    X(INCOMPLETE, 10, "not all steps of the run were verified")                                    \
    X(UNDECIDED, 11, "converge: undecided whether there is one limit")                             \
    X(STOPPED, 75, "stopped by a signal or a limit, after writing a checkpoint")

enum cli_exit
{
#define CLI_EXIT_ENUM(name, value, text) CLI_##name = (value),
    CLI_EXIT_LIST(CLI_EXIT_ENUM)
#undef CLI_EXIT_ENUM
};

// The exit code that a status leads to.
int cli_exit_of(thud_status status);

// From now on errors, warnings and notes are JSON, one object per line of standard error. Standard
// output is kept for the result of a command, which may come with an error.
void cli_report_json(void);

// "thud: error: file:line:column: text" and a line with the hint, to standard error.
// Returns the exit code of the status.
int cli_fail(thud_status status, const thud_fault *fault);

// The same without a file: for the command line itself.
int cli_fail_usage(const char *hint, const char *format, ...) __attribute__((format(printf, 2, 3)));

// "thud: warning: ..." to standard error; "thud: note: ..." for what is harmless.
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same as a thud_warn_fn; user is ignored.
void cli_warn_text(const char *text, void *user);
// How many warnings there were so far.
int cli_warnings(void);
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// A writer that prints to `file` what libraries write.
thud_writer cli_writer(FILE *file);

// Print text from a scene, a file or the command line: characters that control a terminal become
// '?'.
void cli_print_safe(FILE *file, const char *text);

// Flush standard output; CLI_IO, with a message, if what was printed could not be written.
int cli_finish_output(int code);

// Print text in lines of 80 columns, all but the first indented; at: where the first begins.
void cli_print_wrapped(const char *text, int indent, int at);

// Print the JSON with a newline and free it; CLI_LIMIT if memory ran out on the way.
int cli_json_print(thud_json *json);

#endif
