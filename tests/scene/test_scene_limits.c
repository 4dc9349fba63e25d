// The limits of scenes, at them and just beyond, and every allocation failing.
#include "scene_rig.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char head[] = "thud: 1\nkind: inclusion\ntime: {step: 1, end: 2}\n"
                           "coordinates: {q: {start: 0}}\n";

static void add(rig_text *text, const char *part, long times)
{
    for (long i = 0; i < times; i++)
        if (rig_sink(part, strlen(part), text) != 0)
            abort();
}

static void expect(rig_text *text, const char *wanted)
{
    char report[RIG_REPORT_SIZE];
    rig_report(&(thud_scene_def){.text = text->bytes, .length = text->length}, report);
    if (strcmp(report, wanted) != 0)
        test_fail(__FILE__, __LINE__, "\"%s\", wanted \"%s\"", report, wanted);
    rig_text_free(text);
}

static void strings(void)
{
    rig_text text = {0};
    add(&text, head, 1);
    add(&text, "about: ", 1);
    add(&text, "x", THUD_SCENE_STRING);
    add(&text, "\n", 1);
    expect(&text, "");
    add(&text, head, 1);
    add(&text, "about: ", 1);
    add(&text, "x", THUD_SCENE_STRING + 1);
    expect(&text,
           "thud: error: -:5:8: a string is longer than 64 KiB\n  hint: shorten it\nexit 5\n");
    add(&text, "thud: 1\nkind: inclusion\ntime: {step: 1, end: \"1 + ", 1);
    add(&text, "1", THUD_EXPRESSION_LENGTH);
    add(&text, "\"}\n", 1);
    expect(&text, "thud: error: -:3:23: time.end: the expression has more than 4096 characters\n"
                  "exit 5\n");
}

static void sizes(void)
{
    rig_text text = {0};
    add(&text, head, 1);
    add(&text, "# comment\n", (THUD_SCENE_FILE_SIZE - (long)text.length) / 10);
    expect(&text, "");
    add(&text, "#\n", THUD_SCENE_FILE_SIZE / 2 + 1);
    expect(&text, "thud: error: -: the scene has more than 64 MiB\n"
                  "  hint: put many bodies into a CSV file: see 'file' under 'bodies'\n"
                  "exit 5\n");
}

static void depth(void)
{
    rig_text text = {0};
    add(&text, head, 1);
    add(&text, "about: ", 1);
    add(&text, "[", THUD_SCENE_DEPTH - 1);
    add(&text, "]", THUD_SCENE_DEPTH - 1);
    expect(&text, "thud: error: -:5:8: about must be a text, but is a list\nexit 3\n");
    add(&text, "{a: ", 100000);
    expect(&text, "thud: error: -:1:257: maps and lists are nested more than 64 deep\nexit 5\n");
    add(&text, "- ", 100000);
    expect(&text, "thud: error: -:1:129: maps and lists are nested more than 64 deep\nexit 5\n");
}

static void counts(void)
{
    rig_text text = {0};
    add(&text, head, 1);
    add(&text, "breaks: [", 1);
    for (int i = 0; i <= THUD_SCENE_KEYS; i++)
    {
        char number[16];
        (void)snprintf(number, sizeof number, "%d,\n", i);
        add(&text, number, 1);
    }
    expect(&text, "thud: error: -:100005:1: a list has more than 100000 items\n"
                  "  hint: put many bodies into a CSV file: see 'file' under 'bodies'\n"
                  "exit 5\n");
    add(&text, head, 1);
    add(&text, "parameters:\n", 1);
    for (int i = 0; i <= 10000; i++)
    {
        char number[32];
        (void)snprintf(number, sizeof number, "  p%d: 1\n", i);
        add(&text, number, 1);
    }
    expect(&text, "thud: error: -:6:3: more than 10000 parameters\nexit 5\n");
    add(&text, "thud: 1\nkind: inclusion\ntime: {step: 1, end: 2}\ncoordinates:\n", 1);
    for (int i = 0; i <= 10000; i++)
    {
        char number[32];
        (void)snprintf(number, sizeof number, "  q%d: {start: 1}\n", i);
        add(&text, number, 1);
    }
    expect(&text, "thud: error: -:5:3: more than 10000 coordinates\nexit 5\n");
    add(&text, head, 1);
    add(&text, "about: [", 1);
    for (int i = 0; i < 41; i++)
    {
        add(&text, "[", 1);
        add(&text, "1,", 100000);
        add(&text, "],\n", 1);
    }
    expect(&text, "thud: error: -:44:199884: the scene has more than 4000000 values\n"
                  "  hint: put many bodies into a CSV file: see 'file' under 'bodies'\n"
                  "exit 5\n");
}

