// Measures of a body, or of several bodies together. With their masses m and M = sum m
//
//     X = sum m x / M,   V = sum m v / M,   height = X . up,
//     energies sum m |v|^2 / 2, M |V|^2 / 2
//
// Sums over bodies are exact, so they do not depend on the order of bodies.
#include "measure/model_measures.h"

#include "core/math/exact_four.h"

#include <math.h>

// scene->dim, bounded so that arrays of three numbers are visibly long enough.
static int axes_of(const thud_scene *scene)
{
    return scene->dim == 2 ? 2 : 3;
}

// The direction opposite to gravity at the start, or the last axis without gravity. Gravity is
// first divided by its largest part, so that up is exactly an axis where gravity is along one.
static void find_up(const thud_model *model, double up[3])
{
    int dim = axes_of(model->scene);
    double gravity[3], largest = 0, norm = 0;
    thudi_model_gravity(model, model->scene->start, gravity);
    for (int k = 0; k < dim; k++)
        largest = fmax(largest, fabs(gravity[k]));
    for (int k = 0; k < dim; k++)
    {
        up[k] = largest > 0 ? -gravity[k] / largest : k == dim - 1;
        norm += up[k] * up[k];
    }
    for (int k = 0; k < dim; k++)
        up[k] /= sqrt(norm);
}

static double dot(int dim, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += a[k] * b[k];
    return sum;
}

static bool is_measured(const thud_scene *scene, const thud_scene_measure *measure, int body)
{
    return measure->material < 0 || scene->bodies[body].material == measure->material;
}

// The mean of x over the bodies, weighted by their masses; for one body its own x.
static void find_mean(const thud_model *model, const thud_scene_measure *measure, const double *x,
                      double mean[3])
{
    const thud_scene *scene = model->scene;
    size_t dim = (size_t)axes_of(scene);
    thudi_exact_four sums; // of m x, and of m
    double sum[4];
    thudi_exact_four_clear(&sums);
    for (int i = 0; i < scene->body_count && measure->body < 0; i++)
    {
        const double *at = x + dim * (size_t)i;
        double m = model->problem.mass[dim * (size_t)i];
        if (is_measured(scene, measure, i))
            thudi_exact_four_add(&sums, (four){m * at[0], m * at[1], dim == 3 ? m * at[2] : 0, m});
    }
    thudi_exact_four_values(&sums, sum);
    for (size_t k = 0; k < dim; k++)
        mean[k] = measure->body < 0 ? sum[k] / sum[3] : x[dim * (size_t)measure->body + k];
}

static double *write_energies(const thud_model *model, const thud_scene_measure *measure,
                              const double *u, double *values)
{
    const thud_scene *scene = model->scene;
    size_t dim = (size_t)axes_of(scene);
    thudi_exact_four sums; // of m |v|^2, and of m
    double center[3], sum[4];
    bool is_one = measure->body >= 0;
    thudi_exact_four_clear(&sums);
    for (int i = is_one ? measure->body : 0; i < (is_one ? measure->body + 1 : scene->body_count);
         i++)
    {
        const double *v = u + dim * (size_t)i;
        double m = model->problem.mass[dim * (size_t)i];
        if (!is_one && !is_measured(scene, measure, i))
            continue;
        thudi_exact_four_add(&sums, (four){m * dot((int)dim, v, v), m, 0, 0});
    }
    thudi_exact_four_values(&sums, sum);
    *values++ = sum[0] / 2;
    if (is_one)
        return values;
    find_mean(model, measure, u, center);
    *values++ = sum[1] * dot((int)dim, center, center) / 2;
    return values;
}

double *thudi_measure_bodies(const thud_model *model, const thud_scene_measure *measure,
                             const thud_view *view, double *values)
{
    double mean[3], up[3];
    int dim = axes_of(model->scene);
    bool is_place =
        measure->kind == THUD_MEASURE_POSITION_OF || measure->kind == THUD_MEASURE_HEIGHT_OF;
    if (measure->kind == THUD_MEASURE_KINETIC_ENERGY_OF)
        return write_energies(model, measure, view->u, values);
    find_mean(model, measure, is_place ? view->q : view->u, mean);
    if (measure->kind == THUD_MEASURE_HEIGHT_OF)
    {
        find_up(model, up);
        *values++ = dot(dim, mean, up);
    }
    else if (measure->kind == THUD_MEASURE_SPEED_OF)
        *values++ = sqrt(dot(dim, mean, mean));
    else
        for (int k = 0; k < dim; k++)
            *values++ = mean[k];
    return values;
}
