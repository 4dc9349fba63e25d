// The bytes of a text before it is parsed: its size, UTF-8, no control characters.
#include "core/characters.h"
#include "text/tree.h"
#include "thud/scene.h"

typedef struct walk
{
    const char *text;
    size_t length, at;
    int line, column;
    int count; // characters so far
} walk;

// Count lines as the YAML parser does.
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

static thud_status fail(const thudi_source *source, const walk *w, thud_fault *fault, long c)
{
    thud_status status = source->is_override ? THUD_ERR_ARGUMENT : THUD_ERR_SCENE;
    int line = source->is_override ? source->number : w->line;
    int column = source->is_override ? w->count + 1 + source->column_offset : w->column;
    if (c < 0)
        return thudi_fail_place(fault, status, source->file, line, column, "save the file as UTF-8",
                                "the byte 0x%02x is not UTF-8",
                                (unsigned)(unsigned char)w->text[w->at]);
    if (c == 0xfeff)
        return thudi_fail_place(fault, status, source->file, line, column, "remove it",
                                "a byte order mark is allowed only at the start of the file");
    if (thudi_character_turns(c))
        return thudi_fail_place(fault, status, source->file, line, column, "remove it",
                                "U+%04lX, which turns the direction of writing, is not allowed",
                                (unsigned long)c);
    return thudi_fail_place(fault, status, source->file, line, column,
                            c == 0 ? "check whether this is a text file" : "remove it",
                            "the control character 0x%02lx is not allowed", (unsigned long)c);
}

thud_status thudi_text_check(const thudi_source *source, thud_fault *fault)
{
    if (source->length > THUD_SCENE_FILE_SIZE)
        return thudi_fail_place(fault, THUD_ERR_LIMIT, source->file, 0, 0,
                                "put many bodies into a CSV file: see 'file' under 'bodies'",
                                "the scene has more than %d MiB", THUD_SCENE_FILE_SIZE >> 20);
    walk w = {source->text, source->length, 0, 1, 1, 0};
    while (w.at < w.length)
    {
        size_t size;
        long c = thudi_character_read(w.text + w.at, w.length - w.at, &size);
        if (c < 0 || c == 0xfeff || thudi_character_is_control(c) || thudi_character_turns(c))
            return fail(source, &w, fault, c);
        advance(&w, c, size);
    }
    return THUD_OK;
}
