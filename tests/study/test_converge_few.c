// Studies of few levels: rounding is no difference, and what has not settled is not called one
// limit.
#include "thud_test.h"

#include <string.h>
#include <thud/converge.h>

// The figures of a study, whose lists are gone with it.
static thud_converge_result study_text(const char *path, const char *text, const char *set,
                                       int levels)
{
    thud_scene *scene = NULL;
    thud_converge *study = NULL;
    thud_converge_result result = {.verdict = THUD_CONVERGE_SEVERAL};
    thud_fault fault = {0};
    thud_scene_def def = {.path = path,
                          .text = text,
                          .length = text ? strlen(text) : 0,
                          .set = &set,
                          .set_count = set ? 1 : 0};
    if (thud_scene_read(&def, &scene, &fault) < 0)
        test_fail(__FILE__, __LINE__, "%s", fault.text);
    thud_converge_def what = {
        .scene = scene, .levels = levels, .no_exact = true, .no_events = true};
    if (scene && thud_converge_create(&what, &study, &fault) < 0)
        test_fail(__FILE__, __LINE__, "%s", fault.text);
    if (study)
        result = thud_converge_view(study);
    thud_converge_destroy(study);
    thud_scene_destroy(scene);
    return result;
}

// Everything comes to rest at the origin: coordinates are rounding.
static void corner(void)
{
    thud_converge_result result = study_text(CASES "/converge-corner.yaml", NULL, NULL, 3);
    CHECK(result.verdict == THUD_CONVERGE_AGREE && result.limit_count == 1);
    CHECK_AT_MOST(result.spread, 1e-15);
}

static void random_corners(void)
{
    uint64_t seed = test_seed(32);
    test_random random = test_random_start(seed);
    int one = 0;
    double spread = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 30; i++)
    {
        char text[600];
        (void)snprintf(
            text, sizeof text,
            "thud: 1\nkind: inclusion\ntime: {step: 0.1, end: 1}\n"
            "coordinates: {x: {start: 0, velocity: %.3f}, y: {start: 0, velocity: %.3f}}\n"
            "force: {x: \"0.05*sin(t)\", y: \"-1\"}\n"
            "constraints: {a: \"%.3f*x + %.3f*y\", b: \"-%.3f*x + %.3f*y\"}\n",
            test_random_uniform(&random, -0.1, 0.1), test_random_uniform(&random, -1, -0.8),
            test_random_uniform(&random, 0.5, 1), test_random_uniform(&random, 0.5, 1),
            test_random_uniform(&random, 0.5, 1), test_random_uniform(&random, 0.5, 1));
        thud_converge_result result = study_text(NULL, text, NULL, 3);
        one += result.verdict == THUD_CONVERGE_AGREE;
        spread = fmax(spread, result.spread);
    }
    printf("%d of 30 corners have one limit, ends up to %.2g apart\n", one, spread);
    CHECK(one == 30);
}

// Elastic billiards of 4 units of time: no run of these steps knows where the bodies end.
static void billiards(void)
{
    int counts[5] = {0};
    for (int seed = BILLIARD_FIRST; seed <= BILLIARD_LAST; seed += BILLIARD_STEP)
    {
        char set[200];
        (void)snprintf(set, sizeof set,
                       "bodies=[{lattice: {origin: [5,5], count: [3,3], spacing: 13, radius: 3, "
                       "jitter: 1.5, seed: %d}}, {at: [20, 12], radius: 1, velocity: [70, 50]}]",
                       seed);
        thud_converge_result result = study_text(CASES "/converge-agree.yaml", NULL, set, 3);
        counts[result.verdict]++;
        CHECK(result.verdict == THUD_CONVERGE_UNKNOWN);
    }
    printf("within %d, slower %d, agree %d, several %d, cannot be told %d\n", counts[0], counts[1],
           counts[2], counts[3], counts[4]);
}

// The same hall for a shorter time, until the first few impacts: the runs do agree.
static void short_billiard(void)
{
    thud_converge_result result =
        study_text(CASES "/converge-agree.yaml", NULL, "time={step: 0.002, end: 0.15}", 5);
    CHECK(result.verdict == THUD_CONVERGE_AGREE);
    printf("spread %.3g, left %.3g, motion %.3g\n", result.spread, result.left, result.motion);
}

// Differences that shrink slower than h never make an agreement.
static void slow(void)
{
    thud_converge_result result =
        study_text(CASES "/converge-agree.yaml", NULL, "time={step: 0.02, end: 4}", 3);
    CHECK(result.verdict == THUD_CONVERGE_UNKNOWN);
    CHECK(result.spread > 40 && result.left > 0.1 * result.motion);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"corner", corner},
                                      {"random-corners", random_corners},
                                      {"billiards", billiards},
                                      {"short-billiard", short_billiard},
                                      {"slow", slow}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
