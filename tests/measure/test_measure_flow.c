// Flow through a polygon: who goes through, who passes beside it, and what a checkpoint keeps.
#include "model_rig.h"

#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.1, end: 10}\n"
#define GATE                                                                                       \
    "measure: {gate: {flow_through: {polygon: [[0, 0, 0], [4, 0, 0], [4, 2, 0], [0, 2, 0]]}}}\n"

static double counted(const char *bodies, int steps, double *mass)
{
    model_rig rig;
    char text[2000];
    (void)snprintf(text, sizeof text, HEAD "bodies:\n%s" GATE, bodies);
    if (!model_open(&rig, text))
        return NAN;
    model_look(&rig, NULL);
    CHECK(model_value(&rig, "gate.count") == 0);
    model_steps(&rig, steps);
    double count = model_value(&rig, "gate.count");
    *mass = model_value(&rig, "gate.mass");
    model_close(&rig);
    return count;
}

/// Anticlockwise corners, seen from above: up counts, down counts back.
static void through(void)
{
    double mass = NAN;
    CHECK(counted("  - {at: [1, 1, -1], velocity: [0, 0, 3], radius: 0.1, mass: 2}\n"
                  "  - {at: [3, 1, -2], velocity: [0, 0, 3], radius: 0.1, mass: 5}\n",
                  10, &mass) == 2);
    CHECK(mass == 7);
    CHECK(counted("  - {at: [1, 1, 1], velocity: [0, 0, -3], radius: 0.1, mass: 2}\n", 10, &mass) ==
          -1);
    CHECK(mass == -2);
}

static void beside(void)
{
    double mass = NAN;
    CHECK(counted("  - {at: [4.1, 1, -1], velocity: [0, 0, 3], radius: 0.2, mass: 2}\n"
                  "  - {at: [2, -0.01, -1], velocity: [0, 0, 3], radius: 0.2, mass: 2}\n"
                  "  - {at: [1, 1, -9], velocity: [0, 0, 3], radius: 0.2, mass: 2}\n",
                  10, &mass) == 0);
    CHECK(mass == 0);
}

/// Up through the gate and back beside it: one stays counted.
static void back_again(void)
{
    double mass = NAN;
    model_rig rig;
    CHECK(counted("  - {at: [1, 1, -0.5], velocity: [0, 0, 3], radius: 0.1, mass: 2}\n", 3,
                  &mass) == 1);
    REQUIRE(model_open(&rig, HEAD
                       "gravity: [0, 0, -10]\n"
                       "bodies:\n"
                       "  - {at: [3, 1, -1], velocity: [2, 0, 6], radius: 0.1, mass: 2}\n"
                       "  - {at: [1, 1, -1], velocity: [0, 0, 6], radius: 0.1, mass: 3}\n" GATE));
    model_steps(&rig, 4);
    CHECK(model_value(&rig, "gate.count") == 2 && model_value(&rig, "gate.mass") == 5);
    model_steps(&rig, 20);
    CHECK(model_value(&rig, "gate.count") == 1 && model_value(&rig, "gate.mass") == 2);
    model_close(&rig);
}

/// One step of 100: both ends are far from the polygon, the point between them decides.
static void at_the_crossing_point(void)
{
    double mass = NAN;
    // (-96, 1, -100) + s (200, 0, 200): at z = 0 it is at x = 4 + 0
    CHECK(counted("  - {at: [-96, 1, -100], velocity: [2000, 0, 2000], radius: 0.1, mass: 1}\n", 1,
                  &mass) == 1); // the border is inside
    CHECK(counted("  - {at: [-95.9, 1, -100], velocity: [2000, 0, 2000], radius: 0.1, mass: 1}\n",
                  1, &mass) == 0);
    CHECK(counted("  - {at: [-96.1, 1, -100], velocity: [2000, 0, 2000], radius: 0.1, mass: 1}\n",
                  1, &mass) == 1);
    CHECK(counted("  - {at: [98, 1, 50], velocity: [-2880, 0, -1500], radius: 0.1, mass: 1}\n", 1,
                  &mass) == -1); // a third of the way: x = 98 - 96
}

/// In the plane the left of the segment, seen from its first end, is where it goes.
static void segment(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "dim: 2\nbodies:\n"
                                  "  - {at: [1, -1], velocity: [0, 3], radius: 0.1, mass: 2}\n"
                                  "  - {at: [3, -1], velocity: [0, 3], radius: 0.1, mass: 3}\n"
                                  "measure:\n"
                                  "  up: {flow_through: {polygon: [[0, 0], [2, 0]]}}\n"
                                  "  down: {flow_through: {polygon: [[2, 0], [0, 0]]}}\n"
                                  "  wide: {flow_through: {polygon: [[0, -0.5], [4, 0.5]]}}\n"));
    model_steps(&rig, 10);
    CHECK(model_value(&rig, "up.count") == 1 && model_value(&rig, "up.mass") == 2);
    CHECK(model_value(&rig, "down.count") == -1 && model_value(&rig, "down.mass") == -2);
    CHECK(model_value(&rig, "wide.count") == 2 && model_value(&rig, "wide.mass") == 5);
    model_close(&rig);
}

/// A second model that takes over state and fields counts on as the first.
static void kept(void)
{
    static const char text[] =
        HEAD "bodies:\n"
             "  - {at: [1, 1, -1], velocity: [0, 0, 3], radius: 0.1, mass: 2}\n"
             "  - {at: [3, 1, -2], velocity: [0, 0, 3], radius: 0.1, mass: 5}\n" GATE;
    model_rig first, second;
    thud_field from[THUD_MODEL_FIELDS], to[THUD_MODEL_FIELDS];
    REQUIRE(model_open(&first, text));
    model_look(&first, NULL);
    model_steps(&first, 5); // the first body has crossed
    REQUIRE(model_open(&second, text));
    CHECK(thud_state_copy(thud_model_state(second.model), thud_model_state(first.model)) ==
          THUD_OK);
    thud_model_fields(first.model, from);
    thud_model_fields(second.model, to);
    for (int i = 0; i < THUD_MODEL_FIELDS; i++)
    {
        REQUIRE(from[i].count == to[i].count && strcmp(from[i].name, to[i].name) == 0);
        memcpy(to[i].data, from[i].data, (size_t)from[i].count * thud_field_size(from[i].type));
    }
    model_steps(&second, 5);
    CHECK(model_value(&first, "gate.count") == 1 && model_value(&first, "gate.mass") == 2);
    CHECK(model_value(&second, "gate.count") == 2 && model_value(&second, "gate.mass") == 7);
    model_close(&first);
    model_close(&second);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"through", through},       {"beside", beside},
        {"back-again", back_again}, {"at-the-crossing-point", at_the_crossing_point},
        {"segment", segment},       {"kept", kept}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
