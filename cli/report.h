// Exit codes, and functions that print errors, warnings, notes and results, as text or JSON.
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "thud/json.h"
#include "thud/words.h"

#include <stdio.h>

// All exit codes: X(name, value, meaning). They become CLI_DONE, CLI_BUG and so on.
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

// Returns the exit code of the program after a library call with this status.
int cli_exit_of(thud_status status);

// From now on print errors, warnings and notes as JSON, one object per line of standard error. They
// stay out of standard output: it holds the result of the command, even if the command fails.
void cli_report_json(void);

// Print "thud: error: file:line:column: text" and a line with the hint to standard error. Without a
// text the message of `status` is printed. Returns the exit code of `status`.
int cli_fail(thud_status status, const thud_fault *fault);

// Returns the file and the text of the last error that was printed, or NULL if there was none.
const char *cli_last_error(void);

// Print an error of the command line, which has no file or line. hint: "" for none. Returns
// CLI_USAGE.
int cli_fail_usage(const char *hint, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Print "thud: warning: ..." to standard error, and count it.
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same with the type thud_warn_fn; user is ignored.
void cli_warn_text(const char *text, void *user);
// Returns the number of warnings so far.
int cli_warning_count(void);
// Print "thud: note: ..." to standard error, about something that cannot make results wrong.
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Make a writer through which the library prints to `file`.
thud_writer cli_writer(FILE *file);

// Print text that came from a scene, a file or the command line. Characters that control a terminal
// are replaced by '?'.
void cli_print_safe(FILE *file, const char *text);

// Flush standard output. Returns `code`, or CLI_IO after a message if the output could not be
// written.
int cli_finish_output(int code);

// Print text to standard output in lines of 80 columns. at: column at which the first line begins.
// indent: columns by which all other lines are indented.
void cli_print_wrapped(const char *text, int indent, int at);

// Print the JSON and a newline to standard output, and free the JSON. Returns CLI_DONE, or
// CLI_LIMIT after a message if there was not enough memory to build the JSON.
int cli_json_print(thud_json *json);

#endif
