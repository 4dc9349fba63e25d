// Exit codes, errors and short numbers.
#include "report.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

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
    case THUD_ERR_CALLBACK:
        break;
    }
    return CLI_BUG;
}

size_t cli_read_character(const char *from, unsigned *character, bool *is_control)
{
    const unsigned char *text = (const unsigned char *)from;
    size_t length = text[0] < 0x80 ? 1 : (text[0] < 0xe0 ? 2 : (text[0] < 0xf0 ? 3 : 4));
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            length = i; // broken: shown byte by byte
    unsigned code = text[0];
    if (length == 2)
        code = (text[0] & 0x1fu) << 6 | (text[1] & 0x3fu);
    else if (length == 3)
        code = (text[0] & 0xfu) << 12 | (text[1] & 0x3fu) << 6 | (text[2] & 0x3fu);
    *character = code;
    *is_control = code < 0x20 || code == 0x61c || code == 0x200e || code == 0x200f ||
                  (code >= 0x7f && code < 0xa0) || (text[0] >= 0x80 && length == 1) ||
                  (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x206f);
    return length;
}

void cli_print_safe(FILE *file, const char *text)
{
    while (*text)
    {
        bool is_control;
        unsigned code;
        size_t length = cli_read_character(text, &code, &is_control);
        if (is_control)
            (void)fputc('?', file);
        else
            (void)fwrite(text, 1, length, file);
        text += length;
    }
}

static bool is_json; // how the process speaks, as standard error is its one

void cli_report_json(void)
{
    is_json = true;
}

// Print the line; false when there was no memory for it.
static bool print_line(cli_json *json)
{
    bool is_whole = !json->has_failed;
    if (is_whole)
        (void)fprintf(stderr, "%s\n", json->text);
    cli_json_free(json);
    return is_whole;
}

static bool complain_in_json(thud_status status, const thud_fault *fault)
{
    cli_json json = {.is_one_line = true};
    cli_json_open(&json, NULL);
    cli_json_open(&json, "error");
    cli_json_text(&json, "status", thud_status_name(status));
    cli_json_whole(&json, "exit", cli_exit_of(status));
    cli_json_text(&json, "file", fault->file[0] ? fault->file : NULL);
    cli_json_number(&json, "line", fault->line > 0 ? fault->line : NAN);
    cli_json_number(&json, "column", fault->line > 0 && fault->column > 0 ? fault->column : NAN);
    cli_json_text(&json, "text", fault->text[0] ? fault->text : thud_status_text(status));
    cli_json_text(&json, "hint", fault->hint[0] ? fault->hint : NULL);
    cli_json_close(&json);
    cli_json_close(&json);
    return print_line(&json);
}

int cli_complain(thud_status status, const thud_fault *fault)
{
    if (is_json && complain_in_json(status, fault))
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
    cli_print_safe(stderr, fault->text[0] != '\0' ? fault->text : thud_status_text(status));
    if (fault->hint[0] != '\0')
    {
        (void)fputs("\n  hint: ", stderr);
        cli_print_safe(stderr, fault->hint);
    }
    (void)fputc('\n', stderr);
    return cli_exit_of(status);
}

int cli_usage_error(const char *hint, const char *format, ...)
{
    thud_fault fault = {0};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault.text, sizeof fault.text, format, arguments);
    va_end(arguments);
    (void)snprintf(fault.hint, sizeof fault.hint, "%s", hint);
    return cli_complain(THUD_ERR_ARGUMENT, &fault);
}

static bool tell_in_json(const char *kind, const char *text)
{
    cli_json json = {.is_one_line = true};
    cli_json_open(&json, NULL);
    cli_json_open(&json, kind);
    cli_json_text(&json, "text", text);
    cli_json_close(&json);
    cli_json_close(&json);
    return print_line(&json);
}

