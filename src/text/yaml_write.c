// Pieces of YAML, written so that they are read back as they were.
#include "text/yaml_write.h"

#include <stdio.h>
#include <string.h>

static void flush(thudi_out *out)
{
    if (out->status >= 0 && out->used > 0 && out->sink(out->buffer, out->used, out->user) != 0)
        out->status = THUD_ERR_IO;
    out->used = 0;
}

void thudi_put_bytes(thudi_out *out, const char *text, size_t length)
{
    while (length > 0)
    {
        size_t room = sizeof out->buffer - out->used, part = length < room ? length : room;
        memcpy(out->buffer + out->used, text, part);
        out->used += part;
        text += part;
        length -= part;
        if (out->used == sizeof out->buffer)
            flush(out);
    }
}

void thudi_put(thudi_out *out, const char *text)
{
    thudi_put_bytes(out, text, strlen(text));
}

thud_status thudi_out_end(thudi_out *out)
{
    flush(out);
    return out->status;
}

void thudi_put_number(thudi_out *out, double x)
{
    char text[THUD_NUMBER_SIZE];
    thudi_put(out, thud_number_write(text, x));
}

void thudi_put_whole(thudi_out *out, double x)
{
    char text[THUD_NUMBER_SIZE];
    (void)snprintf(text, sizeof text, "%lld", (long long)x);
    thudi_put(out, text);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool needs_quotes(const char *text)
{
    size_t length = strlen(text);
    if (length == 0 || !is_letter(text[0]) || text[length - 1] == ' ')
        return true;
    for (const char *c = text; *c; c++)
        if (!is_letter(*c) && !(*c >= '0' && *c <= '9') && !strchr(" .+-/()", *c))
            return true;
    return false;
}

// The UTF-8 character at c. The text is known to be valid.
static unsigned decode(const unsigned char *c, size_t *size)
{
    *size = c[0] < 0x80 ? 1 : (c[0] < 0xe0 ? 2 : (c[0] < 0xf0 ? 3 : 4));
    unsigned value = *size == 1 ? c[0] : c[0] & (0x7fu >> *size);
    for (size_t i = 1; i < *size; i++)
        value = value << 6 | (c[i] & 0x3fu);
    return value;
}

// Characters that a text may hold and a scene file may not, and those that end a line.
static bool needs_escape(unsigned c)
{
    return c < ' ' || c == '"' || c == '\\' || (c >= 0x7f && c < 0xa1) || c == 0x2028 ||
           c == 0x2029 || c == 0xfeff || c == 0xfffe || c == 0xffff;
}

void thudi_put_string(thudi_out *out, const char *text)
{
    if (!needs_quotes(text))
    {
        thudi_put(out, text);
        return;
    }
    thudi_put(out, "\"");
    for (size_t size; *text; text += size)
    {
        char escape[16];
        unsigned c = decode((const unsigned char *)text, &size);
        if (!needs_escape(c))
        {
            thudi_put_bytes(out, text, size);
            continue;
        }
        if (c == '"' || c == '\\')
            (void)snprintf(escape, sizeof escape, "\\%c", (int)c);
        else if (c == '\n' || c == '\t')
            (void)snprintf(escape, sizeof escape, "\\%c", c == '\n' ? 'n' : 't');
        else
            (void)snprintf(escape, sizeof escape, "\\u%04x", c);
        thudi_put(out, escape);
    }
    thudi_put(out, "\"");
}

// Can the text be a literal block? Its first line must not begin with a space, and no line may end
// with one.
static bool is_block(const char *text)
{
    if (!strchr(text, '\n') || text[0] == '\n' || text[0] == ' ')
        return false;
    size_t size;
    for (const char *at = text; *at; at += size)
    {
        unsigned c = decode((const unsigned char *)at, &size);
        bool last = at[size] == '\0';
        if (c != '\n' && c != '"' && c != '\\' && needs_escape(c))
            return false;
        if (c == ' ' && (last || at[size] == '\n'))
            return false;
        if (c == '\n' && last && at[-1] == '\n') // ends in an empty line
            return false;
    }
    return true;
}

void thudi_put_text(thudi_out *out, const char *text)
{
    if (!is_block(text))
    {
        thudi_put_string(out, text);
        return;
    }
    size_t length = strlen(text);
    thudi_put(out, text[length - 1] == '\n' ? "|" : "|-");
    while (*text)
    {
        size_t line = strcspn(text, "\n");
        thudi_put(out, line > 0 ? "\n  " : "\n");
        thudi_put_bytes(out, text, line);
        text += line + (text[line] == '\n');
    }
}

void thudi_put_vector(thudi_out *out, const double *x, int dim)
{
    for (int k = 0; k < dim; k++)
    {
        thudi_put(out, k == 0 ? "[" : ", ");
        thudi_put_number(out, x[k]);
    }
    thudi_put(out, dim > 0 ? "]" : "[]");
}

void thudi_put_formula(thudi_out *out, const char *text)
{
    double x;
    if (thud_number_read(text, strlen(text), &x))
        thudi_put(out, text);
    else if (needs_quotes(text))
        thudi_put_string(out, text);
    else
    {
        thudi_put(out, "\"");
        thudi_put(out, text);
        thudi_put(out, "\"");
    }
}
