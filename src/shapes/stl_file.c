// STL files: triangles as a binary table, or as words.
//
//     binary   80 bytes, count (4), and per triangle normal and corners (12 floats), 2 bytes;
//              little endian
//     ASCII    solid NAME { facet normal x y z  outer loop  3 { vertex x y z }  endloop
//              endfacet } endsolid NAME, where a name ends with its line
#include "shapes/stl_file.h"

#include "core/fault.h"
#include "core/memory.h"
#include "thud/scene.h"
#include "thud/solids.h"

#include <math.h>
#include <string.h>

enum
{
    HEADER = 84, // of a binary file, with the count
    RECORD = 50
};

enum
{
    QUOTE = 64
};

// A part of the file: text[at .. at + length).
typedef struct stl_span
{
    size_t at, length;
} stl_span;

typedef struct stl_text
{
    const char *text;
    size_t length;
    size_t at; // where the next word starts
    thud_fault *fault;
} stl_text;

typedef struct stl_reader
{
    stl_text text;
    const thud_allocator *allocator;
    thudi_stl *stl;
} stl_reader;

// The place of text[at] in the file.
static thudi_at place_of(const stl_text *text, size_t at)
{
    return text->fault ? thudi_at_text(text->text, at) : THUDI_NOWHERE;
}

static thud_status add(stl_reader *reader, const double corners[9])
{
    thudi_stl *stl = reader->stl;
    size_t used = 9 * (size_t)stl->count;
    if (stl->count == THUD_SOLID_TRIANGLES)
        return thudi_fail(reader->text.fault, THUD_ERR_LIMIT,
                          place_of(&reader->text, reader->text.at), "split the mesh",
                          "the file has more than %d triangles", THUD_SOLID_TRIANGLES);
    if (thudi_grow(reader->allocator, &stl->triangles, sizeof *stl->triangles, used + 9,
                   &stl->capacity) < 0)
        return thudi_fail(reader->text.fault, THUD_ERR_MEMORY,
                          place_of(&reader->text, reader->text.at), "",
                          "no memory for %d triangles", stl->count + 1);
    memcpy(stl->triangles + used, corners, 9 * sizeof *corners);
    stl->count++;
    return THUD_OK;
}

static uint32_t number_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// Binary files have no lines.
static thud_status fail_byte(const stl_reader *reader, const char *hint, const char *what,
                             size_t triangle, size_t offset)
{
    return thudi_fail(reader->text.fault, THUD_ERR_SCENE, THUDI_NOWHERE, hint,
                      "triangle %zu (byte %zu): %s", triangle, offset, what);
}

static thud_status read_binary(stl_reader *reader)
{
    size_t count = number_at(reader->text.text + HEADER - 4);
    for (size_t i = 0; i < count; i++)
    {
        size_t at = HEADER + RECORD * i + 12; // behind the normal
        double corners[9];
        for (size_t j = 0; j < 9; j++)
        {
            uint32_t bits = number_at(reader->text.text + at + 4 * j);
            float value;
            memcpy(&value, &bits, sizeof value);
            if (!isfinite(value))
                return fail_byte(reader, "export the mesh again", "a coordinate is not finite",
                                 i + 1, at + 4 * j);
            corners[j] = (double)value;
        }
        THUD_TRY(add(reader, corners));
    }
    return THUD_OK;
}

static bool is_binary(const stl_text *text)
{
    if (text->length < HEADER || (text->length - HEADER) % RECORD != 0)
        return false;
    return (text->length - HEADER) / RECORD == number_at(text->text + HEADER - 4);
}

// The next word, over the ends of lines; empty at the end of the file.
static stl_span take_word(stl_text *text)
{
    while (text->at < text->length && strchr(" \t\r\n\v\f", text->text[text->at]) &&
           text->text[text->at] != '\0')
        text->at++;
    stl_span word = {text->at, 0};
    while (text->at < text->length &&
           (text->text[text->at] == '\0' || !strchr(" \t\r\n\v\f", text->text[text->at])))
        text->at++;
    word.length = text->at - word.at;
    return word;
}

static bool is_word(const stl_text *text, stl_span span, const char *word)
{
    if (strlen(word) != span.length)
        return false;
    for (size_t i = 0; i < span.length; i++)
    {
        char c = text->text[span.at + i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c) != word[i])
            return false;
    }
    return true;
}

// A word as a message can hold it: what is not plain ASCII may be anything here.
static const char *quote_of(const stl_text *text, stl_span span, char quote[QUOTE])
{
    size_t length = span.length < 40 ? span.length : 40;
    for (size_t i = 0; i < length; i++)
    {
        char c = text->text[span.at + i];
        quote[i] = c > ' ' && c < 0x7F ? c : '?';
    }
    memcpy(quote + length, length < span.length ? "..." : "", length < span.length ? 4 : 1);
    return quote;
}

