// The numbers of contact laws as keys of a scene. The laws describe them: a new law needs no line
// here.
#include "scene/scene_write_parts.h"
#include "scene/tables.h"
#include "thud/law.h"

#include <math.h>

static const char *const unlimited[] = {"unlimited", NULL};

// The law that has number i of all, counted through all laws, and in *k which of its own that is.
static const thud_law_info *law_with(int i, int *k)
{
    const thud_law_info *law;
    for (int n = 0; (law = thud_law_find(n)) != NULL; i -= law->number_count, n++)
        if (i < law->number_count)
        {
            *k = i;
            return law;
        }
    return NULL;
}

// What contacts and constraints share of number i. Ranges that end at 0 are below it, and a scene
// writes them without their sign.
static const thud_law_info *make(int i, thudi_field_room *room, int *k)
{
    const thud_law_info *law = law_with(i, k);
    if (!law)
        return NULL;
    const thud_law_number *number = &law->numbers[*k];
    bool is_endless = isinf(number->low) || isinf(number->high);
    room->field = (thudi_field){.key = number->key,
                                .form = THUDI_A_NUMBER,
                                .range = THUDI_NOT_NEGATIVE,
                                .words = is_endless ? unlimited : NULL,
                                .flags = THUDI_BY_HAND};
    room->field.initial =
        isinf(number->none) ? unlimited[0] : thud_number_write(room->initial, fabs(number->none));
    return law;
}

const thudi_field *thudi_make_contact_field(int i, thudi_field_room *room)
{
    int k;
    const thud_law_info *law = make(i, room, &k);
    if (!law)
        return NULL;
    room->field.unit = law->numbers[k].unit;
    room->field.help = law->numbers[k].help;
    room->field.offset = offsetof(thud_scene_contact, rule);
    // the first one is also written of a contact that has no number: a contact must have a key
    room->field.put = i == 0 ? thudi_put_number_or_none : thudi_put_number_of_law;
    return &room->field;
}

const thudi_field *thudi_make_constraint_field(int i, thudi_field_room *room)
{
    int k;
    const thud_law_info *law = make(i, room, &k);
    if (!law)
        return NULL;
    room->field.help =
        law->traits & THUD_TRAIT_ORDER_2 ? "as for `contacts` (order 2)" : "as for `contacts`";
    room->field.offset = offsetof(thud_scene_constraint, rule);
    room->field.put = thudi_put_number_of_law;
    return &room->field;
}
