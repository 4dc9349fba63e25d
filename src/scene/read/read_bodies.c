// The list of bodies: single ones here, the other entries in read_generators.c; names, materials
// and masses for all.
#include "core/characters.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    LONGEST_BODY_NAME = 200
};

#define fail_at(r, status, place, hint, ...)                                                       \
    thudi_fail_place((r)->fault, status, (place)->file, (place)->line, (place)->column, hint,      \
                     __VA_ARGS__)

thud_status thudi_bodies_reserve(thudi_body_reader *b, const thudi_tree *node, double count)
{
    thudi_scene *scene = b->r->scene;
    double all = scene->view.body_count + count;
    if (all > b->r->body_limit)
    {
        if (b->r->bodies_wanted)
            *b->r->bodies_wanted = all;
        return thudi_fail_node(b->r->fault, THUD_ERR_LIMIT, node, "",
                               "the scene has at least %.0f bodies; the limit is %d", all,
                               b->r->body_limit);
    }
    thud_status status = thudi_array_reserve(&scene->allocator, &scene->bodies, (size_t)all);
    scene->view.bodies = scene->bodies.items;
    return status < 0 ? thudi_fail_status(b->r->fault, THUD_ERR_MEMORY) : THUD_OK;
}

thud_status thudi_material_find(thudi_body_reader *b, const char *name, size_t length,
                                const thud_place *place, int *material)
{
    const thudi_name *found = thudi_names_find(&b->materials, name, length);
    const thud_scene *scene = &b->r->scene->view;
    if (found)
    {
        *material = found->value;
        return THUD_OK;
    }
    char quote[THUDI_QUOTE_SIZE], hint[THUDI_HINT_SIZE] = "define it under 'materials'";
    const char **names;
    THUD_TRY(
        thudi_reader_allocate(b->r, ((size_t)scene->material_count + 1) * sizeof *names, &names));
    for (int i = 0; i < scene->material_count; i++)
        names[i] = scene->materials[i].name;
    if (scene->material_count > 0)
        thudi_hint_words(hint, "use one of the materials", name, length, names);
    return fail_at(b->r, THUD_ERR_SCENE, place, hint, "there is no material '%s'",
                   thudi_quote(quote, name, length));
}

thud_status thudi_body_name(thudi_body_reader *b, const char *name, size_t length,
                            const thud_place *place, const char **kept)
{
    char quote[THUDI_QUOTE_SIZE];
    unsigned long code;
    thudi_quote(quote, name, length);
    bool fine = length > 0 && length <= LONGEST_BODY_NAME && name[0] != ' ' &&
                name[length - 1] != ' ' && thudi_find_hidden(name, length, true, &code) == length;
    for (size_t i = 0; i < length && fine; i++)
        fine = (unsigned char)name[i] >= ' ' && !strchr(",\"'\x7f", name[i]);
    if (!fine)
        return fail_at(
            b->r, THUD_ERR_SCENE, place,
            "use 1 to 200 bytes without commas, quotes, hidden characters, or spaces at the ends",
            "'%s' cannot be the name of a body", quote);
    if (thudi_names_find(&b->bodies, name, length))
        return fail_at(b->r, THUD_ERR_SCENE, place,
                       "choose another name: names of bodies are unique",
                       "there is another body named '%s'", quote);
    THUD_TRY(thudi_copy(b->r, name, length, kept));
    if (thudi_names_add(&b->bodies, *kept, length, 0) < 0)
        return thudi_fail_status(b->r->fault, THUD_ERR_MEMORY);
    return THUD_OK;
}

thud_status thudi_body_add(thudi_body_reader *b, const thud_scene_body *body,
                           const thud_place *place)
{
    thud_scene *scene = &b->r->scene->view;
    thud_scene_body *added = &b->r->scene->bodies.items[scene->body_count];
    *added = *body;
    if (!added->growth && body->material >= 0)
        added->growth = scene->materials[body->material].growth;
    for (int k = 0; k < scene->dim && scene->order == THUD_FIRST_ORDER; k++)
        if (body->sphere.velocity[k] != 0)
            return fail_at(b->r, THUD_ERR_SCENE, place, "write the wanted velocities under 'crowd'",
                           "bodies have no velocity at the start in order 1");
    bool weighs_one = body->material < 0 || scene->materials[body->material].density == 0;
    if (added->sphere.mass == 0 && weighs_one) // order 1 only
        added->sphere.mass = 1;
    else if (added->sphere.mass == 0)
        added->sphere.mass = thud_sphere_mass(scene->dim, body->sphere.radius,
                                              scene->materials[body->material].density);
    if (!(added->sphere.mass > 0) || !isfinite(added->sphere.mass))
        return fail_at(b->r, THUD_ERR_SCENE, place, "check radius and density",
                       "the mass of a body is too %s for double precision",
                       added->sphere.mass > 0 ? "large" : "small");
    scene->body_count++;
    return THUD_OK;
}

