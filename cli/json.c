// JSON, two spaces a level, one value a line.
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void append(cli_json *json, const char *text, size_t length)
{
    if (json->length + length + 1 > json->capacity)
    {
        size_t wanted = 2 * (json->length + length) + 256;
        char *grown = realloc(json->text, wanted);
        if (!grown)
        {
            json->has_failed = true;
            return;
        }
        json->text = grown;
        json->capacity = wanted;
    }
    memcpy(json->text + json->length, text, length);
    json->length += length;
    json->text[json->length] = '\0';
}

static void append_text(cli_json *json, const char *text)
{
    append(json, text, strlen(text));
}

static void append_line(cli_json *json)
{
    append_text(json, json->is_one_line ? "" : "\n");
    for (int i = 0; i < json->depth && !json->is_one_line; i++)
        append_text(json, "  ");
}

static void append_quoted(cli_json *json, const char *text)
{
    char escaped[12];
    append_text(json, "\"");
    while (*text)
    {
        unsigned code;
        bool is_control;
        size_t length = cli_read_character(text, &code, &is_control);
        if (*text == '"' || *text == '\\')
            (void)snprintf(escaped, sizeof escaped, "\\%c", *text);
        else if (is_control && length > 1)
            (void)snprintf(escaped, sizeof escaped, "\\u%04x", code);
        else if (is_control)
            (void)snprintf(escaped, sizeof escaped, "\\u%04x", code < 0x80 ? code : 0xfffd);
        else
            (void)snprintf(escaped, sizeof escaped, "%.*s", (int)length, text);
        append_text(json, escaped);
        text += length;
    }
    append_text(json, "\"");
}

static void begin(cli_json *json, const char *name)
{
    if (json->depth > 0)
    {
        append_text(json, json->is_first ? "" : (json->is_one_line ? ", " : ","));
        append_line(json);
    }
    if (name)
    {
        append_quoted(json, name);
        append_text(json, ": ");
    }
    json->is_first = false;
}

static void open_with(cli_json *json, const char *name, const char *bracket)
{
    begin(json, name);
    append_text(json, bracket);
    json->depth++;
    json->is_first = true;
}

static void close_with(cli_json *json, const char *bracket)
{
    bool is_empty = json->is_first;
    json->depth--;
    if (!is_empty)
        append_line(json);
    append_text(json, bracket);
    json->is_first = false;
}

void cli_json_open(cli_json *json, const char *name)
{
    open_with(json, name, "{");
}

void cli_json_close(cli_json *json)
{
    close_with(json, "}");
}

void cli_json_list(cli_json *json, const char *name)
{
    open_with(json, name, "[");
}

void cli_json_list_end(cli_json *json)
{
    close_with(json, "]");
}

void cli_json_text(cli_json *json, const char *name, const char *value)
{
    begin(json, name);
    if (value)
        append_quoted(json, value);
    else
        append_text(json, "null");
}

void cli_json_number(cli_json *json, const char *name, double value)
{
    char text[THUD_NUMBER_SIZE];
    begin(json, name);
    append_text(json, isfinite(value) ? thud_number_write(text, value) : "null");
}

void cli_json_whole(cli_json *json, const char *name, long long value)
{
    char text[THUD_NUMBER_SIZE];
    begin(json, name);
    (void)snprintf(text, sizeof text, "%lld", value);
    append_text(json, text);
}

void cli_json_flag(cli_json *json, const char *name, bool value)
{
    begin(json, name);
    append_text(json, value ? "true" : "false");
}

int cli_json_print(cli_json *json)
{
    append_text(json, "\n");
    bool has_failed = json->has_failed;
    if (!has_failed)
        (void)fputs(json->text, stdout);
    cli_json_free(json);
    if (!has_failed)
        return CLI_DONE;
    return cli_complain(THUD_ERR_MEMORY, &(thud_fault){0});
}

void cli_json_free(cli_json *json)
{
    free(json->text);
    *json = (cli_json){0};
}
