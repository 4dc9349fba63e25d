// A crowd: what every body wants, by expressions of its position or along the way to a door; and
// how hard bodies are pressed.
#include "scene/model.h"
#include "scene/ways.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

struct thudi_crowd
{
    thudi_ways *ways; // by wish, zero where there are no doors
    double *pressure; // by body
};

static void want(const thud_model *model, int body, double t, const double *x, double *velocity)
{
    const thud_scene *scene = model->scene;
    int w = scene->wish_of ? scene->wish_of[body] : -1;
    if (w < 0)
        return;
    const thud_scene_wish *wish = &scene->wishes[w];
    double direction[3] = {0};
    if (wish->door_count > 0)
        thudi_ways_direction(&model->crowd->ways[w], x, direction);
    for (int k = 0; k < scene->dim; k++)
    {
        if (wish->door_count == 0)
            direction[k] = thud_expression_value(wish->velocity[k], t, x, model->room);
        velocity[k] += scene->speeds[body] * direction[k];
    }
}

static int write_wishes(double t, int count, const int *id, const double *q, double *velocity,
                        void *user)
{
    const thud_model *model = user;
    size_t dim = (size_t)model->scene->dim;
    for (int i = 0; i < count; i++)
        want(model, id[i], t, q + dim * (size_t)i, velocity + dim * (size_t)i);
    return 0;
}

bool thudi_crowd_trouble(const thud_model *model, double t, const double *q, char *text,
                         size_t size)
{
    const thud_scene *scene = model->scene;
    for (int i = 0; i < scene->body_count; i++)
    {
        char name[80];
        double velocity[3] = {0};
        want(model, i, t, q + (size_t)scene->dim * (size_t)i, velocity);
        if (isfinite(velocity[0]) && isfinite(velocity[1]) && isfinite(velocity[2]))
            continue;
        thudi_model_name_body(scene, i, name, sizeof name);
        (void)snprintf(text, size, "the velocity that body %s wants is not finite", name);
        return true;
    }
    return false;
}

static void blame(thud_fault *fault, const thud_place *place)
{
    if (!fault)
        return;
    (void)snprintf(fault->file, sizeof fault->file, "%s", place->file);
    fault->line = place->line;
    fault->column = place->column;
}

static double clearance(const double x[2], void *user)
{
    const thud_model *model = user;
    double least = INFINITY;
    for (int i = 0; i < model->scene->wall_count; i++)
    {
        thud_plane plane;
        thud_model_wall(model, i, model->scene->start, &plane);
        double gap = plane.normal[0] * x[0] + plane.normal[1] * x[1] - plane.offset;
        least = gap < least ? gap : least;
    }
    return least;
}

static void widen(thudi_ways_def *def, double x, double y, double margin)
{
    const double at[2] = {x, y};
    for (int k = 0; k < 2; k++)
    {
        def->low[k] = at[k] - margin < def->low[k] ? at[k] - margin : def->low[k];
        def->high[k] = at[k] + margin > def->high[k] ? at[k] + margin : def->high[k];
    }
}

// The grid holds all bodies and doors, and some room around.
static double measure(const thud_model *model, int w, thudi_ways_def *def)
{
    const thud_scene *scene = model->scene;
    double smallest = INFINITY;
    for (int i = 0; i < scene->body_count; i++)
    {
        double radius = scene->bodies[i].sphere.radius;
        if (scene->wish_of[i] != w)
            continue;
        smallest = radius < smallest ? radius : smallest;
        def->radius = radius > def->radius ? radius : def->radius;
    }
    for (int i = 0; i < scene->body_count; i++)
        widen(def, scene->bodies[i].sphere.center[0], scene->bodies[i].sphere.center[1],
              4 * def->radius);
    for (int i = 0; i < 2 * def->door_count; i++)
        widen(def, def->doors[2 * i], def->doors[2 * i + 1], 4 * def->radius);
    return smallest;
}

static thud_status check_reach(const thud_model *model, int w, const thudi_ways *ways,
                               thud_fault *fault)
{
    const thud_scene *scene = model->scene;
    for (int i = 0; i < scene->body_count; i++)
    {
        char name[80];
        thudi_place_kind place = thudi_ways_place(ways, scene->bodies[i].sphere.center);
        if (scene->wish_of[i] != w || place == THUDI_INSIDE)
            continue;
        thudi_model_name_body(scene, i, name, sizeof name);
        thudi_fault_say(fault,
                        place == THUDI_OUTSIDE
                            ? "who walks out of a door has its first end on the right hand: "
                              "exchange the ends of the door"
                            : "make room for the largest body of the group: gaps narrower than it "
                              "are closed",
                        place == THUDI_OUTSIDE ? "body %s is outside of the doors already"
                                               : "body %s cannot reach a door",
                        name);
        return THUD_ERR_SCENE;
    }
    return THUD_OK;
}

