// Convergence studies: scenes with known solutions, sequences that agree and that do not.
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>
#include <thud/show.h>
#include <unistd.h>

static thud_scene *read_scene(const char *folder, const char *name, const char *set)
{
    char path[600];
    thud_scene *scene = NULL;
    thud_fault fault = {0};
    (void)snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    thud_scene_def def = {.path = path, .set = &set, .set_count = set ? 1 : 0};
    if (thud_scene_read(&def, &scene, &fault) < 0)
        test_fail(__FILE__, __LINE__, "%s: %s", path, fault.text);
    return scene;
}

static const char *reference_name(thud_reference reference)
{
    static const char *const names[] = {"exact", "events", "finest"};
    return names[reference];
}

// A scene, its largest step, and the constants of a right code.
typedef struct known
{
    const char *folder, *name;
    double h;
    thud_reference reference;
    double c[THUD_NORM_COUNT]; // u, q, impulse
} known;

// Errors are at most 1.5 C h in every run, and there is one limit.
static void check_known(const known *k)
{
    thud_scene *scene = read_scene(k->folder, k->name, NULL);
    thud_converge *study = NULL;
    thud_fault fault = {0};
    REQUIRE(scene);
    double step = scene->step;
    thud_converge_def def = {.scene = scene, .h = k->h, .levels = 5};
    thud_status status = thud_converge_create(&def, &study, &fault);
    if (status < 0)
        test_fail(__FILE__, __LINE__, "%s: %s", k->name, fault.text);
    REQUIRE(study);
    thud_converge_result result = thud_converge_view(study);
    CHECK(result.reference == k->reference);
    CHECK(result.limit_count == 1 && result.sequence_count == 3 && result.run_count == 13);
    CHECK(result.verdict ==
          (k->reference == THUD_REFERENCE_FINEST ? THUD_CONVERGE_AGREE : THUD_CONVERGE_WITHIN));
    CHECK(scene->step == step);
    printf("  %-10s %s: C =", k->name, reference_name(result.reference));
    for (int norm = 0; norm < THUD_NORM_COUNT; norm++)
    {
        for (int i = 0; i < result.run_count; i++)
            if (!isnan(result.runs[i].error[norm]))
                CHECK_AT_MOST(result.runs[i].error[norm], 1.5 * k->c[norm] * result.runs[i].h);
        CHECK_AT_MOST(k->c[norm], 1.5 * result.constant[norm]); // the table is not generous
        printf(" %.3g", result.constant[norm]);
    }
    printf(", order %.2f %.2f %.2f\n", result.order[0], result.order[1], result.order[2]);
    thud_converge_destroy(study);
    thud_scene_destroy(scene);
}

