// The bytes of a text before it is parsed: its size, UTF-8, no control characters.
#include "scene/tree.h"
#include "thud/scene.h"

#include <string.h>

typedef struct walk
{
    const unsigned char *text;
    size_t length, at;
    int line, column;
    int count; // of characters
} walk;

// The character at the walk's place, or -1 when the bytes there are not UTF-8.
static long decode(const walk *w, size_t *size)
{
    const unsigned char *c = w->text + w->at;
    size_t left = w->length - w->at;
    *size = 1;
    if (c[0] < 0x80)
        return c[0];
    *size = c[0] < 0xe0 ? 2 : (c[0] < 0xf0 ? 3 : 4);
    if (c[0] < 0xc2 || c[0] > 0xf4 || *size > left)
        return -1;
    long value = c[0] & (0x7f >> *size);
    for (size_t i = 1; i < *size; i++)
    {
        if ((c[i] & 0xc0) != 0x80)
            return -1;
        value = value << 6 | (c[i] & 0x3f);
    }
    static const long smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    bool fine = value >= smallest[*size] && value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
    return fine ? value : -1;
}

// Lines end as the parser counts them.
static void advance(walk *w, long value, size_t size)
{
    bool crlf = value == '\r' && w->at + 1 < w->length && w->text[w->at + 1] == '\n';
    bool ends =
        (value == '\n' || value == '\r' || value == 0x85 || value == 0x2028 || value == 0x2029) &&
        !crlf;
    w->at += size;
    w->count++;
    w->line += ends;
    w->column = ends ? 1 : w->column + 1;
}

static bool is_control(long c)
{
    bool blank = c == '\t' || c == '\n' || c == '\r';
    return (c < ' ' && !blank) || c == 0x7f || (c >= 0x80 && c < 0xa0 && c != 0x85) ||
           c == 0xfffe || c == 0xffff;
}

// Does it turn the direction of writing? A text can look like another one by it.
static bool turns_direction(long c)
{
    return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x206f);
}

size_t thudi_find_hidden(const char *text, size_t length, bool strict, unsigned long *code)
{
    walk w = {(const unsigned char *)text, length, 0, 1, 1, 0};
    while (w.at < length)
    {
        size_t size;
        long c = decode(&w, &size);
        *code = (unsigned long)(c < 0 ? w.text[w.at] : c);
        if (c < 0 || c == '\r' || (c < 0x80 && is_control(c)) || turns_direction(c))
            return w.at;
        if (strict && (c == 0x85 || c == 0x2028 || c == 0x2029 || is_control(c)))
            return w.at;
        w.at += size;
    }
    return length;
}

static thud_status complain(const thudi_source *source, const walk *w, thud_fault *fault, long c)
{
    thud_status status = source->is_override ? THUD_ERR_ARGUMENT : THUD_ERR_SCENE;
    int line = source->is_override ? source->number : w->line;
    int column = source->is_override ? w->count + 1 + source->column_offset : w->column;
    if (c < 0)
        return thudi_blame_place(fault, status, source->file, line, column,
                                 "save the file as UTF-8", "the byte 0x%02x is not UTF-8",
                                 (unsigned)w->text[w->at]);
    if (c == 0xfeff)
        return thudi_blame_place(fault, status, source->file, line, column, "remove it",
                                 "a byte order mark is allowed only at the start of the file");
    if (turns_direction(c))
        return thudi_blame_place(fault, status, source->file, line, column, "remove it",
                                 "U+%04lX, which turns the direction of writing, is not allowed",
                                 (unsigned long)c);
    return thudi_blame_place(fault, status, source->file, line, column,
                             c == 0 ? "check whether this is a text file" : "remove it",
                             "the control character 0x%02lx is not allowed", (unsigned long)c);
}

thud_status thudi_text_check(const thudi_source *source, thud_fault *fault)
{
    if (source->length > THUD_SCENE_FILE_SIZE)
        return thudi_blame_place(fault, THUD_ERR_LIMIT, source->file, 0, 0,
                                 "put many bodies into a CSV file: see 'file' under 'bodies'",
                                 "the scene has more than %d MiB", THUD_SCENE_FILE_SIZE >> 20);
    walk w = {(const unsigned char *)source->text, source->length, 0, 1, 1, 0};
    while (w.at < w.length)
    {
        size_t size;
        long c = decode(&w, &size);
        if (c < 0 || c == 0xfeff || is_control(c) || turns_direction(c))
            return complain(source, &w, fault, c);
        advance(&w, c, size);
    }
    return THUD_OK;
}
