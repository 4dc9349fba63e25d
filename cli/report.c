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
        return CLI_NUMERICS;
    case THUD_ERR_RECORD:
        return CLI_RECORD;
    case THUD_ERR_BUSY:
        return CLI_BUSY;
    case THUD_ERR_CALLBACK:
        break;
    }
    return CLI_BUG;
}

int cli_complain(thud_status status, const thud_fault *fault)
{
    (void)fputs("thud: error: ", stderr);
    if (fault->file[0] != '\0')
        (void)fprintf(stderr, "%s:", fault->file);
    if (fault->line > 0)
        (void)fprintf(stderr, "%d:%d:", fault->line, fault->column);
    (void)fprintf(stderr, "%s%s\n", fault->file[0] != '\0' ? " " : "",
                  fault->text[0] != '\0' ? fault->text : thud_status_text(status));
    if (fault->hint[0] != '\0')
        (void)fprintf(stderr, "  hint: %s\n", fault->hint);
    return cli_exit_of(status);
}

int cli_usage_error(const char *hint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("thud: error: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "\n  hint: %s\n", hint);
    return CLI_USAGE;
}

void cli_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("thud: warning: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
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
