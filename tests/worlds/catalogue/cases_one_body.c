// One body and one fixed plane: landing, an inadmissible start, lift-off by force, huge steps.
#include "catalogue.h"

// --- a ball falls on a floor ---------------------------------------------------------------

static const double gravity = 2;

static void exact_floor(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    (void)scene;
    *q = t < 1 ? 1 - t * t : 0;
    *u = t < 1 ? -2 * t : 0;
    *mass = t < 1 ? 0 : 2 * t; // the atom 2 at 1, then the weight
}

cat_scene scene_floor(void)
{
    cat_scene scene = {.name = "V02",
                       .problem = {.dim = 1},
                       .pull = {-gravity},
                       .q = {1},
                       .end = 1.7,
                       .plane_count = 1,
                       .planes = {{.count = 1, .slope = {1}}},
                       .exact = exact_floor,
                       .events = {1},
                       .event_count = 1,
                       .c_u = 2.24,
                       .c_q = 1.00,
                       .c_mass = .99};
    scene_finish(&scene);
    return scene;
}

/// The height after n steps without the floor.
static double fallen(double h, int n)
{
    return 1 - gravity * h * h * n * (n + 1) / 2;
}

/// q_n = max(0, free fall); two steps to stop; the floor has then taken all the momentum.
static void floor_closed_form(const cat_trial_step *step, void *user)
{
    double h = step->h, *total = user;
    double q = fmax(0, fallen(h, step->n)), q_before = fmax(0, fallen(h, step->n - 1));
    CHECK_NEAR(step->after->q[0], q, 1e-13);
    CHECK_NEAR(step->after->u[0], (q - q_before) / h, 2e-13 / h);
    if (q_before == 0)
        CHECK_NEAR(step->after->u[0], 0, 1e-13);
    *total = (step->n == 1 ? 0 : *total) + trial_impulse(step, 0);
    if (q == 0 && q_before == 0)
        CHECK_NEAR(*total, gravity * thud_state_time(step->after), 1e-12);
}

void case_V02(void)
{
    double total = 0;
    cat_scene scene = scene_floor();
    scene_table(&scene, floor_closed_form, &total);
}

/// With fixed constraints there is no step too long: 1, 0, 0, ...
static void huge_step(const cat_trial_step *step, void *user)
{
    (void)user;
    CHECK_NEAR(step->after->q[0], 0, 1e-15);
    CHECK_NEAR(step->after->u[0], step->n == 1 ? -1 / step->h : 0, 1e-15);
    CHECK(step->verdict && step->verdict->min_gap >= -1e-16);
}

void case_V25(void)
{
    static const int steps[] = {3, 5, 10};
    cat_scene scene = scene_floor();
    for (int i = 0; i < 3; i++)
    {
        cat_trial trial = {.file = "V25",
                           .problem = scene_problem(&scene),
                           .q = scene.q,
                           .u = scene.u,
                           .h = 10. / steps[i],
                           .steps = steps[i],
                           .look = huge_step};
        CHECK(trial_run(&trial, NULL) == steps[i]);
    }
}

// --- a start on the boundary with a velocity that leaves: the atom is at t = 0 -------------

void case_V14(void)
{
    cat_scene scene = {.name = "V14",
                       .problem = {.dim = 2},
                       .u = {1, -2},
                       .end = 1,
                       .plane_count = 1,
                       .planes = {{.count = 2, .index = {0, 1}, .slope = {.6, .8}}},
                       .leg_count = 1,
                       .legs = {{.start = 0, .u = {1.6, -1.2}, .atom = {1}}},
                       .c_mass = .5};
    scene_finish(&scene);
    scene_table(&scene, NULL, NULL);
    // the mass 1 at t = 0 is spread over the first step, and the error is just that
    for (int steps = 60; steps < 64; steps++)
        CHECK_NEAR(scene_measure(&scene, steps, NULL, NULL, NULL).mass, .5 / steps, 1e-13);
}

// --- a force that grows until it lifts the body off ----------------------------------------

static int growing_force(double t, const double *q, double *f, void *user)
{
    (void)q, (void)user;
    *f = t - 1;
    return 0;
}

static void exact_lift_off(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    double s = fmax(t - 1, 0);
    (void)scene;
    *q = s * s * s / 6;
    *u = s * s / 2;
    *mass = t < 1 ? t - t * t / 2 : .5;
}

void case_V21(void)
{
    cat_scene scene = {.name = "V21",
                       .problem = {.dim = 1, .force = growing_force},
                       .end = 2.2,
                       .plane_count = 1,
                       .planes = {{.count = 1, .slope = {1}}},
                       .exact = exact_lift_off,
                       .events = {1},
                       .event_count = 1,
                       .c_u = .36,
                       .c_q = .36,
                       .c_mass = .006};
    scene_finish(&scene);
    scene_table(&scene, NULL, NULL);
}
