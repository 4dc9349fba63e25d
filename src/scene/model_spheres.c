// A scene of spheres made into a world: moving walls, growing radii and gravity by expressions.
#include "scene/model.h"

#include "core/text.h"
#include "scene/growth.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of the shift sigma = 2 tol r, this much may be open where a contact carries load.
static const double OPEN_SHIFTS = 1.5;

void thud_model_radii(const thud_model *model, double t, double *radius)
{
    const thud_scene *scene = model->scene;
    const thud_scene_growth *last = NULL;
    double growth = 1;
    for (int i = 0; i < scene->body_count; i++)
    {
        // bodies that grow alike mostly follow each other
        if (scene->bodies[i].growth != last)
            growth = thud_scene_growth_value(last = scene->bodies[i].growth, t, model->room);
        radius[i] = scene->bodies[i].sphere.radius * growth;
    }
}

static int write_radii(double t, int count, const int *id, double *radius, void *user)
{
    const thud_model *model = user;
    (void)count, (void)id; // all bodies, in order: a model removes none
    thud_model_radii(model, t, radius);
    return 0;
}

static void gravity_at(const thud_model *model, double t, double gravity[3])
{
    for (int k = 0; k < 3; k++)
        gravity[k] = thudi_model_value(model, model->scene->gravity[k], t);
}

static int write_gravity(double t, double gravity[3], void *user)
{
    gravity_at(user, t, gravity);
    return 0;
}

// The plane through a point: normal . x >= normal . point. The normal is brought to a size of about
// 1 by a power of two, which changes no bit of its direction, so that its square is in range.
static void plane_at(const thud_model *model, const thud_scene_plane *from, double t,
                     thud_plane *plane)
{
    double largest = 0;
    *plane = (thud_plane){0};
    for (int k = 0; k < model->scene->dim && k < 3; k++)
    {
        plane->normal[k] = thudi_model_value(model, from->normal[k], t);
        largest = fmax(largest, fabs(plane->normal[k]));
    }
    int exponent = 0;
    (void)frexp(largest, &exponent);
    for (int k = 0; k < model->scene->dim && k < 3; k++)
    {
        if (largest > 0 && isfinite(largest))
            plane->normal[k] = ldexp(plane->normal[k], -exponent);
        plane->offset += plane->normal[k] * thudi_model_value(model, from->point[k], t);
    }
}

static int move_wall(double t, thud_plane *plane, void *user)
{
    const thudi_wall_motion *motion = user;
    plane_at(motion->model, &motion->model->scene->walls[motion->wall].plane, t, plane);
    return 0;
}

void thud_model_wall(const thud_model *model, int wall, double t, thud_plane *plane)
{
    double square = 0;
    plane_at(model, &model->scene->walls[wall].plane, t, plane);
    for (int k = 0; k < 3; k++)
        square += plane->normal[k] * plane->normal[k];
    double length = sqrt(square);
    for (int k = 0; k < 3; k++)
        plane->normal[k] /= length;
    plane->offset /= length;
}

double thud_model_suggested_step(const thud_model *model)
{
    const thud_scene *scene = model->scene;
    double gravity[3] = {0}, square = 0, smallest = INFINITY;
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].sphere.radius < smallest)
            smallest = scene->bodies[i].sphere.radius;
    gravity_at(model, scene->start, gravity);
    for (int k = 0; k < 3; k++)
        square += gravity[k] * gravity[k];
    return square > 0 && scene->body_count > 0 ? 0.1 * sqrt(smallest / sqrt(square)) : 0;
}

enum
{
    LOOKS = 1000 // at the run, for its fastest wall
};

// How far the plane of a wall moves in a step, at a body: by the planes at both ends of the step.
static double wall_motion(const thud_model *model, int wall, double t)
{
    const thud_scene *scene = model->scene;
    thud_plane before, after;
    double largest = 0;
    thud_model_wall(model, wall, t, &before);
    thud_model_wall(model, wall, t + scene->step, &after);
    int stride = 1 + scene->body_count / 10;
    for (int i = 0; i < scene->body_count; i += stride)
    {
        double moved = before.offset - after.offset;
        for (int k = 0; k < scene->dim && k < 3; k++)
            moved += (after.normal[k] - before.normal[k]) * scene->bodies[i].sphere.center[k];
        largest = fmax(largest, fabs(moved));
    }
    return largest;
}

