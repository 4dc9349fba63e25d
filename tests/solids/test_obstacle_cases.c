// Bodies and obstacles whose motion is known exactly.
#include "obstacle_rig.h"

// A disc of radius .1 and one obstacle in the plane, of which `exact` knows the path; returns the
// largest error at nodes over h.
static double follow(const char *name, const thud_obstacle_def *obstacles, int count,
                     const double start[4], double gravity, double end, int steps,
                     void (*exact)(double t, double x[2]), obstacle_rig *rig)
{
    thud_world_def def = {.dim = 2, .h = end / steps, .gravity = {0, -gravity}};
    double worst = 0;
    if (!obstacle_rig_open(rig, &def))
        return INFINITY;
    obstacle_rig_ball(rig, .1, start[0], start[1], 0, start[2], start[3], 0);
    for (int k = 0; k < count; k++)
        obstacle_rig_add(rig, &obstacles[k]);
    CHECK(obstacle_rig_prepare(rig) == THUD_OK);
    for (int i = 0; i < steps && obstacle_rig_steps(rig, 1); i++)
    {
        double x[2];
        exact(thud_state_time(rig->state), x);
        double error = hypot(rig->state->q[0] - x[0], rig->state->q[1] - x[1]);
        worst = error > worst ? error : worst;
    }
    printf("%s: %d steps, error %.3g h, smallest gap %.2g, rounds <= %d\n", name, steps,
           worst / def.h, rig->min_gap, rig->most_rounds);
    return worst / def.h;
}

static void hit(double t, double x[2])
{
    x[0] = t < 1.2 ? t - 2 : -.8 + .36 * (t - 1.2);
    x[1] = t < 1.2 ? .6 : .6 + .48 * (t - 1.2);
}

// V10: a hit on a disc, then a straight line.
static void disc_hit(void)
{
    thud_obstacle_def disc = {.solid = {.kind = THUD_BALL, .radius = .9}};
    for (int steps = 61; steps <= 512; steps += 97)
    {
        obstacle_rig rig;
        double error = follow("V10", &disc, 1, (double[]){-2, .6, 1, 0}, 0, 4, steps, hit, &rig);
        CHECK_AT_MOST(error, 1.5 * 1.39);
        CHECK_NEAR(rig.state->u[0], .36, 1.6 * 4 / steps);
        CHECK_NEAR(rig.state->u[1], .48, 1.6 * 4 / steps);
        CHECK_NEAR(rig.impulse, .8, 2.28 * 4 / steps);
        obstacle_rig_close(&rig);
    }
}

static void slide_inside(double t, double x[2])
{
    double angle = asin(.6) - .6 * (t - .8);
    x[0] = t < .8 ? t : cos(angle);
    x[1] = t < .8 ? .6 : sin(angle);
}

// V11: inside a disc. Every step is the nearest point of the disc to where the body would go, so
// nodes are known at every h; the path converges to the slide along the circle, and no gap is ever
// negative.
static void cavity(thud_solid_kind kind)
{
    thud_obstacle_def disc = {.solid = {.kind = kind, .radius = 1.1, .points = {{0}, {0, 0, 1}}}};
    disc.solid.is_open = true;
    for (int steps = 61; steps <= 512; steps += 97)
    {
        obstacle_rig rig;
        double start[4] = {0, .6, 1, 0}, h = 4.0 / steps;
        double error = follow("V11", &disc, 1, start, 0, 4, steps, slide_inside, &rig);
        double q[2] = {0, .6}, u[2] = {1, 0}, keep = 1 - 2e-8 * .1;
        for (int i = 0; i < steps; i++)
        {
            double x = q[0] + h * u[0], y = q[1] + h * u[1], length = hypot(x, y);
            double scale = length > keep ? keep / length : 1;
            u[0] = (x * scale - q[0]) / h;
            u[1] = (y * scale - q[1]) / h;
            q[0] = x * scale;
            q[1] = y * scale;
        }
        CHECK_NEAR(rig.state->q[0], q[0], 1e-11);
        CHECK_NEAR(rig.state->q[1], q[1], 1e-11);
        CHECK_AT_MOST(error, 2.8);
        CHECK(rig.min_gap > 0 && rig.min_gap < 1e-8);
        CHECK_NEAR(rig.impulse, .8 + .36 * 3.2, 4 * h);
        obstacle_rig_close(&rig);
    }
}

