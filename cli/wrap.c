// Text in lines of 80 columns.
#include "report.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum
{
    WIDTH = 80
};

void cli_print_wrapped(const char *text, int indent, int at)
{
    int used = at;
    while (*text)
    {
        size_t length = strcspn(text, " \n");
        bool fits = used + (int)length + (used > indent) <= WIDTH;
        if (used > indent)
            used += printf("%s", fits ? " " : "\n");
        if (used > indent && !fits)
            used = printf("%*s", indent, "");
        used += printf("%.*s", (int)length, text);
        text += length;
        for (; *text == '\n'; text++)
        {
            (void)putchar('\n');
            used = indent;
        }
        text += *text == ' ';
    }
    (void)putchar('\n');
}

void cli_print_line(int indent, const char *format, ...)
{
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)printf("%*s", indent, "");
    cli_print_wrapped(text, indent > 0 ? indent + 2 : 0, indent);
}
