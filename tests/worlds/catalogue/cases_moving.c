// Constraints that move: a piston, a plate, walls that close on a growing sphere, play.
#include "catalogue.h"

#include <string.h>

// --- a piston that starts, brakes and stops ------------------------------------------------

static const double piston_gravity = 3;

static double piston(double t)
{
    double s = fmin(t - 1, .5);
    return t < 1 ? t * t : 1 + 2 * s - 2 * s * s;
}

/// On the piston to t = 1, a parabola from there, and from t = 2 on the piston at rest.
static void exact_piston(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    double s = t - 1;
    (void)scene;
    *q = t < 1 ? t * t : (t < 2 ? 1 + s * (2 - 1.5 * s) : 1.5);
    *u = t < 1 ? 2 * t : (t < 2 ? 2 - 3 * s : 0);
    *mass = t < 1 ? 5 * t : (t < 2 ? 5 : 6 + 3 * (t - 2));
}

/// The multiplier of the step from t, x = (1 - t)/h steps before the piston brakes. It is half the
/// jump at first; the step that x falls in and the next one are worked out from the two parabolas.
static double piston_force(int n, double x)
{
    if (n == 1)
        return 4;
    if (x >= 1)
        return 5;
    if (x >= 0)
        return 2 + 6 * x - 3 * x * x;
    return x >= -1 ? fmax(0, 3 * (x + 1) * (x + 1) - 1) : 0;
}

/// The nodes are on the piston to t = 1, and the multiplier is known in every step of contact.
static void piston_closed_form(const cat_trial_step *step, void *user)
{
    double t = thud_state_time(step->after), x = (1 - step->t) / step->h;
    (void)user;
    if (t <= 1 + 1e-12)
        CHECK_NEAR(step->after->q[0], piston(t), 1e-14);
    if (t < 1.9)
        CHECK_NEAR(trial_impulse(step, 0) / step->h, piston_force(step->n, x), 1e-10);
    CHECK(step->after->q[0] >= piston(t) - 1e-15);
}

void case_V04(void)
{
    cat_scene scene = {.name = "V04",
                       .problem = {.dim = 1},
                       .pull = {-piston_gravity},
                       .end = 2.6,
                       .smooth = {.gap_tt = 4},
                       .plane_count = 1,
                       .planes = {{.count = 1, .slope = {1}, .sign = -1, .motion = piston}},
                       .exact = exact_piston,
                       .events = {1, 2},
                       .event_count = 2,
                       .c_u = 2.36,
                       .c_q = .87,
                       .c_mass = 2.50};
    scene_finish(&scene);
    scene_table(&scene, piston_closed_form, NULL);
    scene_measure(&scene, 65, piston_closed_form, NULL, NULL);  // t = 1 is a node
    scene_measure(&scene, 260, piston_closed_form, NULL, NULL); // and here
}

// --- a ball on an oscillating plate --------------------------------------------------------

static const double plate_gravity = 2, period = CATALOGUE_PI;

static double plate(double t)
{
    return sin(2 * t);
}

static double lift_off(void)
{
    return asin(plate_gravity / 4) / 2;
}

/// Height and velocity of the flight that begins at the first lift-off.
static void flight(double t, double *q, double *u)
{
    double s = t - lift_off(), speed = 2 * cos(2 * lift_off());
    *q = plate(lift_off()) + s * (speed - plate_gravity * s / 2);
    *u = speed - plate_gravity * s;
}

static double above_plate(double t, void *user)
{
    double q, u;
    (void)user;
    flight(t, &q, &u);
    return q - plate(t);
}

/// Mass of the contact from a to b: its density is G + a''.
static double contact_mass(double a, double b)
{
    return plate_gravity * (b - a) + 2 * (cos(2 * b) - cos(2 * a));
}

