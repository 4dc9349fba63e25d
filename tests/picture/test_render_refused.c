// Pictures that cannot be drawn: errors that leave nothing half done.
#include "show_rig.h"

#include <cairo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static const char inclusion[] = "thud: 1\nkind: inclusion\ncoordinates: {x: {start: 1}}\n"
                                "constraints: {floor: x}\ntime: {step: 0.1, end: 0.2}\n";

static void expect_refusal(thud_render_def def, const char *text)
{
    thud_fault fault = {0};
    CHECK(thud_render(&def, &fault) == THUD_ERR_ARGUMENT);
    if (!strstr(fault.text, text))
        test_fail(__FILE__, __LINE__, "'%s' was said, not '%s'", fault.text, text);
}

static void bad_defs(void)
{
    show_rig rig, other;
    REQUIRE(show_rig_make(&rig, show_rig_ball) && show_rig_make(&other, inclusion));
    thud_render_def good = show_rig_render(&rig, "a.png"), bad = good;
    bad.width = 15;
    expect_refusal(bad, "16 to 16384 pixels");
    bad = good;
    bad.height = 16385;
    expect_refusal(bad, "16 to 16384 pixels");
    bad = good;
    bad.zoom = -1;
    expect_refusal(bad, "the zoom");
    bad = good;
    bad.elevation = NAN;
    expect_refusal(bad, "the elevation");
    bad = good;
    bad.first = 0;
    expect_refusal(bad, "no such frames");
    bad = good;
    bad.last = bad.first = 100;
    expect_refusal(bad, "no such frames");
    bad = good;
    bad.folder = "x";
    expect_refusal(bad, "a file or a folder");
    bad = good;
    bad.color = THUD_COLOR_COUNT;
    expect_refusal(bad, "a picture needs");
    bad = good;
    bad.file = rig_path(rig.folder, "film/");
    expect_refusal(bad, "empty or too long");
    bad = good;
    bad.file = rig_path(rig.run, "a.png");
    expect_refusal(bad, "is a run directory");
    bad = good;
    bad.log = other.log;
    bad.first = bad.last = 0;
    expect_refusal(bad, "different numbers");
    expect_refusal(show_rig_render(&other, "a.png"), "the scene is an inclusion");
    CHECK(rig_count(rig.folder) == 1 && rig_count(other.folder) == 1);
    show_rig_free(&rig);
    show_rig_free(&other);
}

// A folder that cannot be, or cannot be written to: an error, and no file at all.
static void unwritable(void)
{
    show_rig rig;
    thud_fault fault = {0};
    REQUIRE(show_rig_make(&rig, show_rig_ball));
    thud_render_def def = show_rig_render(&rig, "no/where/a.png");
    CHECK(thud_render(&def, &fault) == THUD_ERR_IO && fault.file[0] && fault.text[0]);
    CHECK(rig_file_write(rig_path(rig.folder, "file"), "x", 1));
    def = show_rig_render(&rig, "file/a.png");
    CHECK(thud_render(&def, &fault) == THUD_ERR_IO);
    CHECK(mkdir(rig_path(rig.folder, "a.png"), 0777) == 0);
    def = show_rig_render(&rig, "a.png");
    CHECK(thud_render(&def, &fault) == THUD_ERR_IO);
    CHECK(!rig_exists(rig.folder, "a.png.part"));
    show_rig_free(&rig);
}

// A limit of file sizes met on the way: no picture under its final name, none under another.
static void file_limit(void)
{
    show_rig rig;
    struct rlimit old, low;
    REQUIRE(show_rig_make(&rig, show_rig_ball) && signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
    for (rlim_t limit = 0; limit < 3000; limit += 1000)
    {
        thud_fault fault = {0};
        thud_render_def def = show_rig_render(&rig, "a.png");
        low = old;
        low.rlim_cur = limit;
        CHECK(setrlimit(RLIMIT_FSIZE, &low) == 0);
        thud_status status = thud_render(&def, &fault);
        CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
        CHECK(status == THUD_ERR_IO && strstr(fault.text, "File too large"));
        CHECK(rig_count(rig.folder) == 1);
    }
    show_rig_free(&rig);
}

// A log with a flipped bit: the log's own error, and no picture.
static void damaged(void)
{
    show_rig rig;
    size_t length = 0;
    thud_fault fault = {0};
    REQUIRE(show_rig_make(&rig, show_rig_ball));
    unsigned char *bytes = rig_file_read(rig_path(rig.run, "frames.thud"), &length);
    REQUIRE(bytes && length > 100);
    bytes[length - 40] ^= 1;
    CHECK(rig_file_write(rig_path(rig.run, "frames.thud"), bytes, length));
    free(bytes);
    thud_log_close(rig.log);
    rig.log = NULL;
    REQUIRE(thud_log_open(rig.run, NULL, &rig.log, &fault) == THUD_OK);
    thud_render_def def = show_rig_render(&rig, "a.png");
    CHECK(thud_render(&def, &fault) == THUD_ERR_RECORD && strstr(fault.file, "frames.thud"));
    CHECK(rig_count(rig.folder) == 1);
    show_rig_free(&rig);
}

static void fail_each(const char *scene, bool no_text)
{
    show_rig rig;
    long at = 1;
    REQUIRE(show_rig_make(&rig, scene));
    for (thud_status status = THUD_ERR_MEMORY; status == THUD_ERR_MEMORY; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_fault fault = {0};
        thud_render_def def = show_rig_render(&rig, "a.png");
        def.width = def.height = 32;
        def.chains = true;
        def.no_text = no_text;
        def.allocator = &allocator;
        status = thud_render(&def, &fault);
        CHECK(status == THUD_OK || (status == THUD_ERR_MEMORY && fault.text[0]));
        CHECK(meter.blocks == 0 && (status == THUD_OK || rig_count(rig.folder) == 1));
    }
    CHECK(at > 8 && rig_exists(rig.folder, "a.png"));
    show_rig_free(&rig);
}

static void failing_memory(void)
{
    fail_each(show_rig_heap, false);
}

// Neither threads nor fonts, whose libraries keep what they have: nothing may be left.
static void failing_flat(void)
{
    fail_each(show_rig_disks, true);
    cairo_debug_reset_static_data();
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"bad-defs", bad_defs}, {"unwritable", unwritable},         {"file-limit", file_limit},
        {"damaged", damaged},   {"failing-memory", failing_memory}, {"failing-flat", failing_flat},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
