// Crowds of scenes: rooms are left by their doors, around what is in the way; pressures; what is
// refused. Every step is judged.
#include "model_rig.h"
#include "thud/model_verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ndim: 2\norder: 1\n"

// A room of 4 by 4 with a door of the width given in its right wall.
static const char room[] =
    HEAD "time: {step: 0.02, end: 30}\n"
         "parameters: {half: %g}\n"
         "bodies:\n"
         "  - lattice: {origin: [0.5, 0.6], count: [5, 7], spacing: 0.45, radius: {uniform: [0.17, "
         "0.2]}, jitter: 0.02}\n"
         "crowd:\n"
         "  - {doors: [[[4, 2 - half], [4, 2 + half]]], cell: 0.08, speed: {uniform: [1.2, 1.4]}}\n"
         "walls:\n"
         "  left: {capsule: {from: [0, 0], to: [0, 4], radius: 0}}\n"
         "  bottom: {capsule: {from: [0, 0], to: [4, 0], radius: 0}}\n"
         "  top: {capsule: {from: [0, 4], to: [4, 4], radius: 0}}\n"
         "  low: {capsule: {from: [4, 0], to: [4, 2 - half], radius: 0}}\n"
         "  high: {capsule: {from: [4, 2 + half], to: [4, 4], radius: 0}}\n"
         "measure:\n"
         "  out: {count_through: {plane: {point: [4, 0], normal: [1, 0]}}}\n";

// Steps until the series has the value, or 1500 steps; each judged. The time.
static double run_until(model_rig *rig, const char *name, double value)
{
    for (int n = 0; n < 1500 && model_value(rig, name) != value; n++)
    {
        thud_verdict verdict = {0};
        thud_state *before = model_state_twin(rig);
        model_steps(rig, 1);
        thud_status status =
            thud_model_verify(rig->model, before, thud_model_state(rig->model), NULL, &verdict);
        CHECK(status == THUD_OK && verdict.holds && verdict.min_gap > 0);
        thud_state_destroy(before);
        if (test_failures() > 0)
            break;
    }
    return thud_state_time(thud_model_state(rig->model));
}

static void doors(void)
{
    static const double half[] = {1.4, 0.6, 0.4};
    double before = 0;
    for (int i = 0; i < 3; i++)
    {
        model_rig rig;
        char text[sizeof room + 20];
        (void)snprintf(text, sizeof text, room, half[i]);
        REQUIRE(model_open(&rig, text));
        model_look(&rig, NULL);
        double t = run_until(&rig, "out", 35);
        printf("  a door of %g: all out at %g\n", 2 * half[i], t);
        CHECK(model_value(&rig, "out") == 35);
        CHECK(t > before);
        before = t;
        model_close(&rig);
    }
}

// At a door of 0.6 an arch holds the crowd for good: nobody moves any more. A little noise breaks
// it.
static void arches(void)
{
    model_rig rig;
    char text[sizeof room + 20], noisy[sizeof text + 20];
    double still[70], moved = 0;
    (void)snprintf(text, sizeof text, room, 0.3);
    REQUIRE(model_open(&rig, text));
    model_steps(&rig, 750);
    double out = model_value(&rig, "out");
    memcpy(still, thud_model_state(rig.model)->q, sizeof still);
    model_steps(&rig, 250);
    CHECK(model_value(&rig, "out") == out && out > 0 && out < 35);
    for (int i = 0; i < 35; i++)
        if (still[2 * i] < 4)
            moved = fmax(moved, fabs(thud_model_state(rig.model)->q[2 * i] - still[2 * i]));
    printf("  %g of 35 out, the others have moved by %.2g in 5 s\n", out, moved);
    CHECK_AT_MOST(moved, 1e-6);
    CHECK(model_value(&rig, "pressure_max") > 1);
    model_close(&rig);
    (void)snprintf(noisy, sizeof noisy, "%snoise: 0.03\n", text);
    REQUIRE(model_open(&rig, noisy));
    model_look(&rig, NULL);
    double t = run_until(&rig, "out", 35);
    printf("  with noise all out at %g\n", t);
    CHECK(model_value(&rig, "out") == 35);
    model_close(&rig);
}

