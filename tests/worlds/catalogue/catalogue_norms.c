// Errors of a scene in three norms, and the table of them against the step.
#include "catalogue.h"

#include <string.h>

void scene_points(const cat_scene *scene, double a, double b, point_fn *visit, void *user)
{
    for (int i = 0; i < scene->event_count; i++)
    {
        double event = scene->events[i];
        if (event <= a || event >= b)
            continue;
        gauss_points(a, event, visit, user);
        a = event;
    }
    gauss_points(a, b, visit, user);
}

typedef struct cat_measurement
{
    const cat_scene *scene;
    look_fn *look;
    void *user;
    const cat_trial_step *step;
    double impulse[SCENE_ROWS]; ///< h lambda of this step
    double mass[SCENE_ROWS];    ///< cumulative, at the start of this step
    double mass_error[SCENE_ROWS];
    cat_scene_errors errors;
} cat_measurement;

/// The discrete solution at t: q_h and the cumulative mass are affine, u_h is constant.
static void discrete(const cat_measurement *m, double t, double *q, double *mass)
{
    const cat_trial_step *step = m->step;
    double part = (t - step->t) / step->h;
    for (int i = 0; i < m->scene->problem.dim; i++)
        q[i] = step->before->q[i] + part * (step->after->q[i] - step->before->q[i]);
    for (int i = 0; i < scene_measured(m->scene); i++)
        mass[i] = m->mass[i] + part * m->impulse[i];
}

static void measure_point(double t, double weight, void *user)
{
    cat_measurement *m = user;
    int dim = m->scene->problem.dim;
    double q[SCENE_DIM], u[SCENE_DIM], mass[SCENE_ROWS] = {0};
    double q_h[SCENE_DIM], mass_h[SCENE_ROWS] = {0};
    scene_exact(m->scene, t, q, u, mass);
    discrete(m, t, q_h, mass_h);
    m->errors.u += weight * distance(m->step->after->u, u, dim);
    m->errors.q = fmax(m->errors.q, distance(q_h, q, dim));
    for (int i = 0; i < scene_measured(m->scene); i++)
        m->mass_error[i] += weight * fabs(mass_h[i] - mass[i]);
}

static void measure_step(const cat_trial_step *step, void *user)
{
    cat_measurement *m = user;
    if (step->status < 0)
        return;
    m->step = step;
    scene_impulses(m->scene, step, m->impulse);
    double next = thud_state_time(step->after);
    scene_points(m->scene, step->t, next, measure_point, m);
    measure_point(next, 0, m);
    for (int i = 0; i < scene_measured(m->scene); i++)
        m->mass[i] += m->impulse[i];
    if (m->look)
        m->look(step, m->user);
}

static cat_scene_errors measure(const cat_scene *scene, cat_trial trial, look_fn *look, void *user,
                                unsigned *news)
{
    double mass[SCENE_ROWS] = {0};
    cat_measurement m = {.scene = scene, .look = look, .user = user};
    trial.look = measure_step;
    trial.user = &m;
    if (trial_take(&trial, news) < trial.steps)
        return (cat_scene_errors){NAN, NAN, NAN};
    scene_exact(scene, trial.steps * trial.h, NULL, NULL, mass);
    for (int i = 0; i < scene_measured(scene); i++)
        m.errors.mass = fmax(m.errors.mass, m.mass_error[i] + fabs(m.mass[i] - mass[i]));
    return m.errors;
}

/// The sines of a scene file are Thud's own, the others the C library's: equal but for roundoff.
static void check_same(double error, double wanted)
{
    CHECK_NEAR(error, wanted, 1e-9 * wanted + 1e-13);
}

cat_scene_errors scene_measure(cat_scene *scene, int steps, look_fn *look, void *user,
                               unsigned *news)
{
    char name[40];
    (void)snprintf(name, sizeof name, "%s%s", scene->name, scene->keys_reversed ? "-reversed" : "");
    cat_trial trial = {.file = name,
                       .problem = scene_problem(scene),
                       .q = scene->q,
                       .u = scene->u,
                       .h = scene->end / steps,
                       .steps = steps,
                       .news = scene->news,
                       .waived = scene->waived};
    cat_scene_errors errors = measure(scene, trial, look, user, news);
    cat_file *file = file_open(&trial);
    if (file)
    {
        cat_scene_errors same = measure(scene, trial, look, user, news);
        check_same(same.u, errors.u);
        check_same(same.q, errors.q);
        check_same(same.mass, errors.mass);
    }
    file_close(file);
    return errors;
}

/// Print one error and its ratio to C h, check it, keep the worst ratio. Where C is 0 the answer
/// must be exact, and the ratio is to the roundoff allowed.
static void judge(double error, double c, double h, double *worst)
{
    const double roundoff = 1e-12;
    double ratio = c > 0 ? error / (c * h) : error / roundoff;
    printf("  %9.2e %6.3f", error, ratio);
    if (c > 0)
        CHECK_AT_MOST(error, 1.5 * c * h);
    else
        CHECK_AT_MOST(error, roundoff);
    *worst = fmax(*worst, ratio);
}

unsigned scene_table(cat_scene *scene, look_fn *look, void *user)
{
    static const int steps[] = {61, 64, 97, 128, 201, 333, 512};
    double worst[3] = {0, 0, 0};
    unsigned news = 0;
    printf("%s: C = %.4g (u), %.4g (q), %.4g (multipliers)\n", scene->name, scene->c_u, scene->c_q,
           scene->c_mass);
    printf("   N         h     L1(u)    /Ch    Linf(q)    /Ch      E_lam    /Ch\n");
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    {
        double h = scene->end / steps[i];
        cat_scene_errors errors = scene_measure(scene, steps[i], look, user, &news);
        printf("%4d %9.2e", steps[i], h);
        judge(errors.u, scene->c_u, h, &worst[0]);
        judge(errors.q, scene->c_q, h, &worst[1]);
        if (scene_measured(scene) > 0)
            judge(errors.mass, scene->c_mass, h, &worst[2]);
        printf("\n");
    }
    printf("worst %s  %.3f %.3f %.3f  (at most 1.5)\n", scene->name, worst[0], worst[1], worst[2]);
    return news;
}