static void expect_set(rig_text *set, const char *wanted)
{
    char report[RIG_REPORT_SIZE];
    const char *const sets[] = {set->bytes};
    rig_report(
        &(thud_scene_def){.text = head, .length = sizeof head - 1, .set = sets, .set_count = 1},
        report);
    if (strcmp(report, wanted) != 0)
        test_fail(__FILE__, __LINE__, "\"%s\", wanted \"%s\"", report, wanted);
    rig_text_free(set);
}

static void overrides(void)
{
    rig_text set = {0};
    add(&set, "a.", THUD_SCENE_DEPTH);
    add(&set, "a=1", 1);
    expect_set(&set, "thud: error: --set:1:129: the key has more than 64 parts\nexit 5\n");
    add(&set, "about=", 1);
    add(&set, "[", THUD_SCENE_DEPTH);
    add(&set, "]", THUD_SCENE_DEPTH);
    expect_set(&set, "thud: error: --set:1:1: maps and lists are nested more than 64 deep\n"
                     "exit 5\n");
    add(&set, "about=", 1);
    add(&set, "x", THUD_SCENE_STRING + 1);
    expect_set(&set, "thud: error: --set:1:7: a string is longer than 64 KiB\n"
                     "  hint: shorten it\nexit 5\n");
}

// A file of bodies that is too large is refused before it is read.
static void large_file(void)
{
    char folder[] = "/tmp/thud-scene-XXXXXX", path[64], report[RIG_REPORT_SIZE];
    static const char text[] = "thud: 1\nkind: spheres\ntime: {step: 1, end: 2}\n"
                               "bodies: [file: {path: large.csv}]\n";
    REQUIRE(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/large.csv", folder);
    FILE *file = fopen(path, "wb");
    REQUIRE(file && ftruncate(fileno(file), THUD_BODY_FILE_SIZE + (off_t)1) == 0 &&
            fclose(file) == 0);
    rig_report(&(thud_scene_def){.text = text, .length = sizeof text - 1, .folder = folder},
               report);
    CHECK(strcmp(report, "thud: error: -:4:23: bodies[0].file.path: the file 'large.csv' is larger "
                         "than 2 GiB\nexit 5\n") == 0);
    CHECK(unlink(path) == 0 && rmdir(folder) == 0);
}

static void bodies(void)
{
    static const char text[] = "thud: 1\nkind: spheres\ntime: {step: 1, end: 2}\nbodies:\n"
                               "- {at: [9, 9, 9], radius: 1, mass: 1}\n"
                               "- lattice: {origin: [0, 0, 0], count: [2, 2, 2], spacing: 2, "
                               "radius: 1, mass: 1}\n";
    char report[RIG_REPORT_SIZE];
    thud_scene_def def = {.text = text, .length = sizeof text - 1, .body_limit = 9};
    rig_report(&def, report);
    CHECK(strcmp(report, "") == 0);
    def.body_limit = 8;
    rig_report(&def, report);
    CHECK(
        strcmp(report,
               "thud: error: -:6:12: the scene has at least 9 bodies; the limit is 8\nexit 5\n") ==
        0);
}

// A message may quote any text; it stays one line within its room, whole characters only.
static void long_quotes(void)
{
    rig_text text = {0};
    thud_scene *scene;
    thud_fault fault;
    add(&text, "thud: 1\nkind: \"\\n\\t", 1);
    add(&text, "\xc3\xbc", 500);
    add(&text, "\"\n", 1);
    thud_scene_def def = {.text = text.bytes, .length = text.length};
    CHECK(thud_scene_read(&def, &scene, &fault) == THUD_ERR_SCENE);
    CHECK(strstr(fault.text, "kind cannot be '  \xc3\xbc\xc3\xbc") == fault.text);
    CHECK(strstr(fault.text, "\xc3\xbc...'") != NULL && strlen(fault.text) < 100);
    rig_text_free(&text);
}

static long fail_each(const char *name, const char *const *set, int set_count)
{
    long fail_at = 1;
    for (bool more = true; more; fail_at++)
    {
        test_meter meter = {.fail_at = fail_at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_scene *scene = NULL;
        thud_fault fault;
        thud_status status = thud_scene_read(
            &(thud_scene_def){
                .path = name, .set = set, .set_count = set_count, .allocator = &allocator},
            &scene, &fault);
        more = status < 0;
        if (status < 0 && (status != THUD_ERR_MEMORY || scene || meter.blocks != 0 ||
                           strcmp(fault.text, "out of memory") != 0))
        {
            test_fail(__FILE__, __LINE__, "%s, allocation %ld: %s, %ld blocks, \"%s\"", name,
                      fail_at, thud_status_name(status), meter.blocks, fault.text);
            more = false;
        }
        thud_scene_destroy(scene);
        CHECK(meter.blocks == 0);
    }
    CHECK(fail_at > 10);
    return fail_at - 2;
}

static void no_memory_spheres(void)
{
    static const char *const set[] = {"time.end=2", "walls.extra={box: [[0, 0, 0], [90, 90, 90]]}"};
    REQUIRE(chdir(SCENE_GOOD) == 0);
    long count = fail_each("spheres_full.yaml", set, 2);
    count += fail_each("disks.yaml", NULL, 0);
    count += fail_each("cloud.yaml", NULL, 0);
    count += fail_each("contacts.yaml", NULL, 0);
    count += fail_each("sticky.yaml", NULL, 0);
    count += fail_each("crowd.yaml", NULL, 0);
    printf("%ld allocations\n", count);
}

static void no_memory_inclusion(void)
{
    REQUIRE(chdir(SCENE_GOOD) == 0);
    long count = fail_each("plate.yaml", NULL, 0);
    count += fail_each("included.yaml", NULL, 0);
    count += fail_each("constraints.yaml", NULL, 0);
    count += fail_each("noisy.yaml", NULL, 0);
    printf("%ld allocations\n", count);
}

// Small pieces share blocks: a text of growing length in front moves the piece that needs a block.
static void no_memory_anywhere(void)
{
    char about[4200] = "about=";
    const char *set[] = {about, "time.end=7*new", "parameters.new=1", "solver.shift=0"};
    long count = 0;
    REQUIRE(chdir(SCENE_GOOD) == 0);
    for (size_t length = 1; length < 4096; length += 16)
    {
        memset(about + 6, 'x', length);
        count += fail_each("included.yaml", set, 4);
    }
    printf("%ld allocations\n", count);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"strings", strings},
                                      {"sizes", sizes},
                                      {"depth", depth},
                                      {"counts", counts},
                                      {"overrides", overrides},
                                      {"large-file", large_file},
                                      {"bodies", bodies},
                                      {"long-quotes", long_quotes},
                                      {"no-memory-spheres", no_memory_spheres},
                                      {"no-memory-inclusion", no_memory_inclusion},
                                      {"no-memory-anywhere", no_memory_anywhere}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
