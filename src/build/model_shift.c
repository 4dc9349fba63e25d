// How small a gap of a scene of spheres need be: step_tol of its world, from its tolerances, its
// step, and the largest gravity of the run. It is the same for the whole run, and for a run that is
// resumed.
#include "build/model.h"

#include <math.h>

// |gravity| at time t.
static double gravity_at(const thud_model *model, double t)
{
    double square = 0;
    for (int k = 0; k < model->scene->dim; k++)
    {
        double value = thudi_model_value(model, &model->scene->gravity[k], t);
        square += value * value;
    }
    return sqrt(square);
}

// The length of a vector that is affine in time is convex in time, so its maximum is at an end. 0
// where no bound is known.
static double largest_gravity(const thud_model *model)
{
    const thud_scene *scene = model->scene;
    for (int k = 0; k < scene->dim; k++)
        if (!thudi_model_is_affine(model, &scene->gravity[k]))
            return 0;
    double largest = fmax(gravity_at(model, scene->start), gravity_at(model, scene->end));
    return isfinite(largest) ? largest : 0;
}

double thud_model_smallest_radius(const thud_model *model)
{
    double smallest = INFINITY;
    thudi_grown grown = {.value = 1};
    for (int i = 0; i < model->scene->body_count; i++)
        smallest = fmin(smallest, thudi_model_radius(model, model->scene->start, i, &grown));
    return smallest;
}

double thud_model_step_tol(const thud_model *model)
{
    const thud_scene *scene = model->scene;
    if (scene->kind != THUD_SCENE_SPHERES || scene->tol_is_fixed || scene->body_count == 0)
        return 0;
    return thud_step_tol(scene->tol, scene->tol_a, scene->step, largest_gravity(model),
                         thud_model_smallest_radius(model));
}

double thud_model_tol(const thud_model *model)
{
    double tol = model->scene->tol, step_tol = thud_model_step_tol(model);
    double raised = fmin(step_tol / thud_model_smallest_radius(model), THUD_MOST_TOL);
    return step_tol > 0 ? fmax(tol, raised) : tol;
}
