// How small a gap of a scene of spheres need be: step_tol of its world, from its tolerances, its
// step, and the largest gravity of the run. It is the same for the whole run, and for a run that is
// resumed.
#include "build/model.h"

#include <math.h>

// At least |x| during the run; NAN where no bound is known.
static double largest_value(const thud_model *model, const thud_varying *x)
{
    const thud_scene *scene = model->scene;
    if (!thudi_model_is_affine(model, x))
        return NAN;
    return fmax(fabs(thudi_model_value(model, x, scene->start)),
                fabs(thudi_model_value(model, x, scene->end)));
}

static double largest_gravity(const thud_model *model)
{
    double square = 0;
    for (int k = 0; k < model->scene->dim; k++)
    {
        double most = largest_value(model, &model->scene->gravity[k]);
        square += most * most;
    }
    return isfinite(square) ? sqrt(square) : 0;
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