// By how much a law of growth changes in the step after t, the most of all.
static double growth_motion(const thud_model *model, double t)
{
    const thud_scene *scene = model->scene;
    const thud_scene_growth *last = NULL;
    double largest = 0;
    for (int i = 0; i < scene->body_count; i++)
    {
        const thud_scene_growth *growth = scene->bodies[i].growth;
        if (growth == last)
            continue;
        last = growth;
        double change = thud_scene_growth_value(growth, t + scene->step, model->room) -
                        thud_scene_growth_value(growth, t, model->room);
        largest = fabs(change) > largest ? fabs(change) : largest;
    }
    return largest;
}

double thud_model_largest_motion(const thud_model *model, int *wall)
{
    const thud_scene *scene = model->scene;
    double largest = 0, smallest = INFINITY, widest = 0;
    *wall = -1;
    for (int i = 0; i < scene->body_count; i++)
    {
        smallest = fmin(smallest, scene->bodies[i].sphere.radius);
        widest = fmax(widest, scene->bodies[i].sphere.radius);
    }
    for (int i = 0; i < LOOKS; i++)
    {
        // not a whole part of the run, so that a period does not hide
        double t = scene->start + (scene->end - scene->start) * fmod(i * 0.6180339887498949, 1);
        for (int w = 0; w < scene->wall_count; w++)
        {
            double moved = scene->walls[w].moves ? wall_motion(model, w, t) : 0;
            if (moved > largest)
            {
                largest = moved;
                *wall = w;
            }
        }
        for (int o = 0; o < scene->obstacle_count; o++)
        {
            double moved = thudi_model_obstacle_motion(model, o, t);
            if (moved > largest)
            {
                largest = moved;
                *wall = scene->wall_count + o;
            }
        }
        double moved = growth_motion(model, t) * widest;
        if (moved > largest)
        {
            largest = moved;
            *wall = -1;
        }
    }
    return largest > 0 ? largest / smallest : 0;
}

// A wall that does not turn and moves at constant speed leaves nothing unsaid between nodes; of
// others the bounds are not known.
static thud_smoothness wall_smoothness(const thud_scene *scene, const thud_scene_wall *wall)
{
    for (int k = 0; k < scene->dim; k++)
        if (!thud_expression_look(wall->plane.normal[k])->is_constant ||
            !thud_expression_look(wall->plane.point[k])->is_affine_in_time)
            return (thud_smoothness){NAN, NAN};
    return (thud_smoothness){0, 0};
}

static thud_status add_walls(thud_model *model)
{
    const thud_scene *scene = model->scene;
    if (scene->wall_count == 0)
        return THUD_OK;
    model->motions = thudi_allocate_zeroed(&model->allocator,
                                           (size_t)scene->wall_count * sizeof *model->motions);
    if (!model->motions)
        return THUD_ERR_MEMORY;
    for (int i = 0; i < scene->wall_count; i++)
    {
        const thud_scene_wall *wall = &scene->walls[i];
        model->motions[i] = (thudi_wall_motion){model, i};
        thud_wall_def def = {.smooth = wall_smoothness(scene, wall), .user = &model->motions[i]};
        plane_at(model, &wall->plane, scene->start, &def.plane);
        if (wall->moves)
            def.motion = move_wall;
        if (model->table)
            def.material = model->material[scene->body_count + i];
        THUD_TRY(thud_world_add_wall(model->world, &def, NULL));
    }
    return THUD_OK;
}

