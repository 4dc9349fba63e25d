// Text for people: numbers, counts and lines, the same in every locale.
#include "thud/words.h"

#include "core/format.h"
#include "core/whole.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    WIDTH = 80,      // columns of a line
    MOST_TEXT = 4000 // bytes of one call of thud_write
};

static void put(thud_writer *writer, const char *text, size_t length)
{
    if (length > 0 && !writer->has_failed)
        writer->has_failed = writer->sink(text, length, writer->user) != 0;
}

void thud_write(thud_writer *writer, const char *format, ...)
{
    char text[MOST_TEXT];
    va_list list;
    va_start(list, format);
    (void)thudi_format_list(text, sizeof text, format, list);
    va_end(list);
    put(writer, text, strlen(text));
}

void thud_write_safe(thud_writer *writer, const char *text)
{
    while (*text)
    {
        bool is_control;
        unsigned code;
        size_t length = thud_character_read(text, &code, &is_control);
        put(writer, is_control ? "?" : text, is_control ? 1 : length);
        text += length;
    }
}

void thud_write_wrapped(thud_writer *writer, const char *text, int indent, int at)
{
    int used = at;
    while (*text)
    {
        size_t length = strcspn(text, " \n");
        bool fits = used + (int)length + (used > indent) <= WIDTH;
        bool is_first = used <= indent;
        if (!is_first && fits)
            put(writer, " ", 1);
        else if (!is_first)
            thud_write(writer, "\n%*s", indent, "");
        used = is_first ? used : fits ? used + 1 : indent;
        put(writer, text, length);
        used += (int)length;
        text += length;
        for (; *text == '\n'; text++)
        {
            put(writer, text, 1);
            used = indent;
        }
        text += *text == ' ';
    }
    put(writer, "\n", 1);
}

void thud_write_line(thud_writer *writer, int indent, const char *format, ...)
{
    char text[1000];
    va_list list;
    va_start(list, format);
    (void)thudi_format_list(text, sizeof text, format, list);
    va_end(list);
    thud_write(writer, "%*s", indent, "");
    thud_write_wrapped(writer, text, indent > 0 ? indent + 2 : 0, indent);
}

const char *thud_words_short(char text[THUD_NUMBER_SIZE], double x)
{
    (void)thud_format(text, THUD_NUMBER_SIZE, "%.3g", x);
    return text;
}

const char *thud_words_percent(char text[THUD_NUMBER_SIZE], double part)
{
    double percent = 100 * part;
    if (fabs(percent) < 0.01)
        (void)snprintf(text, THUD_NUMBER_SIZE, "below 0.01 %%");
    else if (fabs(percent) < 10)
        (void)thud_format(text, THUD_NUMBER_SIZE, "%+.2g %%", percent);
    else
        (void)thud_format(text, THUD_NUMBER_SIZE, "%+.0f %%", percent);
    return text;
}

const char *thud_words_duration(char text[THUD_NUMBER_SIZE], double seconds)
{
    long long whole = seconds < THUDI_MOST_COUNT ? (long long)(seconds + 0.5) : 0;
    if (!(seconds < THUDI_MOST_COUNT))
        (void)snprintf(text, THUD_NUMBER_SIZE, "unknown");
    else if (whole < 60)
        (void)snprintf(text, THUD_NUMBER_SIZE, "%lld s", whole);
    else if (whole < 3600)
        (void)snprintf(text, THUD_NUMBER_SIZE, "%lld min %lld s", whole / 60, whole % 60);
    else if (whole < 86400)
        (void)snprintf(text, THUD_NUMBER_SIZE, "%lld h %lld min", whole / 3600, whole % 3600 / 60);
    else
        (void)snprintf(text, THUD_NUMBER_SIZE, "%lld d %lld h", whole / 86400,
                       whole % 86400 / 3600);
    return text;
}

int thud_words_filling(int width, const char *text)
{
    int length = (int)strlen(text);
    return length < width ? width - length : 0;
}

const char *thud_words_grouped(char text[THUD_NUMBER_SIZE], long long n)
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

const char *thud_words_count(char text[THUD_COUNT_SIZE], long long n, const char *noun)
{
    char number[THUD_NUMBER_SIZE];
    (void)snprintf(text, THUD_COUNT_SIZE, "%s %s%s", thud_words_grouped(number, n), noun,
                   n == 1 ? "" : "s");
    return text;
}

const char *thud_words_unit(char text[THUD_COUNT_SIZE], const char *unit)
{
    (void)snprintf(text, THUD_COUNT_SIZE, "%s%s", unit[0] ? " " : "", unit);
    return text;
}

const char *thud_words_bytes(char text[THUD_NUMBER_SIZE], double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    for (; bytes >= 999.5 && unit < 5; unit++)
        bytes /= 1000;
    if (bytes < 99.5 && unit > 0)
        (void)thud_format(text, THUD_NUMBER_SIZE, "%.2g %s", bytes, units[unit]);
    else
        (void)thud_format(text, THUD_NUMBER_SIZE, "%.0f %s", bytes, units[unit]);
    return text;
}
