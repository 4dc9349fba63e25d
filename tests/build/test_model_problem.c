// What a scene says reaches the problem: forces, impulses, breaks, drag, order, gaps, bounds.
#include "model_rig.h"

#define SPHERES "thud: 1\nkind: spheres\ntime: {start: 1, step: 0.25, end: 3}\n"
#define INCLUSION "thud: 1\nkind: inclusion\ntime: {start: 1, step: 0.25, end: 3}\n"

static void forces(void)
{
    static const double q[2] = {5, 7};
    double f[2] = {-1, -1};
    model_rig rig;
    REQUIRE(model_open(&rig, INCLUSION "drag: 0.5\nbreaks: [1.25, 2]\n"
                                       "coordinates: {x: {start: 2, mass: 3}, y: {start: 1, "
                                       "velocity: 4}}\n"
                                       "force: {y: 10*t + x}\n"));
    const thud_inclusion *problem = thud_model_problem(rig.model);
    const thud_state *state = thud_model_state(rig.model);
    CHECK(problem->dim == 2 && problem->order == THUD_SECOND_ORDER);
    CHECK(problem->mass[0] == 3 && problem->mass[1] == 1);
    CHECK(problem->drag == .5 && !problem->force_is_steady);
    CHECK(problem->break_count == 2 && problem->breaks[0] == 1.25 && problem->breaks[1] == 2);
    CHECK(!problem->impulse && !problem->gaps);
    CHECK(problem->force(2, q, f, problem->user) == 0);
    CHECK(f[0] == 0 && f[1] == 25);
    CHECK(state->t0 == 1 && state->h == .25 && state->n == 0);
    CHECK(state->q[0] == 2 && state->q[1] == 1 && state->u[0] == 0 && state->u[1] == 4);
    // one step: u + h (mean force - drag u)
    model_steps(&rig, 1);
    CHECK_NEAR(state->u[1], 4 + .25 * (10 * 1.125 + 2 - .5 * 4), 1e-13);
    model_close(&rig);
    REQUIRE(model_open(&rig, INCLUSION "coordinates: {x: {start: 2}}\nforce: {x: -x}\n"));
    CHECK(thud_model_problem(rig.model)->force_is_steady);
    model_close(&rig);
}

static void impulse(void)
{
    static const double q[2] = {5, 7};
    double impulse[2] = {-1, -1};
    model_rig rig;
    REQUIRE(model_open(&rig, INCLUSION "coordinates: {x: {start: 0}, y: {start: 0}}\n"
                                       "impulse: {y: t^2 + x*t}\n"));
    const thud_inclusion *problem = thud_model_problem(rig.model);
    REQUIRE(problem->impulse != NULL);
    CHECK(problem->impulse(1, 3, q, impulse, problem->user) == 0);
    CHECK(impulse[0] == 0 && impulse[1] == 8 + 10);
    model_steps(&rig, 1);
    CHECK_NEAR(thud_model_state(rig.model)->u[1], 1.25 * 1.25 - 1, 1e-15);
    model_close(&rig);
}

static void first_order(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, INCLUSION "order: 1\ncoordinates: {x: {start: 0}}\n"
                                       "velocity: {x: 2*t}\n"));
    CHECK(thud_model_problem(rig.model)->order == THUD_FIRST_ORDER);
    model_steps(&rig, 1);
    CHECK_NEAR(thud_model_state(rig.model)->q[0], 1.25 * 1.25 - 1, 1e-15);
    model_close(&rig);
}

