// The series of a model: their names, and their values against hand computation.
#include "model_rig.h"

#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 1}\n"

#define STEP_NAMES                                                                                 \
    "step", "t", "rows", "contacts", "rounds", "sweeps", "min_gap", "violation", "backward",       \
        "forward", "kkt", "between", "news", "kinetic"

static void check_names(const model_rig *rig, const char *const *wanted, int count)
{
    const char *const *names;
    REQUIRE(thud_model_series(rig->model, &names) == count);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], wanted[i]) != 0)
            test_fail(__FILE__, __LINE__, "series %d is '%s', wanted '%s'", i, names[i], wanted[i]);
}

static void names(void)
{
    static const char *const spheres[] = {STEP_NAMES,
                                          "potential",
                                          "force.floor",
                                          "force.room.x-low",
                                          "force.room.x-high",
                                          "force.room.y-low",
                                          "force.room.y-high",
                                          "weight.x",
                                          "weight.y",
                                          "passed",
                                          "push.x",
                                          "push.y"};
    static const char *const inclusion[] = {STEP_NAMES, "x", "z", "u.x", "u.z", "force.floor"};
    model_rig rig;
    REQUIRE(model_open(&rig,
                       HEAD "dim: 2\n"
                            "bodies: [{at: [1, 2], radius: 1, mass: 1}]\n"
                            "walls:\n"
                            "  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n"
                            "  room: {box: [[-9, -9], [9, 9]]}\n"
                            "measure:\n"
                            "  weight: {force_on: floor}\n"
                            "  passed: {count_through: {plane: {point: [0, 0], normal: [1, 0]}}}\n"
                            "  push: {force_on: room}\n"));
    check_names(&rig, spheres, (int)(sizeof spheres / sizeof *spheres));
    model_close(&rig);
    REQUIRE(model_open(&rig, "thud: 1\nkind: inclusion\ntime: {step: 0.1, end: 1}\n"
                             "coordinates: {x: {start: 0}, z: {start: 1}}\n"
                             "constraints: {floor: z}"));
    check_names(&rig, inclusion, (int)(sizeof inclusion / sizeof *inclusion));
    model_close(&rig);
}

/// At the start nothing was solved.
static void at_the_start(void)
{
    static const char *const none[] = {"rows", "contacts", "rounds", "sweeps", "news", "step"};
    static const char *const unknown[] = {"min_gap", "violation", "backward",
                                          "forward", "kkt",       "between"};
    model_rig rig;
    REQUIRE(model_open(&rig, "thud: 1\nkind: spheres\ntime: {start: 3, step: 0.01, end: 4}\n"
                             "gravity: [1, 0, -10*t]\n"
                             "bodies:\n"
                             "  - {at: [1, 0, 4], velocity: [3, 0, 4], radius: 1, mass: 2}\n"
                             "  - {at: [5, 0, 7], velocity: [0, 1, 0], radius: 1, mass: 6}\n"));
    model_look(&rig, NULL);
    for (int i = 0; i < 6; i++)
    {
        CHECK(model_value(&rig, none[i]) == 0);
        CHECK(isnan(model_value(&rig, unknown[i])));
    }
    CHECK(model_value(&rig, "t") == 3);
    CHECK(model_value(&rig, "kinetic") == 25 + 3);
    CHECK_NEAR(model_value(&rig, "potential"), -2 * (1 - 120) - 6 * (5 - 210), 1e-12);
    model_close(&rig);
}

/// Two bodies fly freely: nothing is lost, and the energies are those of the state.
static void energies(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "gravity: [0, -10*t]\ndim: 2\n"
                                  "bodies:\n"
                                  "  - {at: [1, 4], velocity: [3, 0], radius: 1, mass: 2}\n"
                                  "  - {at: [9, 7], velocity: [0, 1], radius: 1, mass: 6}\n"));
    model_steps(&rig, 10);
    const thud_state *state = thud_model_state(rig.model);
    double fallen = 5 * .1 * .1; // the speed gained to t = 0.1, as means of the force are exact
    CHECK_NEAR(model_value(&rig, "kinetic"), 9 + fallen * fallen + 3 * (1 - fallen) * (1 - fallen),
               1e-12);
    CHECK_NEAR(model_value(&rig, "potential"), 2 * state->q[1] + 6 * state->q[3], 1e-12);
    CHECK(model_value(&rig, "step") == 10);
    CHECK_NEAR(model_value(&rig, "t"), .1, 1e-16);
    CHECK(model_value(&rig, "contacts") == 0 && model_value(&rig, "news") == 0);
    model_close(&rig);
}

/// A ball at rest on the floor and one on top: the floor carries both.
static void weight(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "gravity: [0, 0, -10]\n"
                                  "solver: {quality: study}\n"
                                  "bodies:\n"
                                  "  - {at: [0, 0, 1], radius: 1, mass: 2}\n"
                                  "  - {at: [0, 0, 3], radius: 1, mass: 5}\n"
                                  "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 7]}}}\n"
                                  "measure: {load: {force_on: floor}}\n"));
    model_steps(&rig, 20);
    CHECK_NEAR(model_value(&rig, "force.floor"), 70, 1e-4);
    CHECK(model_value(&rig, "load.x") == 0 && model_value(&rig, "load.y") == 0);
    CHECK(model_value(&rig, "load.z") == -model_value(&rig, "force.floor"));
    CHECK(model_value(&rig, "contacts") == 2 && model_value(&rig, "rows") == 2);
    CHECK_NEAR(model_value(&rig, "kinetic"), 0, 1e-12);
    model_close(&rig);
}