thud_status thudi_read_matter(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry)
{
    const thudi_tree *material = thudi_optional(node, "material"),
                     *mass = thudi_optional(node, "mass");
    char path[THUDI_PATH_SIZE];
    entry->material = -1;
    entry->material_given = material != NULL;
    THUD_TRY(thudi_read_entry_growth(b->r, node, &entry->growth));
    if (mass && material)
        return thudi_fail_node(b->r->fault, THUD_ERR_SCENE, mass->key, "remove one of them",
                               "%s has both a mass and a material", thudi_tree_path(node, path));
    if (mass)
        return thudi_read_field(b->r, node, &thudi_entry_thing, "mass", entry);
    if (material)
    {
        thud_place place = {material->file, material->line, material->column};
        THUD_TRY(thudi_expect(b->r, material, THUDI_STRING, "the name of a material"));
        return thudi_material_find(b, material->text, material->length, &place, &entry->material);
    }
    int count = b->r->scene->view.material_count;
    if (count == 1)
        entry->material = 0;
    bool weighs_one = count == 0 && b->r->scene->view.order == THUD_FIRST_ORDER;
    if (count == 1 || weighs_one || entry->kind == THUDI_ENTRY_FILE) // its rows may say
        return THUD_OK;
    return thudi_fail_node(b->r->fault, THUD_ERR_SCENE, node,
                           count > 1 ? "choose one of the scene's materials"
                                     : "define one under 'materials', or give a mass",
                           "%s needs a material or a mass", thudi_tree_path(node, path));
}

static thud_status read_body(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry)
{
    thudi_reader *r = b->r;
    thud_scene_body body = {.origin = "body"};
    const thudi_tree *name = thudi_optional(node, "name");
    thud_place place = {node->file, node->line, node->column};
    THUD_TRY(thudi_read_needed(r, node, &thudi_entry_thing, "at", &body));
    THUD_TRY(thudi_read_needed(r, node, &thudi_entry_thing, "radius", &body));
    THUD_TRY(thudi_read_field(r, node, &thudi_entry_thing, "velocity", &body));
    THUD_TRY(thudi_read_matter(b, node, entry));
    body.material = entry->material;
    body.sphere.mass = entry->mass;
    body.growth = entry->growth;
    if (name)
    {
        thud_place where = {name->file, name->line, name->column};
        THUD_TRY(thudi_expect(r, name, THUDI_STRING, "a name"));
        THUD_TRY(thudi_body_name(b, name->text, name->length, &where, &body.name));
    }
    THUD_TRY(thudi_bodies_reserve(b, node, 1));
    return thudi_body_add(b, &body, &place);
}

static thud_status read_entry(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry)
{
    static const char *const generators[] = {"lattice", "fill", "file"};
    static thud_status (*const readers[])(thudi_body_reader *, const thudi_tree *,
                                          thudi_entry *) = {thudi_read_lattice, thudi_read_fill,
                                                            thudi_read_file};
    char path[THUDI_PATH_SIZE];
    THUD_TRY(thudi_thing_open(b->r, node, &thudi_entry_thing));
    entry->kind = THUDI_ENTRY_BODY;
    for (int i = 0; i < 3; i++)
    {
        const thudi_tree *generator = thudi_optional(node, generators[i]);
        if (generator && node->count > 1)
            return thudi_fail_node(b->r->fault, THUD_ERR_SCENE, generator->key,
                                   "begin another entry with '-', or indent keys that belong to it",
                                   "%s: '%s' must be the only key of its entry",
                                   thudi_tree_path(node, path), generators[i]);
        if (!generator)
            continue;
        entry->kind = (thudi_entry_kind)(THUDI_ENTRY_LATTICE + i);
        return readers[i](b, generator, entry);
    }
    return read_body(b, node, entry);
}

static thud_status read_entries(thudi_body_reader *b, const thudi_tree *node)
{
    thudi_scene *scene = b->r->scene;
    for (int i = 0; i < scene->view.material_count; i++)
    {
        const char *name = scene->view.materials[i].name;
        if (thudi_names_add(&b->materials, name, strlen(name), i) < 0)
            return thudi_fail_status(b->r->fault, THUD_ERR_MEMORY);
    }
    THUD_TRY(
        thudi_reader_allocate(b->r, (size_t)node->count * sizeof *scene->entries, &scene->entries));
    for (const thudi_tree *item = node->first; item; item = item->next)
    {
        thudi_entry *entry = &scene->entries[scene->entry_count++];
        entry->first = scene->view.body_count;
        THUD_TRY(read_entry(b, item, entry));
        entry->count = scene->view.body_count - entry->first;
    }
    return THUD_OK;
}

thud_status thudi_read_bodies(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node;
    thudi_body_reader b = {
        .r = r, .materials = {.allocator = r->allocator}, .bodies = {.allocator = r->allocator}};
    THUD_TRY(thudi_required(r, root, "bodies",
                            "write, for example, 'bodies: [{at: [0, 0, 1], radius: 0.1, mass: 1}]'",
                            &node));
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of entries"));
    thud_status status = read_entries(&b, node);
    thudi_names_free(&b.materials);
    thudi_names_free(&b.bodies);
    if (status >= 0 && r->scene->view.body_count == 0)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "the scene has no bodies");
    return status;
}
