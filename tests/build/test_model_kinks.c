// Forces that jump or bend in time are integrated piece by piece, however short their pulses are,
// by the step and by the checker. Judged by impulses known exactly.
#include "model_rig.h"
#include "thud/model_verify.h"

#include <stdlib.h>
#include <string.h>

enum
{
    TEXT = 4000
};

static const char head[] = "thud: 1\nkind: inclusion\ncoordinates: {x: {start: 0, velocity: 0}}\n"
                           "time: {step: %.17g, end: 1}\nforce: {x: \"%s\"}\n";

// What a run without the zeros, by the same problem, makes of u(1).
static double blind_run(const model_rig *rig, int steps)
{
    thud_state *state = model_state_twin(rig);
    thud_inclusion problem = *thud_model_problem(rig->model);
    thud_work *work = NULL;
    thud_work_def def = thud_model_work(rig->model);
    problem.kinks = NULL;
    double u = NAN;
    if (thud_work_create(&def, &work) == THUD_OK)
    {
        thud_status status = THUD_OK;
        for (int n = 0; n < steps && status >= 0; n++)
            status = thud_step(&problem, state, work);
        u = status < 0 ? NAN : state->u[0];
    }
    thud_work_destroy(work);
    thud_state_destroy(state);
    return u;
}

// Take all steps, each judged with the force integrated anew; u at the end.
static double judged_run(model_rig *rig, int steps)
{
    thud_state *state = thud_model_state(rig->model);
    int failures = test_failures();
    for (int n = 0; n < steps && test_failures() == failures; n++)
    {
        thud_verdict verdict = {0};
        thud_state *before = model_state_twin(rig);
        thud_status status = thud_step(thud_model_problem(rig->model), state, rig->work);
        if (status < 0)
            test_fail(__FILE__, __LINE__, "%s", thud_work_message(rig->work));
        status = thud_model_verify(rig->model, before, state, NULL, &verdict);
        if (status != THUD_OK || !verdict.holds)
            test_fail(__FILE__, __LINE__, "step %d: checker: %s, force error %g", n + 1,
                      thud_status_name(status), verdict.force_error);
        thud_state_destroy(before);
    }
    return state->u[0];
}

// The impulse of a force over [0, 1] in `steps` steps; true if a run without the zeros is wrong.
static bool check_impulse(const char *force, int steps, double wanted, double allowed)
{
    model_rig rig;
    char text[TEXT + 200];
    (void)snprintf(text, sizeof text, head, 1.0 / steps, force);
    if (!model_open(&rig, text))
        return false;
    int failures = test_failures();
    double blind = blind_run(&rig, steps), u = judged_run(&rig, steps);
    if (!(fabs(u - wanted) <= allowed) || test_failures() > failures)
        test_fail(__FILE__, __LINE__, "%s in %d steps: %.17g, wanted %.17g within %g", force, steps,
                  u, wanted, allowed);
    model_close(&rig);
    return !(fabs(blind - wanted) <= allowed);
}

static void scene(void)
{
    static const double steps[] = {0.1, 0.05, 0.02, 0.0155, 0.01, 0.0037, 0.001};
    for (int i = 0; i < 7; i++)
    {
        thud_scene *read = NULL;
        thud_fault fault = {0};
        model_rig rig = {0};
        thud_scene_def def = {.path = CASES "/pulse.yaml"};
        REQUIRE(thud_scene_read(&def, &read, &fault) == THUD_OK);
        read->step = steps[i];
        rig.scene = read;
        REQUIRE(thud_model_create(read, NULL, &rig.model, &fault) == THUD_OK);
        thud_work_def space = thud_model_work(rig.model);
        REQUIRE(thud_work_create(&space, &rig.work) == THUD_OK);
        int count = (int)ceil(1 / steps[i] - 1e-9);
        double u = judged_run(&rig, count);
        const thud_state *state = thud_model_state(rig.model);
        CHECK_NEAR(u, 1, 1e-12);
        CHECK_NEAR(state->q[0], thud_state_time(state) - 0.532, steps[i]);
        model_close(&rig);
    }
}

