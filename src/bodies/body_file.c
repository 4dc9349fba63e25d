// Files of bodies: what CSV and XYZ have in common. It refuses bytes that no table has, stores
// rows, and adds the place to messages.
#include "bodies/body_file.h"

#include "core/fault.h"
#include "core/memory.h"
#include "thud/scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The rows, with the size that freeing them needs.
typedef struct row_block
{
    size_t size; // in bytes, words behind the rows included
    thudi_body_row rows[];
} row_block;

static bool is_inside_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

thud_status thudi_body_fail(const thudi_body_reader *reader, thud_status status, size_t at,
                            const char *hint, const char *format, ...)
{
    char file[sizeof((thud_fault *)0)->file];
    va_list values;
    if (!reader->fault)
        return status;
    memcpy(file, reader->fault->file, sizeof file); // the caller's bytes, not yet a text perhaps
    va_start(values, format);
    (void)thudi_fail_list(reader->fault, status, thudi_at_text(reader->text, at), hint, format,
                          values);
    va_end(values);
    memcpy(reader->fault->file, file, sizeof file);
    return status;
}

const char *thudi_body_quote(const thudi_body_reader *reader, thudi_body_span span,
                             char quote[THUDI_BODY_QUOTE])
{
    static const char more[] = "...";
    size_t room = THUDI_BODY_QUOTE - 1, length = span.length;
    if (length > room)
    {
        length = room - strlen(more);
        while (is_inside_character(reader->text[span.at + length]))
            length--;
    }
    for (size_t i = 0; i < length; i++)
        quote[i] = reader->text[span.at + i] == '\t' ? ' ' : reader->text[span.at + i];
    (void)snprintf(quote + length, THUDI_BODY_QUOTE - length, "%s",
                   length < span.length ? more : "");
    return quote;
}

thud_status thudi_body_fail_name(const thudi_body_reader *reader, thudi_body_span name,
                                 const char *what, const char *const *names, int count)
{
    char quote[THUDI_BODY_QUOTE], hint[sizeof reader->fault->hint];
    const char *nearest = thud_nearest(reader->text + name.at, name.length, names, count);
    if (nearest)
        (void)snprintf(hint, sizeof hint, "did you mean '%s'?", nearest);
    else
        (void)snprintf(hint, sizeof hint, "use one of");
    for (int i = 0; i < count && !nearest; i++)
    {
        size_t used = strlen(hint);
        (void)snprintf(hint + used, sizeof hint - used, "%s %s", i > 0 ? "," : "", names[i]);
    }
    return thudi_body_fail(reader, THUD_ERR_SCENE, name.at, hint, "there is no %s '%s'", what,
                           thudi_body_quote(reader, name, quote));
}

