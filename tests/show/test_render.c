// Pictures: pixels that are known, a silhouette of known size, the same bits for any number of
// threads, and errors that leave nothing half done.
#include "show/stage.h"
#include "show_rig.h"

#include <cairo.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ball[] = "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 0.01}\n"
                           "bodies:\n  - {at: [7, -3, 1], radius: 0.5, mass: 1}\n";

static const char ball_on_floor[] =
    "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 0.01}\n"
    "bodies:\n  - {at: [0, 0, 1], radius: 0.5, mass: 1}\n"
    "walls:\n  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n";

static const char heap[] =
    "thud: 1\nkind: spheres\nunits: {length: m, time: s, mass: kg}\n"
    "time: {step: 0.002, end: 0.3}\ngravity: [0, 0, -9.81]\n"
    "materials: {glass: {density: 2500}, clay: {density: 1000}}\n"
    "bodies:\n"
    "  - fill: {region: {box: [[0, 0, 0], [0.1, 0.1, 0.12]]}, count: 120,\n"
    "           radius: {uniform: [0.006, 0.009]}, seed: 1, material: glass}\n"
    "  - {at: [0.05, 0.05, 0.15], radius: 0.02, material: clay}\n"
    "walls:\n  box: {box: [[0, 0, 0], [0.1, 0.1, 1]]}\n";

static const char disks[] = "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 0.2}\n"
                            "gravity: [0, -1]\n"
                            "bodies:\n  - {at: [0, 0.5], radius: 0.5, mass: 1}\n"
                            "  - {at: [0, 1.5], radius: 0.5, mass: 1}\n"
                            "walls:\n  floor: {plane: {point: [0, 0], normal: [0, 1]}}\n";

static const char inclusion[] = "thud: 1\nkind: inclusion\ncoordinates: {x: {start: 1}}\n"
                                "constraints: {floor: x}\ntime: {step: 0.1, end: 0.2}\n";