// One person behind a thin screen: there, the arc round its end and back is the shortest way.
static void screen(void)
{
    model_rig rig;
    static const char around[] =
        HEAD "time: {step: 0.01, end: 30}\n"
             "bodies: [{at: [-2, 0.2], radius: 0.2}]\n"
             "crowd: [{doors: [[[-2, 0], [-2, -0.6]]], cell: 0.02, speed: 1}]\n"
             "walls:\n"
             "  screen: {capsule: {from: [0, 0], to: [-9, 0], radius: 0}}\n"
             "  side: {capsule: {from: [-2, -0.6], to: [-9, -0.6], radius: 0}}\n"
             "measure:\n"
             "  out: {count_through: {plane: {point: [-2, 0], normal: [1, 0]}}}\n";
    REQUIRE(model_open(&rig, around));
    model_look(&rig, NULL);
    double back = run_until(&rig, "out", -1);
    double exact = 2 + 0.2 * acos(-1) + 2;
    printf("  at the door after %g, exact %g\n", back, exact);
    CHECK_NEAR(back, exact, 0.04 * exact);
    model_close(&rig);
}

// Three abreast of nothing: a file that presses against a wall. The first is pressed by the wall
// with 3 and by those behind with 2.
static void pressures(void)
{
    static const char text[] =
        HEAD "time: {step: 0.05, end: 2}\n"
             "bodies:\n"
             "  - lattice: {origin: [0.25, 0], count: [3, 1], spacing: 0.5, "
             "radius: 0.25}\n"
             "crowd: [{velocity: [-1, 0], speed: 2}]\n"
             "solver: {quality: study}\n"
             "walls: {wall: {plane: {point: [0, 0], normal: [1, 0]}}}\n"
             "measure: {push: {force_on: wall}, all: {stress: {box: [[-1, -1], [3, 1]]}}}\n";
    model_rig rig;
    double around = 2 * acos(-1) * 0.25;
    REQUIRE(model_open(&rig, text));
    model_steps(&rig, 10);
    CHECK_NEAR(model_value(&rig, "force.wall"), 6, 1e-5);
    CHECK_NEAR(model_value(&rig, "push.x"), -6, 1e-5);
    CHECK_NEAR(model_value(&rig, "all.xx"), (6 * 0.25 + 4 * 0.5 + 2 * 0.5) / 8, 1e-5);
    CHECK_NEAR(model_value(&rig, "pressure_max"), 2 * (3 + 2) / around, 1e-4);
    CHECK_NEAR(model_value(&rig, "pressure_mean"), 2 * (3 + 2 + 2 + 1 + 1) / around / 3, 1e-4);
    model_close(&rig);
    // the same against a solid wall
    char solid[sizeof text + 80];
    const char *cut = strstr(text, "walls:");
    (void)snprintf(solid, sizeof solid,
                   "%.*swalls: {wall: {solid_box: [[-1, -9], [0, 9]]}}\n"
                   "measure: {push: {force_on: wall}}\n",
                   (int)(cut - text), text);
    REQUIRE(model_open(&rig, solid));
    model_steps(&rig, 10);
    CHECK_NEAR(model_value(&rig, "force.wall"), 6, 1e-5);
    CHECK_NEAR(model_value(&rig, "push.x"), -6, 1e-5);
    model_close(&rig);
}

