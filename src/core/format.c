// Formatting that no locale changes: a locale may write 1,5 for 1.5, or other digits.
#include "core/format.h"

#include "thud/words.h"

#include <locale.h>
#include <stdio.h>

int thudi_format_list(char *text, size_t size, const char *format, va_list list)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    int length = vsnprintf(text, size, format, list);
    if (plain)
    {
        (void)uselocale(before);
        freelocale(plain);
    }
    return length;
}

int thud_format(char *text, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = thudi_format_list(text, size, format, list);
    va_end(list);
    return length;
}
