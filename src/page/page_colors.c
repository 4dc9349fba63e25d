// What the page's colours mean: palette, ranges and ticks, those of thud render.
#include "colors/body_values.h"
#include "colors/color_range.h"
#include "colors/palette.h"
#include "page/pager.h"

#include <math.h>
#include <stdio.h>

enum
{
    SHADES = 256, // of the map
    RANGES = 1 << THUD_COLOR_SPEED | 1 << THUD_COLOR_PRESSURE | 1 << THUD_COLOR_RADIUS |
             1 << THUD_COLOR_CONTACTS,
};

// A part of light as it is stored in pictures.
static unsigned byte_of(double linear)
{
    return (unsigned)floor(255 * thudi_rgb_encode(linear) + 0.5);
}

static void put_color(thudi_pager *pager, const char *name, thudi_rgb c)
{
    char text[8];
    (void)snprintf(text, sizeof text, "#%02x%02x%02x", byte_of(c.r) & 255U, byte_of(c.g) & 255U,
                   byte_of(c.b) & 255U);
    thudi_head_text(pager, name, text);
}

static void write_palette(thudi_pager *pager)
{
    static const char *const names[] = {"light", "dark"};
    thud_json_open(&pager->head, "palette");
    thud_json_list(&pager->head, "map");
    for (int i = 0; i < SHADES; i++)
        put_color(pager, NULL, thudi_palette_map((double)i / (SHADES - 1)));
    thud_json_list_end(&pager->head);
    thud_json_list(&pager->head, "choices");
    for (int i = 0; i < THUDI_CHOICES; i++)
        put_color(pager, NULL, thudi_palette_choice(i));
    thud_json_list_end(&pager->head);
    for (int i = 0; i < 2; i++)
    {
        thudi_theme theme = thudi_theme_of(i == 0 ? THUD_THEME_LIGHT : THUD_THEME_DARK);
        thud_json_open(&pager->head, names[i]);
        put_color(pager, "plain", theme.plain);
        put_color(pager, "chain", theme.chain);
        thud_json_close(&pager->head);
    }
    thud_json_close(&pager->head);
}

static void write_color(thudi_pager *pager, thud_color color, const thudi_color_range *range)
{
    static const char *const abouts[THUD_COLOR_COUNT] = {
#define COLOR_ABOUT(name, text, about) about,
        THUD_COLOR_LIST(COLOR_ABOUT)
#undef COLOR_ABOUT
    };
    char unit[THUD_UNIT_SIZE], label[THUDI_TICK_LABEL];
    thudi_ticks ticks = thudi_range_ticks(range, color, THUDI_SCALE_TICKS);
    thud_json_open(&pager->head, NULL);
    thudi_head_text(pager, "name", thudi_color_name(color));
    thudi_head_text(pager, "about", abouts[color]);
    thudi_head_text(pager, "unit", thudi_color_unit(unit, pager->def->scene, color));
    thud_json_number(&pager->head, "low", range->low);
    thud_json_number(&pager->head, "high", range->high);
    thud_json_flag(&pager->head, "is_cut", range->is_cut);
    thud_json_list(&pager->head, "ticks");
    for (int i = 0; i < ticks.count; i++)
    {
        thud_json_open(&pager->head, NULL);
        thud_json_number(&pager->head, "at", ticks.at[i]);
        thudi_head_text(pager, "label", thudi_tick_label(label, &ticks, i));
        thud_json_close(&pager->head);
    }
    thud_json_list_end(&pager->head);
    thud_json_close(&pager->head);
}

thud_status thudi_page_find_ranges(thudi_pager *pager)
{
    if (pager->def->scene->kind != THUD_SCENE_SPHERES)
        return THUD_OK;
    return thudi_ranges_find(&pager->ranges, &pager->run, pager->reader, RANGES, pager->fault);
}

void thudi_page_write_colors(thudi_pager *pager)
{
    char unit[THUD_UNIT_SIZE];
    const thud_scene *scene = pager->def->scene;
    if (scene->kind != THUD_SCENE_SPHERES)
        return;
    write_palette(pager);
    thud_json_list(&pager->head, "colors");
    for (int color = 0; color < THUD_COLOR_COUNT; color++)
        if (RANGES >> color & 1)
            write_color(pager, (thud_color)color, &pager->ranges.color[color]);
    thud_json_list_end(&pager->head);
    thudi_head_text(pager, "unit_force", thud_unit_force(unit, scene));
}