/// The events are lift-off and impact by turns, and everything repeats with the period.
static void exact_plate(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    const double *event = scene->events;
    double atom, unused;
    flight(event[1], &unused, &atom);
    atom = 2 * cos(2 * event[1]) - atom;
    *mass = contact_mass(0, fmin(t, event[0]));
    for (int k = 1; k < scene->event_count && event[k] <= t; k += 2)
        *mass +=
            atom + contact_mass(event[k], k + 1 < scene->event_count ? fmin(t, event[k + 1]) : t);
    *q = plate(t);
    *u = 2 * cos(2 * t);
    for (int k = 0; k + 1 < scene->event_count; k += 2)
        if (t > event[k] && t < event[k + 1])
            flight(k < 2 ? t : t - period, q, u);
}

void case_V05(void)
{
    cat_scene scene = {.name = "V05",
                       .problem = {.dim = 1},
                       .pull = {-plate_gravity},
                       .u = {2},
                       .end = 6,
                       .smooth = {.gap_tt = 4},
                       .plane_count = 1,
                       .planes = {{.count = 1, .slope = {1}, .sign = -1, .motion = plate}},
                       .exact = exact_plate,
                       .event_count = 4,
                       .c_u = 6.70,
                       .c_q = .92,
                       .c_mass = 11.7};
    double landing = find_root(above_plate, 1, 3, NULL), before[2], q, u, mass[2];
    double events[4] = {lift_off(), landing, lift_off() + period, landing + period};
    memcpy(scene.events, events, sizeof events);
    scene_finish(&scene);
    CHECK_NEAR(events[0], .261799387799, 1e-11);
    CHECK_NEAR(events[1], 2.591225125655, 1e-11);
    CHECK_NEAR(events[2], 3.403392041389, 1e-11);
    CHECK_NEAR(events[3], 5.732817779245, 1e-11);
    scene_exact(&scene, nextafter(landing, 0), &q, &u, before);
    scene_exact(&scene, landing, &q, &u, mass);
    CHECK_NEAR(mass[0] - before[0], 3.832682491628, 1e-11);
    scene_table(&scene, NULL, NULL);
}

// --- a sphere that grows between two walls -------------------------------------------------

cat_scene scene_growing_between_walls(void)
{
    // r = .2 + .3 t and |q| <= 1 - r, the wall on the right first
    cat_scene scene = {.name = "V09b",
                       .problem = {.dim = 1},
                       .q = {.4},
                       .end = 2.5,
                       .plane_count = 2,
                       .planes = {{.count = 1, .slope = {-1}, .offset = .8, .speed = -.3},
                                  {.count = 1, .slope = {1}, .offset = .8, .speed = -.3}},
                       .leg_count = 2,
                       .legs = {{.start = 0}, {.start = 4. / 3, .u = {-.3}, .atom = {.3}}},
                       .c_mass = .20};
    scene_finish(&scene);
    return scene;
}

void case_V09b(void)
{
    cat_scene scene = scene_growing_between_walls();
    scene_table(&scene, NULL, NULL);
}

/// The step that fails: the state is as it was, and the two walls prove that nothing fits.
static void look_for_proof(const cat_trial_step *step, void *user)
{
    const thud_state *before = step->before, *after = step->after;
    const thud_farkas *proof = &step->report->answer.farkas;
    if (step->status >= 0)
        return;
    *(int *)user = step->n;
    CHECK(step->status == THUD_ERR_INFEASIBLE);
    CHECK(after->n == before->n && after->q[0] == before->q[0] && after->u[0] == before->u[0]);
    CHECK(after->multiplier_count == before->multiplier_count);
    CHECK(after->t0 == before->t0 && after->h == before->h);
    REQUIRE(proof->y != NULL && thud_rows_count(step->report->rows) == 2);
    CHECK_NEAR(proof->y[0], .5, 1e-12);
    CHECK_NEAR(proof->y[1], .5, 1e-12);
    CHECK_NEAR(proof->residual, 0, 1e-15);
    CHECK_NEAR(proof->sum, .8 - .3 * (step->t + step->h), 1e-12);
    CHECK(proof->sum < 0);
    // the slopes are exactly opposite, so that no speed will do; a proof in doubled precision may
    // leave room for its own rounding
    CHECK(proof->radius > 1e20);
}

