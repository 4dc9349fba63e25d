// Curved constraints: hits, slides and exits on discs, from outside, from inside and between two.
#include "catalogue.h"

// --- a hit on a disc from outside, then a straight line ------------------------------------

static cat_scene disc_hit(const char *name, cat_disc_shape shape, double atom)
{
    cat_scene scene = {
        .name = name,
        .problem = {.dim = 2},
        .q = {-2, .6},
        .u = {1, 0},
        .end = 4,
        .disc_count = 1,
        .discs = {{.radius = 1, .shape = shape}},
        .leg_count = 2,
        .legs = {{.start = 0, .u = {1, 0}}, {.start = 1.2, .u = {.36, .48}, .atom = {atom}}}};
    scene_finish(&scene);
    return scene;
}

void case_V10(void)
{
    cat_scene scene = disc_hit("V10", OUTSIDE, .8);
    scene.c_u = 1.56; // measured: nodes are not exact
    scene.c_q = 1.39;
    scene.c_mass = 2.28;
    scene_table(&scene, NULL, NULL);
}

void case_V10_squared(void)
{
    cat_scene scene = disc_hit("V10-squared", OUTSIDE_SQUARED, .4);
    scene.c_u = 1.62;
    scene.c_q = 1.39;
    scene.c_mass = 1.38;
    scene_table(&scene, NULL, NULL);
}

// --- inside a disc: concave, outside the theory --------------------------------------------

static void exact_cavity(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    double angle = asin(.6) - .6 * (t - .8);
    (void)scene;
    if (t < .8)
    {
        q[0] = t;
        q[1] = .6;
        u[0] = 1;
        u[1] = mass[0] = 0;
        return;
    }
    q[0] = cos(angle);
    q[1] = sin(angle);
    u[0] = .6 * sin(angle);
    u[1] = -.6 * cos(angle);
    mass[0] = .8 + .36 * (t - .8);
}

/// Feasibility is lost by the sagitta of one step and does not add up; the step says so.
static void cavity_step(const cat_trial_step *step, void *user)
{
    double sagitta = step->h * step->h * .36 / 2;
    bool flagged = step->report->news & THUD_NEWS_NOT_CONVEX;
    (void)user;
    CHECK(step->verdict->min_gap >= -1.1 * sagitta);
    // before the hit g falls short of its linearisation too, for any motion across the radius
    CHECK(flagged == (step->report->defect > 0));
    CHECK(!flagged || thud_key_same(step->report->defect_key, thud_key_number(0)));
    CHECK(flagged);
}

void case_V11(void)
{
    cat_scene scene = {.name = "V11",
                       .problem = {.dim = 2},
                       .q = {0, .6},
                       .u = {1, 0},
                       .end = 4,
                       .disc_count = 1,
                       .discs = {{.radius = 1, .shape = INSIDE}},
                       .exact = exact_cavity,
                       .events = {.8},
                       .event_count = 1,
                       .c_u = .68,
                       .c_q = .19,
                       .c_mass = 1.32,
                       .news = THUD_NEWS_NOT_CONVEX,
                       .waived = 1u << THUD_CERT_NO_OVERLAP | 1u << THUD_CERT_BETWEEN};
    scene_finish(&scene);
    CHECK(scene_table(&scene, cavity_step, NULL) == THUD_NEWS_NOT_CONVEX);
}

// --- sliding off the top of a disc ---------------------------------------------------------

static const double top_speed = .5;

static double slide_speed(double angle)
{
    return sqrt(top_speed * top_speed + 2 * (1 - cos(angle)));
}

static double slide_slowness(double angle, void *user)
{
    (void)user;
    return 1 / slide_speed(angle);
}

static double slide_density(double angle, void *user)
{
    (void)user;
    return (3 * cos(angle) - 2 - top_speed * top_speed) / slide_speed(angle);
}

static double slide_time(double angle)
{
    return integrate(slide_slowness, 0, angle, 8, NULL);
}

static double slide_angle(double t)
{
    double angle = top_speed * t; // from below, where Newton's steps do not overshoot
    for (int i = 0; i < 8; i++)
        angle += (t - slide_time(angle)) * slide_speed(angle);
    return angle;
}

static void exact_slide(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    double off = scene->events[0], fall = fmax(t - off, 0);
    double angle = t < off ? slide_angle(t) : acos(.75), speed = slide_speed(angle);
    u[0] = speed * cos(angle);
    u[1] = -speed * sin(angle);
    q[0] = sin(angle) + u[0] * fall;
    q[1] = cos(angle) + (u[1] - fall / 2) * fall;
    u[1] -= fall;
    mass[0] = integrate(slide_density, 0, angle, 8, NULL);
}

