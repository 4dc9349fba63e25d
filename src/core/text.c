// Numbers in messages, the same whatever the locale.
#include "core/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *thudi_text_number(char text[THUDI_NUMBER_SIZE], double x)
{
    char raw[THUDI_NUMBER_SIZE];
    (void)snprintf(raw, sizeof raw, "%.6g", x);
    // only the locale's decimal mark is neither digit, sign nor letter; it may have several bytes
    static const char plain[] = "0123456789+-einfa";
    size_t used = 0;
    for (const char *c = raw; *c; c++)
    {
        bool mark = !strchr(plain, *c);
        if (!mark)
            text[used++] = *c;
        else if (used > 0 && text[used - 1] != '.')
            text[used++] = '.';
    }
    text[used] = '\0';
    return text;
}
