// Overrides by --set: what they change, and the exact words where they cannot; and include.
#include "scene_rig.h"
#include "text/scene_files.h"
#include "thud_test.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char scene_text[] = "thud: 1\n"
                                 "kind: spheres\n"
                                 "time: {step: 0.01, end: 1}\n"
                                 "materials: {glass: {density: 1}}\n"
                                 "bodies:\n"
                                 "- {at: [0, 0, 0], radius: 1}\n"
                                 "- lattice: {origin: [9, 0, 0], count: [1, 1, 1], spacing: 3, "
                                 "radius: 1}\n";

static thud_scene_def with(const char *const *set, int count)
{
    return (thud_scene_def){
        .text = scene_text, .length = sizeof scene_text - 1, .set = set, .set_count = count};
}

static void values(void)
{
    static const char *const set[] = {"time.end=2*pi",
                                      "bodies.1.lattice.count=[2, 3, 4]",
                                      "bodies.0.at.2=-5",
                                      "gravity=[0,0,-1.62]",
                                      "materials.glass.growth=\"1 + t\"",
                                      "materials.lead={density: 11}",
                                      "walls.floor.plane={point: [0, 0, -9], normal: [0, 0, 1]}",
                                      "title='a = b'",
                                      "about=\"\"",
                                      "time.end=3",
                                      "bodies.0.material=lead",
                                      "bodies.1.lattice.material=glass"};
    thud_scene_def def = with(set, sizeof set / sizeof *set);
    thud_scene *s = rig_read(&def);
    REQUIRE(s);
    CHECK(s->end == 3 && s->body_count == 1 + 24 && s->bodies[0].sphere.center[2] == -5);
    CHECK(strcmp(s->title, "a = b") == 0 && strcmp(s->about, "") == 0);
    CHECK(s->material_count == 2 && s->bodies[0].material == 1 && s->materials[0].growth);
    CHECK(s->wall_count == 1 && strcmp(s->walls[0].place.file, "--set") == 0);
    CHECK(s->walls[0].place.line == 7 && s->walls[0].place.column == 7);
    CHECK(strcmp(s->materials[0].place.file, "-") == 0 && s->materials[0].place.line == 4);
    thud_scene_destroy(s);
}

typedef struct refusal
{
    const char *set, *report;
} refusal;

static const refusal refusals[] = {
    {"time.end", "thud: error: --set:2:1: the override has no '='\n"
                 "  hint: write KEY=VALUE, such as time.end=2\nexit 2\n"},
    {"=3", "thud: error: --set:2:1: the override has no key\n"
           "  hint: write KEY=VALUE, such as time.end=2\nexit 2\n"},
    {"", "thud: error: --set:2:1: the override has no '='\n"
         "  hint: write KEY=VALUE, such as time.end=2\nexit 2\n"},
    {"time..end=3", "thud: error: --set:2:6: a part of the key is empty\n"
                    "  hint: write KEY=VALUE, such as time.end=2\nexit 2\n"},
    {"time.=3", "thud: error: --set:2:6: a part of the key is empty\n"
                "  hint: write KEY=VALUE, such as time.end=2\nexit 2\n"},
    {"title=", "thud: error: --set:2:7: the value is empty\n"
               "  hint: write KEY=VALUE; an empty text is \"\"\nexit 2\n"},
    {"title=# no", "thud: error: --set:2:7: the value is empty\n"
                   "  hint: write KEY=VALUE; an empty text is \"\"\nexit 2\n"},
    {"gravity=[0, 0", "thud: error: --set:2:14: the list needs ',' or ']' here\n"
                      "exit 2\n"},
    {"title=\"abc", "thud: error: --set:2:7: a quoted text is not closed\n"
                    "  hint: add the closing quote\nexit 2\n"},
    {"title=a: b", "thud: error: --set:2:7: the value of --set is not in flow style\n"
                   "  hint: write lists as [1, 2], maps as {a: 1}, texts with ': ' or '- ' in "
                   "quotes\nexit 2\n"},
    {"title=- b", "thud: error: --set:2:7: the value of --set is not in flow style\n"
                  "  hint: write lists as [1, 2], maps as {a: 1}, texts with ': ' or '- ' in "
                  "quotes\nexit 2\n"},
    {"title=*a", "thud: error: --set:2:7: aliases (*a) are not used in scenes\n"
                 "  hint: write the value out, or put an expression that begins with * in quotes\n"
                 "exit 2\n"},
    {"title={a: 1, a: 2}", "thud: error: --set:2:14: the key 'a' was already given\n"
                           "  hint: keep one of them\n"
                           "exit 2\n"},
    {"title=a\xff", "thud: error: --set:2:8: the byte 0xff is not UTF-8\n"
                    "  hint: save the file as UTF-8\nexit 2\n"},
    {"t\xfftle=a", "thud: error: --set:2:2: the byte 0xff is not UTF-8\n"
                   "  hint: save the file as UTF-8\nexit 2\n"},
    {"title=[a,\n  b,\n]]", "thud: error: --set:2:17: there is text after the end of the scene\n"
                            "  hint: write one scene per file; check the indentation\n"
                            "exit 2\n"},
    {"bodies.first.radius=1",
     "thud: error: --set:2:8: bodies is a list; 'first' is not the number of an item\n"
     "  hint: count the items of a list from 0\n"
     "exit 2\n"},
    {"bodies.2.radius=1", "thud: error: --set:2:8: bodies has 2 items; there is no item 2\n"
                          "  hint: count the items of a list from 0\n"
                          "exit 2\n"},
    {"bodies.99999999999.radius=1",
     "thud: error: --set:2:8: bodies is a list; '99999999999' is not the number of an item\n"
     "  hint: count the items of a list from 0\n"
     "exit 2\n"},
    {"kind.of=1", "thud: error: --set:2:6: kind is a value and has no keys\nexit 2\n"},
    {"include=a.yaml", "thud: error: --set:2:1: 'include' cannot be set\n"
                       "  hint: write it in the scene\nexit 2\n"},
    // what is well-formed is checked as if it stood in the scene
    {"time.end=-1",
     "thud: error: --set:2:10: time.end must be after time.start (0), but is -1\nexit 3\n"},
    {"time.ende=1",
     "thud: error: --set:2:6: unknown key 'ende' in time\n  hint: did you mean 'end'?\nexit 3\n"},
    {"gravity=[0, 0, \"2*zz\"]", "thud: error: --set:2:19: gravity[2]: unknown name 'zz'\n"
                                 "  hint: use one of: t\n"
                                 "exit 3\n"},
    {"bodies.1.lattice.radius=0",
     "thud: error: --set:2:25: bodies[1].lattice.radius must be > 0, but is 0\nexit 3\n"},
    {"timing.end=1",
     "thud: error: --set:2:1: unknown key 'timing' in the scene\n"
     "  hint: use one of: thud, title, about, kind, units, parameters, time, record, checkpoints, "
     "dim, order, gravity, drag, cell, overlaps, solver, materials, growth, contacts, walls, "
     "bodies, measure, crowd, noise, seed, resolved, include\n"
     "exit 3\n"},
};

