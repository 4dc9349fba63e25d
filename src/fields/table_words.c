// How the value of a field is written, in words, with the marks of Markdown.
#include "fields/table.h"

#include "core/whole.h"

static void put_words(thudi_out *out, const char *const *words)
{
    for (int i = 0; words[i]; i++)
    {
        thudi_put(out, i == 0 ? "`" : (words[i + 1] ? ", `" : " or `"));
        thudi_put(out, words[i]);
        thudi_put(out, "`");
    }
}

static void put_number(thudi_out *out, const thudi_field *field)
{
    static const char *const ranges[] = {"", " > 0", " >= 0"};
    if (field->count == THUDI_DIM)
        thudi_put(out, "list of `dim` ");
    else if (field->count > 0)
    {
        thudi_put(out, "list of ");
        thudi_put_whole(out, field->count);
        thudi_put(out, " ");
    }
    thudi_put(out, field->count ? "numbers" : "number");
    if (field->form == THUDI_A_VARYING)
        thudi_put(out, " *of t*");
    if (field->form == THUDI_A_FUNCTION)
        thudi_put(out, " *of t, q*");
    thudi_put(out, ranges[field->range]);
    if (!field->words)
        return;
    thudi_put(out, ", or ");
    put_words(out, field->words);
}

static void put_whole(thudi_out *out, const thudi_field *field)
{
    bool is_choice = field->low == field->high - 1, is_open = field->high == 0;
    if (field->count == THUDI_DIM)
        thudi_put(out, "list of `dim` whole numbers >= ");
    else if (!is_choice)
        thudi_put(out, is_open ? "whole number >= " : "whole number, ");
    thudi_put_whole(out, field->low);
    if (field->count == THUDI_DIM || is_open)
        return;
    thudi_put(out, is_choice ? " or " : " to ");
    if (field->high == THUDI_MOST_WHOLE)
        thudi_put(out, "2^53");
    else
        thudi_put_whole(out, field->high);
}

static void put_keys(thudi_out *out, const thudi_thing *thing)
{
    const thudi_field *field;
    thudi_field_room room;
    thudi_put(out, "`{");
    for (int i = 0; (field = thudi_thing_field(thing, i, &room)) != NULL; i++)
    {
        thudi_put(out, i > 0 ? (thing->has_one_key ? " \\| " : ", ") : "");
        thudi_put(out, field->key);
    }
    thudi_put(out, "}`");
}

static void put_many(thudi_out *out, const thudi_field *field)
{
    const thudi_field *item = field->of;
    if (field->form == THUDI_A_LIST)
        thudi_put(out, "list of ");
    else
        thudi_put(out, "map of names to ");
    thudi_form_words(out, item);
}

static void put_forms(thudi_out *out, const thudi_field *form)
{
    for (int i = 0; form[i].help; i++)
    {
        thudi_put(out, i > 0 ? " or " : "");
        thudi_form_words(out, &form[i]);
    }
}

// As the form of a field is written where the table has no words of its own for it.
static void put_form(thudi_out *out, const thudi_field *field)
{
    static const char *const answers[] = {"false", "true", NULL};
    switch (field->form)
    {
    case THUDI_A_NUMBER:
    case THUDI_A_VARYING:
    case THUDI_A_FUNCTION:
        put_number(out, field);
        break;
    case THUDI_A_WHOLE:
        put_whole(out, field);
        break;
    case THUDI_A_FLAG:
    case THUDI_A_WORD:
        put_words(out, field->words ? field->words : answers);
        break;
    case THUDI_A_LINE:
        thudi_put(out, "one line of text");
        break;
    case THUDI_A_TEXT:
        thudi_put(out, "text");
        break;
    case THUDI_A_NAME:
        thudi_put(out, "name of ");
        thudi_put(out, field->of);
        break;
    case THUDI_A_BOX:
        thudi_put(out, "`[[low..], [high..]]`");
        break;
    case THUDI_A_PART:
        put_keys(out, field->of);
        break;
    case THUDI_A_LIST:
    case THUDI_A_MAP:
        put_many(out, field);
        break;
    case THUDI_ONE_OF:
        put_forms(out, field->of);
    }
}

void thudi_form_words(thudi_out *out, const thudi_field *field)
{
    if (field->written)
        thudi_put(out, field->written);
    else
        put_form(out, field);
}