// Wanted velocities may depend on time and position: one body alone goes q' = t + x, exactly.
static void wishes(void)
{
    static const char text[] = HEAD "time: {step: 0.01, end: 2}\n"
                                    "bodies:\n  - {at: [1, 0], radius: 0.1}\n"
                                    "  - {at: [9, 9], radius: 0.1}\n"
                                    "crowd: [{velocity: [t + x, \"sin(t)\"]}]\n";
    model_rig rig;
    double x = 1, y = 0;
    REQUIRE(model_open(&rig, text));
    model_steps(&rig, 100);
    for (int n = 0; n < 100; n++)
    {
        x += 0.01 * (0.01 * n + 0.005 + x); // means over the step, the position frozen
        y += cos(0.01 * n) - cos(0.01 * (n + 1));
    }
    const double *q = thud_model_state(rig.model)->q;
    CHECK_NEAR(q[0], x, 1e-12);
    CHECK_NEAR(q[1], y, 1e-12);
    CHECK_NEAR(q[3], 9 + y, 1e-11);
    model_close(&rig);
}

// In space, with noise, radii that grow and a wall that closes in; and two streams in a corridor
// that begins where it ends. No gap is ever lost.
static void all_sorts(void)
{
    static const char *const texts[] = {
        "thud: 1\nkind: spheres\norder: 1\ntime: {step: 0.02, end: 1}\nnoise: 0.2\n"
        "materials: {fly: {growth: 1 + 0.3*t}}\n"
        "bodies:\n  - lattice: {origin: [0.3, 0.3, 0.3], count: [4, 4, 4], spacing: 0.45, radius: "
        "0.2}\n"
        "crowd: [{velocity: [1 - x, 1 - y, \"sin(5*t) - z\"], speed: {uniform: [1, 2]}}]\n"
        "walls:\n  box: {box: [[0, 0, 0], [3, 3, 3]]}\n"
        "  lid: {plane: {point: [0, 0, 2.5 - 0.3*t], normal: [0, 0, -1]}}\n",
        HEAD "time: {step: 0.02, end: 1}\nnoise: 0.1\ncell: {x: [0, 6]}\n"
             "materials: {a: {}, b: {}}\n"
             "bodies:\n"
             "  - lattice: {origin: [0.3, 0.3], count: [6, 5], spacing: 0.48, radius: 0.2, "
             "material: a}\n"
             "  - lattice: {origin: [3.3, 0.3], count: [6, 5], spacing: 0.48, radius: 0.2, "
             "material: b}\n"
             "crowd: [{material: a, velocity: [1.5, 0]}, {material: b, velocity: [-1.5, 0]}]\n"
             "walls:\n  low: {plane: {point: [0, 0], normal: [0, 1]}}\n"
             "  high: {plane: {point: [0, 2.6], normal: [0, -1]}}\n"};
    for (int i = 0; i < 2; i++)
    {
        model_rig rig;
        REQUIRE(model_open(&rig, texts[i]));
        model_look(&rig, NULL);
        double t = run_until(&rig, "step", 50);
        printf("  t = %g: %g contacts, pressure up to %.3g\n", t, model_value(&rig, "contacts"),
               model_value(&rig, "pressure_max"));
        CHECK(model_value(&rig, "step") == 50 && model_value(&rig, "contacts") > 30);
        model_close(&rig);
    }
}

static void refuse(const char *rest, const char *message)
{
    char text[10000];
    model_rig rig;
    (void)snprintf(text, sizeof text,
                   HEAD
                   "time: {step: 0.02, end: 1}\n"
                   "bodies: [{name: Ann, at: [1, 1], radius: 0.2}, {at: [1, 2], radius: 0.3}]\n%s",
                   rest);
    CHECK(!model_try(&rig, text, NULL));
    CHECK(rig.status == THUD_ERR_SCENE);
    if (!strstr(rig.fault.text, message))
        test_fail(__FILE__, __LINE__, "%s\nwanted: %s", rig.fault.text, message);
    CHECK(strcmp(rig.fault.file, "text.yaml") == 0 && rig.fault.line > 0);
    model_close(&rig);
}

#define LEFT "crowd: [{doors: [[[4, 0], [4, 1]]], cell: 0.1}]\n"

