// The measures of a scene of spheres by name: torques, flows, stresses, packing, coordination,
// bodies.
#include "measure/model_measures.h"

#include "core/math/exact_four.h"
#include "measure/sphere_box.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What follows the name of a measure and a dot in the names of its columns. NULL: one column with
// the name alone, or slabs with numbers.
static const char *const *components_of(const thud_scene *scene, const thud_scene_measure *measure,
                                        int *count)
{
    static const char *const axes[] = {"x", "y", "z"}, *const flows[] = {"count", "mass"};
    static const char *const solid[] = {"pressure", "xx", "yy", "zz", "xy", "xz", "yz"};
    static const char *const flat[] = {"pressure", "xx", "yy", "xy"};
    static const char *const means[] = {"mean", "loaded", "rattlers"};
    static const char *const energies[] = {"bodies", "center"};
    bool is_flat = scene->dim == 2;
    *count = 1;
    switch (measure->kind)
    {
    case THUD_MEASURE_FORCE_ON:
    case THUD_MEASURE_POSITION_OF:
    case THUD_MEASURE_VELOCITY_OF:
        *count = is_flat ? 2 : 3;
        return axes;
    case THUD_MEASURE_TORQUE_ON:
        *count = is_flat ? 1 : 3;
        return axes + (is_flat ? 2 : 0);
    case THUD_MEASURE_FLOW_THROUGH:
        *count = 2;
        return flows;
    case THUD_MEASURE_STRESS:
        *count = is_flat ? 4 : 7;
        return is_flat ? flat : solid;
    case THUD_MEASURE_COORDINATION:
        *count = 3;
        return means;
    case THUD_MEASURE_KINETIC_ENERGY_OF:
        *count = measure->body < 0 ? 2 : 1;
        return measure->body < 0 ? energies : NULL;
    case THUD_MEASURE_PRESSURE_PROFILE:
        *count = measure->bins;
        return NULL;
    case THUD_MEASURE_COUNT_THROUGH:
    case THUD_MEASURE_PACKING_FRACTION:
    case THUD_MEASURE_SPEED_OF:
    case THUD_MEASURE_HEIGHT_OF:
    case THUD_MEASURE_TIME_WHEN:
        break;
    }
    return NULL;
}

int thudi_measure_columns(const thud_model *model, const thud_scene_measure *measure)
{
    int count;
    (void)components_of(model->scene, measure, &count);
    return count;
}

thud_status thudi_measure_names(thud_model *model, const thud_scene_measure *measure)
{
    int count;
    const char *const *components = components_of(model->scene, measure, &count);
    bool is_plain = !components && measure->kind != THUD_MEASURE_PRESSURE_PROFILE;
    for (int i = 0; i < count && !is_plain; i++)
    {
        char number[16];
        (void)snprintf(number, sizeof number, "%d", i);
        THUD_TRY(
            thudi_model_add_name(model, measure->name, ".", components ? components[i] : number));
    }
    return is_plain ? thudi_model_add_name(model, measure->name, "", "") : THUD_OK;
}

bool thudi_measure_touch(const thud_model *model, const thud_view *view, int i, thud_touch *touch,
                         double *force)
{
    thud_multiplier one = view->state->multipliers[i];
    // thud_model_touches counts contacts that push; here those that glue pulls count too
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
    thudi_exact_four sums;
    double about[3], sum[4], force;
    thud_touch touch;
    for (int k = 0; k < 3; k++)
        about[k] = thudi_model_value(model, &measure->about[k], view->t);
    thudi_exact_four_clear(&sums);
    for (int i = 0; i < view->state->multiplier_count; i++)
    {
        if (!thudi_measure_touch(model, view, i, &touch, &force) ||
            !is_measured_wall(model->scene, measure, &touch))
            continue;
        const double arm[3] = {touch.to[0] - about[0], touch.to[1] - about[1],
                               touch.to[2] - about[2]};
        const double *n = touch.normal;
        thudi_exact_four_add(&sums, (four){force * (arm[1] * n[2] - arm[2] * n[1]),
                                           force * (arm[2] * n[0] - arm[0] * n[2]),
                                           force * (arm[0] * n[1] - arm[1] * n[0]), 0});
    }
    thudi_exact_four_values(&sums, sum);
    for (int k = model->scene->dim == 2 ? 2 : 0; k < 3; k++)
        *values++ = sum[k];
    return values;
}

static double packing_fraction(thud_model *model, const thud_scene_measure *measure,
                               const thud_view *view)
{
    const thud_scene *scene = model->scene;
    thudi_exact_sum sum = {.terms = 0};
    double volume = 1;
    for (int k = 0; k < scene->dim; k++)
        volume *= measure->high[k] - measure->low[k];
    thud_model_radii(model, view->t, model->series->radii);
    thudi_copies copies = thudi_model_copies(model, view->t);
    for (int i = 0; i < scene->body_count; i++)
    {
        double x[3];
        thudi_model_place(model, view->t, view->q, i, x);
        for (int m = 0; m < copies.count; m++)
        {
            const double *s = copies.shift[m];
            const double seen[3] = {x[0] + s[0], x[1] + s[1], x[2] + s[2]};
            thudi_exact_add(&sum, thudi_sphere_box(scene->dim, seen, model->series->radii[i],
                                                   measure->low, measure->high));
        }
    }
    return thudi_exact_value(&sum) / volume;
}

static bool is_in_box(const thud_scene_measure *measure, int dim, const double *x)
{
    for (int k = 0; k < dim; k++)
        if (!(x[k] >= measure->low[k] && x[k] <= measure->high[k]))
            return false;
    return true;
}

// Contacts per body: over all bodies, and over those that have any. A body without any is a
// rattler.
static double *write_coordination(thud_model *model, const thud_scene_measure *measure,
                                  const thud_view *view, double *values)
{
    const thud_scene *scene = model->scene;
    double *contacts = model->series->radii, sum = 0, force;
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
    case THUD_MEASURE_POSITION_OF:
    case THUD_MEASURE_VELOCITY_OF:
    case THUD_MEASURE_SPEED_OF:
    case THUD_MEASURE_HEIGHT_OF:
    case THUD_MEASURE_KINETIC_ENERGY_OF:
        return thudi_measure_bodies(model, measure, view, values);
    case THUD_MEASURE_FORCE_ON: // the walls' columns hold these two
    case THUD_MEASURE_COUNT_THROUGH:
        break;
    case THUD_MEASURE_TIME_WHEN: // written when all others are known
        return values + 1;
    }
    return values;
}
