// What is measured: at walls, planes and polygons, in boxes, of bodies; and when a value is
// reached.
#include "core/text.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What a measure may name.
typedef struct known_names
{
    thudi_names walls, bodies;
} known_names;

static thud_status read_force(thudi_reader *r, const thudi_tree *node, const known_names *names,
                              thud_scene_measure *measure)
{
    return thudi_find_wall(r, node, &names->walls, measure);
}

static thud_status read_count(thudi_reader *r, const thudi_tree *node, const known_names *names,
                              thud_scene_measure *measure)
{
    const thudi_tree *plane;
    bool moves;
    (void)names;
    THUD_TRY(thudi_thing_open(r, node, &thudi_through_thing));
    THUD_TRY(
        thudi_required(r, node, "plane", "write {plane: {point: [..], normal: [..]}}", &plane));
    return thudi_read_plane(r, plane, &measure->plane, &moves);
}

static thud_status read_torque(thudi_reader *r, const thudi_tree *node, const known_names *names,
                               thud_scene_measure *measure)
{
    static const char hint[] = "write {wall: NAME, about: [..]}";
    const thudi_tree *wall, *about;
    char path[THUDI_PATH_SIZE];
    double x;
    THUD_TRY(thudi_thing_open(r, node, &thudi_torque_thing));
    THUD_TRY(thudi_required(r, node, "wall", hint, &wall));
    THUD_TRY(thudi_required(r, node, "about", hint, &about));
    THUD_TRY(thudi_find_wall(r, wall, &names->walls, measure));
    THUD_TRY(thudi_read_fields(r, node, &thudi_torque_thing, measure));
    for (int k = 0; k < r->scene->view.dim; k++)
    {
        THUD_TRY(thudi_value_at(r, &measure->about[k], r->scene->view.start, NULL, &x));
        if (!isfinite(x))
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, about, "",
                                   "%s is not finite at the start", thudi_tree_path(about, path));
    }
    return THUD_OK;
}

static thud_status read_flow(thudi_reader *r, const thudi_tree *node, const known_names *names,
                             thud_scene_measure *measure)
{
    const thudi_tree *polygon;
    (void)names;
    THUD_TRY(thudi_thing_open(r, node, &thudi_flow_thing));
    THUD_TRY(thudi_required(r, node, "polygon", "write {polygon: [[..], [..], ..]}", &polygon));
    return thudi_read_polygon(r, polygon, measure);
}

static thud_status read_region(thudi_reader *r, const thudi_tree *node, thud_scene_measure *measure)
{
    const thudi_tree *box;
    THUD_TRY(thudi_required(r, node, "box", "write {box: [[low..], [high..]]}", &box));
    THUD_TRY(thudi_read_box(r, box, r->scene->view.dim, measure->low, measure->high));
    return thudi_check_in_cell(r, box, measure->low, measure->high); // images farther are not seen
}

static thud_status read_profile(thudi_reader *r, const thudi_tree *node, const known_names *names,
                                thud_scene_measure *measure)
{
    static const char *const flat[] = {"x", "y", NULL}, *const solid[] = {"x", "y", "z", NULL};
    static const char hint[] = "write {box: [[low..], [high..]], axis: z, bins: 10}";
    const thudi_tree *axis, *bins;
    (void)names;
    THUD_TRY(thudi_thing_open(r, node, &thudi_profile_thing));
    THUD_TRY(read_region(r, node, measure));
    THUD_TRY(thudi_required(r, node, "axis", hint, &axis));
    THUD_TRY(thudi_required(r, node, "bins", hint, &bins));
    THUD_TRY(thudi_word(r, axis, r->scene->view.dim == 2 ? flat : solid, &measure->axis));
    return thudi_read_fields(r, node, &thudi_profile_thing, measure);
}

static thud_status read_box_only(thudi_reader *r, const thudi_tree *node, const known_names *names,
                                 thud_scene_measure *measure)
{
    (void)names;
    THUD_TRY(thudi_thing_open(r, node, &thudi_box_thing));
    return read_region(r, node, measure);
}

static thud_status read_coordination(thudi_reader *r, const thudi_tree *node,
                                     const known_names *names, thud_scene_measure *measure)
{
    static const char *const words[] = {"all", NULL};
    int which;
    if (node->kind == THUDI_MAP)
        return read_box_only(r, node, names, measure);
    THUD_TRY(thudi_expect(r, node, THUDI_STRING, "'all' or {box: [[low..], [high..]]}"));
    THUD_TRY(thudi_word(r, node, words, &which));
    for (int k = 0; k < 3; k++)
    {
        measure->low[k] = -INFINITY;
        measure->high[k] = INFINITY;
    }
    return THUD_OK;
}

static thud_status fail_body(thudi_reader *r, const thudi_tree *node)
{
    const thud_scene *scene = &r->scene->view;
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE], hint[THUDI_HINT_SIZE];
    const char **names;
    int count = 0;
    THUD_TRY(thudi_reader_allocate(r, ((size_t)scene->body_count + 1) * sizeof *names, &names));
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].name)
            names[count++] = scene->bodies[i].name;
    if (count > 0)
        thudi_hint_words(hint, "use one of the bodies", node->text, node->length, names);
    else
        (void)snprintf(hint, sizeof hint, "no body has a name; give its number, 0 to %d, or 'all'",
                       scene->body_count - 1);
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, hint, "%s: there is no body '%s'",
                           thudi_tree_path(node, path),
                           thudi_quote(quote, node->text, node->length));
}

