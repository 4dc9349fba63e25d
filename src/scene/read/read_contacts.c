// What contacts do: the numbers of contact laws, of pairs of materials and of constraints.
#include "core/text.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_MATERIALS = 1000 // where contacts are given: a table has a place for every pair
};

thud_status thudi_material_named(thudi_reader *r, const thudi_tree *node, int *material)
{
    const thud_scene *scene = &r->scene->view;
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE], hint[THUDI_HINT_SIZE] = "";
    THUD_TRY(thudi_expect(r, node, THUDI_STRING, "the name of a material"));
    for (int i = 0; i < scene->material_count; i++)
        if (strlen(scene->materials[i].name) == node->length &&
            memcmp(scene->materials[i].name, node->text, node->length) == 0)
        {
            *material = i;
            return THUD_OK;
        }
    const char **names;
    THUD_TRY(thudi_reader_allocate(r, ((size_t)scene->material_count + 1) * sizeof *names, &names));
    for (int i = 0; i < scene->material_count; i++)
        names[i] = scene->materials[i].name;
    if (scene->material_count > 0)
        thudi_hint_words(hint, "use one of the materials", node->text, node->length, names);
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node,
                           hint[0] ? hint : "define it under 'materials'",
                           "%s: there is no material '%s'", thudi_tree_path(node, path),
                           thudi_quote(quote, node->text, node->length));
}

// A number whose range ends at 0 is kept below 0, and written in scenes without its sign: glue.
static thud_status read_number(thudi_reader *r, const thudi_tree *node,
                               const thud_law_number *number, double *value)
{
    char path[THUDI_PATH_SIZE], text[THUDI_TEXT_NUMBER_SIZE], limit[THUDI_TEXT_NUMBER_SIZE];
    bool is_negative = number->high <= 0;
    double low = is_negative ? -number->high : number->low;
    double high = is_negative ? -number->low : number->high;
    if (isinf(high) && node->kind == THUDI_STRING && strcmp(node->text, "unlimited") == 0)
    {
        *value = is_negative ? number->low : number->high;
        return THUD_OK;
    }
    THUD_TRY(thudi_number(r, node, THUDI_NOT_NEGATIVE, value));
    if (*value > high || *value < low)
        return thudi_fail_node(
            r->fault, THUD_ERR_SCENE, node, number->hint, "%s must be at %s %s, but is %s",
            thudi_tree_path(node, path), *value > high ? "most" : "least",
            thudi_text_number(limit, *value > high ? high : low), thudi_text_number(text, *value));
    *value = is_negative && *value > 0 ? -*value : *value;
    return THUD_OK;
}

// One law for the whole scene: a contact has one memory.
static thud_status note_law(thudi_reader *r, const thudi_tree *node, const thud_law_info *law)
{
    thud_scene *scene = &r->scene->view;
    const thud_law_info *other = thud_law_find((int)scene->law);
    if (scene->order == THUD_FIRST_ORDER && law->traits & THUD_TRAIT_ORDER_2)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node->key, "remove it",
                               "'%s' cannot be used with order 1", node->key->text);
    if (other->number_count > 0 && other != law)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node->key, "use one of them",
                               "a scene cannot have both %s and %s",
                               other->law < law->law ? other->name : law->name,
                               other->law < law->law ? law->name : other->name);
    scene->law = law->law;
    return THUD_OK;
}

// The numbers of one law, if one of them is given. *any: one is.
static thud_status read_law(thudi_reader *r, const thudi_tree *node, const thud_law_info *law,
                            thud_scene_law *rule, bool *any)
{
    double values[THUD_NUMBERS_MAX] = {0};
    const thudi_tree *used = NULL;
    for (int k = 0; k < law->number_count; k++)
    {
        const thudi_tree *value = thudi_optional(node, law->numbers[k].key);
        values[k] = law->numbers[k].none;
        *any = *any || value;
        if (value)
            THUD_TRY(read_number(r, value, &law->numbers[k], &values[k]));
        if (values[k] != law->numbers[k].none)
            used = value;
    }
    if (!used)
        return THUD_OK;
    rule->law = law->law;
    memcpy(rule->numbers, values, sizeof values);
    return note_law(r, used, law);
}

thud_status thudi_read_contact_law(thudi_reader *r, const thudi_tree *node, thud_scene_law *rule,
                                   bool *any)
{
    *any = false;
    for (int law = 0; thud_law_find(law); law++)
        THUD_TRY(read_law(r, node, thud_law_find(law), rule, any));
    return THUD_OK;
}

// "give 'restitution' or 'glue'"
static void write_hint(char hint[THUDI_HINT_SIZE])
{
    size_t used = (size_t)snprintf(hint, THUDI_HINT_SIZE, "give ");
    const char *before = "";
    for (int law = 0; thud_law_find(law); law++)
        for (int k = 0; k < thud_law_find(law)->number_count && used < THUDI_HINT_SIZE; k++)
        {
            used += (size_t)snprintf(hint + used, THUDI_HINT_SIZE - used, "%s'%s'", before,
                                     thud_law_find(law)->numbers[k].key);
            before = " or ";
        }
}

static thud_status check_twice(thudi_reader *r, const thudi_tree *node,
                               const thud_scene_contact *contact)
{
    const thud_scene *scene = &r->scene->view;
    char path[THUDI_PATH_SIZE];
    for (int i = 0; i < scene->contact_count; i++)
        if (scene->contacts[i].a == contact->a && scene->contacts[i].b == contact->b)
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, node,
                                   "remove one of them: the order of the two does not matter",
                                   "%s: these materials already have an entry",
                                   thudi_tree_path(node, path));
    return THUD_OK;
}

static thud_status read_contact(thudi_reader *r, const thudi_tree *node,
                                thud_scene_contact *contact)
{
    static const char between_hint[] = "give the names of two materials, such as [glass, glass]";
    const thudi_tree *between;
    char path[THUDI_PATH_SIZE], hint[THUDI_HINT_SIZE];
    int a, b;
    bool any;
    THUD_TRY(thudi_thing_open(r, node, &thudi_contact_thing));
    THUD_TRY(thudi_place(r, node, &contact->place));
    THUD_TRY(thudi_required(r, node, "between", between_hint, &between));
    THUD_TRY(thudi_expect(r, between, THUDI_LIST, "a list of two materials"));
    if (between->count != 2)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, between, between_hint,
                               "%s must name two materials, but has %d",
                               thudi_tree_path(between, path), between->count);
    THUD_TRY(thudi_material_named(r, between->first, &a));
    THUD_TRY(thudi_material_named(r, between->last, &b));
    contact->a = a < b ? a : b;
    contact->b = a < b ? b : a;
    THUD_TRY(check_twice(r, node, contact));
    THUD_TRY(thudi_read_contact_law(r, node, &contact->rule, &any));
    if (any)
        return THUD_OK;
    write_hint(hint);
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, hint,
                           "%s gives no property of the contact", thudi_tree_path(node, path));
}

thud_status thudi_read_contacts(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_optional(root, "contacts");
    thud_scene *scene = &r->scene->view;
    thud_scene_contact *contacts;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of contacts"));
    if (scene->material_count > MOST_MATERIALS)
        return thudi_fail_node(r->fault, THUD_ERR_LIMIT, node, "",
                               "'contacts' cannot be used with more than %d materials",
                               MOST_MATERIALS);
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *contacts, &contacts));
    scene->contacts = contacts;
    for (const thudi_tree *item = node->first; item; item = item->next)
    {
        THUD_TRY(read_contact(r, item, &contacts[scene->contact_count]));
        scene->contact_count++;
    }
    return THUD_OK;
}