static thud_status add_bodies(thud_model *model)
{
    const thud_scene *scene = model->scene;
    size_t size = (size_t)scene->body_count * sizeof(thud_sphere);
    thud_sphere *spheres = thudi_allocate_zeroed(&model->allocator, size);
    if (!spheres)
        return THUD_ERR_MEMORY;
    for (int i = 0; i < scene->body_count; i++)
    {
        const thud_scene_body *body = &scene->bodies[i];
        spheres[i] = body->sphere;
        spheres[i].radius *= thud_scene_growth_value(body->growth, scene->start, model->room);
    }
    thud_status status = thud_world_add(model->world, spheres, scene->body_count, NULL);
    thudi_free(&model->allocator, spheres, size);
    for (int i = 0; i < scene->body_count && model->table && status >= 0; i++)
        status = thud_world_set_material(model->world, &i, 1, model->material[i]);
    return status;
}

// Whether radii change, and the bound of |r''|: exact for tables and where all grow at constant
// speed, else unknown.
static bool find_growth(const thud_scene *scene, double *radius_tt)
{
    const thud_scene_growth *last = NULL;
    bool grows = false;
    double bend = 0;
    *radius_tt = 0;
    for (int i = 0; i < scene->body_count; i++)
    {
        const thud_scene_body *body = &scene->bodies[i];
        if (body->growth != last)
            bend = thudi_growth_bend(last = body->growth);
        grows = grows || body->growth;
        double here = bend * body->sphere.radius;
        if (isnan(here) || here > *radius_tt)
            *radius_tt = here;
        if (isnan(here))
            return true;
    }
    return grows;
}

static uint64_t key_of(const thud_model *model, const thud_overlap *overlap)
{
    uint64_t a = (uint64_t)overlap->a,
             b = (uint64_t)(overlap->b < 0 ? -1 - overlap->b : overlap->b);
    if (overlap->b <= THUD_OBSTACLE(0))
    {
        uint64_t surface = (uint64_t)model->obstacles[THUD_OBSTACLE(overlap->b)].first;
        return UINT64_C(1) << 63 | surface << 32 | UINT64_C(1) << 31 | a;
    }
    if (overlap->b < 0)
        return UINT64_C(1) << 63 | b << 32 | a;
    return a < b ? a << 32 | b : b << 32 | a;
}

// The world counts obstacles, the scene names them.
static void say_refused(const thud_model *model, thud_fault *fault)
{
    static const char start[] = "obstacle ";
    const thud_scene *scene = model->scene;
    const char *message = thud_world_message(model->world);
    char hint[200] = "";
    bool is_obstacle = strncmp(message, start, strlen(start)) == 0;
    long k = is_obstacle ? strtol(message + strlen(start), NULL, 10) : -1;
    if (k >= 0 && k < scene->obstacle_count)
        (void)snprintf(hint, sizeof hint, "obstacle %ld is wall '%.100s'", k,
                       scene->obstacles[k].name);
    thudi_fault_say(fault, hint, "%s", message);
}

static void say_overlap(const thud_model *model, thud_fault *fault)
{
    const thud_start *start = &model->start;
    char where[200], depth[THUDI_NUMBER_SIZE];
    if (start->overlap_count == 0)
    {
        thudi_fault_say(fault, "", "%s", thud_world_message(model->world));
        return;
    }
    const thud_overlap *worst = &start->overlaps[0];
    bool is_obstacle = worst->b <= THUD_OBSTACLE(0);
    thud_model_describe(model, key_of(model, worst), where, sizeof where);
    bool is_behind =
        worst->b < 0 && !is_obstacle && worst->depth > model->scene->bodies[worst->a].sphere.radius;
    thudi_fault_say(
        fault,
        is_behind ? "the body is behind the wall; a normal points to the free side: is it "
                    "reversed?"
                  : "move them apart, or write 'overlaps: project' to have it done",
        "%s overlap by %s%s%s at the start (%d overlap%s in all)", where,
        thudi_text_number(depth, worst->depth), model->scene->unit_length[0] ? " " : "",
        model->scene->unit_length, start->overlap_count, start->overlap_count == 1 ? "" : "s");
}

