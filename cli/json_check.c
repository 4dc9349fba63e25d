// A recognizer of JSON: each function goes past what it reads, or returns NULL.
#include "json_check.h"

#include <stddef.h>
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

const char *cli_json_skip_scalar(const char *at)
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
    return cli_json_skip_scalar(at);
}

bool cli_json_is_object(const char *text)
{
    const char *at = skip_blanks(text);
    if (*at != '{')
        return false;
    at = skip_value(at, 0);
    return at && *skip_blanks(at) == '\0';
}
