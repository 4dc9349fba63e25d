// Files of bodies as XYZ: the count, a line of comment, then a line SYMBOL x y z [radius] per body;
// in an extended file Properties= in the comment names the columns.
#include "bodies/body_file.h"
#include "core/memory.h"
#include "thud/scene.h"

#include <string.h>

// What Properties= may name.
typedef struct property
{
    const char *name;
    char type;
    thudi_body_column column;
    bool is_vector;
} property;

static const property properties[] = {
    {"species", 'S', THUDI_COLUMN_SPECIES, false}, {"pos", 'R', THUDI_COLUMN_X, true},
    {"radius", 'R', THUDI_COLUMN_RADIUS, false},   {"velo", 'R', THUDI_COLUMN_VX, true},
    {"mass", 'R', THUDI_COLUMN_MASS, false},
};

enum
{
    PROPERTIES = sizeof properties / sizeof *properties,
    MOST_COLUMNS = 9
};

// The columns of the lines of bodies.
typedef struct xyz_layout
{
    thudi_body_column column[MOST_COLUMNS];
    int count;
    bool is_open; // the first line decides whether a radius follows
} xyz_layout;

// The next part of *rest up to one of `marks`; *rest is what follows the mark.
static thudi_body_span take_part(const thudi_body_reader *reader, const char *marks,
                                 thudi_body_span *rest)
{
    thudi_body_span part = {rest->at, 0};
    while (part.length < rest->length && !strchr(marks, reader->text[part.at + part.length]))
        part.length++;
    size_t taken = part.length + (part.length < rest->length);
    rest->at += taken;
    rest->length -= taken;
    return part;
}

// The next word of *rest, empty at its end.
static thudi_body_span take_word(const thudi_body_reader *reader, thudi_body_span *rest)
{
    *rest = thudi_body_trim(reader, *rest);
    return take_part(reader, " \t", rest);
}

static thud_status read_count(thudi_body_reader *reader, int *count)
{
    static const char hint[] = "write the number of bodies in the first line";
    thudi_body_span line, word;
    char quote[THUDI_BODY_QUOTE];
    if (!thudi_body_next_line(reader, &line))
        return thudi_body_fail(reader, THUD_ERR_SCENE, 0, hint, "the file is empty");
    word = thudi_body_trim(reader, line);
    thudi_body_quote(reader, word, quote);
    int64_t value = 0;
    bool is_whole = word.length > 0;
    for (size_t i = 0; i < word.length && is_whole; i++)
    {
        int digit = reader->text[word.at + i] - '0';
        is_whole = digit >= 0 && digit <= 9;
        if (is_whole && value <= THUD_SCENE_BODIES)
            value = 10 * value + digit;
    }
    if (!is_whole)
        return thudi_body_fail(reader, THUD_ERR_SCENE, word.at, hint,
                               "'%s' is not a number of bodies", quote);
    if (value > THUD_SCENE_BODIES)
        return thudi_body_fail(reader, THUD_ERR_LIMIT, word.at, "split the file",
                               "the file has %s bodies; the limit is %d", quote, THUD_SCENE_BODIES);
    if (value == 0)
        return thudi_body_fail(reader, THUD_ERR_SCENE, word.at, "add a line for every body",
                               "the file has no bodies");
    *count = (int)value;
    return THUD_OK;
}

static int find_property(const thudi_body_reader *reader, thudi_body_span name)
{
    int i = 0;
    while (i < PROPERTIES && !thudi_body_is(reader, name, properties[i].name))
        i++;
    return i;
}

static thud_status add_property(const thudi_body_reader *reader, const property *p,
                                thudi_body_span name, thudi_body_span type, thudi_body_span width,
                                xyz_layout *layout)
{
    bool is_flat = p->is_vector && reader->dim == 2 && thudi_body_is(reader, width, "2");
    int columns = is_flat ? 2 : (p->is_vector ? 3 : 1);
    for (int i = 0; i < layout->count; i++)
        if (layout->column[i] == p->column)
            return thudi_body_fail(reader, THUD_ERR_SCENE, name.at, "keep one of them",
                                   "the property '%s' appears twice", p->name);
    if (type.length != 1 || reader->text[type.at] != p->type ||
        !thudi_body_is(reader, width, columns == 1 ? "1" : (columns == 2 ? "2" : "3")))
        return thudi_body_fail(reader, THUD_ERR_SCENE, type.at,
                               "use species:S:1, pos:R:3, radius:R:1, velo:R:3 and mass:R:1",
                               "the property '%s' must be %c:%d", p->name, p->type, columns);
    for (int k = 0; k < columns; k++)
        layout->column[layout->count++] = (thudi_body_column)(p->column + k);
    return THUD_OK;
}

