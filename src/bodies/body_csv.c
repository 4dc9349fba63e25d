// Files of bodies as CSV: a line of names, then a line per body. Fields are separated by commas,
// may have spaces around, and quotes; lines that start with # are comments.
#include "bodies/body_file.h"
#include "core/memory.h"

#include <string.h>

static const char *const column_names[] = {"x",      "y",    "z",        "vx",   "vy",    "vz",
                                           "radius", "mass", "material", "name", "growth"};

enum
{
    NAMES = sizeof column_names / sizeof *column_names
};

static const char names_hint[] =
    "name the columns in the first line: x, y, z (in three dimensions) and any of radius, vx, vy, "
    "vz, mass, material, name, growth";

// The columns of the file, from its first line.
typedef struct csv_header
{
    thudi_body_column column[NAMES];
    int count;
} csv_header;

// The next line that is neither empty nor a comment.
static bool take_row(thudi_body_reader *reader, thudi_body_span *line)
{
    while (thudi_body_next_line(reader, line))
    {
        thudi_body_span inner = thudi_body_trim(reader, *line);
        if (inner.length > 0 && reader->text[inner.at] != '#')
            return true;
    }
    return false;
}

// A field in quotes that starts at *at, with the blanks around it; *at goes to its end.
static thud_status take_quoted(const thudi_body_reader *reader, size_t end, size_t *at,
                               thudi_body_field *field)
{
    const char *text = reader->text;
    size_t i = *at + 1;
    while (i < end && (text[i] != '"' || (i + 1 < end && text[i + 1] == '"')))
    {
        field->has_doubled = field->has_doubled || text[i] == '"';
        i += text[i] == '"' ? 2 : 1;
    }
    if (i >= end)
        return thudi_body_fail(reader, THUD_ERR_SCENE, *at, "close it on the same line",
                               "a quote is opened and not closed");
    field->value = (thudi_body_span){*at + 1, i - *at - 1};
    i++;
    while (i < end && (text[i] == ' ' || text[i] == '\t'))
        i++;
    if (i < end && text[i] != ',')
        return thudi_body_fail(reader, THUD_ERR_SCENE, i,
                               "put all of the field in quotes, and double those inside",
                               "there is text after a closing quote");
    *at = i;
    return THUD_OK;
}

static thud_status take_plain(const thudi_body_reader *reader, size_t end, size_t *at,
                              thudi_body_field *field)
{
    const char *start = reader->text + *at, *comma = memchr(start, ',', end - *at);
    size_t length = comma ? (size_t)(comma - start) : end - *at;
    const char *quote = memchr(start, '"', length);
    if (quote)
        return thudi_body_fail(reader, THUD_ERR_SCENE, *at + (size_t)(quote - start),
                               "put all of the field in quotes, and double those inside",
                               "there is a quote inside a field");
    field->value = thudi_body_trim(reader, (thudi_body_span){*at, length});
    *at += length;
    return THUD_OK;
}

// The field that starts at *at of a line that ends at `end`; *at goes to the comma, or the end.
static thud_status take_field(const thudi_body_reader *reader, size_t end, size_t *at,
                              thudi_body_field *field)
{
    size_t i = *at;
    *field = (thudi_body_field){{0, 0}, false};
    while (i < end && (reader->text[i] == ' ' || reader->text[i] == '\t'))
        i++;
    if (i == end || reader->text[i] != '"')
        return take_plain(reader, end, at, field);
    *at = i;
    return take_quoted(reader, end, at, field);
}

static thud_status fail_name(const thudi_body_reader *reader, thudi_body_span name)
{
    char quote[THUDI_BODY_QUOTE];
    double number;
    thudi_body_quote(reader, name, quote);
    if (name.length == 0)
        return thudi_body_fail(reader, THUD_ERR_SCENE, name.at, names_hint, "a column has no name");
    if (thud_number_read(reader->text + name.at, name.length, &number))
        return thudi_body_fail(reader, THUD_ERR_SCENE, name.at, names_hint,
                               "there is the number %s instead of the name of a column", quote);
    if (memchr(reader->text + name.at, ';', name.length) ||
        memchr(reader->text + name.at, '\t', name.length))
        return thudi_body_fail(reader, THUD_ERR_SCENE, name.at, "separate fields with commas",
                               "there is no column '%s'", quote);
    return thudi_body_fail_name(reader, name, "column", column_names, NAMES);
}