static void inside_a_disc(void)
{
    cavity(THUD_INSIDE_BALL);
}

static void inside_a_drum(void)
{
    cavity(THUD_INSIDE_DRUM);
}

// V12: sliding down from the top of a disc at speed 1/2; cos theta_d = 3/4 where it leaves, at
// t_d = 1.1677, then a parabola.
static void slide_off(double t, double x[2])
{
    double at = 1.167742584061, angle = 0, speed = .5, step = 1e-4, s = 0;
    while (s < (t < at ? t : at)) // theta'' = sin theta
    {
        double dt = (t < at ? t : at) - s < step ? (t < at ? t : at) - s : step;
        double middle = angle + dt / 2 * speed, slope = speed + dt / 2 * sin(angle);
        speed += dt * sin(middle);
        angle += dt * slope;
        s += dt;
    }
    double after = t > at ? t - at : 0;
    x[0] = sin(angle) + speed * cos(angle) * after;
    x[1] = cos(angle) - speed * sin(angle) * after - after * after / 2;
}

static void slide_off_a_disc(void)
{
    thud_obstacle_def disc = {.solid = {.kind = THUD_BALL, .radius = .9}};
    for (int steps = 61; steps <= 512; steps += 97)
    {
        obstacle_rig rig;
        double h = 2.2 / steps;
        double error =
            follow("V12", &disc, 1, (double[]){0, 1, .5, 0}, 1, 2.2, steps, slide_off, &rig);
        CHECK_AT_MOST(error, 1.5 * .05);
        CHECK_NEAR(rig.impulse, .622208864782, 1.5 * 1.37 * h);
        obstacle_rig_close(&rig);
    }
}

static void notch_fall(double t, double x[2])
{
    x[0] = 0;
    x[1] = t < 1 ? 1.8 - t * t : .8;
}

// V23: a fall into the notch between two discs, at rest on both.
static void notch(void)
{
    thud_obstacle_def discs[2] = {{.solid = {.kind = THUD_BALL, .radius = .9}},
                                  {.solid = {.kind = THUD_BALL, .radius = .9}}};
    discs[0].pose.position[0] = -.6; // by its pose, and by its shape
    discs[1].solid.points[0][0] = .6;
    for (int steps = 61; steps <= 512; steps += 97)
    {
        obstacle_rig rig;
        double start[4] = {0, 1.8, 0, 0}, h = 1.7 / steps;
        double error = follow("V23", discs, 2, start, 2, 1.7, steps, notch_fall, &rig);
        CHECK_AT_MOST(error, 1.5 * 1.0);
        CHECK_NEAR(rig.impulse, 2 * (1.25 + .7 * 1.25), 3 * h);
        const thud_report *report = thud_work_report(rig.work);
        REQUIRE(thud_rows_count(report->rows) == 2);
        CHECK_NEAR(report->answer.mu[0] / h, 1.25, 1e-5);
        CHECK_NEAR(report->answer.mu[1] / h, 1.25, 1e-5);
        thud_contacts contacts;
        CHECK(thud_world_contacts(rig.world, report, &contacts) == THUD_OK && contacts.count == 2);
        CHECK(contacts.a[0] == 0 && contacts.b[0] == THUD_OBSTACLE(0));
        CHECK(contacts.b[1] == THUD_OBSTACLE(1) && THUD_OBSTACLE(contacts.b[1]) == 1);
        CHECK_NEAR(contacts.normal[3], -.6, 1e-6); // of the second: up and to the left
        CHECK_NEAR(contacts.normal[4], .8, 1e-6);
        obstacle_rig_close(&rig);
    }
}

