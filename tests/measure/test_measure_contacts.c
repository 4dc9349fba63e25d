// Torques, stresses, packing and coordination of a few bodies at rest, by hand.
#include "model_rig.h"

#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 1}\nsolver: {quality: study}\n"

// Two balls on a floor, one on the other: the floor carries 70, the contact between them 50.
#define TOWER                                                                                      \
    HEAD "gravity: [0, 0, -10]\n"                                                                  \
         "bodies:\n"                                                                               \
         "  - {at: [0, 0, 1], radius: 1, mass: 2}\n"                                               \
         "  - {at: [0, 0, 3], radius: 1, mass: 5}\n"                                               \
         "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"

static const double PI = 3.14159265358979323846;

static void names(void)
{
    static const char *const wanted[] = {
        "force.floor", "turn.x",     "turn.y", "turn.z",   "gate.count", "gate.mass", "p.0",
        "p.1",         "s.pressure", "s.xx",   "s.yy",     "s.zz",       "s.xy",      "s.xz",
        "s.yz",        "phi",        "z.mean", "z.loaded", "z.rattlers"};
    model_rig rig;
    const char *const *series;
    REQUIRE(model_open(&rig, TOWER
                       "measure:\n"
                       "  turn: {torque_on: {wall: floor, about: [0, 0, 0]}}\n"
                       "  gate: {flow_through: {polygon: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}}\n"
                       "  p: {pressure_profile: {box: [[0, 0, 0], [1, 1, 1]], axis: z, bins: 2}}\n"
                       "  s: {stress: {box: [[0, 0, 0], [1, 1, 1]]}}\n"
                       "  phi: {packing_fraction: {box: [[0, 0, 0], [1, 1, 1]]}}\n"
                       "  z: {coordination: all}\n"));
    int count = thud_model_series(rig.model, &series), own = sizeof wanted / sizeof *wanted;
    REQUIRE(count > own);
    for (int i = 0; i < own; i++)
        CHECK(strcmp(series[count - own + i], wanted[i]) == 0);
    model_close(&rig);
}

/// The force (0, 0, -70) at the origin, about a point that moves.
static void torque(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig,
                       TOWER "measure: {turn: {torque_on: {wall: floor, about: [1, 2, 9*t]}}}\n"));
    model_steps(&rig, 5);
    CHECK_NEAR(model_value(&rig, "turn.x"), 140, 1e-4);
    CHECK_NEAR(model_value(&rig, "turn.y"), -70, 1e-4);
    CHECK_NEAR(model_value(&rig, "turn.z"), 0, 1e-12);
    model_close(&rig);
}

/// A disk on a slope: the foot is at the origin, the force 16 (3, -4) / 5.
static void torque_in_the_plane(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "dim: 2\ngravity: [0, -10]\n"
                                  "bodies: [{at: [-3, 4], radius: 5, mass: 2}]\n"
                                  "walls: {slope: {plane: {point: [0, 0], normal: [-3, 4]}}}\n"
                                  "measure: {turn: {torque_on: {wall: slope, about: [1, 1]}}}\n"));
    model_steps(&rig, 3);
    const double *q = thud_model_state(rig.model)->q; // the disk slides on, and its foot with it
    double along = 0.8 * q[0] + 0.6 * q[1], foot[2] = {0.8 * along, 0.6 * along};
    CHECK_NEAR(model_value(&rig, "turn.z"), 16 * ((foot[0] - 1) * -0.8 - (foot[1] - 1) * 0.6),
               1e-5);
    model_close(&rig);
}

/// Several walls together: the corner of a box, its sides pushed by 6 and 8.
static void torque_of_a_box(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "gravity: [-3, 0, -4]\n"
                                  "bodies: [{at: [1, 2, 1], radius: 1, mass: 2}]\n"
                                  "walls: {box: {box: [[0, 0, 0], [5, 5, 5]]}}\n"
                                  "measure:\n"
                                  "  all: {torque_on: {wall: box, about: [0, 0, 0]}}\n"
                                  "  side: {torque_on: {wall: box.x-low, about: [0, 0, 0]}}\n"));
    model_steps(&rig, 5);
    // (0, 2, 1) x (-6, 0, 0) + (1, 2, 0) x (0, 0, -8)
    CHECK_NEAR(model_value(&rig, "all.x"), -16, 1e-4);
    CHECK_NEAR(model_value(&rig, "all.y"), -6 + 8, 1e-4);
    CHECK_NEAR(model_value(&rig, "all.z"), 12, 1e-4);
    CHECK_NEAR(model_value(&rig, "side.y"), -6, 1e-4);
    CHECK_NEAR(model_value(&rig, "side.x"), 0, 1e-12);
    model_close(&rig);
}