static void by_hand(void)
{
    static const struct
    {
        const char *force;
        double impulse, size; // and the largest |force|
    } all[] = {
        {"500*step(t - 0.531)*step(0.533 - t)", 1, 500},
        {"500*(step(t - 0.531) - step(t - 0.533))", 1, 500},
        {"step(sin(50*t))", 0.502654824574366918, 1}, // 8 pi / 50
        {"1e4*step(step(t - 0.5311)*step(0.5312 - t) - 0.5)", 1, 10000},
        {"1e3*step(1e-3 - abs(t - 0.777))", 2, 1000},
        {"max(0, 1 - 1e4*abs(t - 0.4321))", 1e-4, 1},
        {"min(max(t - 0.33, 0), 1e-5)*1e5", 0.669995, 1},
        {"abs(sin(40*t))", 0.641673451541306626, 1}, // (24 + 1 - cos(40 - 12 pi)) / 40
        {"1e5*step(1e-10 - (t - 0.123456)^2)", 2, 100000},
        {"1e6*step(1e-6 - hypot(t - 0.654321, 1e-9))", 1.99999899999975, 1e+06},
        {"atan2(sin(8*t), cos(8*t))", 0.184215793092753, 4}, // 4 - 2 pi (1 - pi / 8)
        {"step(-(t - 0.5)^2)", 0, 1},
        {"step(t - 0.5)*step(0.5 - t)", 0, 1},
        {"abs(t - t)", 0, 0},
        {"max(t, t) - t", 0, 0},
        {"step(1/(t - 0.3))", 0.7, 1},
        {"1e5*step(t*t - 0.25)*step(0.25001 - t*t)", 0.999990000199995, 100000},
    };
    int blind = 0, count = sizeof all / sizeof *all;
    for (int i = 0; i < count; i++)
        for (int steps = 1; steps <= 40; steps += 13)
            blind +=
                check_impulse(all[i].force, steps, all[i].impulse, 1e-12 + 8e-16 * all[i].size);
    printf("%d of %d wrong without the zeros\n", blind, 4 * count);
    CHECK(blind > 10);
}

// One term: a pulse in one of several ways of writing it, from a to b, with its impulse.
static double write_pulse(test_random *random, char *text, size_t size, double *allowed)
{
    double width = pow(10, test_random_uniform(random, -8, -1.3));
    double a = test_random_uniform(random, 0, 1 - width), b = a + width;
    double impulse = test_random_uniform(random, -2, 2), f = impulse / width;
    double middle = a + width / 2;
    *allowed += fabs(f) * 8e-16 + 1e-12 * fabs(impulse);
    switch (test_random_int(random, 0, 5))
    {
    case 0:
        (void)snprintf(text, size, "(%.17g)*step(t - %.17g)*step(%.17g - t)", f, a, b);
        return f * (b - a);
    case 1:
        (void)snprintf(text, size, "(%.17g)*(step(t - %.17g) - step(t - %.17g))", f, a, b);
        return f * (b - a);
    case 2:
        (void)snprintf(text, size, "(%.17g)*step(%.17g - abs(t - %.17g))", f, width / 2, middle);
        return impulse;
    case 3:
        (void)snprintf(text, size, "(%.17g)*max(0, 1 - abs(t - %.17g)/%.17g)", 2 * f, middle,
                       width / 2);
        return impulse;
    case 4:
        (void)snprintf(text, size, "(%.17g)*step((t - %.17g)*(%.17g - t))", f, a, b);
        return f * (b - a);
    default:
        (void)snprintf(text, size, "(%.17g)*(1 - max(step(%.17g - t), step(t - %.17g)))", f, a, b);
        return f * (b - a);
    }
}

static void random_pulses(void)
{
    uint64_t seed = test_seed(31);
    test_random random = test_random_start(seed);
    int blind = 0, count = 400;
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < count && test_failures() < 3; i++)
    {
        char text[TEXT] = "0";
        double wanted = 0, allowed = 1e-13;
        int terms = test_random_int(&random, 1, 6);
        for (int k = 0; k < terms; k++)
        {
            size_t used = strlen(text);
            (void)snprintf(text + used, sizeof text - used, " + ");
            wanted += write_pulse(&random, text + used + 3, sizeof text - used - 3, &allowed);
        }
        blind += check_impulse(text, test_random_int(&random, 1, 60), wanted, allowed);
    }
    printf("%d forces of 1 to 6 pulses, %d wrong without the zeros\n", count, blind);
    CHECK(blind > count / 2);
}

// A step that has missed a pulse does not pass the checker.
static void missed(void)
{
    model_rig rig;
    char text[500];
    (void)snprintf(text, sizeof text, head, 0.1, "500*step(t - 0.531)*step(0.533 - t)");
    REQUIRE(model_open(&rig, text));
    int failed = 0;
    thud_state *state = thud_model_state(rig.model);
    thud_inclusion problem = *thud_model_problem(rig.model);
    problem.kinks = NULL;
    for (int n = 0; n < 10; n++)
    {
        thud_verdict verdict = {0};
        thud_state *before = model_state_twin(&rig);
        REQUIRE(thud_step(&problem, state, rig.work) >= 0);
        CHECK(thud_model_verify(rig.model, before, state, NULL, &verdict) == THUD_OK);
        failed += !verdict.holds;
        CHECK(verdict.holds == (n != 5));
        thud_state_destroy(before);
    }
    CHECK(failed == 1);
    model_close(&rig);
}

