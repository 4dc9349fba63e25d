// The measures of a scene of spheres by name: torques, flows, stresses, packing, coordination.
#include "scene/model_measures.h"

#include "scene/sphere_box.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static thud_status add_names(thud_model *model, const thud_scene_measure *measure,
                             const char *const *names, int count)
{
    for (int i = 0; i < count; i++)
        THUD_TRY(thudi_model_add_name(model, measure->name, ".", names[i]));
    return THUD_OK;
}

static thud_status add_bins(thud_model *model, const thud_scene_measure *measure)
{
    char number[16];
    for (int i = 0; i < measure->bins; i++)
    {
        (void)snprintf(number, sizeof number, "%d", i);
        THUD_TRY(thudi_model_add_name(model, measure->name, ".", number));
    }
    return THUD_OK;
}

thud_status thudi_measure_names(thud_model *model, const thud_scene_measure *measure)
{
    static const char *const axes[] = {"x", "y", "z"}, *const flows[] = {"count", "mass"};
    static const char *const solid[] = {"pressure", "xx", "yy", "zz", "xy", "xz", "yz"};
    static const char *const flat[] = {"pressure", "xx", "yy", "xy"};
    static const char *const means[] = {"mean", "loaded", "rattlers"};
    bool is_flat = model->scene->dim == 2;
    switch (measure->kind)
    {
    case THUD_MEASURE_FORCE_ON:
        return add_names(model, measure, axes, is_flat ? 2 : 3);
    case THUD_MEASURE_TORQUE_ON:
        return add_names(model, measure, axes + (is_flat ? 2 : 0), is_flat ? 1 : 3);
    case THUD_MEASURE_FLOW_THROUGH:
        return add_names(model, measure, flows, 2);
    case THUD_MEASURE_PRESSURE_PROFILE:
        return add_bins(model, measure);
    case THUD_MEASURE_STRESS:
        return is_flat ? add_names(model, measure, flat, 4) : add_names(model, measure, solid, 7);
    case THUD_MEASURE_COORDINATION:
        return add_names(model, measure, means, 3);
    case THUD_MEASURE_COUNT_THROUGH:
    case THUD_MEASURE_PACKING_FRACTION:
        break;
    }
    return thudi_model_add_name(model, measure->name, "", "");
}

bool thudi_measure_touch(const thud_model *model, const thud_view *view, int i, thud_touch *touch,
                         double *force)
{
    thud_multiplier one = view->state->multipliers[i];
    // touches are those that push; what glue pulls is one as well, here
    *force = one.impulse / thudi_model_span(view);
    one.impulse = fabs(one.impulse);
    return thud_model_touches(model, view->t, view->q, &one, 1, touch) == 1;
}

// Obstacles are numbered after the walls.
static bool is_measured_wall(const thud_scene *scene, const thud_scene_measure *measure,
                             const thud_touch *touch)
{
    int wall = -1 - touch->b;
    if (measure->wall_count == 0)
        return touch->b < 0 && wall == scene->wall_count + measure->obstacle;
    return touch->b < 0 && wall >= measure->first_wall &&
           wall < measure->first_wall + measure->wall_count;
}

// The bodies push a wall along the normal of the contact, at its foot.
static double *write_torque(const thud_model *model, const thud_scene_measure *measure,
                            const thud_view *view, double *values)
{
    double about[3], sum[3] = {0, 0, 0}, force;
    thud_touch touch;
    for (int k = 0; k < 3; k++)
        about[k] = thudi_model_value(model, measure->about[k], view->t);
    for (int i = 0; i < view->state->multiplier_count; i++)
    {
        if (!thudi_measure_touch(model, view, i, &touch, &force) ||
            !is_measured_wall(model->scene, measure, &touch))
            continue;
        const double arm[3] = {touch.to[0] - about[0], touch.to[1] - about[1],
                               touch.to[2] - about[2]};
        const double *n = touch.normal;
        sum[0] += force * (arm[1] * n[2] - arm[2] * n[1]);
        sum[1] += force * (arm[2] * n[0] - arm[0] * n[2]);
        sum[2] += force * (arm[0] * n[1] - arm[1] * n[0]);
    }
    for (int k = model->scene->dim == 2 ? 2 : 0; k < 3; k++)
        *values++ = sum[k];
    return values;
}

static double packing_fraction(thud_model *model, const thud_scene_measure *measure,
                               const thud_view *view)
{
    const thud_scene *scene = model->scene;
    double sum = 0, volume = 1;
    for (int k = 0; k < scene->dim; k++)
        volume *= measure->high[k] - measure->low[k];
    thud_model_radii(model, view->t, model->radii);
    thudi_copies copies = thudi_model_copies(model, view->t);
    for (int i = 0; i < scene->body_count; i++)
    {
        double x[3];
        thudi_model_place(model, view->t, view->q, i, x);
        for (int m = 0; m < copies.count; m++)
        {
            const double *s = copies.shift[m];
            const double seen[3] = {x[0] + s[0], x[1] + s[1], x[2] + s[2]};
            sum += thudi_sphere_box(scene->dim, seen, model->radii[i], measure->low, measure->high);
        }
    }
    return sum / volume;
}

static bool is_in_box(const thud_scene_measure *measure, int dim, const double *x)
{
    for (int k = 0; k < dim; k++)
        if (!(x[k] >= measure->low[k] && x[k] <= measure->high[k]))
            return false;
    return true;
}

// Contacts per body, of all and of those that have any; who has none is a rattler.
static double *write_coordination(thud_model *model, const thud_scene_measure *measure,
                                  const thud_view *view, double *values)
{
    const thud_scene *scene = model->scene;
    double *contacts = model->radii, sum = 0, force;
    int bodies = 0, loaded = 0;
    thud_touch touch;
    memset(contacts, 0, (size_t)scene->body_count * sizeof *contacts);
    for (int i = 0; i < view->state->multiplier_count; i++)
        if (thudi_measure_touch(model, view, i, &touch, &force))
        {
            contacts[touch.a]++;
            if (touch.b >= 0)
                contacts[touch.b]++;
        }
    for (int i = 0; i < scene->body_count; i++)
    {
        double x[3];
        thudi_model_place(model, view->t, view->q, i, x);
        if (!is_in_box(measure, scene->dim, x))
            continue;
        bodies++;
        loaded += contacts[i] > 0;
        sum += contacts[i];
    }
    *values++ = bodies > 0 ? sum / bodies : NAN;
    *values++ = loaded > 0 ? sum / loaded : NAN;
    *values++ = bodies - loaded;
    return values;
}

double *thudi_measure_values(thud_model *model, int which, const thud_view *view, double *values)
{
    const thud_scene_measure *measure = &model->scene->measures[which];
    switch (measure->kind)
    {
    case THUD_MEASURE_TORQUE_ON:
        return write_torque(model, measure, view, values);
    case THUD_MEASURE_FLOW_THROUGH:
        return thudi_measure_flow(model, which, view, values);
    case THUD_MEASURE_PRESSURE_PROFILE:
        return thudi_measure_profile(model, measure, view, values);
    case THUD_MEASURE_STRESS:
        return thudi_measure_stress(model, measure, view, values);
    case THUD_MEASURE_PACKING_FRACTION:
        *values++ = packing_fraction(model, measure, view);
        break;
    case THUD_MEASURE_COORDINATION:
        return write_coordination(model, measure, view, values);
    case THUD_MEASURE_FORCE_ON: // these two are written with the walls
    case THUD_MEASURE_COUNT_THROUGH:
        break;
    }
    return values;
}