static thud_status expect(stl_reader *reader, const char *word)
{
    char quote[QUOTE];
    stl_span span = take_word(&reader->text);
    if (is_word(&reader->text, span, word))
        return THUD_OK;
    if (span.length == 0)
        return thudi_fail(reader->text.fault, THUD_ERR_SCENE, place_of(&reader->text, span.at),
                          "check whether the file is complete",
                          "the file ends where '%s' should be", word);
    return thudi_fail(reader->text.fault, THUD_ERR_SCENE, place_of(&reader->text, span.at),
                      "write a triangle as: facet normal x y z, outer loop, three times "
                      "vertex x y z, endloop, endfacet",
                      "there is '%s' where '%s' should be", quote_of(&reader->text, span, quote),
                      word);
}

static thud_status read_corner(stl_reader *reader, double corner[3])
{
    char quote[QUOTE];
    THUD_TRY(expect(reader, "vertex"));
    for (int k = 0; k < 3; k++)
    {
        stl_span span = take_word(&reader->text);
        if (!thud_number_read(reader->text.text + span.at, span.length, &corner[k]))
            return thudi_fail(reader->text.fault, THUD_ERR_SCENE, place_of(&reader->text, span.at),
                              "write a corner as: vertex x y z",
                              "'%s' is not a finite decimal number",
                              quote_of(&reader->text, span, quote));
    }
    return THUD_OK;
}

static thud_status read_facet(stl_reader *reader)
{
    double corners[9];
    THUD_TRY(expect(reader, "normal"));
    for (int k = 0; k < 3; k++)
        (void)take_word(&reader->text);
    THUD_TRY(expect(reader, "outer"));
    THUD_TRY(expect(reader, "loop"));
    for (int i = 0; i < 3; i++)
        THUD_TRY(read_corner(reader, corners + 3 * (size_t)i));
    THUD_TRY(expect(reader, "endloop"));
    THUD_TRY(expect(reader, "endfacet"));
    return add(reader, corners);
}

// A name: the rest of the line.
static void skip_line(stl_text *text)
{
    while (text->at < text->length && text->text[text->at] != '\n')
        text->at++;
}

static thud_status read_words(stl_reader *reader)
{
    stl_text *text = &reader->text;
    for (bool more = true; more;)
    {
        THUD_TRY(expect(reader, "solid"));
        skip_line(text);
        stl_span word = take_word(text);
        for (; is_word(text, word, "facet"); word = take_word(text))
            THUD_TRY(read_facet(reader));
        text->at = word.at;
        THUD_TRY(expect(reader, "endsolid"));
        skip_line(text);
        size_t end = text->at;
        more = take_word(text).length > 0; // the word begins another solid, or is an error
        text->at = end;
    }
    return THUD_OK;
}

// The file is neither binary nor ASCII STL: the hint says what both forms need.
static thud_status fail_format(const stl_reader *reader)
{
    size_t length = reader->text.length;
    const char *hint = "check the file: an ASCII one begins with 'solid'; a binary one has 84 "
                       "bytes and 50 for every triangle";
    if (length < HEADER)
        return thudi_fail(reader->text.fault, THUD_ERR_SCENE, place_of(&reader->text, 0), hint,
                          "a file of %zu bytes is not an STL file", length);
    return thudi_fail(reader->text.fault, THUD_ERR_SCENE, place_of(&reader->text, 0), hint,
                      "this is not an STL file: it has %zu bytes, but %zu follow from the %u "
                      "triangles of byte 80",
                      length, HEADER + RECORD * (size_t)number_at(reader->text.text + HEADER - 4),
                      (unsigned)number_at(reader->text.text + HEADER - 4));
}

static thud_status read_any(stl_reader *reader)
{
    stl_text *text = &reader->text;
    if (text->length > THUD_SCENE_FILE_SIZE)
        return thudi_fail(text->fault, THUD_ERR_LIMIT, place_of(text, 0), "split the mesh",
                          "the file has %zu bytes; the limit is %d", text->length,
                          THUD_SCENE_FILE_SIZE);
    if (is_binary(text))
        THUD_TRY(read_binary(reader));
    else
    {
        bool has_words = is_word(text, take_word(text), "solid");
        text->at = 0;
        THUD_TRY(has_words ? read_words(reader) : fail_format(reader));
    }
    if (reader->stl->count > 0)
        return THUD_OK;
    return thudi_fail(text->fault, THUD_ERR_SCENE, place_of(text, 0), "add a triangle",
                      "the file has no triangles");
}

thud_status thudi_stl_read(const char *text, size_t length, const thud_allocator *allocator,
                           thudi_stl *stl, thud_fault *fault)
{
    thud_allocator memory = thudi_allocator_or_default(allocator);
    stl_reader reader = {.text = {.text = length > 0 ? text : "", .length = length, .fault = fault},
                         .allocator = &memory,
                         .stl = stl};
    *stl = (thudi_stl){.count = 0};
    thud_status status = read_any(&reader);
    if (status < 0)
        thudi_stl_free(&memory, stl);
    return status;
}

void thudi_stl_free(const thud_allocator *allocator, thudi_stl *stl)
{
    thud_allocator memory = thudi_allocator_or_default(allocator);
    thudi_free(&memory, stl->triangles, stl->capacity * sizeof *stl->triangles);
    *stl = (thudi_stl){.count = 0};
}
