// Problems of first order: order and noise, and what the groups of a crowd want.
#include "bodies/distribution.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
#include <string.h>

static const char *const axes[3] = {"x", "y", "z"};

enum
{
    MOST_DOORS = 1000
};

// Keys that belong to the other order.
static thud_status fail_keys(thudi_reader *r, const thudi_tree *root)
{
    static const char *const forces[] = {"gravity", "drag", NULL};
    static const char *const groups[] = {"noise", "crowd", "seed", NULL};
    bool first = r->scene->view.order == THUD_FIRST_ORDER;
    bool spheres = r->scene->view.kind == THUD_SCENE_SPHERES;
    for (const char *const *key = first && spheres ? forces : groups; *key; key++)
    {
        const thudi_tree *node = first && !spheres ? NULL : thudi_optional(root, *key);
        bool makes_bodies = spheres && strcmp(*key, "seed") == 0;
        if (node && !makes_bodies)
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, node->key,
                                   first ? "remove it: bodies move as 'crowd' says"
                                         : "remove it, or write 'order: 1'",
                                   "'%s' cannot be used with order %d", *key, first ? 1 : 2);
    }
    return THUD_OK;
}

thud_status thudi_read_order(thudi_reader *r, const thudi_tree *root)
{
    thud_scene *scene = &r->scene->view;
    const thudi_tree *order = thudi_optional(root, "order");
    double x = 2;
    if (order)
        THUD_TRY(thudi_whole(r, order, 1, 2, &x));
    scene->order = x == 1 ? THUD_FIRST_ORDER : THUD_SECOND_ORDER;
    THUD_TRY(fail_keys(r, root));
    THUD_TRY(thudi_read_field(r, root, &thudi_spheres_thing, "noise", scene)); // as of inclusions
    THUD_TRY(thudi_read_top_seed(r, root));
    scene->seed = scene->order == THUD_FIRST_ORDER ? thudi_sample_seed(r, r->seed.value) : 1;
    r->seed.is_used = thudi_optional(root, "noise") || scene->kind == THUD_SCENE_INCLUSION;
    return THUD_OK;
}

// Velocities are expressions of t and of the position x, y[, z].
static thud_status read_velocity(thudi_reader *r, const thudi_tree *node, thud_scene_group *group)
{
    thud_symbols before = r->symbols;
    char path[THUDI_PATH_SIZE];
    int dim = r->scene->view.dim, k = 0;
    thud_status status = THUD_OK;
    for (int i = 0; i < r->scene->parameter_count; i++)
        for (k = 0; k < dim && k < 3; k++)
            if (strcmp(r->scene->parameters[i], axes[k]) == 0)
                return thudi_fail_node(
                    r->fault, THUD_ERR_SCENE, node, "choose another name for it",
                    "%s: '%s' is the position here, but also the name of a parameter",
                    thudi_tree_path(node, path), axes[k]);
    THUD_TRY(thudi_expect_list(r, node, dim, THUDI_AS_DIM));
    r->symbols.coordinates = axes;
    r->symbols.coordinate_count = dim;
    k = 0;
    for (const thudi_tree *item = node->first; item && k < 3 && status >= 0; item = item->next)
        status = thudi_varying(r, item, THUDI_OF_TIME_AND_COORDINATES, &group->velocity[k++]);
    r->symbols = before;
    return status;
}

// [[x, y], [x, y]]
static thud_status read_door(thudi_reader *r, const thudi_tree *node, double *door)
{
    char path[THUDI_PATH_SIZE];
    double ends[2][3];
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of two points"));
    if (node->count != 2)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "write a door as [[x, y], [x, y]]",
                               "%s must be a list of two points, but has %d",
                               thudi_tree_path(node, path), node->count);
    THUD_TRY(thudi_vector(r, node->first, 2, THUDI_ANY, ends[0]));
    THUD_TRY(thudi_vector(r, node->last, 2, THUDI_ANY, ends[1]));
    memcpy(door, ends[0], 2 * sizeof *door);
    memcpy(door + 2, ends[1], 2 * sizeof *door);
    double dx = door[2] - door[0], dy = door[3] - door[1];
    if (!(dx * dx + dy * dy > 0) || !isfinite(dx * dx + dy * dy))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "%s: the door has no width",
                               thudi_tree_path(node, path));
    return THUD_OK;
}

static thud_status read_doors(thudi_reader *r, const thudi_tree *map, const thudi_tree *node,
                              thud_scene_group *group)
{
    char path[THUDI_PATH_SIZE];
    double *doors;
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of doors"));
    if (r->scene->view.dim != 2)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node->key, "write 'dim: 2'",
                               "%s: doors exist only in two dimensions",
                               thudi_tree_path(node, path));
    if (node->count < 1 || node->count > MOST_DOORS)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "%s must have 1 to %d doors",
                               thudi_tree_path(node, path), MOST_DOORS);
    THUD_TRY(thudi_reader_allocate(r, 4 * (size_t)node->count * sizeof *doors, &doors));
    for (const thudi_tree *item = node->first; item; item = item->next)
        THUD_TRY(read_door(r, item, doors + 4 * (size_t)group->door_count++));
    group->doors = doors;
    return thudi_read_needed(r, map, &thudi_group_thing, "cell", group);
}

