// Flow through a polygon: centres move in straight lines within a step, which give the crossing
// points.
#include "measure/model_measures.h"

#include "core/math/exact_sum.h"

static double height(const thud_scene_measure *measure, int dim, const double *x)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += measure->normal[k] * (x[k] - measure->corners[k]);
    return sum;
}

// Is a point of the plane on the inner side of all edges? The border is inside.
static bool is_inside_polygon(const thud_scene_measure *measure, const double *x)
{
    const double *n = measure->normal;
    for (int i = 0; i < measure->corner_count; i++)
    {
        const double *a = measure->corners + 3 * (size_t)i;
        const double *b = measure->corners + 3 * (size_t)((i + 1) % measure->corner_count);
        double e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
        double inwards[3] = {n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2],
                             n[0] * e[1] - n[1] * e[0]};
        if (inwards[0] * (x[0] - a[0]) + inwards[1] * (x[1] - a[1]) + inwards[2] * (x[2] - a[2]) <
            0)
            return false;
    }
    return true;
}

static bool is_inside_segment(const thud_scene_measure *measure, const double *x)
{
    const double *a = measure->corners, *b = a + 2;
    double along = (b[0] - a[0]) * (x[0] - a[0]) + (b[1] - a[1]) * (x[1] - a[1]);
    double back = (a[0] - b[0]) * (x[0] - b[0]) + (a[1] - b[1]) * (x[1] - b[1]);
    return along >= 0 && back >= 0;
}

// Did the centre go through the polygon on its way to x? It has come from x - moved.
static bool is_through(const thud_scene_measure *measure, int dim, const double *x,
                       const double *moved)
{
    double rise = 0, now = height(measure, dim, x), point[3] = {0, 0, 0};
    for (int k = 0; k < dim; k++)
        rise += measure->normal[k] * moved[k];
    double back = rise != 0 ? now / rise : 0; // as a part of the way in this step
    back = back < 0 ? 0 : back > 1 ? 1 : back;
    for (int k = 0; k < dim; k++)
        point[k] = x[k] - back * moved[k];
    return dim == 3 ? is_inside_polygon(measure, point) : is_inside_segment(measure, point);
}

double *thudi_measure_flow(thud_model *model, int measure, const thud_view *view, double *values)
{
    const thud_scene *scene = model->scene;
    const thud_scene_measure *what = &scene->measures[measure];
    size_t dim = (size_t)scene->dim;
    signed char *sides = model->series->sides + (size_t)measure * (size_t)scene->body_count;
    thudi_exact_sum carried = {.terms = 0}; // exact, so that the order of bodies does not count
    thudi_exact_add(&carried, model->series->carried[measure]);
    for (int i = 0; i < scene->body_count; i++)
    {
        const double *x = view->q + dim * (size_t)i;
        signed char now = height(what, scene->dim, x) >= 0 ? 1 : -1;
        if (view->report && sides[i] != 0 && sides[i] != now)
        {
            double moved[3] = {0, 0, 0};
            for (size_t k = 0; k < dim; k++)
                moved[k] = view->state->h * view->report->move[dim * (size_t)i + k];
            if (is_through(what, scene->dim, x, moved))
            {
                model->series->crossed[measure] += now;
                thudi_exact_add(&carried, now * view->problem->mass[dim * (size_t)i]);
            }
        }
        sides[i] = now;
    }
    model->series->carried[measure] = thudi_exact_value(&carried);
    *values++ = model->series->crossed[measure];
    *values++ = model->series->carried[measure];
    return values;
}
