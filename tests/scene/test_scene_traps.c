// What a scene must not swallow: keys that --set adds, parameters that nothing uses, seeds that
// nothing follows; and how seeds follow from the one at the top.
#include "core/math/random_numbers.h"
#include "scene_rig.h"
#include "thud_test.h"

#include <string.h>
#include <unistd.h>

#define HEAD "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 1}\n"
#define FILL                                                                                       \
    "  - fill: {region: {box: [[%d, 0], [%d, 9]]}, count: 20, radius: {uniform: [0.1, 0.2]}, "     \
    "mass: "                                                                                       \
    "1%s}\n"

static void report(const char *text, const char *const *set, int count, bool resolved, char *out)
{
    rig_report(&(thud_scene_def){.text = text,
                                 .length = strlen(text),
                                 .set = set,
                                 .set_count = count,
                                 .resolved = resolved},
               out);
}

static void added_keys(void)
{
    static const char text[] = HEAD "bodies:\n- {at: [0, 1], radius: 1, mass: 1}\n";
    static const char *const set[] = {"record=all",
                                      "time.end=2",
                                      "time.frames=7",
                                      "walls.w.plane={point: [0, 0], normal: [0, 1]}",
                                      "walls.w.plane.point=[0, -1]",
                                      "bodies.0.velocity=[0, 1]",
                                      "bodies.0.at.1=3"};
    static const char *const wanted[] = {
        "record", NULL, "time.frames", "walls", NULL, "bodies.0.velocity", NULL};
    enum
    {
        COUNT = sizeof set / sizeof *set
    };
    thud_scene *s = rig_read(
        &(thud_scene_def){.text = text, .length = sizeof text - 1, .set = set, .set_count = COUNT});
    REQUIRE(s && s->set_count == COUNT);
    for (int i = 0; i < COUNT; i++)
    {
        const char *key = s->added[i];
        bool is_same = key && wanted[i] ? strcmp(key, wanted[i]) == 0 : key == wanted[i];
        if (!is_same)
            test_fail(__FILE__, __LINE__, "%s added '%s', not '%s'", set[i], key ? key : "nothing",
                      wanted[i] ? wanted[i] : "nothing");
    }
    thud_scene_destroy(s);
    s = rig_read_text(text);
    REQUIRE(s);
    CHECK(s->set_count == 0 && !s->added);
    thud_scene_destroy(s);
}

// By --set none may stand unused; from the scene itself none, unless it is resolved.
static void unused_parameters(void)
{
    static const char own[] = HEAD "parameters: {width: 1, spare: 2}\n"
                                   "bodies:\n- {at: [0, width], radius: 1, mass: 1}\n";
    static const char *const set[] = {"parameters.widht=2"}, *const spare[] = {
                                                                 "parameters.spare=3"};
    char text[RIG_REPORT_SIZE], resolved[sizeof own + 40];
    report(own, NULL, 0, false, text);
    CHECK(strcmp(text, "thud: error: -:5:24: the parameter 'spare' is not used by any expression\n"
                       "  hint: remove it; parameters in use: width\nexit 3\n") == 0);
    report(own, NULL, 0, true, text);
    CHECK(strcmp(text, "") == 0);
    report(own, set, 1, true, text);
    CHECK(strcmp(text, "thud: error: --set:1:12: the parameter 'widht' is not used by any "
                       "expression\n  hint: did you mean 'width'?\nexit 3\n") == 0);
    report(own, spare, 1, true, text);
    CHECK(strcmp(text, "thud: error: --set:1:18: the parameter 'spare' is not used by any "
                       "expression\n  hint: remove it; parameters in use: width\nexit 3\n") == 0);
    (void)snprintf(resolved, sizeof resolved, "%sresolved: true\n", own);
    report(resolved, NULL, 0, false, text);
    CHECK(strcmp(text, "") == 0);
    (void)snprintf(resolved, sizeof resolved, "%sresolved: false\n", own);
    report(resolved, NULL, 0, false, text);
    CHECK(strcmp(text, "") != 0);
}

// A file that several scenes include need not have all its parameters used by each.
static void included_parameters(void)
{
    char text[RIG_REPORT_SIZE];
    static const char *const set[] = {"parameters.other=3"};
    thud_scene_def def = {.path = "unused_included.yaml"};
    REQUIRE(chdir(SCENE_GOOD) == 0);
    thud_scene *s = rig_read(&def);
    CHECK(s && s->bodies[0].sphere.radius == 0.25);
    thud_scene_destroy(s);
    def.set = set;
    def.set_count = 1;
    rig_report(&def, text);
    CHECK(strcmp(text, "thud: error: --set:1:18: the parameter 'other' is not used by any "
                       "expression\n  hint: remove it; parameters in use: radius\nexit 3\n") == 0);
}

