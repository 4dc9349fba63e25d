// A scene of spheres made into a world: growing radii and gravity by expressions, and what is said
// when it cannot start.
#include "build/model.h"

#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double thudi_model_radius(const thud_model *model, double t, int body, thudi_grown *grown)
{
    const thud_scene_body *of = &model->scene->bodies[body];
    if (of->growth != grown->law)
        *grown = (thudi_grown){of->growth, thud_scene_growth_at(of->growth, t, model->room)};
    return of->sphere.radius * grown->value;
}

void thud_model_radii(const thud_model *model, double t, double *radius)
{
    thudi_grown grown = {.value = 1};
    for (int i = 0; i < model->scene->body_count; i++)
        radius[i] = thudi_model_radius(model, t, i, &grown);
}

thud_model_world thud_model_world_of(const thud_model *model)
{
    const thud_scene *scene = model->scene;
    if (!model->world)
        return (thud_model_world){.material_count = 0};
    return (thud_model_world){.obstacles = model->added,
                              .material_count = model->sides_of_table,
                              .numbers = model->table,
                              .material = model->material,
                              .wall_material =
                                  model->table ? model->material + scene->body_count : NULL};
}

static int write_radii(double t, int count, const int *id, double *radius, void *user)
{
    const thud_model *model = user;
    (void)count, (void)id; // all bodies, in order: a model removes none
    thud_model_radii(model, t, radius);
    return 0;
}

void thudi_model_gravity(const thud_model *model, double t, double gravity[3])
{
    for (int k = 0; k < 3; k++)
        gravity[k] = thudi_model_value(model, &model->scene->gravity[k], t);
}

static int write_gravity(double t, double gravity[3], void *user)
{
    thudi_model_gravity(user, t, gravity);
    return 0;
}

static thud_status add_bodies(thud_model *model)
{
    const thud_scene *scene = model->scene;
    size_t size = (size_t)scene->body_count * sizeof(thud_sphere);
    thud_sphere *spheres = thudi_allocate_zeroed(&model->allocator, size);
    if (!spheres)
        return THUD_ERR_MEMORY;
    thudi_grown grown = {.value = 1};
    for (int i = 0; i < scene->body_count; i++)
    {
        spheres[i] = scene->bodies[i].sphere;
        spheres[i].radius = thudi_model_radius(model, scene->start, i, &grown);
    }
    thud_status status = thud_world_add(model->world, spheres, scene->body_count, NULL);
    thudi_free(&model->allocator, spheres, size);
    for (int i = 0; i < scene->body_count && model->table && status >= 0; i++)
        status = thud_world_set_material(model->world, &i, 1, model->material[i]);
    return status;
}

// Whether radii change, and the bound of |r''|: exact for tables and where all grow at constant
// speed, else unknown.
static bool find_growth(const thud_model *model, double *radius_tt)
{
    const thud_scene *scene = model->scene;
    const thud_scene_growth *last = NULL;
    bool grows = false;
    double bend = 0;
    *radius_tt = 0;
    for (int i = 0; i < scene->body_count; i++)
    {
        const thud_scene_body *body = &scene->bodies[i];
        if (body->growth != last)
            bend = body->growth ? thudi_model_bounds(model, &body->growth->factor).x_tt : 0;
        last = body->growth;
        grows = grows || body->growth;
        double here = bend * body->sphere.radius;
        if (isnan(here) || here > *radius_tt)
            *radius_tt = here;
        if (isnan(here))
            return true;
    }
    return grows;
}

static thud_key key_of(const thud_model *model, const thud_overlap *overlap)
{
    int a = overlap->a, b = overlap->b;
    if (b <= THUD_OBSTACLE(0))
        return thud_key_surface(model->obstacles[THUD_OBSTACLE(b)].first, a);
    if (b < 0)
        return thud_key_wall(-1 - b, a);
    return a < b ? thud_key_pair(a, b, 0) : thud_key_pair(b, a, 0);
}

