// A JSON Schema (draft 7) of things, for editors. It has all keys and the forms of their values;
// the reader checks more. What YAML reads as a number may be a text in a scene, and the reverse.
#include "fields/table.h"

#include <string.h>

static void put_any_text(thud_json *json)
{
    thud_json_list(json, "type");
    thud_json_text(json, NULL, "string");
    thud_json_text(json, NULL, "number");
    thud_json_text(json, NULL, "boolean");
    thud_json_list_end(json);
}

static void put_words(thud_json *json, const char *const *words)
{
    thud_json_list(json, "enum");
    for (int i = 0; words[i]; i++)
        thud_json_text(json, NULL, words[i]);
    thud_json_list_end(json);
}

// A number, one of the words, or an expression.
static void put_number(thud_json *json, const thudi_field *field)
{
    bool is_whole = field->form == THUDI_A_WHOLE;
    thud_json_list(json, "anyOf");
    thud_json_open(json, NULL);
    thud_json_text(json, "type", is_whole ? "integer" : "number");
    if (is_whole)
        thud_json_number(json, "minimum", field->low);
    if (is_whole && field->high > 0)
        thud_json_number(json, "maximum", field->high);
    if (!is_whole && field->range == THUDI_POSITIVE)
        thud_json_number(json, "exclusiveMinimum", 0);
    if (!is_whole && field->range == THUDI_NOT_NEGATIVE)
        thud_json_number(json, "minimum", 0);
    thud_json_close(json);
    if (field->words)
    {
        thud_json_open(json, NULL);
        put_words(json, field->words);
        thud_json_close(json);
    }
    thud_json_open(json, NULL);
    thud_json_text(json, "type", "string");
    thud_json_number(json, "minLength", 1);
    thud_json_close(json);
    thud_json_list_end(json);
}

// Begin a list with its count of items; the caller writes `items`. most 0: any number.
static void put_list(thud_json *json, double least, double most)
{
    thud_json_text(json, "type", "array");
    if (least > 0)
        thud_json_number(json, "minItems", least);
    if (most > 0)
        thud_json_number(json, "maxItems", most);
}

static void put_numbers(thud_json *json, const thudi_field *field)
{
    bool by_dim = field->count == THUDI_DIM;
    if (field->count == 0)
    {
        put_number(json, field);
        return;
    }
    put_list(json, by_dim ? 2 : field->count, by_dim ? 3 : field->count);
    thud_json_open(json, "items");
    put_number(json, field);
    thud_json_close(json);
}

static void put_box(thud_json *json)
{
    static const thudi_field corner = {.form = THUDI_A_NUMBER, .count = THUDI_DIM};
    put_list(json, 2, 2);
    thud_json_open(json, "items");
    put_numbers(json, &corner);
    thud_json_close(json);
}

// YAML reads true and false as more than words, so the schema allows both forms.
static void put_answers(thud_json *json)
{
    thud_json_list(json, "enum");
    thud_json_flag(json, NULL, false);
    thud_json_flag(json, NULL, true);
    thud_json_text(json, NULL, "false");
    thud_json_text(json, NULL, "true");
    thud_json_list_end(json);
}

static void put_default(thud_json *json, const thudi_field *field)
{
    double x;
    size_t length = field->initial ? strlen(field->initial) : 0;
    if (length > 0 && thud_number_read(field->initial, length, &x))
        thud_json_number(json, "default", x);
    else if (length > 0 && field->form != THUDI_ONE_OF)
        thud_json_text(json, "default", field->initial);
}

static void put_thing(thud_json *json, const thudi_thing *thing, bool is_whole);
static void put_form(thud_json *json, const thudi_field *field, bool is_whole);

static void put_forms(thud_json *json, const thudi_field *form, bool is_whole)
{
    thud_json_list(json, "anyOf");
    for (; form->help; form++)
    {
        thud_json_open(json, NULL);
        put_form(json, form, is_whole);
        thud_json_close(json);
    }
    thud_json_list_end(json);
}

static void put_form(thud_json *json, const thudi_field *field, bool is_whole)
{
    switch (field->form)
    {
    case THUDI_A_NUMBER:
    case THUDI_A_VARYING:
    case THUDI_A_FUNCTION:
    case THUDI_A_WHOLE:
        put_numbers(json, field);
        break;
    case THUDI_A_FLAG:
    case THUDI_A_WORD:
        if (field->words)
            put_words(json, field->words);
        else
            put_answers(json);
        break;
    case THUDI_A_LINE:
    case THUDI_A_TEXT:
    case THUDI_A_NAME:
        put_any_text(json);
        break;
    case THUDI_A_BOX:
        put_box(json);
        break;
    case THUDI_A_PART:
        put_thing(json, field->of, is_whole);
        break;
    case THUDI_A_LIST:
        put_list(json, field->low, field->high);
        thud_json_open(json, "items");
        put_form(json, field->of, true); // an include does not join lists: each item is whole
        thud_json_close(json);
        break;
    case THUDI_A_MAP:
        thud_json_text(json, "type", "object");
        thud_json_open(json, "additionalProperties");
        put_form(json, field->of, is_whole);
        thud_json_close(json);
        break;
    case THUDI_ONE_OF:
        put_forms(json, field->of, is_whole);
    }
}

static void put_required(thud_json *json, const thudi_thing *thing)
{
    const thudi_field *field;
    thudi_field_room room;
    thud_json_list(json, "required");
    for (int i = 0; (field = thudi_thing_field(thing, i, &room)) != NULL; i++)
        if (thudi_field_is_required(field))
            thud_json_text(json, NULL, field->key);
    thud_json_list_end(json);
    if (!thing->one_of)
        return;
    thud_json_list(json, "oneOf");
    for (const char *const *key = thing->one_of; *key; key++)
    {
        thud_json_open(json, NULL);
        thud_json_list(json, "required");
        thud_json_text(json, NULL, *key);
        thud_json_list_end(json);
        thud_json_close(json);
    }
    thud_json_list_end(json);
}

static void put_thing(thud_json *json, const thudi_thing *thing, bool is_whole)
{
    const thudi_field *field;
    thudi_field_room room;
    thud_json_text(json, "type", "object");
    thud_json_flag(json, "additionalProperties", false);
    if (thing->has_one_key)
        thud_json_number(json, "maxProperties", 1);
    if (thing->has_one_key && is_whole)
        thud_json_number(json, "minProperties", 1);
    if (is_whole)
        put_required(json, thing);
    thud_json_open(json, "properties");
    for (int i = 0; (field = thudi_thing_field(thing, i, &room)) != NULL; i++)
    {
        thud_json_open(json, field->key);
        thud_json_text(json, "description", field->help);
        put_default(json, field);
        put_form(json, field, is_whole);
        thud_json_close(json);
    }
    thud_json_close(json);
}

void thudi_thing_schema(thud_json *json, const char *name, const thudi_thing *thing, bool is_whole)
{
    thud_json_open(json, name);
    put_thing(json, thing, is_whole);
    thud_json_close(json);
}