// Those of a material, of which there must be one.
static thud_status read_material_of(thudi_reader *r, const thudi_tree *node,
                                    thud_scene_measure *measure)
{
    const thud_scene *scene = &r->scene->view;
    const thudi_tree *material;
    char path[THUDI_PATH_SIZE];
    THUD_TRY(thudi_thing_open(r, node, &thudi_of_thing));
    THUD_TRY(thudi_required(r, node, "material", "write {material: NAME}", &material));
    THUD_TRY(thudi_material_named(r, material, &measure->material));
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].material == measure->material)
            return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, material, "choose a material that bodies have",
                           "%s: no body has the material '%s'", thudi_tree_path(material, path),
                           scene->materials[measure->material].name);
}

static thud_status read_number_of(thudi_reader *r, const thudi_tree *node,
                                  thud_scene_measure *measure)
{
    int count = r->scene->view.body_count;
    char path[THUDI_PATH_SIZE], hint[THUDI_HINT_SIZE], text[THUDI_TEXT_NUMBER_SIZE];
    double number;
    THUD_TRY(thudi_number(r, node, THUDI_ANY, &number));
    if (number >= 0 && number < count && number == floor(number))
    {
        measure->body = (int)number;
        return THUD_OK;
    }
    (void)snprintf(hint, sizeof hint, "count bodies from 0; the last is %d", count - 1);
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, hint, "%s: there is no body %s",
                           thudi_tree_path(node, path), thudi_text_number(text, number));
}

// A body by its name or number; 'all', or those of a material.
static thud_status read_of(thudi_reader *r, const thudi_tree *node, const known_names *names,
                           thud_scene_measure *measure)
{
    measure->body = measure->material = -1;
    if (node->kind == THUDI_MAP)
        return read_material_of(r, node, measure);
    THUD_TRY(thudi_expect(r, node, THUDI_STRING, "a body, 'all' or {material: NAME}"));
    const thudi_name *name = thudi_names_find(&names->bodies, node->text, node->length);
    if (name)
        measure->body = name->value;
    else if (node->text[0] >= '0' && node->text[0] <= '9')
        return read_number_of(r, node, measure);
    else if (strcmp(node->text, "all") != 0)
        return fail_body(r, node);
    return THUD_OK;
}

// That there is such a column is seen when all of them have names, by the model.
static thud_status read_time(thudi_reader *r, const thudi_tree *node, const known_names *names,
                             thud_scene_measure *measure)
{
    static const char *const values[2] = {"reaches", "falls_to"};
    static const char hint[] = "write {column: NAME, reaches: VALUE}";
    const thudi_tree *column, *value[2];
    (void)names;
    THUD_TRY(thudi_thing_open(r, node, &thudi_when_thing));
    THUD_TRY(thudi_required(r, node, "column", hint, &column));
    THUD_TRY(thudi_expect(r, column, THUDI_STRING, "the name of a column"));
    THUD_TRY(thudi_copy(r, column->text, column->length, &measure->column));
    THUD_TRY(thudi_place(r, column, &measure->place));
    THUD_TRY(thudi_exactly_one(r, node, values, value));
    measure->falls = value[1] != NULL;
    return thudi_number(r, value[measure->falls], THUDI_ANY, &measure->value);
}

typedef thud_status read_fn(thudi_reader *r, const thudi_tree *node, const known_names *names,
                            thud_scene_measure *measure);

static read_fn *const readers[] = {read_force,   read_count,    read_torque,   read_flow,
                                   read_profile, read_box_only, read_box_only, read_coordination,
                                   read_of,      read_of,       read_of,       read_of,
                                   read_of,      read_time};

static thud_status read_measure(thudi_reader *r, const thudi_tree *node, const known_names *names,
                                thud_scene_measure *measure)
{
    char path[THUDI_PATH_SIZE];
    bool is_world = r->scene->view.kind == THUD_SCENE_SPHERES; // others have columns alone
    THUD_TRY(
        thudi_thing_open(r, node, is_world ? &thudi_measure_thing : &thudi_column_measure_thing));
    THUD_TRY(thudi_copy(r, node->key->text, node->key->length, &measure->name));
    if (node->count == 0)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node,
                               is_world ? "write what is measured, such as {force_on: floor}"
                                        : "write {time_when: {column: NAME, reaches: VALUE}}",
                               "%s is empty", thudi_tree_path(node, path));
    if (node->count > 1)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node->first->next->key,
                               "remove one of them", "%s has both '%s' and '%s'",
                               thudi_tree_path(node, path), node->first->key->text,
                               node->first->next->key->text);
    int kind = 0;
    while (strcmp(thudi_measure_thing.fields[kind].key, node->first->key->text) != 0)
        kind++;
    measure->kind = (thud_measure_kind)kind;
    return readers[kind](r, node->first, names, measure);
}

static thud_status name_bodies(thudi_reader *r, thudi_names *names)
{
    const thud_scene *scene = &r->scene->view;
    for (int i = 0; i < scene->body_count; i++)
    {
        const char *name = scene->bodies[i].name;
        if (name && thudi_names_add(names, name, strlen(name), i) < 0)
            return thudi_fail_status(r->fault, THUD_ERR_MEMORY);
    }
    return THUD_OK;
}

thud_status thudi_read_measures(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_optional(root, "measure");
    thud_scene *scene = &r->scene->view;
    thud_scene_measure *measures;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_map_of_names(r, node));
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *measures, &measures));
    scene->measures = measures;
    known_names names = {.walls = {.allocator = r->allocator},
                         .bodies = {.allocator = r->allocator}};
    thud_status status = thudi_name_walls(r, &names.walls);
    if (status >= 0)
        status = name_bodies(r, &names.bodies);
    for (const thudi_tree *member = node->first; member && status >= 0; member = member->next)
        status = read_measure(r, member, &names, &measures[scene->measure_count++]);
    thudi_names_free(&names.walls);
    thudi_names_free(&names.bodies);
    return status;
}
