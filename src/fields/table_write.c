// Writing by tables: the keys of a thing in the order of its table, so that reading gives the same.
#include "fields/table.h"
#include "fields/varying_write.h"

static const char *const answers[] = {"false", "true"};

void thudi_put_key(thudi_putter *p, const thudi_field *field)
{
    if (p->is_block)
        for (int i = 0; i < p->indent; i++)
            thudi_put(p->out, " ");
    else
        thudi_put(p->out, p->has_begun ? ", " : "");
    p->has_begun = true;
    thudi_put(p->out, field->key);
    thudi_put(p->out, ": ");
}

void thudi_put_numbers(thudi_putter *p, const thudi_field *field, const double *x)
{
    if (field->count == 0)
        thudi_put_number(p->out, *x);
    else
        thudi_put_vector(p->out, x, field->count == THUDI_DIM ? p->dim : field->count);
}

void thudi_put_value(thudi_putter *p, const thudi_field *field, const void *at)
{
    switch (field->form)
    {
    case THUDI_A_NUMBER:
        thudi_put_numbers(p, field, at);
        break;
    case THUDI_A_VARYING:
    case THUDI_A_FUNCTION:
        if (field->count == 0)
            thudi_put_varying(p->out, at);
        else
            thudi_put_varyings(p->out, at, field->count == THUDI_DIM ? p->dim : field->count);
        break;
    case THUDI_A_WHOLE:
        thudi_put_whole(p->out, *(const int *)at);
        break;
    case THUDI_A_FLAG:
        thudi_put(p->out, (field->words ? field->words : answers)[*(const bool *)at]);
        break;
    case THUDI_A_WORD:
        thudi_put(p->out, field->words[*(const int *)at]);
        break;
    case THUDI_A_TEXT:
        thudi_put_text(p->out, *(const char *const *)at);
        break;
    case THUDI_A_PART:
        thudi_put_flow(p, field->of, at);
        break;
    default:
        thudi_put_string(p->out, *(const char *const *)at);
    }
}

void thudi_put_fields(thudi_putter *p, const thudi_thing *thing, const void *from)
{
    const thudi_field *field;
    thudi_field_room room;
    unsigned other = p->is_first_order ? THUDI_ORDER_2 : THUDI_ORDER_1;
    for (int i = 0; (field = thudi_thing_field(thing, i, &room)) != NULL; i++)
    {
        if (field->flags & other)
            continue;
        if (p->is_block && (field->flags & THUDI_APART))
            thudi_put(p->out, "\n");
        if (field->put)
        {
            field->put(p, field, from);
            continue;
        }
        thudi_put_key(p, field);
        thudi_put_value(p, field, (const char *)from + field->offset);
        thudi_put(p->out, p->is_block ? "\n" : "");
    }
}

void thudi_put_flow(thudi_putter *p, const thudi_thing *thing, const void *from)
{
    thudi_putter inner = *p;
    inner.is_block = inner.has_begun = false;
    thudi_put(p->out, "{");
    thudi_put_fields(&inner, thing, from);
    thudi_put(p->out, "}");
}

void thudi_put_nothing(thudi_putter *p, const thudi_field *field, const void *from)
{
    (void)p, (void)field, (void)from;
}

void thudi_put_initial(thudi_putter *p, const thudi_field *field, const void *from)
{
    (void)from;
    thudi_put_key(p, field);
    thudi_put(p->out, field->initial);
}

void thudi_put_positive(thudi_putter *p, const thudi_field *field, const void *from)
{
    const double *x = (const double *)((const char *)from + field->offset);
    if (!(*x > 0))
        return;
    thudi_put_key(p, field);
    thudi_put_number(p->out, *x);
}

void thudi_put_given(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_varying *x = (const thud_varying *)((const char *)from + field->offset);
    if (!thud_varying_is_given(x))
        return;
    thudi_put_key(p, field);
    thudi_put_varying(p->out, x);
}
