// The text of an expression while it is read: characters, words, and faults that point into it.
#include "expression/expression_text.h"

#include "core/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

int thudi_source_next(thudi_source *source)
{
    while (source->at < source->length && strchr(" \t\r\n", source->text[source->at]) &&
           source->text[source->at] != '\0')
        source->at++;
    return source->at < source->length ? (unsigned char)source->text[source->at] : -1;
}

static char byte_at(const thudi_source *source, size_t at)
{
    return at < source->length ? source->text[at] : '\0';
}

static size_t digits_at(const thudi_source *source, size_t at)
{
    size_t end = at;
    while (is_digit(byte_at(source, end)))
        end++;
    return end - at;
}

size_t thudi_source_name(const thudi_source *source, size_t at)
{
    size_t end = at;
    if (!is_letter(byte_at(source, at)))
        return 0;
    while (is_letter(byte_at(source, end)) || is_digit(byte_at(source, end)))
        end++;
    return end - at;
}

size_t thudi_source_number(const thudi_source *source, size_t at)
{
    size_t end = at, digits = digits_at(source, end);
    end += digits;
    if (byte_at(source, end) == '.')
    {
        size_t more = digits_at(source, end + 1);
        digits += more;
        end += 1 + more;
    }
    if (digits == 0)
        return 0;
    char e = byte_at(source, end), sign = byte_at(source, end + 1);
    size_t power = end + (sign == '+' || sign == '-' ? 2 : 1);
    if ((e == 'e' || e == 'E') && digits_at(source, power) > 0)
        end = power + digits_at(source, power);
    return end - at;
}

size_t thudi_source_figure(const thudi_source *source, size_t at)
{
    size_t end = at;
    while (is_digit(byte_at(source, end)) || is_letter(byte_at(source, end)) ||
           byte_at(source, end) == '.')
        end++;
    return end - at;
}

size_t thudi_source_character(const thudi_source *source, size_t at)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)source->text[at];
    size_t length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length < 2 || length > source->length - at || first > 0xf4)
        return length == 1;
    unsigned code = first & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++)
    {
        unsigned char next = (unsigned char)source->text[at + i];
        if ((next & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (next & 0x3f);
    }
    bool valid = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return valid ? length : 0;
}

int thudi_source_column(const thudi_source *source, size_t at)
{
    int column = 1;
    for (size_t i = 0; i < at && i < source->length; column++)
    {
        size_t length = thudi_source_character(source, i);
        i += length > 0 ? length : 1;
    }
    return column;
}

const char *thudi_source_quote(const thudi_source *source, size_t at, size_t length,
                               char word[THUDI_WORD_SIZE])
{
    bool fits = length < THUDI_WORD_SIZE;
    (void)snprintf(word, THUDI_WORD_SIZE, "%.*s%s", fits ? (int)length : THUDI_WORD_SIZE - 4,
                   source->text + at, fits ? "" : "...");
    return word;
}

thud_status thudi_source_fail(const thudi_source *source, thud_status status, size_t at,
                              const char *hint, const char *format, ...)
{
    if (source->fault)
    {
        thud_fault *fault = source->fault;
        va_list values;
        va_start(values, format);
        (void)thudi_fail_list(fault, status, (thudi_at){.column = thudi_source_column(source, at)},
                              hint, format, values);
        va_end(values);
    }
    return status;
}

// What to write instead of a character that is often written.
static const char *instead_of(const char *character, size_t length)
{
    static const struct
    {
        const char *character, *hint;
    } known[] = {
        {"\xe2\x88\x92", "write -"},
        {"\xe2\x80\x93", "write -"},
        {"\xc3\x97", "write *"},
        {"\xc2\xb7", "write *"},
        {"\xc3\xb7", "write /"},
        {"\xcf\x80", "write pi"},
        {"\xc2\xb2", "write ^2"},
        {"\xc2\xb3", "write ^3"},
        {"\xe2\x88\x9a", "write sqrt(...)"},
        {"[", "use parentheses"},
        {"]", "use parentheses"},
        {"{", "use parentheses"},
        {"}", "use parentheses"},
        {";", "write a comma between arguments"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].character) == length &&
            memcmp(known[i].character, character, length) == 0)
            return known[i].hint;
    return "";
}

thud_status thudi_source_unexpected(const thudi_source *source, size_t at)
{
    const char *character = source->text + at;
    unsigned char first = (unsigned char)*character;
    size_t length = thudi_source_character(source, at);
    if (length == 0)
        return thudi_source_fail(source, THUD_ERR_ARGUMENT, at, "save the text as UTF-8",
                                 "unexpected byte 0x%02X", first);
    bool control =
        first < 0x20 || first == 0x7f || (first == 0xc2 && (unsigned char)character[1] < 0xa0);
    if (control)
        return thudi_source_fail(source, THUD_ERR_ARGUMENT, at, "", "unexpected character U+%04X",
                                 length == 1 ? first : (unsigned char)character[1]);
    return thudi_source_fail(source, THUD_ERR_ARGUMENT, at, instead_of(character, length),
                             "unexpected character '%.*s'", (int)length, character);
}
