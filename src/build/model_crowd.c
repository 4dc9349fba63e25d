// A crowd: the wanted velocity of every body, by expressions of its position or along the path to a
// door; and how hard bodies are pressed.
#include "build/crowd.h"
#include "core/math/exact_sum.h"
#include "core/math/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void wanted_velocity(const thud_model *model, int body, double t, const double *x,
                            double *velocity)
{
    const thud_scene *scene = model->scene;
    int w = scene->group_of ? scene->group_of[body] : -1;
    if (w < 0)
        return;
    const thud_scene_group *group = &scene->groups[w];
    double direction[3] = {0};
    if (group->door_count > 0)
        thudi_paths_direction(&model->crowd->paths[w], x, direction);
    for (int k = 0; k < scene->dim; k++)
    {
        if (group->door_count == 0)
            direction[k] = thud_varying_at_point(&group->velocity[k], t, x, model->room);
        velocity[k] += scene->speeds[body] * direction[k];
    }
}

static int write_wanted(double t, int count, const int *id, const double *q, double *velocity,
                        void *user)
{
    const thud_model *model = user;
    size_t dim = (size_t)model->scene->dim;
    for (int i = 0; i < count; i++)
        wanted_velocity(model, id[i], t, q + dim * (size_t)i, velocity + dim * (size_t)i);
    return 0;
}

double thud_model_fastest_wanted(const thud_model *model)
{
    const thud_scene *scene = model->scene;
    double most = 0;
    for (int i = 0; i < scene->body_count && model->crowd; i++)
    {
        double v[3] = {0};
        wanted_velocity(model, i, scene->start, scene->bodies[i].sphere.center, v);
        double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        most = square > most ? square : most;
    }
    return sqrt(most);
}

bool thudi_crowd_fault(const thud_model *model, double t, const double *q, char *text, size_t size)
{
    const thud_scene *scene = model->scene;
    for (int i = 0; i < scene->body_count; i++)
    {
        char name[80];
        double velocity[3] = {0};
        wanted_velocity(model, i, t, q + (size_t)scene->dim * (size_t)i, velocity);
        if (isfinite(velocity[0]) && isfinite(velocity[1]) && isfinite(velocity[2]))
            continue;
        thudi_model_name_body(scene, i, name, sizeof name);
        (void)snprintf(text, size, "the wanted velocity of body %s is not finite", name);
        return true;
    }
    return false;
}

thud_status thudi_model_crowd(thud_model *model, thud_world_def *def)
{
    const thud_scene *scene = model->scene;
    if (scene->order != THUD_FIRST_ORDER)
        return THUD_OK;
    model->crowd = thudi_allocate_zeroed(&model->allocator, sizeof *model->crowd);
    if (!model->crowd)
        return THUD_ERR_MEMORY;
    size_t groups = (size_t)scene->group_count + 1, bodies = (size_t)scene->body_count;
    model->crowd->paths =
        thudi_allocate_zeroed(&model->allocator, groups * sizeof *model->crowd->paths);
    model->crowd->pressure =
        thudi_allocate_zeroed(&model->allocator, bodies * sizeof *model->crowd->pressure);
    if (!model->crowd->paths || !model->crowd->pressure)
        return THUD_ERR_MEMORY;
    def->force_is_steady = thudi_model_is_steady(model);
    if (scene->group_count > 0)
        def->force = write_wanted;
    return THUD_OK;
}

void thudi_model_crowd_free(thud_model *model)
{
    const thud_scene *scene = model->scene;
    struct thudi_crowd *crowd = model->crowd;
    size_t groups = (size_t)scene->group_count + 1;
    if (!crowd)
        return;
    for (int w = 0; w < scene->group_count && crowd->paths; w++)
        thudi_paths_free(&model->allocator, &crowd->paths[w]);
    thudi_free(&model->allocator, crowd->paths, groups * sizeof *crowd->paths);
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
        thudi_model_key(model, view->state->multipliers[i].key, &a, &b);
        pressure[a] += view->state->multipliers[i].impulse;
        if (b >= 0)
            pressure[b] += view->state->multipliers[i].impulse;
    }
    thud_bodies bodies = thud_world_bodies(model->world);
    thudi_exact_sum sum = {.terms = 0};
    *most = 0;
    for (int i = 0; i < scene->body_count; i++)
    {
        double r = bodies.radius[i];
        double p = pressure[i] / (scene->dim == 3 ? 4 * THUDI_PI * r * r : 2 * THUDI_PI * r);
        *most = p > *most ? p : *most;
        thudi_exact_add(&sum, p);
    }
    *mean = scene->body_count > 0 ? thudi_exact_value(&sum) / scene->body_count : 0;
}
