// Prints errors, warnings and notes, as text for people or as JSON, and results. All static
// variables belong to the process, because it has one standard error.
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum
{
    MESSAGE_SIZE = 1000 // bytes of a warning or note, with the final 0; a longer one is cut
};

int cli_exit_of(thud_status status)
{
    switch (status)
    {
    case THUD_OK:
    case THUD_NEWS:
        return CLI_DONE;
    case THUD_STOPPED:
        return CLI_STOPPED;
    case THUD_ERR_ARGUMENT:
        return CLI_USAGE;
    case THUD_ERR_SCENE:
    case THUD_ERR_OVERLAP:
        return CLI_SCENE;
    case THUD_ERR_IO:
        return CLI_IO;
    case THUD_ERR_MEMORY:
    case THUD_ERR_LIMIT:
        return CLI_LIMIT;
    case THUD_ERR_NOT_FINITE:
    case THUD_ERR_INFEASIBLE:
    case THUD_ERR_NOT_CONVERGED:
    case THUD_ERR_QUADRATURE:
    case THUD_ERR_FLOAT:
    case THUD_ERR_STEP:
        return CLI_NUMERICS;
    case THUD_ERR_STOPPED:
        return CLI_STOPPED;
    case THUD_ERR_RECORD:
        return CLI_RECORD;
    case THUD_ERR_BUSY:
        return CLI_BUSY;
    case THUD_ERR_CALLBACK: // the callbacks are Thud's own, and must not fail
        break;
    }
    return CLI_BUG;
}

// The sink of a writer: `file` is a FILE.
static int print_to(const char *text, size_t length, void *file)
{
    return fwrite(text, 1, length, file) == length ? 0 : -1;
}

thud_writer cli_writer(FILE *file)
{
    return (thud_writer){.sink = print_to, .user = file};
}

void cli_print_safe(FILE *file, const char *text)
{
    thud_write_safe(&(thud_writer){.sink = print_to, .user = file}, text);
}

void cli_print_wrapped(const char *text, int indent, int at)
{
    thud_write_wrapped(&(thud_writer){.sink = print_to, .user = stdout}, text, indent, at);
}

int cli_json_print(thud_json *json)
{
    thud_json_newline(json);
    bool has_failed = json->has_failed;
    if (!has_failed)
        (void)fputs(json->text, stdout);
    thud_json_free(json);
    if (!has_failed)
        return CLI_DONE;
    return cli_fail(THUD_ERR_MEMORY, &(thud_fault){0});
}

static bool is_json; // errors, warnings and notes are printed as JSON

void cli_report_json(void)
{
    is_json = true;
}

// Print the JSON in one line, and free it. Returns false if there was no memory to build it: then
// nothing is printed, and the caller prints the message as text.
static bool print_line(thud_json *json)
{
    bool has_failed = json->has_failed;
    if (!has_failed)
        (void)fprintf(stderr, "%s\n", json->text);
    thud_json_free(json);
    return !has_failed;
}

static const char *text_of(thud_status status, const thud_fault *fault)
{
    return fault->text[0] != '\0' ? fault->text : thud_status_text(status);
}

// Print an error as JSON. Numbers that are not known are NAN, which the writer turns into null.
static bool print_json_fault(thud_status status, const thud_fault *fault)
{
    thud_json json = {.layout = THUD_JSON_ONE_LINE};
    thud_json_open(&json, NULL);
    thud_json_open(&json, "error");
    thud_json_text(&json, "status", thud_status_name(status));
    thud_json_whole(&json, "exit", cli_exit_of(status));
    thud_json_text(&json, "file", fault->file[0] ? fault->file : NULL);
    thud_json_number(&json, "line", fault->line > 0 ? fault->line : NAN);
    thud_json_number(&json, "column", fault->line > 0 && fault->column > 0 ? fault->column : NAN);
    thud_json_text(&json, "text", text_of(status, fault));
    thud_json_text(&json, "hint", fault->hint[0] ? fault->hint : NULL);
    thud_json_close(&json);
    thud_json_close(&json);
    return print_line(&json);
}

// File and text of the last error. The other processes of an MPI job receive it.
static char last_error[sizeof(thud_fault)];

const char *cli_last_error(void)
{
    return last_error[0] != '\0' ? last_error : NULL;
}

int cli_fail(thud_status status, const thud_fault *fault)
{
    (void)snprintf(last_error, sizeof last_error, "%s%s%s", fault->file,
                   fault->file[0] != '\0' ? ": " : "", text_of(status, fault));
    if (is_json && print_json_fault(status, fault))
        return cli_exit_of(status);
    (void)fputs("thud: error: ", stderr);
    cli_print_safe(stderr, fault->file);
    if (fault->file[0] != '\0')
        (void)fputc(':', stderr);
    if (fault->line > 0)
        (void)fprintf(stderr, "%d:", fault->line);
    if (fault->line > 0 && fault->column > 0) // a row of a file of bodies has no column
        (void)fprintf(stderr, "%d:", fault->column);
    (void)fputs(fault->file[0] != '\0' ? " " : "", stderr);
    cli_print_safe(stderr, text_of(status, fault));
    if (fault->hint[0] != '\0')
    {
        (void)fputs("\n  hint: ", stderr);
        cli_print_safe(stderr, fault->hint);
    }
    (void)fputc('\n', stderr);
    return cli_exit_of(status);
}

int cli_fail_usage(const char *hint, const char *format, ...)
{
    thud_fault fault = {0};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault.text, sizeof fault.text, format, arguments);
    va_end(arguments);
    (void)snprintf(fault.hint, sizeof fault.hint, "%s", hint);
    return cli_fail(THUD_ERR_ARGUMENT, &fault);
}

static bool print_json_message(const char *kind, const char *text)
{
    thud_json json = {.layout = THUD_JSON_ONE_LINE};
    thud_json_open(&json, NULL);
    thud_json_open(&json, kind);
    thud_json_text(&json, "text", text);
    thud_json_close(&json);
    thud_json_close(&json);
    return print_line(&json);
}

static void print_message(const char *kind, const char *format, va_list arguments)
{
    char text[MESSAGE_SIZE];
    (void)vsnprintf(text, sizeof text, format, arguments);
    if (is_json && print_json_message(kind, text))
        return;
    (void)fprintf(stderr, "thud: %s: ", kind);
    cli_print_safe(stderr, text);
    (void)fputc('\n', stderr);
}

static int warning_count;

int cli_warning_count(void)
{
    return warning_count;
}

void cli_warn(const char *format, ...)
{
    warning_count++;
    va_list arguments;
    va_start(arguments, format);
    print_message("warning", format, arguments);
    va_end(arguments);
}

void cli_warn_text(const char *text, void *user)
{
    (void)user;
    cli_warn("%s", text);
}

void cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("note", format, arguments);
    va_end(arguments);
}

int cli_finish_output(int code)
{
    errno = 0; // remains 0 if an earlier write failed and fflush does not: then EIO is reported
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    thud_fault fault = {.file = "standard output"};
    (void)snprintf(fault.text, sizeof fault.text, "could not be written: %s",
                   strerror(errno ? errno : EIO));
    return cli_fail(THUD_ERR_IO, &fault);
}
