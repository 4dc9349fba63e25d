// The range of colours: one for a whole run, whichever of its frames are drawn.
#include "show_rig.h"

#include "colors/body_values.h"
#include "colors/color_range.h"
#include "colors/palette.h"

#include <math.h>
#include <stdlib.h>

// Falls freely: the speed of frame k is k times that of frame 1.
static const char falling[] = "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 0.4}\n"
                              "gravity: [0, -1]\nbodies:\n  - {at: [0, 0], radius: 0.5, mass: 1}\n";

typedef struct range_rig
{
    show_rig run;
    thud_snapshot_def def;
    thud_snapshot_reader *reader;
    thud_snapshot snapshot;
    thudi_ranges ranges;
} range_rig;

static bool range_rig_find(range_rig *rig)
{
    rig->def =
        (thud_snapshot_def){.scene = rig->run.scene, .model = rig->run.model, .log = rig->run.log};
    thud_snapshot_close(rig->reader);
    return thud_snapshot_open(&rig->def, &rig->reader, NULL) == THUD_OK &&
           thudi_ranges_find(&rig->ranges, &rig->def, rig->reader, (1U << THUD_COLOR_COUNT) - 1,
                             NULL) == THUD_OK;
}

static void range_rig_free(range_rig *rig)
{
    thud_snapshot_close(rig->reader);
    show_rig_free(&rig->run);
}

// Of all values above 0 about one in a hundred is beyond the range, and none by rounding alone.
static void hundredth(void)
{
    range_rig rig = {0};
    double value[200];
    REQUIRE(show_rig_make(&rig.run, show_rig_heap) && range_rig_find(&rig));
    for (int color = THUD_COLOR_SPEED; color <= THUD_COLOR_CONTACTS; color++)
    {
        const thudi_color_range *range = &rig.ranges.color[color];
        int above = 0, all = 0;
        double most = 0;
        for (int64_t i = 0; i < thud_log_view(rig.run.log).frame_count; i++)
        {
            REQUIRE(thud_snapshot_read(rig.reader, i, &rig.snapshot, NULL) == THUD_OK);
            thudi_values_find((thud_color)color, rig.run.scene, &rig.snapshot, value);
            for (int k = 0; k < rig.snapshot.count; k++)
            {
                all += value[k] > 0;
                above += value[k] > range->high;
                most = fmax(most, value[k]);
            }
        }
        printf("  %s: %g .. %g, %d of %d above, largest %g\n", thudi_color_name((thud_color)color),
               range->low, range->high, above, all, most);
        CHECK(above <= 0.015 * all && (!range->is_cut || above > 0));
        CHECK(range->high <= 2 * most);
    }
    range_rig_free(&rig);
}

// A frame drawn alone has the colours that it has among all others.
static void alone(void)
{
    range_rig rig = {0};
    REQUIRE(show_rig_make(&rig.run, falling) && range_rig_find(&rig));
    const thudi_color_range *range = &rig.ranges.color[THUD_COLOR_SPEED];
    for (int64_t frame = 0; frame <= 40; frame += 10)
    {
        int width, height;
        thud_render_def def = show_rig_render(&rig.run, "a.png");
        def.first = def.last = frame;
        CHECK(thud_render(&def, NULL) == THUD_OK);
        uint32_t *picture = show_rig_pixels(def.file, &width, &height);
        REQUIRE(picture);
        thudi_rgb c = thudi_palette_map(0.01 * (double)frame / range->high);
        uint32_t pixel = picture[(size_t)(height / 2) * (size_t)width + (size_t)width / 2];
        CHECK_NEAR((double)(pixel >> 16), 255 * thudi_rgb_encode(c.r), 1.01);
        CHECK_NEAR((double)(pixel >> 8 & 255), 255 * thudi_rgb_encode(c.g), 1.01);
        CHECK_NEAR((double)(pixel & 255), 255 * thudi_rgb_encode(c.b), 1.01);
        free(picture);
    }
    range_rig_free(&rig);
}

// Bodies at rest have a scale too, and a frame that cannot be read does not matter to the others.
static void rest_and_damage(void)
{
    range_rig rig = {0};
    size_t length = 0;
    REQUIRE(show_rig_make(&rig.run, show_rig_ball) && range_rig_find(&rig));
    const thudi_color_range *speed = &rig.ranges.color[THUD_COLOR_SPEED];
    CHECK(speed->low == 0 && speed->high == 1 && !speed->is_cut);
    const thudi_color_range *radius = &rig.ranges.color[THUD_COLOR_RADIUS];
    CHECK(radius->low == 0.5 && radius->high == 0.5);
    unsigned char *bytes = rig_file_read(rig_path(rig.run.run, "frames.thud"), &length);
    REQUIRE(bytes && length > 100);
    bytes[length - 40] ^= 1; // in the last frame
    CHECK(rig_file_write(rig_path(rig.run.run, "frames.thud"), bytes, length));
    free(bytes);
    thud_log_close(rig.run.log);
    rig.run.log = NULL;
    REQUIRE(thud_log_open(rig.run.run, NULL, &rig.run.log, NULL) == THUD_OK);
    thud_render_def def = show_rig_render(&rig.run, "a.png");
    CHECK(thud_render(&def, NULL) == THUD_ERR_RECORD);
    def.first = def.last = 0;
    CHECK(thud_render(&def, NULL) == THUD_OK);
    range_rig_free(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"hundredth", hundredth}, {"alone", alone}, {"rest-and-damage", rest_and_damage}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