// Arguments that depend on the coordinates too: zeros at the frozen position.
static void with_coordinates(void)
{
    static const char text[] =
        "thud: 1\nkind: inclusion\ntime: {step: 0.07, end: 3}\n"
        "coordinates: {x: {start: 0.2, velocity: 0.3}, y: {start: 0, velocity: 1}}\n"
        "force: {x: \"9*step(sin(9*t) - x*y) - step(cos(40*t*x))\",\n"
        "        y: \"-3*abs(y - t*x) + 50*step(1e-3 - abs(t - 1 - x^2/50))\"}\n"
        "constraints: {floor: \"y\"}\n";
    model_rig rig;
    REQUIRE(model_open(&rig, text));
    (void)judged_run(&rig, 43);
    model_close(&rig);
}

static void gravity(void)
{
    static const char text[] =
        "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.1, end: 1}\nmaterials: {a: {density: 1}}\n"
        "gravity: [\"500*step(t - 0.531)*step(0.533 - t)\", \"-abs(t - 0.25)\"]\n"
        "bodies:\n  - {at: [0, 0], radius: 1}\n  - {at: [9, 0], radius: 2}\n";
    model_rig rig;
    REQUIRE(model_open(&rig, text));
    CHECK_NEAR(judged_run(&rig, 10), 1, 1e-12);
    CHECK_NEAR(thud_model_state(rig.model)->u[1], -(0.0625 + 0.5625) / 2, 1e-14);
    CHECK_NEAR(thud_model_state(rig.model)->u[2], 1, 1e-12);
    model_close(&rig);
}

// First order: the mean velocity of an inclusion, and of a crowd.
static void first_order(void)
{
    static const char alone[] = "thud: 1\nkind: inclusion\norder: 1\ntime: {step: 0.1, end: 1}\n"
                                "coordinates: {x: {start: 0}}\n"
                                "velocity: {x: \"500*step(t - 0.531)*step(0.533 - t)\"}\n";
    static const char crowd[] =
        "thud: 1\nkind: spheres\ndim: 2\norder: 1\ntime: {step: 0.1, end: 1}\n"
        "crowd:\n  - {velocity: [\"500*step(t - 0.531)*step(0.533 - t)\", \"x\"]}\n"
        "materials: {a: {}}\nbodies:\n  - {at: [0, 0], radius: 1}\n";
    const char *const texts[] = {alone, crowd};
    for (int i = 0; i < 2; i++)
    {
        model_rig rig;
        REQUIRE(model_open(&rig, texts[i]));
        (void)judged_run(&rig, 10);
        CHECK_NEAR(thud_model_state(rig.model)->q[0], 1, 1e-12);
        model_close(&rig);
    }
}

// Too many zeros are said, not passed over.
static void too_many(void)
{
    static const char *const forces[] = {"2 + step(sin(1e9*t))",
                                         "2 + step(sin(t)^2 + cos(t)^2 - 1)"};
    for (int i = 0; i < 2; i++)
    {
        model_rig rig;
        char text[500];
        (void)snprintf(text, sizeof text, head, 0.1, forces[i]);
        REQUIRE(model_open(&rig, text));
        thud_state *state = thud_model_state(rig.model);
        CHECK(thud_step(thud_model_problem(rig.model), state, rig.work) == THUD_ERR_QUADRATURE);
        const char *message = thud_work_message(rig.work);
        printf("  %s\n", message);
        CHECK(strstr(message, "step 1 (t = 0): force.x, \"") &&
              strstr(message, "column 5: it has too many jumps"));
        model_close(&rig);
    }
}

// A force without kinks asks for nothing.
static void smooth(void)
{
    static const char *const forces[] = {"sin(t) + sqrt(1 + t)", "step(x - 0.5) + abs(x)", "3"};
    for (int i = 0; i < 3; i++)
    {
        model_rig rig;
        char text[500];
        (void)snprintf(text, sizeof text, head, 0.1, forces[i]);
        REQUIRE(model_open(&rig, text));
        CHECK(!thud_model_problem(rig.model)->kinks);
        model_close(&rig);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"scene", scene},
        {"by-hand", by_hand},
        {"random-pulses", random_pulses},
        {"missed", missed},
        {"with-coordinates", with_coordinates},
        {"gravity", gravity},
        {"first-order", first_order},
        {"too-many", too_many},
        {"smooth", smooth},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
