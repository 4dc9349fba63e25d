// Walls of a scene, and how they are found by name.
#include "core/text.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static thud_status check_plane(thudi_reader *r, const thudi_tree *node,
                               const thud_scene_plane *plane, bool *moves)
{
    const thud_scene *scene = &r->scene->view;
    char path[THUDI_PATH_SIZE];
    double largest = 0;
    *moves = false;
    for (int k = 0; k < scene->dim; k++)
    {
        double x, n;
        THUD_TRY(thudi_value_at(r, &plane->point[k], scene->start, NULL, &x));
        THUD_TRY(thudi_value_at(r, &plane->normal[k], scene->start, NULL, &n));
        if (!isfinite(x) || !isfinite(n))
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "",
                                   "%s is not finite at the start", thudi_tree_path(node, path));
        largest = fabs(n) > largest ? fabs(n) : largest;
        *moves = *moves || thud_varying_uses_time(&plane->point[k]) ||
                 thud_varying_uses_time(&plane->normal[k]);
    }
    if (largest > 0)
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, thudi_optional(node, "normal"),
                           "give a vector that points to the free side, such as [0, 0, 1]",
                           "%s.normal is zero at the start", thudi_tree_path(node, path));
}

thud_status thudi_read_plane(thudi_reader *r, const thudi_tree *node, thud_scene_plane *plane,
                             bool *moves)
{
    THUD_TRY(thudi_read_fields(r, node, &thudi_plane_thing, plane));
    return check_plane(r, node, plane, moves);
}

thud_status thudi_read_box(thudi_reader *r, const thudi_tree *node, int dim, double low[3],
                           double high[3])
{
    char path[THUDI_PATH_SIZE], a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE];
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "two corners [[low..], [high..]]"));
    if (node->count != 2)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "",
                               "%s must be two corners [[low..], [high..]], but has %d",
                               thudi_tree_path(node, path), node->count);
    THUD_TRY(thudi_vector(r, node->first, dim, THUDI_ANY, low));
    THUD_TRY(thudi_vector(r, node->last, dim, THUDI_ANY, high));
    const thudi_tree *item = node->last->first;
    for (int k = 0; k < dim; k++, item = item->next)
        if (!(low[k] < high[k]) || !isfinite(high[k] - low[k]))
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, item, "write the low corner first",
                                   "%s must be larger than the low corner's %s, but is %s",
                                   thudi_tree_path(item, path), thudi_text_number(a, low[k]),
                                   thudi_text_number(b, high[k]));
    return THUD_OK;
}

// Two walls per axis, low before high, x before y before z.
static thud_status add_box(thudi_reader *r, const thudi_tree *node, const thudi_wall_entry *entry,
                           thud_scene_wall *walls)
{
    thud_varying zero, one[2], corner[2][3];
    int dim = r->scene->view.dim;
    char name[256];
    THUD_TRY(thudi_varying_of(r, 0, &zero));
    THUD_TRY(thudi_varying_of(r, 1, &one[0]));
    THUD_TRY(thudi_varying_of(r, -1, &one[1]));
    for (int k = 0; k < dim; k++)
    {
        THUD_TRY(thudi_varying_of(r, entry->low[k], &corner[0][k]));
        THUD_TRY(thudi_varying_of(r, entry->high[k], &corner[1][k]));
    }
    for (int i = 0; i < 2 * dim; i++)
    {
        thud_scene_wall *wall = &walls[i];
        for (int k = 0; k < dim; k++)
        {
            wall->plane.point[k] = corner[i % 2][k];
            wall->plane.normal[k] = k == i / 2 ? one[i % 2] : zero;
        }
        int length = snprintf(name, sizeof name, "%s.%c-%s", entry->name, "xyz"[i / 2],
                              i % 2 ? "high" : "low");
        THUD_TRY(thudi_copy(r, name, (size_t)length, &wall->name));
        THUD_TRY(thudi_place(r, node->key, &wall->place));
    }
    return THUD_OK;
}

// A wall has one shape.
static thud_status check_shape(thudi_reader *r, const thudi_tree *node)
{
    char path[THUDI_PATH_SIZE];
    const thudi_tree *found[2] = {NULL, NULL};
    THUD_TRY(thudi_thing_open(r, node, &thudi_wall_thing));
    for (const char *const *shape = thudi_wall_thing.one_of; *shape && !found[1]; shape++)
        if (thudi_optional(node, *shape))
            found[found[0] != NULL] = thudi_optional(node, *shape);
    if (found[1])
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, found[1]->key, "remove one of them",
                               "%s has both '%s' and '%s'", thudi_tree_path(node, path),
                               found[0]->key->text, found[1]->key->text);
    if (!found[0])
        return thudi_fail_node(
            r->fault, THUD_ERR_SCENE, node,
            "use plane, box, solid_box, ball, capsule, cylinder, triangle, mesh, "
            "hopper, drum, cone or shell",
            "%s needs a shape", thudi_tree_path(node, path));
    const thudi_tree *pose = thudi_optional(node, "position");
    pose = pose ? pose : thudi_optional(node, "rotation");
    if (pose && thudi_optional(node, "plane"))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, pose->key,
                               "let its point and normal depend on t", "%s: a plane has no pose",
                               thudi_tree_path(pose, path));
    return THUD_OK;
}