// The world counts obstacles, the scene names them.
static void fail_world(const thud_model *model, thud_status status, thud_fault *fault)
{
    const thud_scene *scene = model->scene;
    int k = thud_world_fault_obstacle(model->world);
    char hint[200] = "";
    if (k >= 0 && k < scene->obstacle_count)
        (void)snprintf(hint, sizeof hint, "obstacle %d is wall '%.100s'", k,
                       scene->obstacles[k].name);
    (void)thudi_fail_unplaced(fault, status, hint, "%s", thud_world_message(model->world));
}

static void fail_overlap(const thud_model *model, thud_fault *fault)
{
    const thud_start *start = &model->start;
    char where[200], depth[THUDI_TEXT_NUMBER_SIZE];
    if (start->overlap_count == 0)
    {
        (void)thudi_fail_unplaced(fault, THUD_ERR_OVERLAP, "", "%s",
                                  thud_world_message(model->world));
        return;
    }
    const thud_overlap *worst = &start->overlaps[0];
    bool is_obstacle = worst->b <= THUD_OBSTACLE(0);
    thud_model_describe(model, key_of(model, worst), where, sizeof where);
    bool is_behind =
        worst->b < 0 && !is_obstacle && worst->depth > model->scene->bodies[worst->a].sphere.radius;
    (void)thudi_fail_unplaced(
        fault, THUD_ERR_OVERLAP,
        is_behind
            ? "check the normal: it must point to the free side, and the body is behind the wall"
            : "move them apart, or write 'overlaps: project' to let Thud do it",
        "%s overlap by %s%s%s at the start (%d overlap%s in all)", where,
        thudi_text_number(depth, worst->depth), model->scene->unit_length[0] ? " " : "",
        model->scene->unit_length, start->overlap_count, start->overlap_count == 1 ? "" : "s");
}

// The definition of the world, before there is anything in it; *grows: radii change.
static thud_status describe_world(thud_model *model, thud_world_def *def, bool *grows)
{
    const thud_scene *scene = model->scene;
    *def = (thud_world_def){.dim = scene->dim,
                            .order = scene->order,
                            .t0 = scene->start,
                            .h = scene->step,
                            .drag = scene->drag,
                            .noise = scene->noise,
                            .seed = scene->seed,
                            .name = thudi_model_name,
                            .user = model,
                            .tol = scene->tol,
                            .tol_a = scene->tol_a,
                            .step_tol = thud_model_step_tol(model),
                            .allocator = &model->allocator};
    THUD_TRY(thudi_model_crowd(model, def));
    thudi_model_gravity(model, scene->start, def->gravity);
    if (scene->gravity_moves)
        def->gravity_law = write_gravity;
    *grows = find_growth(model, &def->radius_tt);
    if (*grows)
        def->radii = write_radii;
    THUD_TRY(thudi_model_contacts(model));
    def->material_count = model->sides_of_table;
    def->law = scene->law;
    def->numbers = model->table;
    def->cell = thud_model_cell(model);
    return THUD_OK;
}

static thud_status fill_world(thud_model *model, bool grows)
{
    THUD_TRY(add_bodies(model));
    THUD_TRY(thudi_model_walls(model));
    THUD_TRY(thudi_model_obstacles(model, grows));
    return thud_world_prepare(model->world, model->scene->overlaps, &model->start);
}

thud_status thudi_model_spheres(thud_model *model, thud_fault *fault)
{
    thud_world_def def;
    bool grows;
    THUD_TRY(describe_world(model, &def, &grows));
    THUD_TRY(thud_world_create(&def, &model->world));
    thud_status status = fill_world(model, grows);
    if (status == THUD_ERR_OVERLAP)
        fail_overlap(model, fault);
    else if (status < 0)
        fail_world(model, status, fault);
    if (status < 0 && fault)
        (void)strncat(fault->file, model->scene->file, sizeof fault->file - 1);
    model->problem = thud_world_inclusion(model->world);
    model->state = thud_world_state(model->world);
    if (status >= 0)
        THUD_TRY(thudi_model_paths(model, fault));
    return status == THUD_ERR_ARGUMENT ? THUD_ERR_SCENE : status; // only the scene can be wrong
}