static void shipped(void)
{
    static const known all[] = {
        {SHIPPED, "corner", 0.031, THUD_REFERENCE_EXACT, {0.78, 0.228, 1.1}},
        {SHIPPED, "disc", 0.031, THUD_REFERENCE_FINEST, {0.97, 0.87, 0.061}},
        {SHIPPED, "inclusion", 0.031, THUD_REFERENCE_EXACT, {8.6, 3.43, 4.9}},
        {SHIPPED, "plate", 0.031, THUD_REFERENCE_EXACT, {6.7, 0.92, 11.9}},
        {SHIPPED, "play", 0.031, THUD_REFERENCE_EXACT, {3.5, 0.43, 0.031}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check_known(&all[i]);
}

static void laws(void)
{
    static const known all[] = {
        {SCENES, "growing", 0, THUD_REFERENCE_EXACT, {0.278, 0.0955, 0.82}},
        {SCENES, "gluey", 0, THUD_REFERENCE_EXACT, {1.2, 0.708, 0.651}},
        {SCENES, "bouncing", 0, THUD_REFERENCE_EXACT, {11.3, 1.8, 8.7}},
        {SCENES, "dropped", 0, THUD_REFERENCE_EVENTS, {11.3, 1.8, 0.293}},
        {SCENES, "two_hits", 0, THUD_REFERENCE_EVENTS, {0.67, 0.172, 0.71}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        check_known(&all[i]);
}

// The same ball by its exact solution, by its impacts and by its finest run.
static void references(void)
{
    thud_scene *scene = read_scene(SCENES, "bouncing", NULL);
    REQUIRE(scene);
    thud_converge *exact = NULL, *finest = NULL;
    thud_converge_def def = {.scene = scene, .levels = 5};
    REQUIRE(thud_converge_create(&def, &exact, NULL) == THUD_OK);
    def.no_exact = true;
    REQUIRE(thud_converge_create(&def, &finest, NULL) == THUD_OK);
    thud_converge_result a = thud_converge_view(exact), b = thud_converge_view(finest);
    CHECK(b.reference == THUD_REFERENCE_FINEST && b.verdict == THUD_CONVERGE_AGREE && *b.why);
    for (int i = 0; i < a.run_count; i++)
        for (int k = 0; k < THUD_NORM_COUNT && !isnan(b.runs[i].error[k]); k++)
            CHECK_NEAR(a.runs[i].error[k], b.runs[i].error[k], 12 * b.runs[b.run_count - 1].h);
    thud_converge_destroy(exact);
    thud_converge_destroy(finest);
    thud_scene_destroy(scene);
}

// A solution that is none: the runs agree with each other, and not with it.
static void wrong_solution(void)
{
    thud_scene *scene = read_scene(SCENES, "bouncing", "exact={z: {q: 1 - t}}");
    REQUIRE(scene);
    thud_converge *study = NULL;
    REQUIRE(thud_converge_create(&(thud_converge_def){.scene = scene}, &study, NULL) == THUD_OK);
    CHECK(thud_converge_view(study).verdict == THUD_CONVERGE_SLOWER);
    thud_converge_destroy(study);
    thud_scene_destroy(scene);
}

// A force that repeats itself in the logarithm of t: halves of one step go to one solution, halves
// of another to another, and thirds to none.
static void two_limits(void)
{
    thud_scene *scene = read_scene(SCENES, "two_limits", NULL);
    REQUIRE(scene);
    thud_converge *study = NULL;
    REQUIRE(thud_converge_create(&(thud_converge_def){.scene = scene}, &study, NULL) == THUD_OK);
    thud_converge_result result = thud_converge_view(study);
    const thud_converge_sequence *s = result.sequences;
    CHECK(result.verdict == THUD_CONVERGE_SEVERAL);
    CHECK(result.limit_count == 2);
    CHECK(s[0].kind == THUD_SEQUENCE_SETTLES && s[0].limit == 0);
    CHECK(s[1].kind == THUD_SEQUENCE_WANDERS && s[1].limit == -1);
    CHECK(s[2].kind == THUD_SEQUENCE_SETTLES && s[2].limit == 1);
    CHECK(result.spread > 0.007 && s[0].change < 2e-5 && s[2].change < 2e-5);
    printf("  limits are %.4g apart, ends of sequences %.2g and %.2g from the runs before\n",
           result.spread, s[0].change, s[2].change);
    thud_converge_destroy(study);
    thud_scene_destroy(scene);
}

static int stop_at_two(int run, int count, void *user)
{
    CHECK(count == 13);
    *(int *)user = run;
    return run == 2;
}

static void refused(void)
{
    thud_converge *study = NULL;
    thud_fault fault = {0};
    thud_scene *noisy = read_scene(SHIPPED, "noise", NULL),
               *ball = read_scene(SCENES, "bouncing", NULL);
    REQUIRE(noisy && ball);
    CHECK(thud_converge_create(&(thud_converge_def){.scene = noisy}, &study, &fault) ==
          THUD_ERR_ARGUMENT);
    CHECK(strstr(fault.text, "noise") && !study);
    for (int fault_at = 0; fault_at < 5; fault_at++)
    {
        thud_converge_def def = {.scene = ball};
        if (fault_at == 0)
            def.levels = 2;
        else if (fault_at == 1)
            def.levels = 17;
        else if (fault_at == 2)
            def.h = -1;
        else if (fault_at == 3)
            def.h = 100;
        else
            def.scene = NULL;
        CHECK(thud_converge_create(&def, &study, &fault) == THUD_ERR_ARGUMENT);
        CHECK(!study && *fault.text);
    }
    int reached = 0;
    thud_converge_def stopped = {
        .scene = ball, .levels = 5, .progress = stop_at_two, .user = &reached};
    CHECK(thud_converge_create(&stopped, &study, &fault) == THUD_STOPPED && !study && reached == 2);
    thud_converge_destroy(NULL);
    thud_scene_destroy(noisy);
    thud_scene_destroy(ball);
    // a run that fails says at which step
    thud_scene *closing = read_scene(SHIPPED, "closing_walls", NULL);
    REQUIRE(closing);
    CHECK(thud_converge_create(&(thud_converge_def){.scene = closing, .levels = 3}, &study,
                               &fault) < 0);
    CHECK(strstr(fault.text, "with step"));
    thud_scene_destroy(closing);
    // an exact solution without a value is no error of 0
    static const char text[] = "{thud: 1, kind: inclusion, time: {step: 0.1, end: 1},\n"
                               "coordinates: {q: {start: 1}}, exact: {q: {q: 1, u: 'sqrt(-t)'}}}";
    thud_scene *unknown = NULL;
    thud_scene_def def = {.text = text, .length = sizeof text - 1};
    REQUIRE(thud_scene_read(&def, &unknown, &fault) == THUD_OK);
    CHECK(thud_converge_create(&(thud_converge_def){.scene = unknown, .levels = 3}, &study,
                               &fault) == THUD_ERR_NOT_FINITE);
    CHECK(strstr(fault.text, "the exact solution is not finite"));
    thud_scene_destroy(unknown);
}

static void lack_of_memory(const char *name)
{
    thud_scene *scene = read_scene(SCENES, name, NULL);
    REQUIRE(scene);
    bool done = false;
    long tried = 0;
    for (long fail_at = 1; !done; fail_at += 1 + fail_at / 40, tried++)
    {
        test_meter meter = {.fail_at = fail_at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_converge *study = NULL;
        thud_converge_def def = {.scene = scene, .h = 0.5, .levels = 3, .allocator = &allocator};
        thud_status status = thud_converge_create(&def, &study, NULL);
        done = status == THUD_OK;
        CHECK(done || status == THUD_ERR_MEMORY);
        thud_converge_destroy(study);
        CHECK(meter.blocks == 0);
        REQUIRE(tried < 1000);
    }
    printf("  %s: %ld allocations refused\n", name, tried);
    thud_scene_destroy(scene);
}

static void failing_memory(void)
{
    lack_of_memory("bouncing");
    lack_of_memory("dropped");
    lack_of_memory("two_limits");
}

static long size_of(const char *folder, const char *name)
{
    char path[300];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return -1;
    long size = ftell(file);
    (void)fclose(file);
    (void)unlink(path);
    return size;
}

static void chart(void)
{
    char folder[] = "/tmp/thud-converge-XXXXXX";
    thud_scene *scene = read_scene(SCENES, "gluey", NULL);
    thud_converge *study = NULL;
    thud_fault fault = {0};
    REQUIRE(scene && mkdtemp(folder));
    REQUIRE(thud_converge_create(&(thud_converge_def){.scene = scene, .levels = 4}, &study, NULL) ==
            THUD_OK);
    thud_converge_result result = thud_converge_view(study);
    CHECK(thud_plot_convergence(&result, folder, "errors", NULL, &fault) == THUD_OK);
    CHECK(size_of(folder, "errors.svg") > 3000);
    CHECK(size_of(folder, "errors.png") > 3000);
    (void)rmdir(folder);
    CHECK(thud_plot_convergence(&result, "", "errors", NULL, &fault) == THUD_ERR_ARGUMENT);
    CHECK(thud_plot_convergence(&result, "/dev/null/no", "errors", NULL, &fault) == THUD_ERR_IO);
    thud_converge_destroy(study);
    thud_scene_destroy(scene);
}

/// The largest |q_h - q| is at the impact itself, which is within a step.
static void largest_at_the_impact(void)
{
    thud_scene *scene = read_scene(SCENES, "stopped", NULL);
    thud_converge *study = NULL;
    REQUIRE(scene);
    REQUIRE(thud_converge_create(&(thud_converge_def){.scene = scene}, &study, NULL) == THUD_OK);
    thud_converge_result result = thud_converge_view(study);
    CHECK(result.reference == THUD_REFERENCE_EXACT);
    for (int i = 0; i < result.run_count; i++)
    {
        double h = result.runs[i].h, part = 1 / h - floor(1 / h);
        CHECK_NEAR(result.runs[i].error[THUD_NORM_Q] / h, part * (1 - part), 1e-4);
    }
    thud_converge_destroy(study);
    thud_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"shipped", shipped},       {"laws", laws},
        {"references", references}, {"wrong-solution", wrong_solution},
        {"two-limits", two_limits}, {"largest-at-the-impact", largest_at_the_impact},
        {"refused", refused},       {"failing-memory", failing_memory},
        {"chart", chart},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
