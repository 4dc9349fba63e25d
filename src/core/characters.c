// The characters of a text in UTF-8, and which of them people cannot see.
#include "core/characters.h"

#include "thud/words.h"

#include <string.h>

long thudi_character_read(const char *text, size_t length, size_t *size)
{
    static const long smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)text;
    *size = 1;
    if (c[0] < 0x80)
        return c[0];
    *size = c[0] < 0xe0 ? 2 : (c[0] < 0xf0 ? 3 : 4);
    if (c[0] < 0xc2 || c[0] > 0xf4 || *size > length)
        return -1;
    long value = c[0] & (0x7f >> *size);
    for (size_t i = 1; i < *size; i++)
    {
        if ((c[i] & 0xc0) != 0x80)
            return -1;
        value = value << 6 | (c[i] & 0x3f);
    }
    bool fine = value >= smallest[*size] && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
    return fine ? value : -1;
}

bool thudi_character_is_control(long c)
{
    bool blank = c == '\t' || c == '\n' || c == '\r';
    return (c < ' ' && !blank) || c == 0x7f || (c >= 0x80 && c < 0xa0 && c != 0x85) ||
           c == 0xfffe || c == 0xffff;
}

bool thudi_character_turns(long c)
{
    return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x206f);
}

size_t thudi_find_hidden(const char *text, size_t length, bool strict, unsigned long *code)
{
    size_t at = 0;
    while (at < length)
    {
        size_t size;
        long c = thudi_character_read(text + at, length - at, &size);
        *code = (unsigned long)(c < 0 ? (unsigned char)text[at] : c);
        if (c < 0 || c == '\r' || (c < 0x80 && thudi_character_is_control(c)) ||
            thudi_character_turns(c))
            return at;
        if (strict && (c == 0x85 || c == 0x2028 || c == 0x2029 || thudi_character_is_control(c)))
            return at;
        at += size;
    }
    return length;
}

size_t thud_character_read(const char *from, unsigned *character, bool *is_control)
{
    enum
    {
        LONGEST = 4 // bytes of a character
    };
    size_t size;
    long code = thudi_character_read(from, strnlen(from, LONGEST), &size);
    *is_control = code < 0x20 || code == 0x61c || code == 0x200e || code == 0x200f ||
                  (code >= 0x7f && code < 0xa0) || (code >= 0x2028 && code <= 0x202e) ||
                  (code >= 0x2066 && code <= 0x206f);
    *character = code < 0 ? (unsigned char)from[0] : (unsigned)code;
    return code < 0 ? 1 : size; // broken: byte by byte
}
