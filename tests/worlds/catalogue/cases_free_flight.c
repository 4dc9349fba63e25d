// Free flight: the mean of a force that is singular, a pulse, or changes with the position.
#include "catalogue.h"

// --- f = 1 / (2 sqrt t): u = sqrt t - 0.2 --------------------------------------------------

static int singular_force(double t, const double *q, double *f, void *user)
{
    (void)q, (void)user;
    *f = 1 / (2 * sqrt(t));
    return 0;
}

static int singular_impulse(double t, double t_next, const double *q, double *impulse, void *user)
{
    (void)q, (void)user;
    *impulse = sqrt(t_next) - sqrt(t);
    return 0;
}

static void exact_singular(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    (void)scene;
    *mass = 0;
    *u = -.2 + sqrt(t);
    *q = t * (-.2 + 2 * sqrt(t) / 3);
}

/// The velocity at every node is exact, because the mean force is.
static void nodal_velocity(const cat_trial_step *step, void *user)
{
    double tolerance = *(const double *)user;
    CHECK_NEAR(step->after->u[0], -.2 + sqrt(thud_state_time(step->after)), tolerance);
}

void case_V01a(void)
{
    static const double breaks[] = {0};
    // each of at most 512 means is right to 1e-12 of itself, and they sum to 1.14
    double by_quadrature = 2e-12, by_integral = 1e-13;
    cat_scene scene = {.name = "V01a",
                       .problem = {.dim = 1, .impulse = singular_impulse},
                       .u = {-.2},
                       .end = 1.3,
                       .exact = exact_singular,
                       .c_u = .56,
                       .c_q = .56};
    scene_table(&scene, nodal_velocity, &by_integral);
    scene.problem =
        (thud_inclusion){.dim = 1, .force = singular_force, .breaks = breaks, .break_count = 1};
    scene.name = "V01a-by-quadrature";
    scene_table(&scene, nodal_velocity, &by_quadrature);
}

// --- a unit pulse of length 1e-4 -----------------------------------------------------------

static const double pulse[] = {.4371, .4372};

static double pulse_so_far(double t)
{
    return fmin(fmax((t - pulse[0]) / (pulse[1] - pulse[0]), 0), 1);
}

static int pulse_force(double t, const double *q, double *f, void *user)
{
    (void)q, (void)user;
    *f = t > pulse[0] && t < pulse[1] ? 1 / (pulse[1] - pulse[0]) : 0;
    return 0;
}

static int pulse_impulse(double t, double t_next, const double *q, double *impulse, void *user)
{
    (void)q, (void)user;
    *impulse = pulse_so_far(t_next) - pulse_so_far(t);
    return 0;
}

static void exact_pulse(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    (void)scene;
    *mass = 0;
    *u = pulse_so_far(t);
    *q = fmax(t - pulse[1], 0) + *u * *u * (pulse[1] - pulse[0]) / 2;
}

void case_V01b(void)
{
    cat_scene scene = {.name = "V01b",
                       .problem = {.dim = 1, .impulse = pulse_impulse},
                       .end = 1.3,
                       .exact = exact_pulse,
                       .events = {pulse[0], pulse[1]},
                       .event_count = 2,
                       .c_u = .87,
                       .c_q = .87};
    scene_table(&scene, NULL, NULL);
    scene.problem =
        (thud_inclusion){.dim = 1, .force = pulse_force, .breaks = pulse, .break_count = 2};
    scene.name = "V01b-by-quadrature";
    scene_table(&scene, NULL, NULL);
}

// --- an oscillator, whose steps have a closed form -----------------------------------------

static const double omega = 3;

static int spring(double t, const double *q, double *f, void *user)
{
    (void)t, (void)user;
    *f = -omega * omega * *q;
    return 0;
}

static void exact_spring(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    double q0 = scene->q[0], u0 = scene->u[0];
    *mass = 0;
    *q = q0 * cos(omega * t) + u0 / omega * sin(omega * t);
    *u = u0 * cos(omega * t) - omega * q0 * sin(omega * t);
}

static void closed_form(const cat_trial_step *step, void *user)
{
    const cat_scene *scene = user;
    double h = step->h, q0 = scene->q[0];
    double q1 = q0 + h * (scene->u[0] - h * omega * omega * q0);
    double cosine = 1 - omega * omega * h * h / 2, sine = sqrt(1 - cosine * cosine);
    double angle = 2 * asin(omega * h / 2); // acos loses half its digits here
    double b = (q1 - q0 * cosine) / sine;
    CHECK_NEAR(step->after->q[0], q0 * cos(step->n * angle) + b * sin(step->n * angle), 1e-12);
}

void case_V01c(void)
{
    cat_scene scene = {.name = "V01c",
                       .problem = {.dim = 1, .force = spring, .force_is_steady = true},
                       .q = {1},
                       .u = {.5},
                       .end = 2,
                       .exact = exact_spring,
                       .c_u = 5.75,
                       .c_q = 1.56};
    scene_table(&scene, closed_form, &scene);
}