static uint32_t *draw(const thud_render_def *def, int *width, int *height)
{
    thud_fault fault = {0};
    thud_status status = thud_render(def, &fault);
    if (status != THUD_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", thud_status_name(status), fault.text);
    return show_rig_pixels(def->file, width, height);
}

static double brightness(uint32_t pixel)
{
    return (double)((pixel >> 16) + (pixel >> 8 & 255) + (pixel & 255)) / 765;
}

// Where a point of the scene is in the picture that a survey of the one body leads to.
static uint32_t pixel_at(const thud_render_def *def, const uint32_t *pixels, const double body[4],
                         thudi_vec point)
{
    thudi_survey survey;
    thudi_shot shot = {.count = 1, .position = body, .velocity = (double[]){0, 0, 0}};
    shot.seen = body;
    shot.radius = &body[3];
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_survey_start(&survey, def);
    CHECK(thudi_survey_add(&survey, def, &allocator, &shot, NULL) == THUD_OK);
    thudi_survey_end(&survey, def);
    thudi_camera camera = thudi_camera_of(&survey, def->zoom);
    thudi_survey_free(&survey, &allocator);
    thudi_vec to = thudi_vec_sub(point, camera.eye);
    double depth = -thudi_vec_dot(to, camera.axes.back);
    double x = thudi_vec_dot(to, camera.axes.right) / depth / camera.tan_x;
    double y = thudi_vec_dot(to, camera.axes.up) / depth / camera.tan_y;
    int px = (int)floor((x + 1) / 2 * def->width), py = (int)floor((1 - y) / 2 * def->height);
    CHECK(px >= 0 && px < def->width && py >= 0 && py < def->height);
    return pixels[(size_t)py * (size_t)def->width + (size_t)px];
}

// The ball is seen where it is, the floor is dark in its shadow and light elsewhere.
static void pixels(void)
{
    static const double body[4] = {0, 0, 1, 0.5};
    for (int theme = THUD_THEME_LIGHT; theme <= THUD_THEME_DARK; theme++)
    {
        show_rig rig;
        int width, height;
        REQUIRE(show_rig_make(&rig, ball_on_floor));
        thud_render_def def = show_rig_render(&rig, "a.png");
        def.width = 400;
        def.height = 300;
        def.color = THUD_COLOR_PLAIN;
        def.theme = (thud_theme)theme;
        def.zoom = 0.3;
        uint32_t *picture = draw(&def, &width, &height);
        REQUIRE(picture && width == 400 && height == 300);
        uint32_t background = picture[0];
        CHECK(background == (theme == THUD_THEME_LIGHT ? 0xffffff : 0x14161a));
        uint32_t middle = pixel_at(&def, picture, body, (thudi_vec){0, 0, 1});
        CHECK(middle != background && (middle >> 16) >= (middle >> 8 & 255));
        CHECK((middle >> 8 & 255) > (middle & 255)); // sand: red, green, blue in this order
        // the sun comes from the upper left: the shadow is to the right, and behind
        uint32_t lit = pixel_at(&def, picture, body, (thudi_vec){-0.6, 0.1, 0});
        uint32_t shade = pixel_at(&def, picture, body, (thudi_vec){0.3, 0.75, 0});
        CHECK(brightness(shade) < 0.9 * brightness(lit));
        free(picture);
        show_rig_free(&rig);
    }
}

// A ball alone fills 0.86 of the height; its outline is a circle seen head-on.
static void silhouette(void)
{
    show_rig rig;
    REQUIRE(show_rig_make(&rig, ball));
    for (int i = 0; i < 6; i++)
    {
        int width, height, count = 0;
        thud_render_def def = show_rig_render(&rig, "a.png");
        def.width = i < 3 ? 800 : 500;
        def.height = i < 3 ? 600 : 700; // then the width is what counts
        def.zoom = i % 3 == 2 ? 0.5 : 1;
        def.has_view = i % 3 == 1;
        def.azimuth = 200;
        def.elevation = -50;
        def.no_text = true;
        uint32_t *picture = draw(&def, &width, &height);
        REQUIRE(picture && width == def.width && height == def.height);
        for (int k = 0; k < width * height; k++)
            count += picture[k] != 0xffffff;
        double radius = 0.86 * (i < 3 ? height : width) / 2 * def.zoom;
        const double pi = 3.14159265358979;
        // pixels on the outline are counted whole: half of them too much
        CHECK_NEAR(count, pi * radius * radius + pi * radius, pi * radius);
        free(picture);
    }
    show_rig_free(&rig);
}

static bool same_files(const char *a, const char *b)
{
    size_t length_a = 0, length_b = 0;
    unsigned char *bytes_a = rig_file_read(a, &length_a), *bytes_b = rig_file_read(b, &length_b);
    bool same = bytes_a && bytes_b && length_a == length_b && length_a > 0 &&
                memcmp(bytes_a, bytes_b, length_a) == 0;
    free(bytes_a);
    free(bytes_b);
    return same;
}

static void threads(void)
{
    show_rig rig;
    char first[RIG_PATH], other[RIG_PATH];
    REQUIRE(show_rig_make(&rig, heap));
    rig_join(first, rig.folder, "1.png");
    rig_join(other, rig.folder, "2.png");
    for (int chains = 0; chains < 2; chains++)
        for (int count = 1; count <= 8; count += count < 4 ? 1 : 4)
        {
            thud_render_def def = show_rig_render(&rig, "a");
            def.width = 333;
            def.height = 211;
            def.chains = chains;
            def.no_text = true;
            def.file = count == 1 ? first : other;
            omp_set_num_threads(count);
            CHECK(thud_render(&def, NULL) == THUD_OK);
            CHECK(count == 1 || same_files(first, other));
        }
    // the comparison can fail
    thud_render_def def = show_rig_render(&rig, "a");
    def.width = 333;
    def.height = 211;
    def.chains = def.no_text = true;
    def.zoom = 1.001;
    def.file = other;
    CHECK(thud_render(&def, NULL) == THUD_OK && !same_files(first, other));
    show_rig_free(&rig);
}

static int count_of(const uint32_t *pixels, int count, uint32_t color)
{
    int found = 0;
    for (int i = 0; i < count; i++)
        found += pixels[i] == color;
    return found;
}

// Chains of the heap: reddish pixels, of which there are none without.
static void chains(void)
{
    show_rig rig;
    int width, height, red[2] = {0, 0};
    REQUIRE(show_rig_make(&rig, heap));
    for (int with = 0; with < 2; with++)
    {
        thud_render_def def = show_rig_render(&rig, "a.png");
        def.width = 320;
        def.height = 240;
        def.chains = with;
        uint32_t *picture = draw(&def, &width, &height);
        REQUIRE(picture);
        for (int i = 0; i < width * height; i++)
            red[with] += 2 * (picture[i] >> 16) > 3 * (picture[i] >> 8 & 255);
        free(picture);
    }
    CHECK(red[0] == 0 && red[1] > 100);
    show_rig_free(&rig);
}

// Disks are flat: their pixels have the colour itself, and chains lie on top.
static void flat(void)
{
    show_rig rig;
    int width, height;
    REQUIRE(show_rig_make(&rig, disks));
    thud_render_def def = show_rig_render(&rig, "a.png");
    def.width = 300;
    def.height = 400;
    def.color = THUD_COLOR_PLAIN;
    def.no_text = true;
    uint32_t *picture = draw(&def, &width, &height);
    REQUIRE(picture);
    // the column of two disks is 0.86 of the height
    double radius = 0.86 * height / 4;
    CHECK_NEAR(count_of(picture, width * height, 0xc9beac), 2 * 3.14159265 * radius * radius,
               0.05 * 6.3 * radius * radius);
    CHECK(picture[200 * 300 + 20] == 0xffffff);
    CHECK(count_of(picture, width * height, 0xbe261a) == 0);
    free(picture);
    def.chains = true;
    def.file = rig_path(rig.folder, "a.png");
    picture = draw(&def, &width, &height);
    REQUIRE(picture);
    CHECK(count_of(picture, width * height, 0xbe261a) > 500);
    free(picture);
    show_rig_free(&rig);
}

// Every colour in both themes and both dimensions gives a picture of its own, with text and
// without.
static void looks(void)
{
    for (int dim = 2; dim <= 3; dim++)
    {
        show_rig rig;
        REQUIRE(show_rig_make(&rig, dim == 3 ? heap : disks));
        for (int look = 0; look < 2 * THUD_COLOR_COUNT; look++)
        {
            int width, height;
            thud_render_def def = show_rig_render(&rig, "a.png");
            def.width = 160;
            def.height = 120;
            def.color = (thud_color)(look / 2);
            def.theme = (thud_theme)(look % 2);
            uint32_t *with = draw(&def, &width, &height);
            def.no_text = true;
            def.file = rig_path(rig.folder, "a.png");
            uint32_t *without = draw(&def, &width, &height);
            REQUIRE(with && without);
            size_t size = (size_t)width * (size_t)height * sizeof *with;
            CHECK(memcmp(with, without, size) != 0);
            // text is in the lower part only
            CHECK(memcmp(with, without, size / 2) == 0);
            free(with);
            free(without);
        }
        show_rig_free(&rig);
    }
}

static void note_progress(int64_t done, int64_t total, void *user)
{
    int64_t *last = user;
    CHECK(done == *last + 1 && total == 3);
    *last = done;
}

// Pictures of several frames are named by frame, and the camera stays where it is.
static void folder(void)
{
    show_rig rig;
    int64_t progress = 0;
    REQUIRE(show_rig_make(&rig, heap));
    thud_render_def def = show_rig_render(&rig, "a");
    def.file = NULL;
    def.folder = rig_path(rig.folder, "film");
    def.first = 10;
    def.last = 35;
    def.stride = 12;
    def.width = 64;
    def.height = 48;
    def.progress = note_progress;
    def.user = &progress;
    CHECK(thud_render(&def, NULL) == THUD_OK && progress == 3);
    CHECK(rig_exists(def.folder, "frame-000010.png") && rig_exists(def.folder, "frame-000022.png"));
    CHECK(rig_exists(def.folder, "frame-000034.png") && rig_count(def.folder) == 3);
    show_rig_free(&rig);
}

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
    REQUIRE(show_rig_make(&rig, ball) && show_rig_make(&other, inclusion));
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
    expect_refusal(bad, "too long, or none");
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
    REQUIRE(show_rig_make(&rig, ball));
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
    REQUIRE(show_rig_make(&rig, ball) && signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
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
    REQUIRE(show_rig_make(&rig, ball));
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
    fail_each(heap, false);
}

// Neither threads nor fonts, whose libraries keep what they have: nothing may be left.
static void failing_flat(void)
{
    fail_each(disks, true);
    cairo_debug_reset_static_data();
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"pixels", pixels},
        {"silhouette", silhouette},
        {"threads", threads},
        {"chains", chains},
        {"flat", flat},
        {"looks", looks},
        {"folder", folder},
        {"bad-defs", bad_defs},
        {"unwritable", unwritable},
        {"file-limit", file_limit},
        {"damaged", damaged},
        {"failing-memory", failing_memory},
        {"failing-flat", failing_flat},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
