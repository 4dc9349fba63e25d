// Charts of runs: which there are, that another program draws them, and errors that leave nothing
// half done.
#include "show_rig.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char heap[] =
    "thud: 1\nkind: spheres\nunits: {length: m, time: s, mass: kg}\n"
    "time: {step: 0.002, end: 0.3}\ngravity: [0, 0, -9.81]\n"
    "materials: {glass: {density: 2500}}\n"
    "bodies:\n"
    "  - fill: {region: {box: [[0, 0, 0], [0.1, 0.1, 0.12]]}, count: 120,\n"
    "           radius: {uniform: [0.006, 0.009]}, seed: 1, material: glass}\n"
    "walls:\n  box: {box: [[0, 0, 0], [0.1, 0.1, 1]]}\n"
    "measure:\n  push: {force_on: box}\n"
    "  passed: {count_through: {plane: {point: [0, 0, 0.06], normal: [0, 0, -1]}}}\n";

static const char bounce[] = "thud: 1\nkind: inclusion\n"
                             "coordinates: {z: {start: 1}}\nforce: {z: -1}\n"
                             "constraints: {floor: z}\ntime: {step: 0.01, end: 2}\n";

static const char corner[] = "thud: 1\nkind: inclusion\norder: 1\n"
                             "coordinates: {x: {start: 1}, y: {start: 1}}\n"
                             "velocity: {x: -1, y: -0.5}\n"
                             "constraints: {left: x, floor: y}\ntime: {step: 0.01, end: 3}\n";

// Units are free text; these end elements, are not to be shown, or are much too long.
static const char hostile[] =
    "thud: 1\nkind: spheres\ndim: 2\n"
    "units: {length: \"</svg><script>alert(1)</script>\", time: \"&amp;\\U0001F600\",\n"
    "        mass: \"a unit that is much too long for the axis of any chart, and goes on and "
    "on\"}\n"
    "time: {step: 0.01, end: 0.1}\ngravity: [0, -1]\n"
    "bodies:\n  - {at: [0, 0.5], radius: 0.5, mass: 1}\n"
    "walls:\n  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n";

typedef struct list
{
    char text[400];
} list;

static void note(const char *name, void *user)
{
    list *all = user;
    size_t used = strlen(all->text);
    (void)snprintf(all->text + used, sizeof all->text - used, "%s ", name);
}

// Plot; every chart that is told of is there as a PNG, and as an SVG that librsvg draws.
static void check_charts(const show_rig *rig, const char *wanted, const char *columns)
{
    list all = {""};
    thud_fault fault = {0};
    char folder[RIG_PATH], svg[RIG_PATH], png[RIG_PATH];
    thud_plot_def def = show_rig_plot(rig, "plots");
    (void)snprintf(folder, sizeof folder, "%s", def.folder);
    def.columns = columns;
    def.written = note;
    def.user = &all;
    thud_status status = thud_plot(&def, &fault);
    if (status != THUD_OK || strcmp(all.text, wanted) != 0)
        test_fail(__FILE__, __LINE__, "%s: %s; charts %s", thud_status_name(status), fault.text,
                  all.text);
    int count = 0;
    rig_join(png, rig->folder, "again.png");
    for (char *name = strtok(all.text, " "); name; name = strtok(NULL, " "), count++)
    {
        int width, height;
        char file[100];
        (void)snprintf(file, sizeof file, "%s.svg", name);
        rig_join(svg, folder, file);
        CHECK(show_rig_redraw(svg, png, "400"));
        (void)snprintf(file, sizeof file, "%s.png", name);
        uint32_t *pixels = show_rig_pixels(rig_path(folder, file), &width, &height);
        CHECK(pixels && width == 1500 && height >= 900);
        free(pixels);
    }
    CHECK(rig_count(folder) == 2 * count);
}

static void spheres(void)
{
    show_rig rig;
    REQUIRE(show_rig_make(&rig, heap));
    check_charts(&rig, "measures energies impulses contacts certificates forces ", NULL);
    show_rig_free(&rig);
}

static void inclusion(void)
{
    show_rig rig;
    REQUIRE(show_rig_make(&rig, bounce));
    check_charts(&rig, "coordinates phase energies impulses contacts certificates ", NULL);
    show_rig_free(&rig);
}

static void path(void)
{
    show_rig rig;
    REQUIRE(show_rig_make(&rig, corner));
    check_charts(&rig, "coordinates phase path energies impulses contacts certificates ", NULL);
    show_rig_free(&rig);
}