/// Slabs of height 1 and area 4: branches from 0 to 1 with 70, from 1 to 3 with 50.
static void profile(void)
{
    model_rig rig;
    REQUIRE(model_open(
        &rig,
        TOWER "measure:\n"
              "  p: {pressure_profile: {box: [[-1, -1, 0], [1, 1, 4]], axis: z, bins: 4}}\n"
              "  q: {pressure_profile: {box: [[-1, -1, 0.5], [1, 1, 2.5]], axis: z, bins: 1}}\n"
              "  beside: {pressure_profile: {box: [[1, 1, 0], [2, 2, 4]], axis: z, bins: 1}}\n"));
    model_steps(&rig, 5);
    CHECK_NEAR(model_value(&rig, "p.0"), 70. / 12, 1e-5);
    CHECK_NEAR(model_value(&rig, "p.1"), 50. / 12, 1e-5);
    CHECK_NEAR(model_value(&rig, "p.2"), 50. / 12, 1e-5);
    CHECK_NEAR(model_value(&rig, "p.3"), 0, 1e-5);
    CHECK_NEAR(model_value(&rig, "q.0"), (70 * 0.5 + 50 * 1.5) / (3 * 8), 1e-5);
    CHECK(model_value(&rig, "beside.0") == 0);
    model_close(&rig);
}

/// Branches along a border between slabs belong to the upper one, once.
static void profile_across(void)
{
    model_rig rig;
    REQUIRE(model_open(
        &rig, TOWER
        "measure: {p: {pressure_profile: {box: [[-1, -1, 0], [1, 1, 4]], axis: x, bins: 2}}}\n"));
    model_steps(&rig, 5);
    CHECK(model_value(&rig, "p.0") == 0);
    CHECK_NEAR(model_value(&rig, "p.1"), (70 + 2 * 50) / (3. * 8), 1e-5);
    model_close(&rig);
}

/// A heavy ball on light ones: in a box from the floor up to it the stress is the weight over the
/// area, along the chain alone.
static void stress_of_a_chain(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "gravity: [0, 0, -10]\n"
                                  "bodies:\n"
                                  "  - {at: [0, 0, 1], radius: 1, mass: 1e-9}\n"
                                  "  - {at: [0, 0, 3], radius: 1, mass: 1e-9}\n"
                                  "  - {at: [0, 0, 6], radius: 2, mass: 5}\n"
                                  "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                                  "measure:\n"
                                  "  whole: {stress: {box: [[-1, -1, 0], [1, 1, 6]]}}\n"
                                  "  within: {stress: {box: [[-1, -1, 0.3], [0.5, 1, 3.7]]}}\n"));
    model_steps(&rig, 5);
    CHECK_NEAR(model_value(&rig, "whole.zz"), 50. / 4, 1e-5);
    CHECK_NEAR(model_value(&rig, "within.zz"), 50. / 3, 1e-5);
    CHECK_NEAR(model_value(&rig, "whole.pressure"), 50. / 12, 1e-5);
    CHECK(model_value(&rig, "whole.xx") == 0 && model_value(&rig, "whole.yz") == 0);
    model_close(&rig);
}

/// A disk between two slopes of 45 degrees: its left and its right half are sheared, the whole is
/// not.
static void shear(void)
{
    model_rig rig;
    double force = 20 / sqrt(2), r = sqrt(2);
    REQUIRE(model_open(&rig, HEAD "dim: 2\ngravity: [0, -10]\n"
                                  "bodies: [{at: [0, 2], radius: sqrt(2), mass: 2}]\n"
                                  "walls:\n"
                                  "  left: {plane: {point: [0, 0], normal: [1, 1]}}\n"
                                  "  right: {plane: {point: [0, 0], normal: [-1, 1]}}\n"
                                  "measure:\n"
                                  "  whole: {stress: {box: [[-2, 0], [2, 4]]}}\n"
                                  "  left: {stress: {box: [[-2, 0], [0, 4]]}}\n"
                                  "  right: {stress: {box: [[0, 1.5], [2, 4]]}}\n"));
    model_steps(&rig, 5);
    CHECK_NEAR(model_value(&rig, "whole.xx"), force * r / 16, 1e-5);
    CHECK_NEAR(model_value(&rig, "whole.yy"), force * r / 16, 1e-5);
    CHECK_NEAR(model_value(&rig, "whole.pressure"), force * r / 16, 1e-5);
    CHECK_NEAR(model_value(&rig, "whole.xy"), 0, 1e-12);
    CHECK_NEAR(model_value(&rig, "left.xy"), force * r / 2 / 8, 1e-5);
    CHECK_NEAR(model_value(&rig, "right.xy"), -force * r / 2 / 2 / 5, 1e-5); // half the branch
    model_close(&rig);
}

