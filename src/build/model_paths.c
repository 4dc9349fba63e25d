// The paths of a crowd to its doors, around the walls of the scene; and which bodies cannot get
// out.
#include "build/crowd.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>

// The model, and the places of its obstacles, which stand still.
typedef struct room
{
    const thud_model *model;
    thud_placement *placements;
} room;

static double clearance(const double x[2], void *user)
{
    const room *own = user;
    const thud_model *model = own->model;
    double least = INFINITY, point[3] = {x[0], x[1], 0}, y[3];
    for (int k = 0; k < model->scene->obstacle_count; k++)
    {
        thud_placement_enter(&own->placements[k], point, y);
        double distance = thud_solid_nearest(model->obstacles[k].solid, y).distance;
        least = distance < least ? distance : least;
    }
    for (int i = 0; i < model->scene->wall_count; i++)
    {
        thud_plane plane;
        thud_model_wall(model, i, model->scene->start, &plane);
        double gap = plane.normal[0] * x[0] + plane.normal[1] * x[1] - plane.offset;
        least = gap < least ? gap : least;
    }
    return least;
}

static void widen(thudi_paths_def *def, double x, double y, double margin)
{
    const double at[2] = {x, y};
    for (int k = 0; k < 2; k++)
    {
        def->low[k] = at[k] - margin < def->low[k] ? at[k] - margin : def->low[k];
        def->high[k] = at[k] + margin > def->high[k] ? at[k] + margin : def->high[k];
    }
}

// The grid must hold the finite points of boxes, balls, capsules, triangles and meshes.
static void widen_by_obstacle(thudi_paths_def *def, const room *own, int k)
{
    static const int points[THUD_SOLID_KINDS] = {
        [THUD_BOX] = 4, [THUD_BALL] = 1, [THUD_CAPSULE] = 2, [THUD_TRIANGLE] = 3};
    const thud_solid_def *solid = &own->model->scene->obstacles[k].solid;
    const thud_placement *at = &own->placements[k];
    int count = solid->kind == THUD_MESH ? 3 * solid->triangle_count : points[solid->kind];
    for (int i = 0; i < count; i++)
    {
        const double *p =
            solid->kind == THUD_MESH ? solid->triangles + 3 * (size_t)i : solid->points[i % 3];
        const double corner[2] = {solid->points[i % 2][0], solid->points[i / 2 % 2][1]};
        const double *y = solid->kind == THUD_BOX ? corner : p;
        double x[2];
        for (int n = 0; n < 2; n++)
            x[n] = at->origin[n] + at->turn[n][0] * y[0] + at->turn[n][1] * y[1];
        if (isfinite(x[0]) && isfinite(x[1]))
            widen(def, x[0], x[1], solid->radius + 4 * def->radius);
    }
}

// The grid must hold all bodies, doors and obstacles, with some room around.
static double measure(const room *own, int w, thudi_paths_def *def)
{
    const thud_scene *scene = own->model->scene;
    thud_bodies bodies = thud_world_bodies(own->model->world);
    double smallest = INFINITY;
    for (int i = 0; i < scene->body_count; i++)
    {
        double radius = bodies.radius[i];
        if (scene->group_of[i] != w)
            continue;
        smallest = radius < smallest ? radius : smallest;
        def->radius = radius > def->radius ? radius : def->radius;
    }
    for (int i = 0; i < scene->body_count; i++)
        widen(def, scene->bodies[i].sphere.center[0], scene->bodies[i].sphere.center[1],
              4 * def->radius);
    for (int i = 0; i < 2 * def->door_count; i++)
        widen(def, def->doors[2 * (size_t)i], def->doors[2 * (size_t)i + 1], 4 * def->radius);
    for (int k = 0; k < scene->obstacle_count; k++)
        widen_by_obstacle(def, own, k);
    return smallest;
}

static thud_status check_reach(const thud_model *model, int w, const thudi_paths *paths,
                               thud_fault *fault)
{
    const thud_scene *scene = model->scene;
    for (int i = 0; i < scene->body_count; i++)
    {
        char name[80];
        thudi_place_kind place = thudi_paths_place(paths, scene->bodies[i].sphere.center);
        if (scene->group_of[i] != w || place == THUDI_INSIDE)
            continue;
        thudi_model_name_body(scene, i, name, sizeof name);
        (void)thudi_fail_unplaced(
            fault, THUD_ERR_SCENE,
            place == THUDI_OUTSIDE
                ? "exchange the ends of the door: a person leaving must have the first end on the "
                  "right"
                : "make room for the largest body of the group: narrower gaps are closed",
            place == THUDI_OUTSIDE ? "body %s is already outside the doors"
                                   : "body %s cannot reach a door",
            name);
        return THUD_ERR_SCENE;
    }
    return THUD_OK;
}