thud_status thudi_model_spheres(thud_model *model, thud_fault *fault)
{
    const thud_scene *scene = model->scene;
    thud_world_def def = {.dim = scene->dim,
                          .t0 = scene->start,
                          .h = scene->step,
                          .drag = scene->drag,
                          .user = model,
                          .tol = scene->tol,
                          .tol_a = scene->tol_a,
                          .allocator = &model->allocator};
    def.order = scene->order;
    def.noise = scene->noise;
    def.seed = scene->seed;
    THUD_TRY(thudi_model_crowd(model, &def));
    gravity_at(model, scene->start, def.gravity);
    if (scene->gravity_moves)
        def.gravity_law = write_gravity;
    bool grows = find_growth(scene, &def.radius_tt);
    if (grows)
        def.radii = write_radii;
    THUD_TRY(thudi_model_contacts(model));
    def.material_count = model->sides_of_table;
    def.restitution = scene->law == THUD_LAW_RESTITUTION ? model->table : NULL;
    def.glue = scene->law == THUD_LAW_GLUE ? model->table : NULL;
    def.cell = thud_model_cell(model);
    THUD_TRY(thud_world_create(&def, &model->world));
    thud_status status = add_bodies(model);
    if (status >= 0)
        status = add_walls(model);
    if (status >= 0)
        status = thudi_model_obstacles(model, grows);
    if (status >= 0)
        status = thud_world_prepare(model->world, scene->overlaps, &model->start);
    if (status == THUD_ERR_OVERLAP)
        say_overlap(model, fault);
    else if (status < 0)
        say_refused(model, fault);
    if (status < 0 && fault)
        (void)strncat(fault->file, scene->file, sizeof fault->file - 1);
    model->problem = thud_world_inclusion(model->world);
    model->state = thud_world_state(model->world);
    if (status >= 0)
        THUD_TRY(thudi_model_ways(model, fault));
    return status == THUD_ERR_ARGUMENT ? THUD_ERR_SCENE : status; // only the scene can be wrong
}

static int write_shapes(double t, double *radius, double *normal, double *offset, void *user)
{
    const thud_model *model = user;
    thud_model_radii(model, t, radius);
    for (int i = 0; i < model->scene->wall_count; i++)
    {
        thud_plane plane;
        thud_model_wall(model, i, t, &plane);
        memcpy(normal + 3 * (size_t)i, plane.normal, sizeof plane.normal);
        offset[i] = plane.offset;
    }
    return 0;
}

// At a given time, not at the one that the world last looked at: a verdict depends on the step
// alone.
static double largest_radius(const thud_model *model, double t)
{
    const thud_scene *scene = model->scene;
    const thud_scene_growth *last = NULL;
    double largest = 0, growth = 1;
    for (int i = 0; i < scene->body_count; i++)
    {
        if (scene->bodies[i].growth != last)
            growth = thud_scene_growth_value(last = scene->bodies[i].growth, t, model->room);
        double radius = scene->bodies[i].sphere.radius * growth;
        largest = radius > largest ? radius : largest;
    }
    return largest;
}

static double largest_shift(const thud_scene *scene)
{
    double largest = 0;
    for (int i = 0; i < scene->constraint_count; i++)
        if (scene->constraints[i].shift > largest)
            largest = scene->constraints[i].shift;
    return largest;
}

thud_status thud_model_judge(thud_model *model, const thud_state *before, const thud_state *after,
                             const double *mean_force, thud_verdict *verdict)
{
    return thud_model_judge_recorded(model, before, after, mean_force, NULL, 0, verdict);
}

// The directions as rows of which the checker takes keys and slopes.
static thud_status make_rows(const thud_model *model, const thud_direction *directions, int count,
                             thud_rows **rows)
{
    int dim = model->scene->dim;
    *rows = NULL;
    if (count == 0)
        return THUD_OK;
    THUD_TRY(thud_rows_create(model->problem.dim, &model->allocator, rows));
    for (int i = 0; i < count; i++)
    {
        int64_t body = (int64_t)(directions[i].key & 0x7fffffffu);
        int index = (int)(body * dim);
        if (body >= model->scene->body_count)
            continue; // of nobody: the row of an impulse with this key will be missed
        thud_status status = thud_rows_push(*rows, &(thud_row){.key = directions[i].key,
                                                               .width = dim,
                                                               .count = 1,
                                                               .index = &index,
                                                               .slope = directions[i].normal});
        if (status == THUD_ERR_MEMORY)
        {
            thud_rows_destroy(*rows);
            return status;
        }
    }
    return THUD_OK;
}