// Two fills, the second with or without its own seed.
static thud_scene *read_fills(const char *top, const char *second)
{
    char text[1000];
    (void)snprintf(text, sizeof text, HEAD "%sbodies:\n" FILL FILL, top, 0, 9, "", 10, 19, second);
    return rig_read_text(text);
}

// Do the bodies from `first` on, 20 of them, have the same radii?
static bool same_fill(const thud_scene *a, int first_a, const thud_scene *b, int first_b)
{
    bool same = true;
    for (int i = 0; i < 20; i++)
        same = same && a->bodies[first_a + i].sphere.radius == b->bodies[first_b + i].sphere.radius;
    return same;
}

static void seeds_follow(void)
{
    thud_scene *none = read_fills("", ""), *one = read_fills("", ", seed: 1");
    thud_scene *six = read_fills("seed: 6\n", ""), *again = read_fills("seed: 6\n", "");
    thud_scene *seven = read_fills("seed: 7\n", ""), *own = read_fills("seed: 7\n", ", seed: 1");
    thud_scene *first = read_fills("", ", seed: 6");
    REQUIRE(none && one && six && again && seven && own && first);
    CHECK(same_fill(none, 0, one, 0) && same_fill(none, 20, one, 20));
    CHECK(same_fill(none, 0, none, 20)); // as ever: both have the seed 1
    CHECK(!same_fill(six, 0, six, 20));  // each has its own
    CHECK(same_fill(six, 0, first, 20)); // the first has the one at the top
    CHECK(same_fill(six, 0, again, 0) && same_fill(six, 20, again, 20));
    CHECK(!same_fill(six, 0, seven, 0) && !same_fill(six, 20, seven, 20));
    CHECK(same_fill(own, 0, seven, 0) && same_fill(own, 20, one, 20)); // what is given, stays
    thud_scene *all[] = {none, one, six, again, seven, own, first};
    for (int i = 0; i < 7; i++)
        thud_scene_destroy(all[i]);
}

static void crowds_follow(void)
{
    static const char text[] =
        HEAD "order: 1\nseed: %d\nbodies:\n"
             "- lattice: {origin: [0, 0], count: [9, 1], spacing: 3, radius: 1, jitter: 0.1}\n"
             "crowd:\n- {velocity: [1, 0], speed: {uniform: [1, 2]}}\n";
    char first[1000], second[1000];
    (void)snprintf(first, sizeof first, text, 1);
    (void)snprintf(second, sizeof second, text, 2);
    thud_scene *a = rig_read_text(first), *b = rig_read_text(second);
    REQUIRE(a && b);
    CHECK(a->seed == 1 && b->seed == 2); // the noise has it as it is
    for (int i = 0; i < 9; i++)
        CHECK(a->speeds[i] != b->speeds[i] &&
              a->bodies[i].sphere.center[0] != b->bodies[i].sphere.center[0]);
    thud_scene_destroy(a);
    thud_scene_destroy(b);
}

// Every bit of a derived seed changes with every bit of what it is derived from, half of the time.
static void seeds_are_mixed(void)
{
    enum
    {
        COUNT = 2000,
        BITS = 53
    };
    int changed[BITS] = {0};
    for (uint64_t i = 0; i < COUNT; i++)
    {
        uint64_t a = thudi_random_derive(i, 0), b = thudi_random_derive(i, 1);
        uint64_t c = thudi_random_derive(i + 1, 0);
        CHECK(a < UINT64_C(1) << BITS && a != b && a != c);
        for (int k = 0; k < BITS; k++)
            changed[k] += (int)((a ^ b) >> k & 1) + (int)((a ^ c) >> k & 1);
    }
    int least = 2 * COUNT, most = 0;
    for (int k = 0; k < BITS; k++)
    {
        least = changed[k] < least ? changed[k] : least;
        most = changed[k] > most ? changed[k] : most;
    }
    printf("bits change in %d to %d of %d cases\n", least, most, 2 * COUNT);
    CHECK(least > 0.45 * 2 * COUNT && most < 0.55 * 2 * COUNT);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"added-keys", added_keys},
                                      {"unused-parameters", unused_parameters},
                                      {"included-parameters", included_parameters},
                                      {"seeds-follow", seeds_follow},
                                      {"crowds-follow", crowds_follow},
                                      {"seeds-are-mixed", seeds_are_mixed}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