// One chart of chosen columns, and no folder when one of them is not there.
static void chosen(void)
{
    show_rig rig;
    thud_fault fault = {0};
    REQUIRE(show_rig_make(&rig, heap));
    thud_plot_def def = show_rig_plot(&rig, "plots");
    def.columns = "push,pased";
    CHECK(thud_plot(&def, &fault) == THUD_ERR_ARGUMENT && strstr(fault.hint, "'passed'"));
    CHECK(!rig_exists(rig.folder, "plots"));
    check_charts(&rig, "columns ", "push,passed,kinetic");
    show_rig_free(&rig);
}

static void hostile_names(void)
{
    show_rig rig;
    size_t length = 0;
    REQUIRE(show_rig_make(&rig, hostile));
    check_charts(&rig, "energies impulses contacts certificates ", NULL);
    // text is drawn as shapes: none of it is in the file
    unsigned char *bytes = rig_file_read(rig_path(rig.folder, "plots/impulses.svg"), &length);
    REQUIRE(bytes);
    for (size_t i = 0; i + 6 < length; i++)
        CHECK(memcmp(bytes + i, "script", 6) != 0);
    free(bytes);
    show_rig_free(&rig);
}

// A log or a series that is damaged: their errors, and no folder is made.
static void damaged(void)
{
    static const char *const names[] = {"frames.thud", "series.csv"};
    for (int i = 0; i < 2; i++)
    {
        show_rig rig;
        size_t length = 0;
        thud_fault fault = {0};
        REQUIRE(show_rig_make(&rig, bounce));
        unsigned char *bytes = rig_file_read(rig_path(rig.run, names[i]), &length);
        REQUIRE(bytes && length > 100);
        bytes[length - 40] ^= 0x40;
        CHECK(rig_file_write(rig_path(rig.run, names[i]), bytes, length));
        free(bytes);
        thud_log_close(rig.log);
        REQUIRE(thud_log_open(rig.run, NULL, &rig.log, &fault) == THUD_OK);
        thud_plot_def def = show_rig_plot(&rig, "plots");
        CHECK(thud_plot(&def, &fault) == THUD_ERR_RECORD && strstr(fault.file, names[i]));
        CHECK(i == 0 || (fault.line > 1 && fault.column > 0));
        CHECK(rig_count(rig.folder) == 1);
        show_rig_free(&rig);
    }
}

static void unwritable(void)
{
    show_rig rig;
    thud_fault fault = {0};
    REQUIRE(show_rig_make(&rig, bounce));
    thud_plot_def def = show_rig_plot(&rig, "no/where");
    CHECK(thud_plot(&def, &fault) == THUD_ERR_IO && fault.text[0]);
    def.folder = rig.run;
    CHECK(thud_plot(&def, &fault) == THUD_ERR_ARGUMENT && strstr(fault.text, "run directory"));
    CHECK(mkdir(rig_path(rig.folder, "plots"), 0777) == 0);
    CHECK(mkdir(rig_path(rig.folder, "plots/phase.svg"), 0777) == 0);
    def = show_rig_plot(&rig, "plots");
    CHECK(thud_plot(&def, &fault) == THUD_ERR_IO && strstr(fault.file, "phase.svg"));
    CHECK(!rig_exists(rig.folder, "plots/phase.svg.part"));
    CHECK(!rig_exists(rig.folder, "plots/phase.png"));
    def.log = NULL;
    CHECK(thud_plot(&def, &fault) == THUD_ERR_ARGUMENT);
    show_rig_free(&rig);
}

static void failing_memory(void)
{
    show_rig rig;
    long at = 1;
    REQUIRE(show_rig_make(&rig, bounce));
    for (thud_status status = THUD_ERR_MEMORY; status == THUD_ERR_MEMORY; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_fault fault = {0};
        thud_plot_def def = show_rig_plot(&rig, "plots");
        def.allocator = &allocator;
        status = thud_plot(&def, &fault);
        CHECK(status == THUD_OK || (status == THUD_ERR_MEMORY && fault.text[0]));
        CHECK(meter.blocks == 0);
    }
    CHECK(at > 20);
    show_rig_free(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"spheres", spheres},       {"inclusion", inclusion},           {"path", path},
        {"chosen", chosen},         {"hostile-names", hostile_names},   {"damaged", damaged},
        {"unwritable", unwritable}, {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