bool thudi_body_next_line(thudi_body_reader *reader, thudi_body_span *line)
{
    if (reader->at == reader->length)
        return false;
    const char *start = reader->text + reader->at;
    const char *end = memchr(start, '\n', reader->length - reader->at);
    *line =
        (thudi_body_span){reader->at, end ? (size_t)(end - start) : reader->length - reader->at};
    reader->at += line->length + (end != NULL);
    reader->line++;
    if (line->length > 0 && start[line->length - 1] == '\r')
        line->length--;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

thudi_body_span thudi_body_trim(const thudi_body_reader *reader, thudi_body_span span)
{
    while (span.length > 0 && is_blank(reader->text[span.at + span.length - 1]))
        span.length--;
    while (span.length > 0 && is_blank(reader->text[span.at]))
    {
        span.at++;
        span.length--;
    }
    return span;
}

bool thudi_body_is(const thudi_body_reader *reader, thudi_body_span span, const char *word)
{
    return strlen(word) == span.length && memcmp(reader->text + span.at, word, span.length) == 0;
}

thud_status thudi_body_reserve(thudi_body_reader *reader, int count, bool has_words)
{
    size_t rows = (size_t)count * sizeof(thudi_body_row);
    size_t size = offsetof(row_block, rows) + rows + (has_words ? reader->length : 0);
    row_block *block = thudi_allocate_zeroed(reader->allocator, size);
    if (!block)
        return thudi_body_fail(reader, THUD_ERR_MEMORY, 0, "", "no memory for %d bod%s", count,
                               count == 1 ? "y" : "ies");
    block->size = size;
    reader->rows = block->rows;
    reader->count = count;
    reader->words = (char *)(block->rows + count);
    return THUD_OK;
}

void thudi_body_rows_free(const thud_allocator *allocator, thudi_body_row *rows, int count)
{
    (void)count;
    if (!rows)
        return;
    thud_allocator memory = thudi_allocator_or_default(allocator);
    void *block = (char *)rows - offsetof(row_block, rows);
    thudi_free(&memory, block, ((row_block *)block)->size);
}

// The text of a field: in the file, or behind the rows if its doubled quotes must be made single.
static const char *word_of(thudi_body_reader *reader, thudi_body_field field, size_t *length)
{
    const char *from = reader->text + field.value.at;
    *length = field.value.length;
    if (field.value.length == 0)
        return NULL;
    if (!field.has_doubled)
        return from;
    char *word = reader->words;
    *length = 0;
    for (size_t i = 0; i < field.value.length; i++)
    {
        word[(*length)++] = from[i];
        i += from[i] == '"';
    }
    reader->words += *length;
    return word;
}

static thud_status put_word(thudi_body_reader *reader, thudi_body_row *row,
                            thudi_body_column column, thudi_body_field field)
{
    if (field.value.length > THUD_SCENE_STRING)
        return thudi_body_fail(reader, THUD_ERR_LIMIT, field.value.at, "shorten it",
                               "a text has %zu bytes; the limit is %d", field.value.length,
                               THUD_SCENE_STRING);
    if (column == THUDI_COLUMN_NAME)
        row->name = word_of(reader, field, &row->name_length);
    else if (column == THUDI_COLUMN_MATERIAL)
        row->material = word_of(reader, field, &row->material_length);
    else if (column == THUDI_COLUMN_GROWTH)
        row->growth = word_of(reader, field, &row->growth_length);
    return THUD_OK;
}

static thud_status fail_value(const thudi_body_reader *reader, thudi_body_column column,
                              thudi_body_span span)
{
    static const char *const names[THUDI_COLUMNS] = {"x",      "y",    "z", "vx", "vy", "vz",
                                                     "radius", "mass", "",  "",   "",   ""};
    char quote[THUDI_BODY_QUOTE];
    if (span.length == 0)
        return thudi_body_fail(reader, THUD_ERR_SCENE, span.at, "give every row all its numbers",
                               "'%s' has no value", names[column]);
    return thudi_body_fail(reader, THUD_ERR_SCENE, span.at,
                           "write numbers like 0.01 or 2e-3, with a decimal point",
                           "'%s' for '%s' is not a finite decimal number",
                           thudi_body_quote(reader, span, quote), names[column]);
}

static double *value_of(thud_sphere *sphere, thudi_body_column column)
{
    if (column == THUDI_COLUMN_RADIUS)
        return &sphere->radius;
    if (column == THUDI_COLUMN_MASS)
        return &sphere->mass;
    return column < THUDI_COLUMN_VX ? &sphere->center[column - THUDI_COLUMN_X]
                                    : &sphere->velocity[column - THUDI_COLUMN_VX];
}

thud_status thudi_body_put(thudi_body_reader *reader, thudi_body_row *row, thudi_body_column column,
                           thudi_body_field field)
{
    thudi_body_span span = field.value;
    char quote[THUDI_BODY_QUOTE];
    if (column >= THUDI_COLUMN_MATERIAL)
        return put_word(reader, row, column, field);
    double *value = value_of(&row->sphere, column);
    if (!thud_number_read(reader->text + span.at, span.length, value))
        return fail_value(reader, column, span);
    thudi_body_quote(reader, span, quote);
    if (column == THUDI_COLUMN_RADIUS && !(*value > 0))
        return thudi_body_fail(reader, THUD_ERR_SCENE, span.at,
                               "leave the radii out to give one radius in the scene",
                               "the radius must be > 0, but is %s", quote);
    if (column == THUDI_COLUMN_MASS && !(*value > 0))
        return thudi_body_fail(reader, THUD_ERR_SCENE, span.at,
                               "leave the masses out to compute them from a material",
                               "the mass must be > 0, but is %s", quote);
    if (reader->dim == 2 && (column == THUDI_COLUMN_Z || column == THUDI_COLUMN_VZ) && *value != 0)
        return thudi_body_fail(reader, THUD_ERR_SCENE, span.at, "write 0, or set dim: 3",
                               "the third component must be 0 in two dimensions, but is %s", quote);
    return THUD_OK;
}

// The length of the UTF-8 character that starts a text of `left` bytes; 0: none does.
static size_t character_length(const unsigned char *s, size_t left)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xC0 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    if (length < 2 || length > left || s[0] > 0xF4)
        return length == 1;
    uint32_t code = s[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++)
    {
        if (!is_inside_character((char)s[i]))
            return 0;
        code = code << 6 | (s[i] & 0x3Fu);
    }
    bool is_surrogate = code >= 0xD800 && code < 0xE000;
    return code >= least[length] && code < 0x110000 && !is_surrogate ? length : 0;
}