static thud_status read_wall(thudi_reader *r, const thudi_tree *node, thudi_wall_entry *entry,
                             thud_scene_wall *walls, thud_scene_obstacle *obstacle)
{
    const thudi_tree *material = thudi_optional(node, "material");
    THUD_TRY(check_shape(r, node));
    const thudi_tree *plane = thudi_optional(node, "plane"), *box = thudi_optional(node, "box");
    int matter = r->scene->view.material_count == 1 ? 0 : -1, word = thudi_obstacle_find(node);
    if (material)
        THUD_TRY(thudi_material_named(r, material, &matter));
    THUD_TRY(thudi_copy(r, node->key->text, node->key->length, &entry->name));
    THUD_TRY(thudi_read_fields(r, node, &thudi_wall_thing, entry));
    if (word >= 0)
        return thudi_read_obstacle(r, node, word, matter, entry, obstacle);
    entry->is_box = box != NULL;
    entry->count = box ? 2 * r->scene->view.dim : 1;
    for (int i = 0; i < entry->count; i++)
    {
        walls[i].material = matter;
        walls[i].show = entry->show;
    }
    if (box)
    {
        THUD_TRY(thudi_read_box(r, box, r->scene->view.dim, entry->low, entry->high));
        return add_box(r, node, entry, walls);
    }
    walls->name = entry->name;
    THUD_TRY(thudi_place(r, node->key, &walls->place));
    return thudi_read_plane(r, plane, &walls->plane, &walls->moves);
}

thud_status thudi_read_walls(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_optional(root, "walls");
    thud_scene *scene = &r->scene->view;
    thud_scene_wall *walls;
    thud_scene_obstacle *obstacles;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_map_of_names(r, node));
    size_t room = 0; // a box makes up to 6 walls
    for (const thudi_tree *member = node->first; member; member = member->next)
        room += member->kind == THUDI_MAP && thudi_optional(member, "box") ? 6 : 1;
    THUD_TRY(thudi_reader_allocate(r, room * sizeof *walls, &walls));
    THUD_TRY(
        thudi_reader_allocate(r, (size_t)node->count * sizeof *r->scene->walls, &r->scene->walls));
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *obstacles, &obstacles));
    scene->walls = walls;
    scene->obstacles = obstacles;
    for (const thudi_tree *member = node->first; member; member = member->next)
    {
        thudi_wall_entry *entry = &r->scene->walls[r->scene->wall_count];
        entry->first = scene->wall_count;
        THUD_TRY(read_wall(r, member, entry, &walls[scene->wall_count],
                           &obstacles[scene->obstacle_count]));
        scene->wall_count += entry->count;
        scene->obstacle_count += entry->obstacle != NULL;
        r->scene->wall_count++;
    }
    return THUD_OK;
}

// Fail, with the names of walls as a hint.
static thud_status fail_wall(thudi_reader *r, const thudi_tree *node)
{
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE],
        hint[THUDI_HINT_SIZE] = "define it under 'walls'";
    const char **names;
    int count = r->scene->wall_count;
    THUD_TRY(thudi_reader_allocate(r, ((size_t)count + 1) * sizeof *names, &names));
    for (int i = 0; i < count; i++)
        names[i] = r->scene->walls[i].name;
    if (count > 0)
        thudi_hint_words(hint, "use one of the walls", node->text, node->length, names);
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, hint, "%s: there is no wall '%s'",
                           thudi_tree_path(node, path),
                           thudi_quote(quote, node->text, node->length));
}

// Names of walls as written, then of all walls, which adds those of boxes such as box.x-low.
thud_status thudi_name_walls(thudi_reader *r, thudi_names *names)
{
    const thud_scene *scene = &r->scene->view;
    int entries = r->scene->wall_count;
    for (int i = 0; i < entries + scene->wall_count; i++)
    {
        const char *name = i < entries ? r->scene->walls[i].name : scene->walls[i - entries].name;
        size_t length = strlen(name);
        if (!thudi_names_find(names, name, length) && thudi_names_add(names, name, length, i) < 0)
            return thudi_fail_status(r->fault, THUD_ERR_MEMORY);
    }
    return THUD_OK;
}

// A wall by name: a plane, a box with all its walls, one wall of a box, or an obstacle.
thud_status thudi_find_wall(thudi_reader *r, const thudi_tree *node, const thudi_names *names,
                            thud_scene_measure *measure)
{
    THUD_TRY(thudi_expect(r, node, THUDI_STRING, "the name of a wall"));
    const thudi_name *name = thudi_names_find(names, node->text, node->length);
    int entries = r->scene->wall_count;
    if (!name)
        return fail_wall(r, node);
    bool whole = name->value < entries;
    const thudi_obstacle_entry *obstacle = whole ? r->scene->walls[name->value].obstacle : NULL;
    measure->obstacle = obstacle ? obstacle->index : 0;
    measure->first_wall = whole ? r->scene->walls[name->value].first : name->value - entries;
    measure->wall_count = whole ? r->scene->walls[name->value].count : 1;
    return THUD_OK;
}
