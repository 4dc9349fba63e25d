// JSON as it is written: objects, lists and values, escaped so that any terminal and any page may
// show it.
#include "thud/json.h"

#include "core/memory.h"
#include "thud/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void append(thud_json *json, const char *text, size_t length)
{
    thud_allocator allocator =
        thudi_allocator_or_default(json->allocator.resize ? &json->allocator : NULL);
    json->has_failed =
        json->has_failed ||
        thudi_grow(&allocator, &json->text, 1, json->length + length + 1, &json->capacity) < 0;
    if (json->has_failed)
        return;
    memcpy(json->text + json->length, text, length);
    json->length += length;
    json->text[json->length] = '\0';
}

static void append_text(thud_json *json, const char *text)
{
    append(json, text, strlen(text));
}

static void append_line(thud_json *json)
{
    if (json->layout != THUD_JSON_LINES)
        return;
    append_text(json, "\n");
    for (int i = 0; i < json->depth; i++)
        append_text(json, "  ");
}

static bool is_markup(char c)
{
    return c == '<' || c == '>' || c == '&';
}

static void append_quoted(thud_json *json, const char *text)
{
    append_text(json, "\"");
    while (*text)
    {
        unsigned code;
        bool is_control, is_compact = json->layout == THUD_JSON_COMPACT;
        size_t length = thud_character_read(text, &code, &is_control);
        bool is_mark = *text == '"' || *text == '\\';
        if (is_mark && !is_compact)
            append(json, "\\", 1);
        if (is_control || (is_compact && (is_mark || is_markup(*text))))
        {
            char escaped[12];
            bool is_broken = length == 1 && code >= 0x80;
            (void)snprintf(escaped, sizeof escaped, "\\u%04x", is_broken ? 0xfffd : code);
            append_text(json, escaped);
        }
        else
            append(json, text, length);
        text += length;
    }
    append_text(json, "\"");
}

static void begin(thud_json *json, const char *name)
{
    static const char *const commas[] = {",", ", ", ","}, *const colons[] = {": ", ": ", ":"};
    if (json->depth > 0)
    {
        append_text(json, json->is_first ? "" : commas[json->layout]);
        append_line(json);
    }
    if (name)
    {
        append_quoted(json, name);
        append_text(json, colons[json->layout]);
    }
    json->is_first = false;
}

static void open_with(thud_json *json, const char *name, const char *bracket)
{
    begin(json, name);
    append_text(json, bracket);
    json->depth++;
    json->is_first = true;
}

static void close_with(thud_json *json, const char *bracket)
{
    bool is_empty = json->is_first;
    json->depth--;
    if (!is_empty)
        append_line(json);
    append_text(json, bracket);
    json->is_first = false;
}

void thud_json_open(thud_json *json, const char *name)
{
    open_with(json, name, "{");
}

void thud_json_close(thud_json *json)
{
    close_with(json, "}");
}

void thud_json_list(thud_json *json, const char *name)
{
    open_with(json, name, "[");
}

void thud_json_list_end(thud_json *json)
{
    close_with(json, "]");
}

void thud_json_text(thud_json *json, const char *name, const char *value)
{
    begin(json, name);
    if (value)
        append_quoted(json, value);
    else
        append_text(json, "null");
}

void thud_json_number(thud_json *json, const char *name, double value)
{
    char text[THUD_NUMBER_SIZE];
    begin(json, name);
    append_text(json, isfinite(value) ? thud_number_write(text, value) : "null");
}

void thud_json_whole(thud_json *json, const char *name, long long value)
{
    char text[THUD_NUMBER_SIZE];
    begin(json, name);
    (void)snprintf(text, sizeof text, "%lld", value);
    append_text(json, text);
}

void thud_json_flag(thud_json *json, const char *name, bool value)
{
    begin(json, name);
    append_text(json, value ? "true" : "false");
}

void thud_json_numbers(thud_json *json, const char *name, const double *values, int count)
{
    thud_json_list(json, name);
    for (int i = 0; i < count; i++)
        thud_json_number(json, NULL, values[i]);
    thud_json_list_end(json);
}

void thud_json_newline(thud_json *json)
{
    append_text(json, "\n");
}

void thud_json_free(thud_json *json)
{
    thud_allocator allocator =
        thudi_allocator_or_default(json->allocator.resize ? &json->allocator : NULL);
    thudi_free(&allocator, json->text, json->capacity);
    *json = (thud_json){.layout = json->layout, .allocator = json->allocator};
}