static void tell(const char *kind, const char *format, va_list arguments)
{
    char text[1000];
    (void)vsnprintf(text, sizeof text, format, arguments);
    if (is_json && tell_in_json(kind, text))
        return;
    (void)fprintf(stderr, "thud: %s: ", kind);
    cli_print_safe(stderr, text);
    (void)fputc('\n', stderr);
}

static int warnings;

int cli_warnings(void)
{
    return warnings;
}

void cli_warn(const char *format, ...)
{
    warnings++;
    va_list arguments;
    va_start(arguments, format);
    tell("warning", format, arguments);
    va_end(arguments);
}

void cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell("note", format, arguments);
    va_end(arguments);
}

int cli_finish_output(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    thud_fault fault = {.file = "standard output"};
    (void)snprintf(fault.text, sizeof fault.text, "could not be written: %s",
                   strerror(errno ? errno : EIO));
    return cli_complain(THUD_ERR_IO, &fault);
}

const char *cli_short(char text[THUD_NUMBER_SIZE], double x)
{
    (void)snprintf(text, THUD_NUMBER_SIZE, "%.3g", x);
    return text;
}

const char *cli_percent(char text[THUD_NUMBER_SIZE], double part)
{
    double percent = 100 * part;
    if (fabs(percent) < 0.01)
        (void)snprintf(text, THUD_NUMBER_SIZE, "below 0.01 %%");
    else
        (void)snprintf(text, THUD_NUMBER_SIZE, fabs(percent) < 10 ? "%+.2g %%" : "%+.0f %%",
                       percent);
    return text;
}

int cli_filling(int width, const char *text)
{
    int length = (int)strlen(text);
    return length < width ? width - length : 0;
}

const char *cli_grouped(char text[THUD_NUMBER_SIZE], long long n)
{
    char digits[THUD_NUMBER_SIZE];
    int length = snprintf(digits, sizeof digits, "%lld", n), used = 0;
    for (int i = 0; i < length && used < THUD_NUMBER_SIZE - 2; i++)
    {
        text[used++] = digits[i];
        if ((length - i) % 3 == 1 && i + 1 < length && digits[i] != '-')
            text[used++] = ',';
    }
    text[used] = '\0';
    return text;
}

const char *cli_count(char text[CLI_COUNT_SIZE], long long n, const char *noun)
{
    char number[THUD_NUMBER_SIZE];
    (void)snprintf(text, CLI_COUNT_SIZE, "%s %s%s", cli_grouped(number, n), noun,
                   n == 1 ? "" : "s");
    return text;
}

const char *cli_unit(char text[CLI_COUNT_SIZE], const char *unit)
{
    (void)snprintf(text, CLI_COUNT_SIZE, "%s%s", unit[0] ? " " : "", unit);
    return text;
}

const char *cli_bytes(char text[THUD_NUMBER_SIZE], double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    for (; bytes >= 999.5 && unit < 5; unit++)
        bytes /= 1000;
    (void)snprintf(text, THUD_NUMBER_SIZE, bytes < 99.5 && unit > 0 ? "%.2g %s" : "%.0f %s", bytes,
                   units[unit]);
    return text;
}

void cli_print_enclosed(int indent, long long held, long long all, const char *noun,
                        const double bounds[3])
{
    char some[THUD_NUMBER_SIZE], count[CLI_COUNT_SIZE], number[3][THUD_NUMBER_SIZE];
    char enlarged[80] = "";
    if (held <= 0)
        return;
    if (bounds[2] > 0)
        (void)snprintf(enlarged, sizeof enlarged, " (some gaps enlarged by up to %s)",
                       cli_short(number[2], bounds[2]));
    cli_print_line(indent,
                   "which contacts push is proved in %s of %s; velocities there are off by at most "
                   "%s for the gaps themselves, and by %s for the gaps less their shifts%s",
                   cli_grouped(some, held), cli_count(count, all, noun),
                   cli_short(number[0], bounds[0]), cli_short(number[1], bounds[1]), enlarged);
}
