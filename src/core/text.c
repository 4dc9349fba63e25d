// Numbers in messages are written with a decimal point in every locale.
#include "core/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const char *thudi_text_number(char text[THUDI_TEXT_NUMBER_SIZE], double x)
{
    char raw[THUDI_TEXT_NUMBER_SIZE];
    (void)snprintf(raw, sizeof raw, "%.6g", x);
    // The other bytes are the locale's decimal mark, which may have several. The letters are those
    // of 1e+30, inf and nan.
    static const char kept[] = "0123456789+-einfa";
    size_t used = 0;
    for (const char *c = raw; *c; c++)
    {
        bool is_mark = !strchr(kept, *c);
        if (!is_mark)
            text[used++] = *c;
        else if (used > 0 && text[used - 1] != '.')
            text[used++] = '.';
    }
    text[used] = '\0';
    return text;
}