static thud_status read_properties(const thudi_body_reader *reader, thudi_body_span value,
                                   xyz_layout *layout)
{
    static const char *const names[PROPERTIES] = {"species", "pos", "radius", "velo", "mass"};
    size_t start = value.at, end = value.at + value.length;
    bool has_pos = false;
    for (bool more = value.length > 0; more;)
    {
        thudi_body_span name = take_part(reader, ":", &value);
        thudi_body_span type = take_part(reader, ":", &value);
        thudi_body_span width = take_part(reader, ":", &value);
        int found = find_property(reader, name);
        if (found == PROPERTIES)
            return thudi_body_fail_name(reader, name, "property", names, PROPERTIES);
        THUD_TRY(add_property(reader, &properties[found], name, type, width, layout));
        has_pos = has_pos || properties[found].column == THUDI_COLUMN_X;
        more = width.at + width.length < end; // a colon at the end is followed by an empty name
    }
    if (!has_pos)
        return thudi_body_fail(reader, THUD_ERR_SCENE, start, "add pos:R:3",
                               "the property 'pos' is missing");
    return THUD_OK;
}

static thud_status read_comment(thudi_body_reader *reader, xyz_layout *layout)
{
    static const char key[] = "Properties=";
    static const thudi_body_column plain[] = {THUDI_COLUMN_SPECIES, THUDI_COLUMN_X, THUDI_COLUMN_Y,
                                              THUDI_COLUMN_Z, THUDI_COLUMN_RADIUS};
    thudi_body_span line, word;
    if (!thudi_body_next_line(reader, &line))
        return thudi_body_fail(reader, THUD_ERR_SCENE, reader->length,
                               "write a comment or an empty line as the second line",
                               "the file ends after its first line");
    for (word = take_word(reader, &line); word.length > 0; word = take_word(reader, &line))
    {
        size_t length = strlen(key);
        if (word.length < length || memcmp(reader->text + word.at, key, length) != 0)
            continue;
        word.at += length;
        word.length -= length;
        if (word.length > 1 && reader->text[word.at] == '"' &&
            reader->text[word.at + word.length - 1] == '"')
            word = (thudi_body_span){word.at + 1, word.length - 2};
        return read_properties(reader, word, layout);
    }
    memcpy(layout->column, plain, sizeof plain);
    layout->count = sizeof plain / sizeof *plain;
    layout->is_open = true;
    return THUD_OK;
}

// How many words a line has, and where the first word beyond `wanted` is, or the line's end.
static int count_words(const thudi_body_reader *reader, thudi_body_span line, int wanted,
                       size_t *surplus)
{
    int count = 0;
    *surplus = line.at + line.length;
    for (thudi_body_span word; (word = take_word(reader, &line)).length > 0; count++)
        if (count == wanted)
            *surplus = word.at;
    return count;
}

static thud_status read_body(thudi_body_reader *reader, xyz_layout *layout, thudi_body_span line,
                             thudi_body_row *row)
{
    size_t surplus;
    int words = count_words(reader, line, layout->count, &surplus);
    if (layout->is_open && words == layout->count - 1)
        layout->count--;
    if (words != layout->count)
        return thudi_body_fail(reader, THUD_ERR_SCENE, surplus,
                               layout->is_open
                                   ? "write lines as SYMBOL x y z, or SYMBOL x y z RADIUS"
                                   : "give all lines the same columns",
                               "the line has %d field%s, but there are %d columns", words,
                               words == 1 ? "" : "s", layout->count);
    layout->is_open = false;
    for (int i = 0; i < words; i++)
        THUD_TRY(thudi_body_put(reader, row, layout->column[i],
                                (thudi_body_field){take_word(reader, &line), false}));
    row->line = reader->line;
    return THUD_OK;
}

// How many lines are not empty, from the next one on, and where the line after `wanted` starts.
static int count_lines(const thudi_body_reader *reader, int wanted, size_t *surplus)
{
    thudi_body_reader ahead = *reader;
    thudi_body_span line;
    int count = 0;
    while (thudi_body_next_line(&ahead, &line))
        if (thudi_body_trim(reader, line).length > 0 && count++ == wanted)
            *surplus = line.at;
    return count;
}

thud_status thudi_body_read_xyz(thudi_body_reader *reader)
{
    xyz_layout layout = {.count = 0};
    thudi_body_span line;
    int count = 0;
    size_t surplus = reader->length;
    THUD_TRY(read_count(reader, &count));
    THUD_TRY(read_comment(reader, &layout));
    int lines = count_lines(reader, count, &surplus);
    if (lines != count)
        return thudi_body_fail(
            reader, THUD_ERR_SCENE, surplus,
            "write the number of bodies in the first line; a file holds one frame",
            "the file has %d line%s of bodies, but the first line says %d", lines,
            lines == 1 ? "" : "s", count);
    THUD_TRY(thudi_body_reserve(reader, count, false));
    for (int i = 0; i < count; i++)
    {
        (void)thudi_body_next_line(reader, &line);
        THUD_TRY(read_body(reader, &layout, line, &reader->rows[i]));
    }
    return THUD_OK;
}
