// What is measured in a scene of spheres: at walls, planes and polygons, and in boxes.
#include "core/text.h"
#include "scene/read_parts.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_BINS = 1000
};

static thud_status read_force(thudi_reader *r, const thudi_tree *node, const thudi_names *names,
                              thud_scene_measure *measure)
{
    return thudi_find_wall(r, node, names, measure);
}

static thud_status read_count(thudi_reader *r, const thudi_tree *node, const thudi_names *names,
                              thud_scene_measure *measure)
{
    static const char *const keys[] = {"plane", NULL};
    const thudi_tree *plane;
    bool moves;
    (void)names;
    THUD_TRY(thudi_map_open(r, node, keys));
    THUD_TRY(thudi_need(r, node, "plane", "write {plane: {point: [..], normal: [..]}}", &plane));
    return thudi_read_plane(r, plane, &measure->plane, &moves);
}

static thud_status read_torque(thudi_reader *r, const thudi_tree *node, const thudi_names *names,
                               thud_scene_measure *measure)
{
    static const char *const keys[] = {"wall", "about", NULL};
    static const char hint[] = "write {wall: NAME, about: [..]}";
    const thudi_tree *wall, *about;
    char path[THUDI_PATH_SIZE];
    double x;
    THUD_TRY(thudi_map_open(r, node, keys));
    THUD_TRY(thudi_need(r, node, "wall", hint, &wall));
    THUD_TRY(thudi_need(r, node, "about", hint, &about));
    THUD_TRY(thudi_find_wall(r, wall, names, measure));
    THUD_TRY(thudi_expressions(r, about, r->scene->view.dim, measure->about));
    for (int k = 0; k < r->scene->view.dim; k++)
    {
        THUD_TRY(thudi_value_at(r, measure->about[k], r->scene->view.start, NULL, &x));
        if (!isfinite(x))
            return thudi_blame(r->fault, THUD_ERR_SCENE, about, "", "%s is not finite at the start",
                               thudi_tree_path(about, path));
    }
    return THUD_OK;
}

static thud_status read_flow(thudi_reader *r, const thudi_tree *node, const thudi_names *names,
                             thud_scene_measure *measure)
{
    static const char *const keys[] = {"polygon", NULL};
    const thudi_tree *polygon;
    (void)names;
    THUD_TRY(thudi_map_open(r, node, keys));
    THUD_TRY(thudi_need(r, node, "polygon", "write {polygon: [[..], [..], ..]}", &polygon));
    return thudi_read_polygon(r, polygon, measure);
}

static thud_status read_region(thudi_reader *r, const thudi_tree *node, thud_scene_measure *measure)
{
    const thudi_tree *box;
    THUD_TRY(thudi_need(r, node, "box", "write {box: [[low..], [high..]]}", &box));
    THUD_TRY(thudi_read_box(r, box, r->scene->view.dim, measure->low, measure->high));
    return thudi_check_in_cell(r, box, measure->low, measure->high); // images farther are not seen
}

static thud_status read_profile(thudi_reader *r, const thudi_tree *node, const thudi_names *names,
                                thud_scene_measure *measure)
{
    static const char *const keys[] = {"box", "axis", "bins", NULL};
    static const char *const flat[] = {"x", "y", NULL}, *const solid[] = {"x", "y", "z", NULL};
    static const char hint[] = "write {box: [[low..], [high..]], axis: z, bins: 10}";
    const thudi_tree *axis, *bins;
    double count;
    (void)names;
    THUD_TRY(thudi_map_open(r, node, keys));
    THUD_TRY(read_region(r, node, measure));
    THUD_TRY(thudi_need(r, node, "axis", hint, &axis));
    THUD_TRY(thudi_need(r, node, "bins", hint, &bins));
    THUD_TRY(thudi_word(r, axis, r->scene->view.dim == 2 ? flat : solid, &measure->axis));
    THUD_TRY(thudi_whole(r, bins, 1, MOST_BINS, &count));
    measure->bins = (int)count;
    return THUD_OK;
}

static thud_status read_box_only(thudi_reader *r, const thudi_tree *node, const thudi_names *names,
                                 thud_scene_measure *measure)
{
    static const char *const keys[] = {"box", NULL};
    (void)names;
    THUD_TRY(thudi_map_open(r, node, keys));
    return read_region(r, node, measure);
}

static thud_status read_coordination(thudi_reader *r, const thudi_tree *node,
                                     const thudi_names *names, thud_scene_measure *measure)
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

typedef thud_status read_fn(thudi_reader *r, const thudi_tree *node, const thudi_names *names,
                            thud_scene_measure *measure);

// By thud_measure_kind.
static const char *const kinds[] = {"force_on",         "count_through",    "torque_on",
                                    "flow_through",     "pressure_profile", "stress",
                                    "packing_fraction", "coordination",     NULL};
static read_fn *const readers[] = {read_force,   read_count,    read_torque,   read_flow,
                                   read_profile, read_box_only, read_box_only, read_coordination};

static thud_status read_measure(thudi_reader *r, const thudi_tree *node, const thudi_names *names,
                                thud_scene_measure *measure)
{
    char path[THUDI_PATH_SIZE];
    THUD_TRY(thudi_map_open(r, node, kinds));
    THUD_TRY(thudi_copy(r, node->key->text, node->key->length, &measure->name));
    if (node->count == 0)
        return thudi_blame(r->fault, THUD_ERR_SCENE, node,
                           "write what is measured, such as {force_on: floor}", "%s is empty",
                           thudi_tree_path(node, path));
    if (node->count > 1)
        return thudi_blame(r->fault, THUD_ERR_SCENE, node->first->next->key, "remove one of them",
                           "%s has both '%s' and '%s'", thudi_tree_path(node, path),
                           node->first->key->text, node->first->next->key->text);
    int kind = 0;
    while (strcmp(kinds[kind], node->first->key->text) != 0)
        kind++;
    measure->kind = (thud_measure_kind)kind;
    return readers[kind](r, node->first, names, measure);
}

thud_status thudi_read_measures(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_may(root, "measure");
    thud_scene *scene = &r->scene->view;
    thud_scene_measure *measures;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_map_of_names(r, node));
    THUD_TRY(thudi_take(r, (size_t)node->count * sizeof *measures, &measures));
    scene->measures = measures;
    thudi_names names = {.allocator = r->allocator};
    thud_status status = thudi_name_walls(r, &names);
    for (const thudi_tree *member = node->first; member && status >= 0; member = member->next)
        status = read_measure(r, member, &names, &measures[scene->measure_count++]);
    thudi_names_free(&names);
    return status;
}