static void fail_too_fine(const thudi_paths_def *def, double smallest, thud_fault *fault)
{
    char a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE], hint[120];
    double nodes = thudi_paths_nodes(def), things = (double)def->door_count + def->things;
    double most = THUDI_PATHS_WORK / things < THUDI_PATHS_NODES ? THUDI_PATHS_WORK / things
                                                                : THUDI_PATHS_NODES;
    double enough = 1.1 * def->cell * sqrt(nodes / most);
    if (enough <= smallest / 2)
        (void)snprintf(hint, sizeof hint, "make 'cell' larger: %s is enough",
                       thudi_text_number(a, enough));
    else
        (void)snprintf(hint, sizeof hint, "make the scene smaller, or its smallest body larger");
    (void)thudi_fail_unplaced(
        fault, THUD_ERR_SCENE, hint,
        "the grid of the crowd is too fine: it would have %s nodes; with %g doors and "
        "walls the limit is %s",
        thudi_text_number(a, nodes), things, thudi_text_number(b, floor(most)));
}

static thud_status find_paths(room *own, int w, thud_fault *fault)
{
    const thud_model *model = own->model;
    const thud_scene_group *group = &model->scene->groups[w];
    thudi_paths *paths = &model->crowd->paths[w];
    int narrow = 0;
    thudi_paths_def def = {.low = {INFINITY, INFINITY},
                           .high = {-INFINITY, -INFINITY},
                           .cell = group->cell,
                           .doors = group->doors,
                           .door_count = group->door_count,
                           .clearance = clearance,
                           .things = model->scene->obstacle_count + model->scene->wall_count,
                           .user = own};
    double smallest = measure(own, w, &def);
    if (group->cell > smallest / 2)
    {
        (void)thudi_fail_unplaced(
            fault, THUD_ERR_SCENE, "make 'cell' smaller: a coarse grid leads bodies through walls",
            "'cell' must be at most half of the smallest radius of its group");
        return THUD_ERR_SCENE;
    }
    thud_status status = thudi_paths_make(&def, &model->allocator, paths, &narrow);
    if (status == THUD_ERR_LIMIT)
        fail_too_fine(&def, smallest, fault);
    else if (status == THUD_ERR_ARGUMENT)
        (void)thudi_fail_unplaced(fault, THUD_ERR_SCENE,
                                  "widen or move it: it is too narrow, or within or behind a wall",
                                  "door %d has no room for the largest body of its group", narrow);
    THUD_TRY(status == THUD_ERR_LIMIT || status == THUD_ERR_ARGUMENT ? THUD_ERR_SCENE : status);
    return check_reach(model, w, paths, fault);
}

static bool stands_still(const thud_scene *scene)
{
    for (int i = 0; i < scene->wall_count; i++)
        if (scene->walls[i].moves)
            return false;
    for (int k = 0; k < scene->obstacle_count; k++)
        if (scene->obstacles[k].moves)
            return false;
    return true;
}

static thud_status make_paths(room *own, thud_fault *fault)
{
    const thud_scene *scene = own->model->scene;
    for (int w = 0; w < scene->group_count; w++)
    {
        thud_status status = THUD_OK;
        if (scene->groups[w].door_count == 0)
            continue;
        if (scene->cell.is_periodic[0] || scene->cell.is_periodic[1])
        {
            (void)thudi_fail_unplaced(fault, THUD_ERR_SCENE, "give velocities instead",
                                      "'doors' cannot be used with a periodic cell");
            status = THUD_ERR_SCENE;
        }
        else if (stands_still(scene))
            status = find_paths(own, w, fault);
        else
        {
            (void)thudi_fail_unplaced(fault, THUD_ERR_SCENE, "give velocities instead",
                                      "'doors' cannot be used with walls that move");
            status = THUD_ERR_SCENE;
        }
        if (status == THUD_ERR_SCENE)
            thudi_fault_place(fault, &scene->groups[w].place);
        THUD_TRY(status);
    }
    return THUD_OK;
}

thud_status thudi_model_paths(thud_model *model, thud_fault *fault)
{
    size_t count = (size_t)model->scene->obstacle_count;
    room own = {.model = model};
    if (model->scene->group_count == 0)
        return THUD_OK;
    own.placements = thudi_allocate_zeroed(&model->allocator, (count + 1) * sizeof *own.placements);
    if (!own.placements)
        return THUD_ERR_MEMORY;
    for (int k = 0; k < model->scene->obstacle_count; k++)
    {
        thud_pose pose;
        thud_model_pose(model, k, model->scene->start, &pose);
        own.placements[k] = thud_pose_place(&pose);
    }
    thud_status status = make_paths(&own, fault);
    thudi_free(&model->allocator, own.placements, (count + 1) * sizeof *own.placements);
    return status;
}

double thud_model_path_nodes(const thud_model *model)
{
    double nodes = 0;
    for (int w = 0; model->crowd && w < model->scene->group_count; w++)
        nodes += (double)model->crowd->paths[w].count[0] * model->crowd->paths[w].count[1];
    return nodes;
}