// Refuse bytes that have no place in a table.
static thud_status check_bytes(const thudi_body_reader *reader)
{
    const unsigned char *s = (const unsigned char *)reader->text;
    for (size_t i = 0, length; i < reader->length; i += length)
    {
        length = character_length(s + i, reader->length - i);
        if (length == 0)
            return thudi_body_fail(reader, THUD_ERR_SCENE, i, "save the file as UTF-8",
                                   "the byte 0x%02X is not UTF-8", s[i]);
        if (s[i] == '\r' && (i + 1 == reader->length || s[i + 1] != '\n'))
            return thudi_body_fail(reader, THUD_ERR_SCENE, i, "end lines with LF or CRLF",
                                   "there is a carriage return without a line feed");
        if ((s[i] < ' ' && !strchr("\t\r\n", s[i])) || s[i] == 0 || s[i] == 0x7F)
            return thudi_body_fail(reader, THUD_ERR_SCENE, i, "save the file as plain text",
                                   "the control character 0x%02X is not allowed", s[i]);
    }
    return THUD_OK;
}

static thud_status read_rows(thudi_body_reader *reader, thudi_body_format format, size_t length)
{
    if (length > THUD_BODY_FILE_SIZE)
        return thudi_body_fail(reader, THUD_ERR_LIMIT, 0, "split the file",
                               "the file has %zu bytes; the limit is %d", length,
                               THUD_BODY_FILE_SIZE);
    THUD_TRY(check_bytes(reader));
    return format == THUDI_BODY_CSV ? thudi_body_read_csv(reader) : thudi_body_read_xyz(reader);
}

thud_status thudi_body_rows_read(thudi_body_format format, int dim, const char *text, size_t length,
                                 const thud_allocator *allocator, thudi_body_row **rows, int *count,
                                 thud_fault *fault)
{
    static const char mark[] = "\xEF\xBB\xBF"; // byte order mark
    thud_allocator memory = thudi_allocator_or_default(allocator);
    if (length == 0)
        text = "";
    size_t skip = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    thudi_body_reader reader = {.dim = dim,
                                .text = text + skip,
                                .length = length - skip,
                                .allocator = &memory,
                                .fault = fault};
    *rows = NULL;
    *count = 0;
    thud_status status = read_rows(&reader, format, length);
    if (status < 0)
    {
        thudi_body_rows_free(&memory, reader.rows, reader.count);
        return status;
    }
    *rows = reader.rows;
    *count = reader.count;
    return THUD_OK;
}