static thud_status find_duplicate(thudi_reader *r, const thudi_tree *node,
                                  const thud_scene_group *group)
{
    const thud_scene *scene = &r->scene->view;
    char path[THUDI_PATH_SIZE];
    for (int i = 0; i < scene->group_count; i++)
        if (scene->groups[i].material == group->material)
            return thudi_fail_node(
                r->fault, THUD_ERR_SCENE, node,
                group->material < 0 ? "give a material to one of them" : "remove one of them",
                "%s: these bodies already have an entry", thudi_tree_path(node, path));
    return THUD_OK;
}

static thud_status read_group(thudi_reader *r, const thudi_tree *node, thud_scene_group *group,
                              thudi_speed_entry *speed)
{
    static const char *const aims[] = {"velocity", "doors"};
    const thudi_tree *found[2];
    THUD_TRY(thudi_thing_open(r, node, &thudi_group_thing));
    THUD_TRY(thudi_place(r, node, &group->place));
    const thudi_tree *material = thudi_optional(node, "material"),
                     *cell = thudi_optional(node, "cell");
    const thudi_tree *law = thudi_optional(node, "speed");
    group->material = -1;
    if (material)
        THUD_TRY(thudi_material_named(r, material, &group->material));
    THUD_TRY(find_duplicate(r, node, group));
    THUD_TRY(thudi_exactly_one(r, node, aims, found));
    if (found[0] && cell)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, cell->key, "remove it",
                               "'cell' belongs to 'doors'");
    THUD_TRY(found[0] ? read_velocity(r, found[0], group) : read_doors(r, node, found[1], group));
    speed->law = (thudi_distribution){.kind = THUDI_DRAW_FIXED, .a = 1, .min = 1, .max = 1};
    if (law)
        THUD_TRY(thudi_read_distribution(r, law, &speed->law));
    return thudi_read_seed(r, node, speed->law.kind != THUDI_DRAW_FIXED, &speed->seed);
}

// Give each body its wish: that of its material, else the one without a material, or none.
static thud_status assign_groups(thudi_reader *r)
{
    thud_scene *scene = &r->scene->view;
    int *of_material, *of_body, rest = -1;
    THUD_TRY(thudi_reader_allocate(r, (size_t)scene->material_count * sizeof *of_material + 1,
                                   &of_material));
    THUD_TRY(thudi_reader_allocate(r, (size_t)scene->body_count * sizeof *of_body, &of_body));
    for (int i = 0; i < scene->material_count; i++)
        of_material[i] = -1;
    for (int i = 0; i < scene->group_count; i++)
    {
        int material = scene->groups[i].material;
        *(material < 0 ? &rest : &of_material[material]) = i;
    }
    for (int i = 0; i < scene->body_count; i++)
    {
        int material = scene->bodies[i].material;
        bool named = material >= 0 && of_material[material] >= 0;
        of_body[i] = named ? of_material[material] : rest;
    }
    scene->group_of = of_body;
    return THUD_OK;
}

// Each group draws for its bodies in their order.
static thud_status draw_speeds(thudi_reader *r, const thudi_tree *node)
{
    thudi_scene *scene = r->scene;
    thudi_random *random;
    double *speeds;
    THUD_TRY(thudi_reader_allocate(r, (size_t)scene->view.group_count * sizeof *random, &random));
    THUD_TRY(thudi_reader_allocate(r, (size_t)scene->view.body_count * sizeof *speeds, &speeds));
    for (int w = 0; w < scene->view.group_count; w++)
        random[w] = thudi_random_start(scene->speeds[w].seed);
    for (int i = 0; i < scene->view.body_count; i++)
    {
        int w = scene->view.group_of[i];
        if (w >= 0 && thudi_distribution_draw(&scene->speeds[w].law, &random[w], &speeds[i]) < 0)
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "widen min and max",
                                   "crowd: a million draws gave no speed between min and max");
    }
    scene->view.speeds = speeds;
    return THUD_OK;
}

thud_status thudi_read_crowd(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_optional(root, "crowd");
    thudi_scene *scene = r->scene;
    thud_scene_group *groups;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of groups"));
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *groups, &groups));
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *scene->speeds, &scene->speeds));
    scene->view.groups = groups;
    for (const thudi_tree *item = node->first; item; item = item->next)
    {
        int w = scene->view.group_count;
        THUD_TRY(read_group(r, item, &groups[w], &scene->speeds[w]));
        scene->view.group_count++;
    }
    if (node->count == 0)
        return THUD_OK;
    THUD_TRY(assign_groups(r));
    return draw_speeds(r, node);
}