static void refused(void)
{
    refuse(LEFT "walls: {floor: {plane: {point: [3, 0], normal: [-1, 0]}}}\n",
           "door 0 has no room for the largest body of its group");
    refuse(LEFT "walls: {a: {capsule: {from: [3, -9], to: [3, 0.6], radius: 0}},"
                " b: {capsule: {from: [3, 1.1], to: [3, 9], radius: 0}},"
                " c: {box: [[-1, -1], [9, 9]]}}\n",
           "body 'Ann' cannot reach a door");
    refuse("crowd: [{doors: [[[4, 1], [4, 0]]], cell: 0.1}]\n"
           "walls: {a: {capsule: {from: [4, -9], to: [4, 0], radius: 0}},"
           " b: {capsule: {from: [4, 1], to: [4, 9], radius: 0}},"
           " c: {box: [[-1, -8], [9, 8]]}}\n",
           "body 'Ann' is already outside the doors");
    refuse("crowd: [{doors: [[[4, 0], [4, 1]]], cell: 0.11}]\n",
           "'cell' must be at most half of the smallest radius of its group");
    refuse("crowd: [{doors: [[[4, 0], [4, 1]]], cell: 1e-5}]\n",
           "the grid of the crowd is too fine: it would have 2.37607e+11 nodes");
    refuse(LEFT "walls: {floor: {plane: {point: [-t, 0], normal: [1, 0]}}}\n",
           "'doors' cannot be used with walls that move");
    refuse(LEFT "cell: {y: [-5, 5]}\n", "'doors' cannot be used with a periodic cell");
    // each node is looked at for each door
    char many[5000];
    int used = snprintf(many, sizeof many, "crowd: [{cell: 0.0015, doors: [[[4, 0], [4, 1]]");
    for (int i = 1; i < 150; i++)
        used += snprintf(many + used, sizeof many - (size_t)used, ", [[4, 0], [4, 1]]");
    (void)snprintf(many + used, sizeof many - (size_t)used, "]}]\n");
    refuse(many, "with 150 doors and walls the limit is 7.15828e+06");
}

static void lack_of_memory(void)
{
    static const char text[] =
        HEAD "time: {step: 0.02, end: 1}\nbodies: [{at: [1, 1], radius: 0.2}]\n"
             "crowd: [{doors: [[[2, 0.5], [2, 1.5]]], cell: 0.1}]\n"
             "walls: {post: {ball: {center: [1.6, 2], radius: 0.1}}}\n";
    test_meter meter = {.fail_at = 1};
    thud_allocator allocator = {.resize = test_meter_resize, .user = &meter};
    bool made = false;
    for (; !made && meter.fail_at < 1000; meter.fail_at++)
    {
        model_rig rig;
        meter.calls = 0;
        made = model_try(&rig, text, &allocator);
        CHECK(made || rig.status == THUD_ERR_MEMORY);
        model_close(&rig);
        CHECK(meter.blocks == 0);
    }
    printf("  %ld allocations\n", meter.fail_at - 2);
    CHECK(made && meter.fail_at > 20);
}

/// Bodies that grow, and want nothing but the rounding of a sum: no accuracy can be had of that.
static void wish_of_rounding(void)
{
    static const char text[] = HEAD "time: {step: 0.01, end: 1}\n"
                                    "bodies:\n  - lattice: {origin: [0, 0], count: [25, 25], "
                                    "spacing: 0.2, radius: 0.1, growth: 1 + 0.02*t}\n"
                                    "crowd: [{velocity: [1e-17, 0]}]\n";
    model_rig rig;
    REQUIRE(model_open(&rig, text));
    model_steps(&rig, 3);
    const double *q = thud_model_state(rig.model)->q;
    CHECK(q[2] - q[0] > 0.2 * (1 + 0.02 * 0.03));
    model_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"doors", doors},
        {"arches", arches},
        {"screen", screen},
        {"pressures", pressures},
        {"wish-of-rounding", wish_of_rounding},
        {"wishes", wishes},
        {"all-sorts", all_sorts},
        {"refused", refused},
        {"lack-of-memory", lack_of_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