thud_status thud_model_judge_recorded(thud_model *model, const thud_state *before,
                                      const thud_state *after, const double *mean_force,
                                      const thud_direction *directions, int count,
                                      thud_verdict *verdict)
{
    const thud_scene *scene = model->scene;
    thud_check_def def = {.mean_force = mean_force, .allocator = &model->allocator};
    if (!model->world)
    {
        def.backward = 2 * largest_shift(scene);
        return thud_check_step(&model->problem, before, after, &def, verdict);
    }
    thud_check_spheres_def spheres = {.dim = scene->dim,
                                      .count = scene->body_count,
                                      .wall_count = scene->wall_count,
                                      .cell = thud_model_cell(model),
                                      .obstacles = model->judged,
                                      .obstacle_count = scene->obstacle_count,
                                      .shapes = write_shapes,
                                      .user = model,
                                      .shift = 2 * scene->tol,
                                      .material = model->material,
                                      .material_count = model->sides_of_table};
    spheres.restitution = scene->law == THUD_LAW_RESTITUTION ? model->table : NULL;
    spheres.glue = scene->law == THUD_LAW_GLUE ? model->table : NULL;
    if (model->table)
        spheres.wall_material = model->material + scene->body_count;
    def.backward = OPEN_SHIFTS * 2 * scene->tol * largest_radius(model, thud_state_time(after));
    def.strict = true;
    thud_rows *rows = NULL;
    THUD_TRY(make_rows(model, directions, count, &rows));
    spheres.cuts = rows;
    thud_status status =
        thud_check_spheres(&model->problem, &spheres, before, after, &def, verdict);
    thud_rows_destroy(rows);
    return status;
}

static bool make_touch(const thud_model *model, double t, const double *q, uint64_t key,
                       thud_touch *touch)
{
    const thud_scene *scene = model->scene;
    size_t dim = (size_t)scene->dim;
    thud_plane plane;
    int facet;
    thudi_model_key(model, key, &touch->a, &touch->b);
    if (touch->a >= scene->body_count || touch->b >= scene->body_count || touch->b == INT_MIN)
        return false;
    memcpy(touch->from, q + dim * (size_t)touch->a, dim * sizeof *q);
    if (touch->b >= 0)
    {
        memcpy(touch->to, q + dim * (size_t)touch->b, dim * sizeof *q);
        thudi_model_image(model, t, key, touch);
    }
    else if (-1 - touch->b >= scene->wall_count)
    {
        int obstacle = thudi_model_obstacle_of(model, key, &facet);
        thudi_model_foot(model, obstacle, facet, t, touch->from, touch->to);
    }
    else
    {
        thud_model_wall(model, -1 - touch->b, t, &plane);
        double height = -plane.offset;
        for (int k = 0; k < 3; k++)
            height += plane.normal[k] * touch->from[k];
        for (int k = 0; k < 3; k++)
            touch->to[k] = touch->from[k] - height * plane.normal[k];
    }
    double square = 0;
    for (int k = 0; k < 3; k++)
    {
        touch->normal[k] = touch->to[k] - touch->from[k];
        square += touch->normal[k] * touch->normal[k];
    }
    double length = sqrt(square);
    for (int k = 0; k < 3; k++)
        touch->normal[k] /= length;
    thudi_model_enter(model, t, touch);
    return true;
}

int thud_model_touches(const thud_model *model, double t, const double *q,
                       const thud_multiplier *multipliers, int count, thud_touch *touch)
{
    int found = 0;
    for (int i = 0; i < count && model->world; i++)
    {
        touch[found] = (thud_touch){.impulse = multipliers[i].impulse};
        if (multipliers[i].impulse > 0 &&
            make_touch(model, t, q, multipliers[i].key, &touch[found]))
            found++;
    }
    return found;
}
