// Reading by tables: each field that needs no code, with its default.
#include "fields/table.h"

#include <assert.h>
#include <string.h>

static const char *const answers[] = {"false", "true", NULL};

static int find_word(const char *const *words, const char *word)
{
    int i = 0;
    while (words[i] && strcmp(words[i], word) != 0)
        i++;
    assert(words[i]);
    return i;
}

// A default that is given in words is already in the struct.
static thud_status set_default(thudi_reader *r, const thudi_field *field, void *at)
{
    const char *const *words = field->words ? field->words : answers;
    double x = 0;
    if (!field->initial)
        return THUD_OK;
    switch (field->form)
    {
    case THUDI_A_NUMBER:
        (void)thud_number_read(field->initial, strlen(field->initial), at);
        break;
    case THUDI_A_VARYING:
    case THUDI_A_FUNCTION:
        assert(field->count == 0); // a list of these has its default in words
        (void)thud_number_read(field->initial, strlen(field->initial), &x);
        return thudi_varying_of(r, x, at);
    case THUDI_A_WHOLE:
        (void)thud_number_read(field->initial, strlen(field->initial), &x);
        *(int *)at = (int)x;
        break;
    case THUDI_A_FLAG:
        *(bool *)at = find_word(words, field->initial) == 1;
        break;
    case THUDI_A_WORD:
        *(int *)at = find_word(words, field->initial);
        break;
    case THUDI_A_LINE:
    case THUDI_A_TEXT:
        *(const char **)at = field->initial;
        break;
    default: // code reads the other forms, and sets their defaults
        assert(false);
    }
    return THUD_OK;
}

static thud_status read_number(thudi_reader *r, const thudi_tree *node, const thudi_field *field,
                               double *x)
{
    int count = field->count == THUDI_DIM ? r->dim : field->count;
    return count == 0 ? thudi_number(r, node, field->range, x)
                      : thudi_vector(r, node, count, field->range, x);
}

static thud_status read_varying(thudi_reader *r, const thudi_tree *node, const thudi_field *field,
                                thud_varying *x)
{
    bool is_function = field->form == THUDI_A_FUNCTION;
    if (field->count == THUDI_DIM)
        return thudi_varyings(r, node, r->dim, x);
    return thudi_varying(r, node, is_function ? THUDI_OF_TIME_AND_COORDINATES : THUDI_OF_TIME, x);
}

static thud_status read_value(thudi_reader *r, const thudi_tree *node, const thudi_field *field,
                              void *at)
{
    const char *const *words = field->words ? field->words : answers;
    double x;
    int which;
    switch (field->form)
    {
    case THUDI_A_NUMBER:
        return read_number(r, node, field, at);
    case THUDI_A_VARYING:
    case THUDI_A_FUNCTION:
        return read_varying(r, node, field, at);
    case THUDI_A_WHOLE:
        THUD_TRY(thudi_whole(r, node, field->low, field->high, &x));
        *(int *)at = (int)x;
        return THUD_OK;
    case THUDI_A_FLAG:
        THUD_TRY(thudi_word(r, node, words, &which));
        *(bool *)at = which == 1;
        return THUD_OK;
    case THUDI_A_WORD:
        return thudi_word(r, node, words, at);
    default:
        return thudi_text(r, node, field->form == THUDI_A_LINE, at);
    }
}

static thud_status read_field(thudi_reader *r, const thudi_tree *map, const thudi_field *field,
                              void *to)
{
    void *at = (char *)to + field->offset;
    const thudi_tree *node = map ? thudi_optional(map, field->key) : NULL;
    if (!node && map && thudi_field_is_required(field))
        return thudi_required(r, map, field->key, field->hint ? field->hint : "", &node);
    if (node)
        return read_value(r, node, field, at);
    return set_default(r, field, at);
}

thud_status thudi_read_field(thudi_reader *r, const thudi_tree *map, const thudi_thing *thing,
                             const char *key, void *to)
{
    thudi_field_room room;
    const thudi_field *field = thudi_thing_find(thing, key, &room);
    assert(field);
    return read_field(r, map, field, to);
}

thud_status thudi_read_needed(thudi_reader *r, const thudi_tree *map, const thudi_thing *thing,
                              const char *key, void *to)
{
    thudi_field_room room;
    const thudi_field *field = thudi_thing_find(thing, key, &room);
    const thudi_tree *node;
    assert(field);
    THUD_TRY(thudi_required(r, map, key, field->hint ? field->hint : "", &node));
    return read_value(r, node, field, (char *)to + field->offset);
}

thud_status thudi_read_fields(thudi_reader *r, const thudi_tree *map, const thudi_thing *thing,
                              void *to)
{
    const thudi_field *field;
    thudi_field_room room;
    if (map)
        THUD_TRY(thudi_thing_open(r, map, thing));
    for (int i = 0; (field = thudi_thing_field(thing, i, &room)) != NULL; i++)
        if (!(field->flags & THUDI_BY_HAND))
            THUD_TRY(read_field(r, map, field, to));
    return THUD_OK;
}