static void gaps(void)
{
    static const double q[3] = {3, 9, 4};
    model_rig rig;
    thud_rows *rows = NULL;
    REQUIRE(model_open(&rig,
                       INCLUSION "solver: {shift: 1e-3}\n"
                                 "coordinates: {x: {start: 3}, y: {start: 9}, z: {start: 4}}\n"
                                 "constraints:\n"
                                 "  disc: hypot(z, x) - t\n"
                                 "  wall: {gap: 2*y - 7, shift: 0.5}\n"));
    const thud_inclusion *problem = thud_model_problem(rig.model);
    CHECK(thud_rows_create(3, NULL, &rows) == THUD_OK);
    if (rows)
    {
        CHECK(problem->gaps(&(thud_moment){.t = 2, .h = .25, .q = q, .w = q}, rows,
                            problem->user) == 0);
        CHECK(thud_rows_count(rows) == 2);
        thud_row_room rooms[2];
        thud_row disc = thud_rows_get(rows, 0, &rooms[0]), wall = thud_rows_get(rows, 1, &rooms[1]);
        CHECK(thud_key_same(disc.key, thud_key_number(0)) && disc.gap == 3 && disc.shift == 1e-3 &&
              disc.count == 2);
        CHECK(disc.index[0] == 0 && disc.index[1] == 2);
        CHECK_NEAR(disc.slope[0], .6, 1e-15);
        CHECK_NEAR(disc.slope[1], .8, 1e-15);
        CHECK(thud_key_same(wall.key, thud_key_number(1)) && wall.gap == 11 && wall.shift == .5 &&
              wall.count == 1);
        CHECK(wall.index[0] == 1 && wall.slope[0] == 2);
    }
    thud_rows_destroy(rows);
    model_close(&rig);
}

static const thud_smoothness *bounds(model_rig *rig, const char *text)
{
    return model_open(rig, text) ? thud_model_problem(rig->model)->smooth : NULL;
}

#define PLATE INCLUSION "coordinates: {z: {start: 9}}\nconstraints: {plate: z - sin(t)}\n"

/// Bounds are exact where all is affine in time, what the scene says, or unknown.
static void smoothness(void)
{
    model_rig rig;
    const thud_smoothness *smooth = bounds(
        &rig, INCLUSION "coordinates: {z: {start: 9}}\nconstraints: {lift: z - 2*t, disc: z^2}\n");
    CHECK(smooth && smooth->gap_tt == 0 && smooth->gap_tq == 0);
    model_close(&rig);
    smooth = bounds(&rig, PLATE "smooth: {gap_tt: 1, gap_tq: 0.5}\n");
    CHECK(smooth && smooth->gap_tt == 1 && smooth->gap_tq == .5);
    model_close(&rig);
    CHECK(!bounds(&rig, PLATE));
    CHECK(rig.model != NULL);
    model_close(&rig);
    CHECK(!bounds(&rig, PLATE "smooth: {gap_tt: 1}\n"));
    model_close(&rig);
    CHECK(!bounds(&rig, INCLUSION "coordinates: {z: {start: 9}}\n"
                                  "constraints: {plate: z - sin(t), floor: z}\n"));
    model_close(&rig);
}

static void spheres(void)
{
    double f[4];
    model_rig rig;
    REQUIRE(model_open(&rig, SPHERES "dim: 2\ndrag: 0.25\ngravity: [2, -10*t]\n"
                                     "bodies:\n"
                                     "  - {at: [0, 1], radius: 1, mass: 2}\n"
                                     "  - {at: [5, 3], velocity: [7, 8], radius: 1, mass: 3}\n"));
    const thud_inclusion *problem = thud_model_problem(rig.model);
    const thud_state *state = thud_model_state(rig.model);
    REQUIRE(problem->dim == 4 && problem->force);
    CHECK(problem->drag == .25 && !problem->force_is_steady);
    CHECK(problem->force(1.5, state->q, f, problem->user) == 0);
    CHECK(f[0] == 4 && f[1] == -30 && f[2] == 6 && f[3] == -45);
    CHECK(problem->mass[0] == 2 && problem->mass[1] == 2 && problem->mass[2] == 3);
    CHECK(state->t0 == 1 && state->h == .25 && state->q[2] == 5 && state->u[3] == 8);
    CHECK(problem->smooth && problem->smooth->gap_tt == 0 && problem->smooth->gap_tq == 0);
    model_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"forces", forces},           {"impulse", impulse},
                                      {"first-order", first_order}, {"gaps", gaps},
                                      {"smoothness", smoothness},   {"spheres", spheres}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