static thud_status find_ways(thud_model *model, int w, thud_fault *fault)
{
    const thud_scene_wish *wish = &model->scene->wishes[w];
    thudi_ways *ways = &model->crowd->ways[w];
    int narrow = 0;
    thudi_ways_def def = {.low = {INFINITY, INFINITY},
                          .high = {-INFINITY, -INFINITY},
                          .cell = wish->cell,
                          .doors = wish->doors,
                          .door_count = wish->door_count,
                          .clearance = clearance,
                          .user = model};
    double smallest = measure(model, w, &def);
    if (wish->cell > smallest / 2)
    {
        thudi_fault_say(fault, "bodies would be led through walls",
                        "'cell' must be at most half of the smallest radius of its group");
        return THUD_ERR_SCENE;
    }
    thud_status status = thudi_ways_make(&def, &model->allocator, ways, &narrow);
    if (status == THUD_ERR_LIMIT)
        thudi_fault_say(fault, "make 'cell' larger",
                        "the grid of the crowd is too fine: it has more "
                        "than 16 million nodes");
    else if (status == THUD_ERR_ARGUMENT)
        thudi_fault_say(fault, "", "door %d is too narrow for the largest body of its group",
                        narrow);
    THUD_TRY(status == THUD_ERR_LIMIT || status == THUD_ERR_ARGUMENT ? THUD_ERR_SCENE : status);
    return check_reach(model, w, ways, fault);
}

static bool stands_still(const thud_scene *scene)
{
    for (int i = 0; i < scene->wall_count; i++)
        if (scene->walls[i].moves)
            return false;
    return true;
}

static thud_status make_ways(thud_model *model, thud_fault *fault)
{
    const thud_scene *scene = model->scene;
    for (int w = 0; w < scene->wish_count; w++)
    {
        thud_status status = THUD_OK;
        if (scene->wishes[w].door_count == 0)
            continue;
        if (stands_still(scene))
            status = find_ways(model, w, fault);
        else
        {
            thudi_fault_say(fault, "give velocities instead",
                            "'doors' cannot be used with walls that move");
            status = THUD_ERR_SCENE;
        }
        if (status == THUD_ERR_SCENE)
            blame(fault, &scene->wishes[w].place);
        THUD_TRY(status);
    }
    return THUD_OK;
}

thud_status thudi_model_crowd(thud_model *model, thud_world_def *def, thud_fault *fault)
{
    const thud_scene *scene = model->scene;
    if (scene->order != THUD_FIRST_ORDER)
        return THUD_OK;
    model->crowd = thudi_allocate_zeroed(&model->allocator, sizeof *model->crowd);
    if (!model->crowd)
        return THUD_ERR_MEMORY;
    size_t wishes = (size_t)scene->wish_count + 1, bodies = (size_t)scene->body_count;
    model->crowd->ways =
        thudi_allocate_zeroed(&model->allocator, wishes * sizeof *model->crowd->ways);
    model->crowd->pressure =
        thudi_allocate_zeroed(&model->allocator, bodies * sizeof *model->crowd->pressure);
    if (!model->crowd->ways || !model->crowd->pressure)
        return THUD_ERR_MEMORY;
    def->force_is_steady = true;
    if (scene->wish_count > 0)
        def->force = write_wishes;
    for (int w = 0; w < scene->wish_count; w++)
        for (int k = 0; k < 3; k++)
            if (scene->wishes[w].velocity[k] &&
                thud_expression_look(scene->wishes[w].velocity[k])->uses_time)
                def->force_is_steady = false;
    return make_ways(model, fault);
}

void thudi_model_crowd_free(thud_model *model)
{
    const thud_scene *scene = model->scene;
    struct thudi_crowd *crowd = model->crowd;
    size_t wishes = (size_t)scene->wish_count + 1;
    if (!crowd)
        return;
    for (int w = 0; w < scene->wish_count && crowd->ways; w++)
        thudi_ways_free(&model->allocator, &crowd->ways[w]);
    thudi_free(&model->allocator, crowd->ways, wishes * sizeof *crowd->ways);
    thudi_free(&model->allocator, crowd->pressure,
               (size_t)scene->body_count * sizeof *crowd->pressure);
    thudi_free(&model->allocator, crowd, sizeof *crowd);
}

void thudi_crowd_pressures(const thud_model *model, const thud_view *view, double *most,
                           double *mean)
{
    const thud_scene *scene = model->scene;
    double *pressure = model->crowd->pressure;
    memset(pressure, 0, (size_t)scene->body_count * sizeof *pressure);
    for (int i = 0; i < view->state->multiplier_count; i++)
    {
        int a, b;
        thudi_model_key(view->state->multipliers[i].key, &a, &b);
        pressure[a] += view->state->multipliers[i].impulse;
        if (b >= 0)
            pressure[b] += view->state->multipliers[i].impulse;
    }
    thud_bodies bodies = thud_world_look(model->world);
    *most = *mean = 0;
    for (int i = 0; i < scene->body_count; i++)
    {
        double r = bodies.radius[i];
        double p = pressure[i] / (scene->dim == 3 ? 4 * PI * r * r : 2 * PI * r);
        *most = p > *most ? p : *most;
        *mean += p / scene->body_count;
    }
}
