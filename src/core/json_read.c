// Reads JSON without a copy. Each function called skip_... returns the end of what it reads, or
// NULL if that is not JSON.
#include "thud/json.h"

#include "core/whole.h"

#include <math.h>
#include <string.h>

enum
{
    DEEPEST = 64 // objects and lists within each other
};

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_escape(const char *at)
{
    if (*at == 'u')
        return strspn(at + 1, "0123456789abcdefABCDEF") >= 4 ? at + 5 : NULL;
    return *at && strchr("\"\\/bfnrt", *at) ? at + 1 : NULL;
}

static const char *skip_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    while (at && *at != '"')
    {
        if ((unsigned char)*at < ' ') // the end, too
            return NULL;
        at = *at == '\\' ? skip_escape(at + 1) : at + 1;
    }
    return at ? at + 1 : NULL;
}

// One or more digits.
static const char *skip_digits(const char *at)
{
    size_t length = strspn(at, "0123456789");
    return length > 0 ? at + length : NULL;
}

static const char *skip_number(const char *at)
{
    at += *at == '-';
    if (*at == '0' && at[1] >= '0' && at[1] <= '9')
        return NULL;
    at = skip_digits(at);
    if (at && *at == '.')
        at = skip_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E'))
    {
        at++;
        at = skip_digits(at + (*at == '+' || *at == '-'));
    }
    return at;
}

const char *thud_json_skip_scalar(const char *at)
{
    static const char *const words[] = {"true", "false", "null"};
    if (*at == '"')
        return skip_string(at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    return skip_number(at);
}

static const char *skip_value(const char *at, int depth);

// The items of an object or a list, after its opening bracket and up to the closing one.
static const char *skip_items(const char *at, char close, int depth)
{
    at = skip_blanks(at);
    if (*at == close)
        return at + 1;
    while (at)
    {
        at = skip_blanks(at);
        if (close == '}')
        {
            at = skip_string(at);
            at = at ? skip_blanks(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = skip_value(skip_blanks(at), depth);
        at = at ? skip_blanks(at) : NULL;
        if (at && *at == close)
            return at + 1;
        if (!at || *at++ != ',')
            return NULL;
    }
    return NULL;
}

// NOLINTNEXTLINE(misc-no-recursion): the depth is limited
static const char *skip_value(const char *at, int depth)
{
    if (depth == DEEPEST)
        return NULL;
    if (*at == '{' || *at == '[')
        return skip_items(at + 1, *at == '{' ? '}' : ']', depth + 1);
    return thud_json_skip_scalar(at);
}

bool thud_json_is_object(const char *text)
{
    const char *at = skip_blanks(text);
    if (*at != '{')
        return false;
    at = skip_value(at, 0);
    return at && *skip_blanks(at) == '\0';
}

// The value of the key in the object that begins at `at`; key is not ended by a null byte.
static const char *find_key(const char *at, const char *key, size_t length)
{
    if (*at++ != '{')
        return NULL;
    at = skip_blanks(at);
    while (*at == '"')
    {
        const char *end = skip_string(at);
        bool is_it = end && (size_t)(end - at) == length + 2 && memcmp(at + 1, key, length) == 0;
        at = end ? skip_blanks(end) : end;
        if (!at || *at != ':')
            return NULL;
        at = skip_blanks(at + 1);
        if (is_it)
            return at;
        at = skip_value(at, 0);
        at = at ? skip_blanks(at) : "";
        at = *at == ',' ? skip_blanks(at + 1) : "";
    }
    return NULL;
}

const char *thud_json_find(const char *object, const char *path)
{
    const char *at = skip_blanks(object);
    while (at && *path)
    {
        size_t length = strcspn(path, ".");
        at = find_key(at, path, length);
        path += length + (path[length] == '.');
    }
    return at;
}

double thud_json_find_number(const char *object, const char *path)
{
    const char *at = thud_json_find(object, path), *end = at ? thud_json_skip_scalar(at) : NULL;
    double x = NAN;
    if (end)
        (void)thud_number_read(at, (size_t)(end - at), &x);
    return x;
}

int64_t thud_json_find_count(const char *object, const char *path)
{
    double x = thud_json_find_number(object, path);
    return x >= 0 && x <= THUDI_MOST_WHOLE && x == (double)(int64_t)x ? (int64_t)x : -1;
}

// The code of four hexadecimal digits.
static unsigned read_code(const char *at)
{
    unsigned code = 0;
    for (int i = 0; i < 4; i++)
    {
        char c = at[i];
        unsigned digit = c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
        code = 16 * code + digit;
    }
    return code;
}

// A character of the lowest plane in UTF-8; returns its bytes.
static size_t write_code(char bytes[3], unsigned code)
{
    if (code < 0x80)
    {
        bytes[0] = (char)code;
        return 1;
    }
    if (code < 0x800)
    {
        bytes[0] = (char)(0xc0 | code >> 6);
        bytes[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    bytes[0] = (char)(0xe0 | code >> 12);
    bytes[1] = (char)(0x80 | (code >> 6 & 0x3f));
    bytes[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

// One character of a string, with its escape; returns its bytes and goes past it.
static size_t read_character(const char **at, char bytes[3])
{
    static const char escapes[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    const char *from = *at;
    if (*from != '\\')
    {
        bytes[0] = *from;
        *at = from + 1;
        return 1;
    }
    if (from[1] == 'u')
    {
        *at = from + 6;
        return write_code(bytes, read_code(from + 2));
    }
    const char *escape = strchr(escapes, from[1]);
    bytes[0] = escape ? meanings[escape - escapes] : from[1];
    *at = from + 2;
    return 1;
}

bool thud_json_find_text(const char *object, const char *path, char *text, size_t size)
{
    const char *at = thud_json_find(object, path);
    size_t used = 0;
    text[0] = '\0';
    if (!at || *at != '"' || !skip_string(at))
        return false;
    for (at++; *at != '"';)
    {
        char bytes[3];
        size_t length = read_character(&at, bytes);
        if (used + length >= size)
            return false;
        memcpy(text + used, bytes, length);
        used += length;
        text[used] = '\0';
    }
    return true;
}

bool thud_json_find_flag(const char *object, const char *path)
{
    const char *at = thud_json_find(object, path);
    return at && strncmp(at, "true", 4) == 0;
}

const char *thud_json_first(const char *list)
{
    if (!list || *list != '[')
        return NULL;
    const char *at = skip_blanks(list + 1);
    return *at == ']' || *at == '\0' ? NULL : at;
}

const char *thud_json_after(const char *item)
{
    const char *end = skip_value(item, 0);
    end = end ? skip_blanks(end) : "";
    return *end == ',' ? skip_blanks(end + 1) : NULL;
}
