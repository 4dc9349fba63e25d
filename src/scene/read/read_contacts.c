// What contacts do: restitution and glue, of pairs of materials and of constraints.
#include "core/text.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
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
    THUD_TRY(thudi_take(r, ((size_t)scene->material_count + 1) * sizeof *names, &names));
    for (int i = 0; i < scene->material_count; i++)
        names[i] = scene->materials[i].name;
    if (scene->material_count > 0)
        thudi_hint_words(hint, "use one of the materials", node->text, node->length, names);
    return thudi_blame(r->fault, THUD_ERR_SCENE, node,
                       hint[0] ? hint : "define it under 'materials'",
                       "%s: there is no material '%s'", thudi_tree_path(node, path),
                       thudi_quote(quote, node->text, node->length));
}

static thud_status read_glue(thudi_reader *r, const thudi_tree *node, double *glue)
{
    if (node->kind == THUDI_STRING && strcmp(node->text, "unlimited") == 0)
    {
        *glue = -INFINITY;
        return THUD_OK;
    }
    THUD_TRY(thudi_number(r, node, THUDI_NOT_NEGATIVE, glue));
    *glue = *glue > 0 ? -*glue : 0;
    return THUD_OK;
}

// One law for the whole scene: a contact has one memory.
static thud_status note_law(thudi_reader *r, const thudi_tree *node, thud_law law)
{
    thud_scene *scene = &r->scene->view;
    if (scene->order == THUD_FIRST_ORDER)
        return thudi_blame(r->fault, THUD_ERR_SCENE, node->key, "remove it",
                           "'%s' cannot be used with order 1", node->key->text);
    if (scene->law != THUD_LAW_INELASTIC && scene->law != law)
        return thudi_blame(r->fault, THUD_ERR_SCENE, node->key, "use one of them",
                           "a scene cannot have both restitution and glue");
    scene->law = law;
    return THUD_OK;
}

static thud_status read_restitution(thudi_reader *r, const thudi_tree *node, double *restitution)
{
    char path[THUDI_PATH_SIZE], number[THUDI_NUMBER_SIZE];
    THUD_TRY(thudi_number(r, node, THUDI_NOT_NEGATIVE, restitution));
    if (*restitution > 1)
        return thudi_blame(r->fault, THUD_ERR_SCENE, node, "use 1 for a perfect bounce, 0 for none",
                           "%s must be at most 1, but is %s", thudi_tree_path(node, path),
                           thudi_text_number(number, *restitution));
    return *restitution > 0 ? note_law(r, node, THUD_LAW_RESTITUTION) : THUD_OK;
}

thud_status thudi_read_contact_law(thudi_reader *r, const thudi_tree *node, double *restitution,
                                   double *glue)
{
    const thudi_tree *bounce = thudi_may(node, "restitution"), *stick = thudi_may(node, "glue");
    if (bounce)
        THUD_TRY(read_restitution(r, bounce, restitution));
    if (!stick)
        return THUD_OK;
    THUD_TRY(read_glue(r, stick, glue));
    return *glue < 0 ? note_law(r, stick, THUD_LAW_GLUE) : THUD_OK;
}

static thud_status check_twice(thudi_reader *r, const thudi_tree *node,
                               const thud_scene_contact *contact)
{
    const thud_scene *scene = &r->scene->view;
    char path[THUDI_PATH_SIZE];
    for (int i = 0; i < scene->contact_count; i++)
        if (scene->contacts[i].a == contact->a && scene->contacts[i].b == contact->b)
            return thudi_blame(r->fault, THUD_ERR_SCENE, node,
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
    char path[THUDI_PATH_SIZE];
    int a, b;
    THUD_TRY(thudi_thing_open(r, node, &thudi_contact_thing));
    THUD_TRY(thudi_place(r, node, &contact->place));
    THUD_TRY(thudi_need(r, node, "between", between_hint, &between));
    THUD_TRY(thudi_expect(r, between, THUDI_LIST, "a list of two materials"));
    if (between->count != 2)
        return thudi_blame(r->fault, THUD_ERR_SCENE, between, between_hint,
                           "%s must name two materials, but has %d", thudi_tree_path(between, path),
                           between->count);
    THUD_TRY(thudi_material_named(r, between->first, &a));
    THUD_TRY(thudi_material_named(r, between->last, &b));
    contact->a = a < b ? a : b;
    contact->b = a < b ? b : a;
    THUD_TRY(check_twice(r, node, contact));
    if (!thudi_may(node, "restitution") && !thudi_may(node, "glue"))
        return thudi_blame(r->fault, THUD_ERR_SCENE, node, "give 'restitution' or 'glue'",
                           "%s gives no property of the contact", thudi_tree_path(node, path));
    return thudi_read_contact_law(r, node, &contact->restitution, &contact->glue);
}

thud_status thudi_read_contacts(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_may(root, "contacts");
    thud_scene *scene = &r->scene->view;
    thud_scene_contact *contacts;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of contacts"));
    if (scene->material_count > MOST_MATERIALS)
        return thudi_blame(r->fault, THUD_ERR_LIMIT, node, "",
                           "'contacts' cannot be used with more than %d materials", MOST_MATERIALS);
    THUD_TRY(thudi_take(r, (size_t)node->count * sizeof *contacts, &contacts));
    scene->contacts = contacts;
    for (const thudi_tree *item = node->first; item; item = item->next)
    {
        THUD_TRY(read_contact(r, item, &contacts[scene->contact_count]));
        scene->contact_count++;
    }
    return THUD_OK;
}