// A wall through the origin turns at speed 1 and flings a bead that lies on it, at the distance p
// along it: p'' = p, so p = cosh t + r sinh t if it starts at rest beside the wall's speed.
static void bead(double t, double x[2])
{
    double along = cosh(t) + .1 * sinh(t);
    x[0] = along * cos(t) - .1 * sin(t);
    x[1] = along * sin(t) + .1 * cos(t);
}

static void turning_wall(void)
{
    double speed = 1;
    thud_obstacle_def wall = {
        .solid = {.kind = THUD_BOX,
                  .points = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, 0, INFINITY}}},
        .motion = obstacle_rig_turn,
        .user = &speed,
        .smooth = {.gap_tt = 10, .gap_tq = 1}};
    thud_obstacle_def blade = wall;
    blade.solid = (thud_solid_def){.kind = THUD_BOX, .points = {{-1, -.2, -1}, {9, 0, 1}}};
    double before = INFINITY;
    for (int steps = 50; steps <= 800; steps *= 2)
    {
        obstacle_rig rig;
        double start[4] = {1, .1, 0, 1};
        double error = follow("turning wall", &wall, 1, start, 0, 2, steps, bead, &rig) * 2 / steps;
        CHECK_AT_MOST(error, 9.0 / steps);
        CHECK_AT_MOST(error, .6 * before); // first order
        // the work that the wall does is the energy of the bead
        double along = sinh(2) + .1 * cosh(2) - .1, across = cosh(2) + .1 * sinh(2);
        CHECK_NEAR(hypot(rig.state->u[0], rig.state->u[1]), hypot(along, across), 30.0 / steps);
        CHECK(thud_work_report(rig.work)->between < 1e-1);
        before = error;
        obstacle_rig_close(&rig);
        CHECK_NEAR(follow("turning wall", &blade, 1, start, 0, 2, steps, bead, &rig) * 2 / steps,
                   error, 1e-9);
        obstacle_rig_close(&rig);
    }
}

// A ball at rest in a cone: two thirds of its weight from three sides, or what the cuts make of it;
// it stays, and the cone carries it.
static void rest_in_a_cone(void)
{
    obstacle_rig rig;
    thud_world_def def = {.h = .01, .gravity = {0, 0, -1}};
    thud_obstacle_def cone = {
        .solid = {.kind = THUD_INSIDE_CONE, .points = {{0}, {0, 0, 1}}, .radius = 1}};
    REQUIRE(obstacle_rig_open(&rig, &def));
    obstacle_rig_ball(&rig, .1, .05, .02, .4, 0, 0, 0);
    obstacle_rig_add(&rig, &cone);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    CHECK(obstacle_rig_steps(&rig, 3000));
    CHECK_NEAR(rig.state->q[0], 0, 1e-4);
    CHECK_NEAR(rig.state->q[1], 0, 1e-4);
    CHECK_NEAR(rig.state->q[2], .1 * sqrt(2), 1e-4);
    obstacle_rig_close(&rig);
}

// Free flight beside obstacles is untouched, to the last bit.
static void free_flight(void)
{
    obstacle_rig rig;
    thud_world_def def = {.h = .01, .gravity = {0, 0, -1}};
    thud_obstacle_def far = {.solid = {.kind = THUD_CAPSULE, .points = {{5}, {5, 5, 5}}}};
    REQUIRE(obstacle_rig_open(&rig, &def));
    obstacle_rig_ball(&rig, .1, 0, 0, 0, 1, .5, 2);
    obstacle_rig_add(&rig, &far);
    CHECK(obstacle_rig_prepare(&rig) == THUD_OK);
    double q = 0, u = 2;
    for (int i = 0; i < 300 && obstacle_rig_steps(&rig, 1); i++)
    {
        u = u + def.h * -1;
        q = fma(def.h, u, q);
    }
    CHECK(rig.state->q[2] == q && rig.state->u[2] == u);
    obstacle_rig_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"disc-hit", disc_hit},
        {"inside-a-disc", inside_a_disc},
        {"inside-a-drum", inside_a_drum},
        {"slide-off-a-disc", slide_off_a_disc},
        {"notch", notch},
        {"turning-wall", turning_wall},
        {"rest-in-a-cone", rest_in_a_cone},
        {"free-flight", free_flight},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
