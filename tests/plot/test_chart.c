// Charts: ticks by a table, long curves made short without losing a peak, SVG that librsvg draws.
#include "colors/palette.h"
#include "colors/ticks.h"
#include "plot/chart_curve.h"
#include "show_rig.h"

#include <cairo.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_ticks(const thudi_ticks *ticks, const char *wanted, int line)
{
    char all[THUDI_TICKS * THUDI_TICK_LABEL] = "", label[THUDI_TICK_LABEL];
    for (int i = 0; i < ticks->count; i++)
    {
        size_t used = strlen(all);
        (void)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? " " : "",
                       thudi_tick_label(label, ticks, i));
    }
    if (strcmp(all, wanted) != 0)
        test_fail(__FILE__, line, "ticks '%s', wanted '%s'", all, wanted);
}

static void ticks(void)
{
    static const struct
    {
        double low, high;
        int most;
        const char *wanted;
    } cases[] = {
        {0, 1, 5, "0 0.2 0.4 0.6 0.8 1.0"},
        {0, 1, 4, "0 0.5 1.0"},
        {0, 10, 10, "0 1 2 3 4 5 6 7 8 9 10"},
        {-1, 1, 4,
         "\xe2\x88\x92"
         "1.0 \xe2\x88\x92"
         "0.5 0 0.5 1.0"},
        {0.29, 0.61, 3, "0.4 0.6"},
        {99.5, 100.5, 4, "99.5 100.0 100.5"},
        {0, 250000, 5, "0 50000 100000 150000 200000 250000"},
        {0, 2.5e6, 5,
         "0 5\xc3\x97"
         "10\xe2\x81\xb5 10\xc3\x97"
         "10\xe2\x81\xb5 15\xc3\x97"
         "10\xe2\x81\xb5 "
         "20\xc3\x97"
         "10\xe2\x81\xb5 25\xc3\x97"
         "10\xe2\x81\xb5"},
        {0, 3e-7, 3,
         "0 1\xc3\x97"
         "10\xe2\x81\xbb\xe2\x81\xb7 2\xc3\x97"
         "10\xe2\x81\xbb\xe2\x81\xb7 "
         "3\xc3\x97"
         "10\xe2\x81\xbb\xe2\x81\xb7"},
        {1, 1, 5, ""},
        {2, 1, 5, ""},
        {0, INFINITY, 5, ""},
        {NAN, 1, 5, ""},
        {0, 1, 0, ""},
        {1e9, 1e9 + 1, 5, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        thudi_ticks t = thudi_ticks_linear(cases[i].low, cases[i].high, cases[i].most);
        check_ticks(&t, cases[i].wanted, __LINE__);
    }
    thudi_ticks t = thudi_ticks_whole(-0.05, 1.05, 6);
    check_ticks(&t, "0 1", __LINE__);
    t = thudi_ticks_whole(-0.25, 5.25, 6);
    check_ticks(&t, "0 1 2 3 4 5", __LINE__);
    t = thudi_ticks_whole(0, 1, 6);
    check_ticks(&t, "0 1", __LINE__);
    t = thudi_ticks_whole(-0.5, 10.5, 6);
    check_ticks(&t, "0 2 4 6 8 10", __LINE__);
    t = thudi_ticks_log(1e-3, 1, 5);
    check_ticks(
        &t, "10\xe2\x81\xbb\xc2\xb3 10\xe2\x81\xbb\xc2\xb2 10\xe2\x81\xbb\xc2\xb9 10\xe2\x81\xb0",
        __LINE__);
    t = thudi_ticks_log(2e-30, 3e10, 5);
    check_ticks(&t,
                "10\xe2\x81\xbb\xc2\xb2\xe2\x81\xb4 10\xe2\x81\xbb\xc2\xb9\xe2\x81\xb6 "
                "10\xe2\x81\xbb\xe2\x81\xb8 10\xe2\x81\xb0 10\xe2\x81\xb8",
                __LINE__);
    t = thudi_ticks_log(2, 3, 5);
    CHECK(t.count == 0);
    t = thudi_ticks_log(0, 3, 5);
    CHECK(t.count == 0);
}

// Any range has ticks that lie in it, evenly, and not too many.
static void labels(void)
{
    test_random random = test_random_begin(20260801);
    for (int i = 0; i < 20000; i++)
    {
        double scale = pow(10, test_random_uniform(&random, -200, 200));
        double low = test_random_uniform(&random, -10, 10) * scale;
        double high = low + test_random_uniform(&random, 0.01, 10) * scale;
        int most = test_random_int(&random, 3, 9);
        thudi_ticks t = thudi_ticks_linear(low, high, most);
        CHECK(t.count >= 1 && t.count <= most + 1);
        for (int k = 0; k < t.count; k++)
        {
            char label[THUDI_TICK_LABEL];
            CHECK(t.at[k] >= low - 1e-8 * (high - low) && t.at[k] <= high + 1e-8 * (high - low));
            CHECK(k == 0 || t.at[k] > t.at[k - 1]);
            CHECK(strlen(thudi_tick_label(label, &t, k)) < THUDI_TICK_LABEL - 1);
        }
    }
}

enum
{
    LONG = 100000,
    COLUMNS = 50
};

// Every peak survives; short curves stay as they are; gaps stay gaps.
static void reduce(void)
{
    double *x = calloc(LONG, sizeof *x), *y = calloc(LONG, sizeof *y);
    size_t *kept = calloc(2 * LONG + 1, sizeof *kept);
    test_random random = test_random_begin(20260802);
    for (int i = 0; i < LONG; i++)
    {
        x[i] = i;
        y[i] = test_random_normal(&random);
    }
    y[31415] = 100;
    y[27182] = -100;
    thudi_curve curve = {.x = x, .y = y, .count = LONG, .x_stride = 1, .y_stride = 1};
    size_t count = thudi_curve_reduce(&curve, false, 0, LONG, COLUMNS, kept);
    CHECK(count <= thudi_curve_room(&curve, COLUMNS) && count <= 4 * (COLUMNS + 1));
    bool has_high = false, has_low = false;
    for (size_t i = 0; i < count; i++)
    {
        CHECK(i == 0 || kept[i] > kept[i - 1]);
        has_high = has_high || kept[i] == 31415;
        has_low = has_low || kept[i] == 27182;
    }
    CHECK(has_high && has_low && kept[0] == 0 && kept[count - 1] == LONG - 1);
    // one point in each column: all are kept
    curve.count = 40;
    CHECK(thudi_curve_reduce(&curve, false, 0, 40, COLUMNS, kept) == 40);
    // what is not finite breaks the line, and on a logarithmic scale what is not positive
    y[10] = NAN;
    y[11] = INFINITY;
    y[20] = 0;
    for (int i = 0; i < 40; i++)
        y[i] = y[i] < 0 ? -y[i] : y[i];
    count = thudi_curve_reduce(&curve, false, 0, 40, COLUMNS, kept);
    CHECK(count == 39 && kept[9] == 9 && kept[10] == SIZE_MAX && kept[11] == 12);
    count = thudi_curve_reduce(&curve, true, 0, 40, COLUMNS, kept);
    CHECK(count == 39 && kept[19] == SIZE_MAX && kept[20] == 21);
    CHECK(count <= thudi_curve_room(&curve, COLUMNS));
    // nothing but gaps, and nothing
    for (int i = 0; i < 40; i++)
        y[i] = NAN;
    CHECK(thudi_curve_reduce(&curve, false, 0, 40, COLUMNS, kept) == 0);
    curve.count = 0;
    CHECK(thudi_curve_reduce(&curve, false, 0, 40, COLUMNS, kept) == 0);
    free(x);
    free(y);
    free(kept);
}

// Places where text is found in a file of text.
static int occurrences(const char *path, const char *text)
{
    size_t length = 0;
    int count = 0;
    unsigned char *bytes = rig_file_read(path, &length);
    for (size_t i = 0; bytes && i + strlen(text) <= length; i++)
        count += memcmp(bytes + i, text, strlen(text)) == 0;
    free(bytes);
    return count;
}

// A chart as SVG drawn by librsvg is the PNG, and every point of its curve is in the file: so many
// more than in a chart with the same axes and a curve of three points.
static void drawn_again(void)
{
    enum
    {
        POINTS = 123
    };
    char folder[RIG_PATH];
    double x[POINTS], y[POINTS], bend[3][2] = {{0, 0}, {61, 6}, {POINTS - 1, 0}};
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thud_fault fault = {0};
    CHECK(rig_folder_make(folder));
    thudi_picture_folder output = {.path = folder, .allocator = &allocator, .fault = &fault};
    output.folder = open(folder, O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < POINTS; i++)
    {
        x[i] = i;
        y[i] = i * i % 7; // no three in a line, which cairo would join
    }
    y[5] = 6;
    static thudi_chart chart;
    chart = (thudi_chart){.label = "t (s)", .count = 1};
    chart.panels[0] = (thudi_panel){.label = "<&> \xff", .count = 1};
    chart.panels[0].curves[0] =
        (thudi_curve){.name = "a", .x = x, .y = y, .count = POINTS, .x_stride = 1, .y_stride = 1};
    CHECK(thudi_chart_has_points(&chart));
    CHECK(thudi_chart_write(&chart, &output, "full") == THUD_OK);
    chart.panels[0].curves[0] = (thudi_curve){
        .name = "b", .x = &bend[0][0], .y = &bend[0][1], .count = 3, .x_stride = 2, .y_stride = 2};
    CHECK(thudi_chart_write(&chart, &output, "less") == THUD_OK);
    CHECK(rig_count(folder) == 4);
    char svg[RIG_PATH], png[RIG_PATH];
    rig_join(svg, folder, "full.svg");
    rig_join(png, folder, "again.png");
    CHECK(show_rig_redraw(svg, png, "1500"));
    int width = 0, height = 0, wide = 0, high = 0;
    uint32_t *again = show_rig_pixels(png, &width, &height);
    uint32_t *ours = show_rig_pixels(rig_path(folder, "full.png"), &wide, &high);
    REQUIRE(again && ours);
    CHECK(width == wide && width == 1500 && abs(height - high) <= 1);
    // two programs, one picture: pixels that are far off are few
    int off = 0;
    for (int i = 0; i < width * (height < high ? height : high); i++)
        off += abs((int)(again[i] & 255) - (int)(ours[i] & 255)) > 128;
    CHECK_AT_MOST(off, width * height * 0.004);
    free(again);
    free(ours);
    int lines = occurrences(svg, " L "), fewer = occurrences(rig_path(folder, "less.svg"), " L ");
    CHECK(lines - fewer == POINTS - 3);
    chart.panels[0].curves[0].count = 0;
    CHECK(!thudi_chart_has_points(&chart));
    CHECK(thudi_chart_write(&chart, &output, "none") == THUD_OK);
    (void)close(output.folder);
    rig_folder_remove(folder);
}

// Pixels of the colour of curve c, below the legend, in one half of a picture.
static int pixels_of(const uint32_t *pixels, int width, int height, int c, bool is_left)
{
    thudi_rgb color = thudi_palette_choice(c);
    const double parts[] = {color.r, color.g, color.b};
    uint32_t wanted = 0;
    for (int k = 0; k < 3; k++)
        wanted = wanted << 8 | (uint32_t)lround(255 * thudi_rgb_encode(parts[k]));
    int count = 0;
    for (int y = 150; y < height; y++)
        for (int x = is_left ? 0 : width / 2; x < (is_left ? width / 2 : width); x++)
            count += (pixels[y * width + x] & 0xffffff) == wanted;
    return count;
}

// Three curves that coincide in the left half of a chart and part in the right one: each is seen in
// both halves.
static void coinciding(void)
{
    enum
    {
        POINTS = 101
    };
    char folder[RIG_PATH];
    double x[POINTS], y[3][POINTS];
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thud_fault fault = {0};
    CHECK(rig_folder_make(folder));
    thudi_picture_folder output = {.path = folder, .allocator = &allocator, .fault = &fault};
    output.folder = open(folder, O_RDONLY | O_DIRECTORY);
    static thudi_chart chart;
    chart = (thudi_chart){.label = "t", .count = 1};
    chart.panels[0] = (thudi_panel){.label = "y", .count = 3};
    for (int c = 0; c < 3; c++)
    {
        for (int i = 0; i < POINTS; i++)
        {
            x[i] = i;
            y[c][i] = i <= POINTS / 2 ? i : POINTS / 2.0 + c * (i - POINTS / 2.0);
        }
        chart.panels[0].curves[c] = (thudi_curve){
            .name = "y", .x = x, .y = y[c], .count = POINTS, .x_stride = 1, .y_stride = 1};
    }
    CHECK(thudi_chart_write(&chart, &output, "three") == THUD_OK);
    int width = 0, height = 0;
    uint32_t *pixels = show_rig_pixels(rig_path(folder, "three.png"), &width, &height);
    REQUIRE(pixels);
    for (int c = 0; c < 3; c++)
    {
        int left = pixels_of(pixels, width, height, c, true);
        int right = pixels_of(pixels, width, height, c, false);
        printf("  curve %d: %d pixels where they coincide, %d where not\n", c, left, right);
        CHECK(right > 1000 && left > right / 10);
    }
    free(pixels);
    (void)close(output.folder);
    rig_folder_remove(folder);
}

// The map of colours: lightness grows evenly, and equal steps look about equal.
static void colors(void)
{
    double last[3] = {0, 0, 0}, least = INFINITY, most = 0;
    for (int i = 0; i <= 64; i++)
    {
        thudi_rgb c = thudi_palette_map(i / 64.0);
        double l = cbrt(0.4122214708 * c.r + 0.5363325363 * c.g + 0.0514459929 * c.b);
        double m = cbrt(0.2119034982 * c.r + 0.6806995451 * c.g + 0.1073969566 * c.b);
        double s = cbrt(0.0883024619 * c.r + 0.2817188376 * c.g + 0.6299787005 * c.b);
        double lab[3] = {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                         1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                         0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
        CHECK_NEAR(lab[0], 0.42 + 0.52 * i / 64, 1e-3);
        double step =
            sqrt((lab[0] - last[0]) * (lab[0] - last[0]) + (lab[1] - last[1]) * (lab[1] - last[1]) +
                 (lab[2] - last[2]) * (lab[2] - last[2]));
        if (i > 0)
        {
            least = step < least ? step : least;
            most = step > most ? step : most;
        }
        memcpy(last, lab, sizeof last);
    }
    CHECK_AT_MOST(most, 1.3 * least);
    for (int i = 0; i <= 255; i++)
        CHECK_NEAR(thudi_rgb_encode(thudi_rgb_decode(i / 255.0)), i / 255.0, 1e-6);
    CHECK(thudi_rgb_encode(-1) == 0 && thudi_rgb_encode(2) == 1 && thudi_rgb_encode(NAN) == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"ticks", ticks},           {"labels", labels}, {"reduce", reduce},
        {"coinciding", coinciding}, {"colors", colors}, {"drawn-again", drawn_again},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