void case_V09c(void)
{
    static const int steps[] = {60, 61, 97, 128, 240, 333, 512, 1000};
    cat_scene scene = scene_growing_between_walls();
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    {
        int failed = 0, wanted = (int)floor(8 * steps[i] / 9.) + 1; // r > 1 from t = 8/3 on
        cat_trial trial = {.file = "V09c",
                           .problem = scene_problem(&scene),
                           .q = scene.q,
                           .u = scene.u,
                           .h = 3. / steps[i],
                           .steps = steps[i],
                           .fails = THUD_ERR_INFEASIBLE,
                           .look = look_for_proof,
                           .user = &failed};
        int made = trial_run(&trial, NULL);
        printf("N = %4d: infeasible at step %d, wanted %d\n", steps[i], failed, wanted);
        CHECK(failed == wanted && made == wanted - 1);
    }
}

// --- play: a point dragged by an interval, of first order ----------------------------------

static const double play_size = .9, play_radius = .35;

static double play(double t)
{
    return play_size * sin(2 * t);
}

/// Dragged up, held, dragged down, held, dragged up; events are the times between.
static void exact_play(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    const double *event = scene->events, top = play_size - play_radius;
    bool dragged = t > event[0] && (t < event[1] || t > event[2]) && (t < event[3] || t > event[4]);
    double side = t > event[2] && t < event[3] ? play_radius : -play_radius;
    *u = dragged ? 2 * play_size * cos(2 * t) : 0;
    *q = dragged ? play(t) + side : (t < event[0] ? 0 : (t < event[2] ? top : -top));
    mass[0] = t < event[1] ? *q : (t < event[4] ? top : 2 * top + *q);
    mass[1] = t < event[2] ? 0 : (t < event[3] ? top - *q : 2 * top);
}

/// The step is the play operator itself.
static void play_step(const cat_trial_step *step, void *user)
{
    double a = play(thud_state_time(step->after)), q = step->before->q[0];
    (void)user;
    CHECK_NEAR(step->after->q[0], fmin(fmax(q, a - play_radius), a + play_radius), 2.3e-16);
    CHECK(trial_impulse(step, 0) == 0 || trial_impulse(step, 1) == 0);
}

void case_V15b(void)
{
    double quarter = CATALOGUE_PI / 4, held = acos(1 - 2 * play_radius / play_size) / 2;
    cat_scene scene = {
        .name = "V15b",
        .problem = {.dim = 1, .order = THUD_FIRST_ORDER},
        .end = 3.5,
        .smooth = {.gap_tt = 4 * play_size},
        .plane_count = 2,
        .planes = {{.count = 1, .slope = {1}, .offset = play_radius, .sign = -1, .motion = play},
                   {.count = 1, .slope = {-1}, .offset = play_radius, .sign = 1, .motion = play}},
        .exact = exact_play,
        .events = {asin(play_radius / play_size) / 2, quarter, quarter + held, 3 * quarter,
                   3 * quarter + held},
        .event_count = 5};
    // Nodes are exact but for O(h^2) where a peak falls between them. So u_h is the mean of u over
    // the step, off by at most h/2 of the variation of u, which the three drags and their speed
    // of at most 1.8 bound by 3 x 3.6; q_h is off by h/4 of the largest jump; and the mass by
    // h^2 (3 jumps/8 + T |a''|/12 + 2 peaks |a''|/8 (T + 1)) = 5.8 h^2, with h <= .058.
    scene.c_u = 3 * 3.6 / 2;
    scene.c_q = 1.8 / 4;
    scene.c_mass = 5.8 * .058;
    scene_finish(&scene);
    scene_table(&scene, play_step, NULL);
}