/// Where glue pulls, the stress is negative, and so is the force on the wall.
static void glue_pulls(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "gravity: [0, 0, 10 - 20*step(0.05 - t)]\n"
                                  "materials: {m: {density: 1}}\n"
                                  "contacts: [{between: [m, m], glue: unlimited}]\n"
                                  "bodies: [{at: [0, 0, 1], radius: 1, material: m}]\n"
                                  "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                                  "measure:\n"
                                  "  s: {stress: {box: [[-1, -1, 0], [1, 1, 1]]}}\n"
                                  "  z: {coordination: all}\n"));
    model_steps(&rig, 8);
    double weight = 10 * 4 * PI / 3;
    CHECK_NEAR(model_value(&rig, "force.floor"), -weight, 1e-3);
    CHECK_NEAR(model_value(&rig, "s.zz"), -weight / 4, 1e-3);
    CHECK(model_value(&rig, "z.mean") == 1);
    model_close(&rig);
}

/// Two bodies of three are in the tower, one falls freely.
static void coordination(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "gravity: [0, 0, -10]\n"
                                  "bodies:\n"
                                  "  - {at: [0, 0, 1], radius: 1, mass: 2}\n"
                                  "  - {at: [0, 0, 3], radius: 1, mass: 5}\n"
                                  "  - {at: [9, 0, 9], radius: 1, mass: 5}\n"
                                  "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}\n"
                                  "measure:\n"
                                  "  all: {coordination: all}\n"
                                  "  low: {coordination: {box: [[-1, -1, 0], [1, 1, 2]]}}\n"
                                  "  none: {coordination: {box: [[-9, -9, 0], [-8, -8, 2]]}}\n"));
    model_steps(&rig, 5);
    CHECK(model_value(&rig, "all.mean") == 1 && model_value(&rig, "all.loaded") == 1.5);
    CHECK(model_value(&rig, "all.rattlers") == 1);
    CHECK(model_value(&rig, "low.mean") == 2 && model_value(&rig, "low.loaded") == 2);
    CHECK(model_value(&rig, "low.rattlers") == 0 && model_value(&rig, "none.rattlers") == 0);
    CHECK(isnan(model_value(&rig, "none.mean")) && isnan(model_value(&rig, "none.loaded")));
    model_close(&rig);
}

/// One ball wholly inside, one half, one by an eighth, one outside; disks likewise.
static void packing(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD
                       "bodies:\n"
                       "  - {at: [2, 2, 2], radius: 1, mass: 2}\n"
                       "  - {at: [10, 5, 5], radius: 1, mass: 2}\n"
                       "  - {at: [0, 0, 0], radius: 1, mass: 2}\n"
                       "  - {at: [20, 0, 0], radius: 1, mass: 2}\n"
                       "measure: {f: {packing_fraction: {box: [[0, 0, 0], [10, 10, 10]]}}}\n"));
    model_steps(&rig, 1);
    CHECK_NEAR(model_value(&rig, "f"), (1 + 0.5 + 0.125) * 4 * PI / 3 / 1000, 1e-17);
    model_close(&rig);
    REQUIRE(model_open(&rig, HEAD "dim: 2\nbodies:\n"
                                  "  - {at: [2, 2], radius: 1, mass: 2}\n"
                                  "  - {at: [10, 5], radius: 1, mass: 2}\n"
                                  "  - {at: [0, 0], radius: 1, mass: 2}\n"
                                  "measure: {f: {packing_fraction: {box: [[0, 0], [10, 10]]}}}\n"));
    model_steps(&rig, 1);
    CHECK_NEAR(model_value(&rig, "f"), (1 + 0.5 + 0.25) * PI / 100, 1e-16);
    model_close(&rig);
}

/// Radii are those of the time looked at.
static void packing_grows(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig,
                       HEAD "materials: {m: {density: 1, growth: 1 + 10*t}}\n"
                            "bodies: [{at: [5, 5, 5], radius: 1, material: m}]\n"
                            "measure: {f: {packing_fraction: {box: [[0, 0, 0], [5, 10, 10]]}}}\n"));
    model_look(&rig, NULL);
    CHECK_NEAR(model_value(&rig, "f"), 2 * PI / 3 / 500, 1e-16);
    model_steps(&rig, 10);
    CHECK_NEAR(model_value(&rig, "f"), 8 * 2 * PI / 3 / 500, 1e-15);
    model_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"names", names},
                                      {"torque", torque},
                                      {"torque-in-the-plane", torque_in_the_plane},
                                      {"torque-of-a-box", torque_of_a_box},
                                      {"profile", profile},
                                      {"profile-across", profile_across},
                                      {"stress-of-a-chain", stress_of_a_chain},
                                      {"shear", shear},
                                      {"glue-pulls", glue_pulls},
                                      {"coordination", coordination},
                                      {"packing", packing},
                                      {"packing-grows", packing_grows}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