static thud_status add_column(const thudi_body_reader *reader, thudi_body_span name,
                              csv_header *header)
{
    char quote[THUDI_BODY_QUOTE];
    int column = 0;
    while (column < NAMES && !thudi_body_is(reader, name, column_names[column]))
        column++;
    if (column == NAMES)
        return fail_name(reader, name);
    thudi_body_quote(reader, name, quote);
    if (reader->dim == 2 && (column == THUDI_COLUMN_Z || column == THUDI_COLUMN_VZ))
        return thudi_body_fail(reader, THUD_ERR_SCENE, name.at, "remove the column, or set dim: 3",
                               "there is no column '%s' in two dimensions", quote);
    for (int i = 0; i < header->count; i++)
        if (header->column[i] == (thudi_body_column)column)
            return thudi_body_fail(reader, THUD_ERR_SCENE, name.at, "keep one of them",
                                   "the column '%s' appears twice", quote);
    header->column[header->count++] = (thudi_body_column)column;
    return THUD_OK;
}

static thud_status read_header(thudi_body_reader *reader, csv_header *header)
{
    thudi_body_span line;
    if (!take_row(reader, &line))
        return thudi_body_fail(reader, THUD_ERR_SCENE, reader->length, names_hint,
                               "the file is empty");
    size_t at = line.at, end = line.at + line.length;
    unsigned present = 0;
    for (bool more = true; more; at++)
    {
        thudi_body_field field;
        THUD_TRY(take_field(reader, end, &at, &field));
        THUD_TRY(add_column(reader, field.value, header));
        present |= 1u << header->column[header->count - 1];
        more = at < end;
    }
    for (int k = 0; k < reader->dim; k++)
        if (!(present & 1u << k))
            return thudi_body_fail(reader, THUD_ERR_SCENE, line.at, names_hint,
                                   "the column '%s' is missing", column_names[k]);
    return THUD_OK;
}

// How many fields there are from `at` on, as far as they can be told apart.
static int count_fields(const thudi_body_reader *reader, size_t at, size_t end)
{
    thudi_body_reader silent = *reader;
    thudi_body_field field;
    int count = 1;
    silent.fault = NULL;
    while (take_field(&silent, end, &at, &field) >= 0 && at < end)
    {
        count++;
        at++;
    }
    return count;
}

static thud_status fail_count(const thudi_body_reader *reader, thudi_body_span line, size_t at,
                              int columns)
{
    int fields = count_fields(reader, line.at, line.at + line.length);
    return thudi_body_fail(reader, THUD_ERR_SCENE, at,
                           "give every line a field for every column; a field may be empty",
                           "the line has %d field%s, but there are %d columns", fields,
                           fields == 1 ? "" : "s", columns);
}

static thud_status read_row(thudi_body_reader *reader, const csv_header *header,
                            thudi_body_span line, thudi_body_row *row)
{
    size_t at = line.at, end = line.at + line.length;
    for (int i = 0; i < header->count; i++, at++)
    {
        thudi_body_field field;
        THUD_TRY(take_field(reader, end, &at, &field));
        if (at == end && i + 1 < header->count)
            return fail_count(reader, line, end, header->count);
        THUD_TRY(thudi_body_put(reader, row, header->column[i], field));
    }
    if (at <= end)
        return fail_count(reader, line, at, header->count);
    row->line = reader->line;
    return THUD_OK;
}

thud_status thudi_body_read_csv(thudi_body_reader *reader)
{
    csv_header header = {.count = 0};
    thudi_body_span line;
    int count = 0;
    bool has_quotes = memchr(reader->text, '"', reader->length) != NULL;
    THUD_TRY(read_header(reader, &header));
    thudi_body_reader rows = *reader;
    while (take_row(reader, &line))
        count++; // a line has at least two bytes, so the limit of the file's size also limits the
                 // bodies
    if (count == 0)
        return thudi_body_fail(reader, THUD_ERR_SCENE, reader->length, "add a line for every body",
                               "the file has no bodies");
    THUD_TRY(thudi_body_reserve(reader, count, has_quotes));
    reader->at = rows.at;
    reader->line = rows.line;
    for (int i = 0; i < count; i++)
    {
        (void)take_row(reader, &line);
        THUD_TRY(read_row(reader, &header, line, &reader->rows[i]));
    }
    return THUD_OK;
}