/// A ball in the corner of a box, pulled into it: each wall has its part, and the box the sum.
static void box_forces(void)
{
    static const double wanted[6] = {6, 0, 0, 0, 8, 0};
    static const char *const sides[6] = {"force.box.x-low", "force.box.x-high",
                                         "force.box.y-low", "force.box.y-high",
                                         "force.box.z-low", "force.box.z-high"};
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "gravity: [-3, 0, -4]\n"
                                  "bodies: [{at: [1, 2, 1], radius: 1, mass: 2}]\n"
                                  "walls: {box: {box: [[0, 0, 0], [5, 5, 5]]}}\n"
                                  "measure: {push: {force_on: box}}\n"));
    model_steps(&rig, 20);
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(model_value(&rig, sides[i]), wanted[i], 1e-2);
    CHECK_NEAR(model_value(&rig, "push.x"), -6, 1e-2);
    CHECK_NEAR(model_value(&rig, "push.y"), 0, 1e-12);
    CHECK_NEAR(model_value(&rig, "push.z"), -8, 1e-2);
    model_close(&rig);
}

/// On a slope the force has two components.
static void slope_force(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "dim: 2\ngravity: [0, -10]\n"
                                  "bodies: [{at: [-3, 4], radius: 5, mass: 2}]\n"
                                  "walls: {slope: {plane: {point: [0, 0], normal: [-3, 4]}}}\n"
                                  "measure: {push: {force_on: slope}}\n"));
    model_steps(&rig, 20);
    CHECK_NEAR(model_value(&rig, "force.slope"), 20 * .8, 1e-2);
    CHECK_NEAR(model_value(&rig, "push.x"), .6 * model_value(&rig, "force.slope"), 1e-12);
    CHECK_NEAR(model_value(&rig, "push.y"), -.8 * model_value(&rig, "force.slope"), 1e-12);
    model_close(&rig);
}

/// One body goes up through the plane and comes back, one only falls, one begins on it and goes up:
/// that is no crossing for the plane that looks up, as on it is through, but one for the plane that
/// looks down. A third plane moves.
static void count_through(void)
{
    model_rig rig;
    REQUIRE(model_open(
        &rig, HEAD "gravity: [0, -10]\ndim: 2\n"
                   "bodies:\n"
                   "  - {at: [0, 0], velocity: [0, 5], radius: 0.1, mass: 1}\n"
                   "  - {at: [1, 2], radius: 0.1, mass: 1}\n"
                   "  - {at: [2, 0.5], velocity: [0, 9], radius: 0.1, mass: 1}\n"
                   "measure:\n"
                   "  up: {count_through: {plane: {point: [0, 0.5], normal: [0, 1]}}}\n"
                   "  sweep: {count_through: {plane: {point: [3.05 - 10*t, 0], normal: [1, 0]}}}\n"
                   "  down: {count_through: {plane: {point: [0, 0.5], normal: [0, -3]}}}\n"));
    model_look(&rig, NULL);
    CHECK(model_value(&rig, "up") == 0);
    model_steps(&rig, 20); // t = 0.2: the first is at 0.8, the second at 1.8
    CHECK(model_value(&rig, "up") == 1);
    CHECK(model_value(&rig, "down") == -2);
    CHECK(model_value(&rig, "sweep") == 1); // the plane is at 1.05, past the third only
    model_steps(&rig, 80);                  // t = 1: the first two have fallen through
    CHECK(model_value(&rig, "up") == -1);
    CHECK(model_value(&rig, "sweep") == 3);
    model_close(&rig);
}

static void inclusion(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, "thud: 1\nkind: inclusion\ntime: {step: 0.1, end: 1}\n"
                             "coordinates:\n"
                             "  x: {start: 0, velocity: 3, mass: 2}\n"
                             "  z: {start: 0, mass: 5}\n"
                             "force: {z: -7}\n"
                             "constraints: {roof: 4 - z, floor: z}\n"));
    model_steps(&rig, 2);
    CHECK_NEAR(model_value(&rig, "x"), .6, 1e-15);
    CHECK_NEAR(model_value(&rig, "z"), 0, 1e-15);
    CHECK_NEAR(model_value(&rig, "u.z"), 0, 1e-15);
    CHECK_NEAR(model_value(&rig, "min_gap"), 0, 1e-15);
    CHECK_NEAR(model_value(&rig, "force.floor"), 7, 1e-14);
    CHECK_NEAR(model_value(&rig, "kinetic"), 9, 1e-15);
    CHECK(model_value(&rig, "u.x") == 3 && model_value(&rig, "force.roof") == 0);
    CHECK(model_value(&rig, "rows") == 2 && model_value(&rig, "rounds") == 1);
    model_close(&rig);
}

/// In first order the multiplier is the force (there: the velocity) itself.
static void first_order(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, "thud: 1\nkind: inclusion\norder: 1\ntime: {step: 0.1, end: 1}\n"
                             "coordinates: {x: {start: 0.95}}\n"
                             "velocity: {x: 3}\n"
                             "constraints: {wall: 1 - x}\n"));
    model_steps(&rig, 1);
    CHECK_NEAR(model_value(&rig, "force.wall"), 2.5, 1e-13);
    model_steps(&rig, 1);
    CHECK_NEAR(model_value(&rig, "force.wall"), 3, 1e-13);
    CHECK_NEAR(model_value(&rig, "x"), 1, 1e-15);
    model_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"names", names},
                                      {"at-the-start", at_the_start},
                                      {"energies", energies},
                                      {"weight", weight},
                                      {"box-forces", box_forces},
                                      {"slope-force", slope_force},
                                      {"count-through", count_through},
                                      {"inclusion", inclusion},
                                      {"first-order", first_order}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
