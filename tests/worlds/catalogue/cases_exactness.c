// What one impact does to affine constraints without force, to roundoff.
#include "catalogue.h"

#include <string.h>

/// Nodes are exact. So the velocity of a step is the mean of u over it: theta u- + (1 - theta) u+
/// for an impact at (n + theta) h. And as the change of velocity tells the multipliers, the impulse
/// of a step is the mean of the cumulative mass over it less that over the step before: the atom
/// comes as 1 - theta of it in the impact step and theta in the next. An impact takes two steps.
typedef struct cat_exactness
{
    const cat_scene *scene;
    double mean[SCENE_ROWS], last_mean[SCENE_ROWS];
    double first_moment[SCENE_ROWS];
    double length; ///< of the step
    double worst_q, worst_u, worst_impulse;
} cat_exactness;

static void add_mean(double t, double weight, void *user)
{
    cat_exactness *e = user;
    double mass[SCENE_ROWS];
    scene_exact(e->scene, t, NULL, NULL, mass);
    for (int i = 0; i < e->scene->rows; i++)
        e->mean[i] += weight / e->length * mass[i];
}

static void look_at_multipliers(const cat_trial_step *step, cat_exactness *e)
{
    double impulse[SCENE_ROWS], next = thud_state_time(step->after);
    memcpy(e->last_mean, e->mean, sizeof e->mean);
    memset(e->mean, 0, sizeof e->mean);
    e->length = next - step->t;
    scene_points(e->scene, step->t, next, add_mean, e);
    scene_impulses(e->scene, step, impulse);
    for (int i = 0; i < e->scene->rows; i++)
    {
        double wanted = e->mean[i] - e->last_mean[i];
        e->worst_impulse = fmax(e->worst_impulse, fabs(impulse[i] - wanted));
        e->first_moment[i] += impulse[i] * (step->t + next) / 2;
    }
}

static void look_at_step(const cat_trial_step *step, void *user)
{
    cat_exactness *e = user;
    if (step->n == 1)
        *e = (cat_exactness){.scene = e->scene};
    int dim = e->scene->problem.dim;
    double q[SCENE_DIM], u[SCENE_DIM], next = thud_state_time(step->after);
    scene_exact(e->scene, step->t, u, NULL, NULL);
    scene_exact(e->scene, next, q, NULL, NULL);
    for (int i = 0; i < dim; i++)
        u[i] = (q[i] - u[i]) / step->h;
    e->worst_q = fmax(e->worst_q, distance(step->after->q, q, dim));
    e->worst_u = fmax(e->worst_u, distance(step->after->u, u, dim));
    look_at_multipliers(step, e);
}

/// The errors in closed form, from where each impact falls in its step.
static cat_scene_errors closed_errors(const cat_scene *scene, double h)
{
    cat_scene_errors errors = {0};
    for (int k = 1; k < scene->leg_count; k++)
    {
        const cat_leg *leg = &scene->legs[k];
        double theta = leg->start / h - floor(leg->start / h);
        double error = theta * (1 - theta) * h * distance(leg[0].u, leg[-1].u, scene->problem.dim);
        errors.u += 2 * error;
        errors.q = fmax(errors.q, error);
    }
    return errors;
}

/// The first moment of the multipliers is late by exactly half a step.
static double moment_error(const cat_exactness *e, double h)
{
    double worst = 0;
    for (int i = 0; i < e->scene->rows; i++)
    {
        double wanted = 0;
        for (int k = 0; k < e->scene->leg_count; k++)
            wanted += e->scene->legs[k].atom[i] * (e->scene->legs[k].start + h / 2);
        worst = fmax(worst, fabs(e->first_moment[i] - wanted));
    }
    return worst;
}

/// The largest jump of the velocity, and the largest atom.
static void impact_size(const cat_scene *scene, double *jump, double *atom)
{
    *jump = *atom = 0;
    for (int k = 1; k < scene->leg_count; k++)
    {
        const cat_leg *leg = &scene->legs[k];
        *jump = fmax(*jump, distance(leg[0].u, leg[-1].u, scene->problem.dim));
        for (int i = 0; i < scene->rows; i++)
            *atom = fmax(*atom, leg->atom[i]);
    }
}

/// Velocity and impulse are compared relative to the impact. They cannot be known better than the
/// rounding of the positions, half an ulp in every step before the impact, divided by h.
static void impact(cat_scene scene)
{
    static const int steps[] = {37, 200, 611};
    double jump, atom;
    impact_size(&scene, &jump, &atom);
    for (int i = 0; i < 3; i++)
    {
        double h = scene.end / steps[i];
        cat_exactness e = {.scene = &scene};
        cat_scene_errors errors = scene_measure(&scene, steps[i], look_at_step, &e, NULL);
        cat_scene_errors closed = closed_errors(&scene, h);
        printf("%-14s N = %3d: q %.1e, u %.1e, impulses %.1e, L1(u) %.1e, moment %.1e\n",
               scene.name, steps[i], e.worst_q, e.worst_u / jump, e.worst_impulse / atom,
               fabs(errors.u - closed.u), moment_error(&e, h));
        CHECK_AT_MOST(e.worst_q, 1e-11);
        CHECK_AT_MOST(e.worst_u / jump, 1e-11);
        CHECK_AT_MOST(e.worst_impulse / atom, 1e-11);
        CHECK_NEAR(errors.u, closed.u, 1e-11);
        CHECK_AT_MOST(errors.q, closed.q + 1e-11);
        CHECK_AT_MOST(moment_error(&e, h), 1e-11);
    }
}

void case_P1(void)
{
    impact(scene_corner("V06-40", 40));
    impact(scene_corner("V06-90", 90));
    impact(scene_corner("V06-130", 130));
    impact(scene_vertex("V06-vertex-50", 50));
    impact(scene_vertex("V06-vertex-140", 140));
    impact(scene_cradle("V07-equal", (double[]){1, 1, 1}));
    impact(scene_cradle("V07-123", (double[]){1, 2, 3}));
    impact(scene_squeeze());
    impact(scene_masses());
    impact(scene_growing_between_walls());
}
