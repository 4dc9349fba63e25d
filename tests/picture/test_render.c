// Pictures: pixels that are known, a silhouette of known size, the same bits for any number of
// threads.
#include "picture/stage.h"
#include "show_rig.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const char ball_on_floor[] =
    "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 0.01}\n"
    "bodies:\n  - {at: [0, 0, 1], radius: 0.5, mass: 1}\n"
    "walls:\n  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n";

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
    thud_snapshot snapshot = {.count = 1, .position = body, .velocity = (double[]){0, 0, 0}};
    snapshot.seen = body;
    snapshot.radius = &body[3];
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_survey_start(&survey, def);
    CHECK(thudi_survey_add(&survey, def, &allocator, &snapshot, NULL) == THUD_OK);
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
    REQUIRE(show_rig_make(&rig, show_rig_ball));
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
    REQUIRE(show_rig_make(&rig, show_rig_heap));
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
    REQUIRE(show_rig_make(&rig, show_rig_heap));
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
    REQUIRE(show_rig_make(&rig, show_rig_disks));
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

// How many pixels are not those of the background, with walls that are shown so.
static int drawn_pixels(const char *text, const char *show)
{
    char scene[1000];
    show_rig rig;
    int width, height, count = 0;
    (void)snprintf(scene, sizeof scene, text, show, show);
    if (!show_rig_make(&rig, scene))
        return -1;
    thud_render_def def = show_rig_render(&rig, "a.png");
    def.width = 400;
    def.height = 300;
    def.zoom = 0.5;
    def.no_text = true;
    uint32_t *picture = draw(&def, &width, &height);
    count = width * height - count_of(picture, width * height, 0xffffff);
    free(picture);
    show_rig_free(&rig);
    return count;
}

// Walls and obstacles as the scene says: an outline is less than what is solid, and more than
// nothing; what is hidden leaves the body alone.
static void shown(void)
{
    static const char *const scenes[] = {
        "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 0.01}\n"
        "bodies:\n  - {at: [0, 0, 1], radius: 0.5, mass: 1}\n"
        "walls:\n  room: {box: [[-2, -2, 0], [2, 2, 4]], show: %s}\n"
        "  block: {solid_box: [[1, -1, 0], [1.5, 0, 1]], show: %s}\n",
        "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 0.01}\n"
        "bodies:\n  - {at: [0, 1], radius: 0.5, mass: 1}\n"
        "walls:\n  room: {box: [[-2, 0], [2, 4]], show: %s}\n"
        "  block: {solid_box: [[1, 0], [1.5, 1]], show: %s}\n"};
    for (int i = 0; i < 2; i++)
    {
        int solid = drawn_pixels(scenes[i], "solid"), outline = drawn_pixels(scenes[i], "outline"),
            hidden = drawn_pixels(scenes[i], "hidden");
        CHECK(hidden > 0 && outline > hidden + 100 && solid > outline + 500);
    }
}

// Every colour in both themes and both dimensions gives a picture of its own, with text and
// without.
static void looks(void)
{
    for (int dim = 2; dim <= 3; dim++)
    {
        show_rig rig;
        REQUIRE(show_rig_make(&rig, dim == 3 ? show_rig_heap : show_rig_disks));
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
    REQUIRE(show_rig_make(&rig, show_rig_heap));
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

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"pixels", pixels}, {"silhouette", silhouette}, {"threads", threads}, {"chains", chains},
        {"flat", flat},     {"shown", shown},           {"looks", looks},     {"folder", folder},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