static void refused(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
    {
        char report[RIG_REPORT_SIZE];
        const char *set[] = {"drag=0", refusals[i].set};
        thud_scene_def def = with(set, 2);
        rig_report(&def, report);
        if (strcmp(report, refusals[i].report) != 0)
            test_fail(__FILE__, __LINE__, "%s:\n%swanted:\n%s", refusals[i].set, report,
                      refusals[i].report);
    }
}

static void included(void)
{
    REQUIRE(chdir(SCENE_GOOD) == 0);
    thud_scene *s = rig_read(&(thud_scene_def){.path = "included.yaml"});
    REQUIRE(s);
    // the including file wins, later files win over earlier ones, maps are joined
    CHECK(strcmp(s->title, "Common title") == 0 && strcmp(s->about, "from below") == 0);
    CHECK(s->end == 4 && s->step == 0.5 && s->frames == 5 && s->record_all);
    CHECK(s->coordinates[0].start == 1 + 20 + 100);
    CHECK(s->break_count == 1 && s->breaks[0] == 7);
    thud_scene_destroy(s);
    // by a path with folders, from elsewhere
    REQUIRE(chdir("..") == 0);
    s = rig_read(&(thud_scene_def){.path = "good/included.yaml"});
    REQUIRE(s);
    CHECK(strcmp(s->file, "good/included.yaml") == 0 && s->end == 4);
    thud_scene_destroy(s);
}

// A text without a folder names no files; faults of files below a folder have its name in front.
static void folders(void)
{
    char report[RIG_REPORT_SIZE];
    static const char text[] = "thud: 1\ninclude: parts/common.yaml\n";
    thud_scene_def def = {.text = text, .length = sizeof text - 1, .name = "stdin"};
    rig_report(&def, report);
    CHECK(strcmp(report, "thud: error: stdin:2:10: include: this scene has no folder to read "
                         "'parts/common.yaml' from\n  hint: read the scene from a file\n"
                         "exit 3\n") == 0);
    def.folder = SCENE_GOOD;
    rig_report(&def, report);
    CHECK(strcmp(report, "thud: error: stdin:1:1: the scene needs the key 'kind'\n"
                         "  hint: write 'kind: spheres' or 'kind: inclusion'\nexit 3\n") == 0);
    REQUIRE(chdir(SCENE_BAD) == 0 && chdir("..") == 0);
    rig_report(&(thud_scene_def){.path = "bad/include_broken.yaml"}, report);
    CHECK(strstr(report, "thud: error: bad/parts/broken.yaml:2:1: ") == report);
    rig_report(&(thud_scene_def){.path = "bad/file_bad_number.yaml"}, report);
    CHECK(strstr(report, "thud: error: bad/grains/bad_number.csv:3:3: ") == report);
}

// Systems without openat2 open files step by step, and follow no links.
static void walk(void)
{
    static const struct
    {
        const char *path;
        int error; // 0: it opens
    } paths[] = {{"parts/fine.yaml", 0},
                 {"./parts//fine.yaml", 0},
                 {"parts", 0},
                 {".", 0},
                 {"parts/none.yaml", ENOENT},
                 {"none/fine.yaml", ENOENT},
                 {"anchor.yaml/fine.yaml", ENOTDIR},
                 {"parts/link_out.yaml", EXDEV},
                 {"grains/link_out.csv/x", EXDEV},
                 {"../bad/anchor.yaml", EXDEV},
                 {"parts/../anchor.yaml", EXDEV}};
    int folder = open(SCENE_BAD, O_RDONLY | O_DIRECTORY);
    REQUIRE(folder >= 0);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    {
        errno = 0;
        int fd = thudi_walk_below(folder, paths[i].path, O_RDONLY);
        if ((fd >= 0) != (paths[i].error == 0) || (fd < 0 && errno != paths[i].error))
            test_fail(__FILE__, __LINE__, "%s: %d, errno %d", paths[i].path, fd, errno);
        if (fd >= 0)
            (void)close(fd);
    }
    (void)close(folder);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"values", values},
                                      {"refused", refused},
                                      {"included", included},
                                      {"folders", folders},
                                      {"walk", walk}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
