// Exit codes, errors, and text for people and machines.
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "thud/text.h"

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

// From now on errors, warnings and notes are JSON, each an object in one line of standard error:
// the result of a command, which may come with an error, keeps standard output for itself.
void cli_report_json(void);

// "thud: error: file:line:column: text" and a line with the hint, to standard error.
// Returns the exit code of the status.
int cli_complain(thud_status status, const thud_fault *fault);

// The same without a file: for the command line itself.
int cli_usage_error(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// "thud: warning: ..." to standard error; "thud: note: ..." for what is no cause for worry.
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
// How many warnings there were so far.
int cli_warnings(void);
void cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Bytes of the character at text, its code, and whether a terminal would obey it rather than show
// it: controls of both sets, broken bytes, line and paragraph separators, and those that turn the
// direction of writing.
size_t cli_read_character(const char *from, unsigned *character, bool *is_control);

// Print text from a scene, a file or the command line: what a terminal would obey becomes '?'.
void cli_print_safe(FILE *file, const char *text);

// Flush standard output; CLI_IO with a complaint when what was printed did not arrive.
int cli_finish_output(int code);

enum
{
    CLI_COUNT_SIZE = 64
};

// x in three significant digits, for people.
const char *cli_short(char text[THUD_NUMBER_SIZE], double x);
// A part of 1 as a change in per cent: "+52 %", "-1.4 %", "below 0.01 %".
const char *cli_percent(char text[THUD_NUMBER_SIZE], double part);
// Blanks that fill a text up to a width; none if it is longer.
int cli_filling(int width, const char *text);
// A whole number with commas: 10,000.
const char *cli_grouped(char text[THUD_NUMBER_SIZE], long long n);
// "1 wall", "2 walls", "10,000 spheres"; noun in the singular.
const char *cli_count(char text[CLI_COUNT_SIZE], long long n, const char *noun);
// " m" for a unit "m", "" for none.
const char *cli_unit(char text[CLI_COUNT_SIZE], const char *unit);
// Bytes as "1.5 MB".
const char *cli_bytes(char text[THUD_NUMBER_SIZE], double bytes);

// Print text in lines of 80 columns, all but the first indented; at: where the first begins.
void cli_print_wrapped(const char *text, int indent, int at);
// Print a line of the program's own words, indented. If it is too long, it goes on in lines that
// are indented by two more, or not at all for 0.
void cli_print_line(int indent, const char *format, ...) __attribute__((format(printf, 2, 3)));

// One sentence on the steps whose active set is proved, if there are any; noun: of all of them.
// bounds: of |u' - P_K w| for K, for the gaps that are kept, and what weak rows were enlarged by.
void cli_print_enclosed(int indent, long long held, long long all, const char *noun,
                        const double bounds[3]);

// A JSON text that grows. Names and strings are escaped; numbers that are not finite become null.
typedef struct cli_json
{
    char *text;
    size_t length, capacity;
    int depth;
    bool is_first, has_failed;
    bool is_one_line;
} cli_json;

void cli_json_open(cli_json *json, const char *name); // an object; name NULL in a list or on top
void cli_json_close(cli_json *json);
void cli_json_list(cli_json *json, const char *name);
void cli_json_list_end(cli_json *json);
void cli_json_text(cli_json *json, const char *name, const char *value); // NULL: null
void cli_json_number(cli_json *json, const char *name, double value);
void cli_json_whole(cli_json *json, const char *name, long long value);
void cli_json_flag(cli_json *json, const char *name, bool value);
// Print it with a newline and free it; CLI_LIMIT when memory ran out on the way.
int cli_json_print(cli_json *json);
void cli_json_free(cli_json *json);

#endif