void case_V12(void)
{
    double end_mass[SCENE_ROWS];
    cat_scene scene = {.name = "V12",
                       .problem = {.dim = 2},
                       .pull = {0, -1},
                       .q = {0, 1},
                       .u = {top_speed, 0},
                       .end = 2.2,
                       .disc_count = 1,
                       .discs = {{.radius = 1}},
                       .exact = exact_slide,
                       .events = {slide_time(acos(.75))},
                       .event_count = 1,
                       .c_u = .42,
                       .c_q = .05,
                       .c_mass = 1.37};
    scene_finish(&scene);
    scene_exact(&scene, scene.end, NULL, NULL, end_mass);
    CHECK_NEAR(scene.events[0], 1.167742584061, 1e-11);
    CHECK_NEAR(end_mass[0], .622208864782, 1e-11);
    scene_table(&scene, NULL, NULL);
}

// --- a walker and a pillar, of first order -------------------------------------------------

static const double pillar_start = 2.8;

static int walk(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    f[0] = 1;
    f[1] = 0;
    return 0;
}

static double pillar_mass(double angle)
{
    return log(sin(angle) / sin(pillar_start));
}

static void exact_pillar(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    double past = fmax(t - scene->events[0], 0);
    double angle = past > 0 ? CATALOGUE_PI / 2 : 2 * atan(tan(pillar_start / 2) * exp(-t));
    q[0] = cos(angle) + past;
    q[1] = sin(angle);
    u[0] = sin(angle) * sin(angle);
    u[1] = -sin(angle) * cos(angle);
    mass[0] = pillar_mass(angle);
}

/// The error of the velocity at the part s of a step, tangential and normal, over h sin(angle).
static double velocity_error_within(double s, void *user)
{
    double angle = *(const double *)user, late = pillar_mass(angle) / 2 + s;
    return hypot(cos(angle) * late, sin(angle) * (late - .5));
}

static double velocity_error(double angle, void *user)
{
    (void)user;
    return integrate(velocity_error_within, 0, 1, 4, &angle);
}

static double multiplier_error(double angle, void *user)
{
    const cat_scene *scene = user;
    double left = log(tan(angle / 2)); // time to the exit
    return sin(angle) * pillar_mass(angle) * (scene->end + 1 - scene->events[0] + left) / 2;
}

/// The constants, by the leading term of the error. On the pillar the scheme is Euler's for
/// angle' = -sin(angle): it is late by e = (h/2) sin(angle) L, L = ln(sin(angle) / sin(start)). So
/// q is late by at most e at the exit, and stays so. The velocity is that of an angle late by
/// e + s h sin(angle) at the part s of the step, as it is taken at the start of the step; the angle
/// turns it by cos(angle) along the pillar and sin(angle) away from it; and it goes towards the
/// pillar by (h/2) sin^2(angle), to undo the distance that the last step left. In lambda the last
/// two cancel in the mean and sin(angle) e is left. All is integrated in time, dt =
/// -d(angle) / sin(angle).
static void pillar_constants(cat_scene *scene)
{
    double exit = CATALOGUE_PI / 2;
    scene->c_q = pillar_mass(exit) / 2;
    scene->c_u = integrate(velocity_error, exit, pillar_start, 20, NULL);
    scene->c_mass = integrate(multiplier_error, exit, pillar_start, 20, scene);
}

void case_V15a(void)
{
    cat_scene scene = {
        .name = "V15a",
        .problem = {.dim = 2, .order = THUD_FIRST_ORDER, .force = walk, .force_is_steady = true},
        .q = {cos(pillar_start), sin(pillar_start)},
        .end = 2.5,
        .disc_count = 1,
        .discs = {{.radius = 1}},
        .exact = exact_pillar,
        .events = {log(tan(pillar_start / 2))},
        .event_count = 1};
    CHECK_NEAR(scene.events[0], 1.757493, 1e-6);
    scene_finish(&scene);
    pillar_constants(&scene);
    scene_table(&scene, NULL, NULL);
}

// --- a ball lands in the notch between two discs -------------------------------------------

static void exact_notch(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    (void)scene;
    q[0] = u[0] = 0;
    q[1] = t < 1 ? 1.8 - t * t : .8;
    u[1] = t < 1 ? -2 * t : 0;
    mass[0] = mass[1] = t < 1 ? 0 : 1.25 * t; // atom and density are equal
}

cat_scene scene_notch(void)
{
    cat_scene scene = {
        .name = "V23",
        .problem = {.dim = 2},
        .pull = {0, -2},
        .q = {0, 1.8},
        .end = 1.7,
        .disc_count = 2,
        .discs = {{.centre = {-.6, 0}, .radius = 1}, {.centre = {.6, 0}, .radius = 1}},
        .exact = exact_notch,
        .events = {1},
        .event_count = 1,
        .c_u = 2.25,
        .c_q = 1.00,
        .c_mass = 1.08};
    scene_finish(&scene);
    return scene;
}

void case_V23(void)
{
    cat_scene scene = scene_notch();
    scene_table(&scene, NULL, NULL);
}
