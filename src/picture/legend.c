// The legend of a picture: what the colours mean, the time, what the chains are.
#include "colors/body_values.h"
#include "colors/ticks.h"
#include "core/text.h"
#include "picture/render_parts.h"

#include <stdio.h>

enum
{
    NAMES = 8 // materials that are named
};

typedef struct legend
{
    cairo_t *cairo;
    const thud_render_def *def;
    const thudi_survey *survey;
    thudi_theme theme;
    double u, x, y; // size of a pixel of 720 rows; the lower left corner
} legend;

static void label_of(char *text, size_t size, const char *name, const char *unit)
{
    (void)snprintf(text, size, unit[0] ? "%s (%s)" : "%s", name, unit);
}

static void draw_bar(const legend *l, double width, double height)
{
    const int parts = 32;
    cairo_pattern_t *pattern = cairo_pattern_create_linear(l->x, 0, l->x + width, 0);
    for (int i = 0; i <= parts; i++)
    {
        double at = (double)i / parts;
        thudi_rgb c = thudi_palette_map(at);
        cairo_pattern_add_color_stop_rgb(pattern, at, thudi_rgb_encode(c.r), thudi_rgb_encode(c.g),
                                         thudi_rgb_encode(c.b));
    }
    cairo_rectangle(l->cairo, l->x, l->y - height, width, height);
    cairo_set_source(l->cairo, pattern);
    cairo_fill(l->cairo);
    cairo_pattern_destroy(pattern);
}

// As many ticks as leave room between their labels.
static thudi_ticks choose_ticks(const legend *l, double width)
{
    const thudi_color_range *range = &l->survey->range;
    int most = THUDI_SCALE_TICKS;
    thudi_ticks ticks = thudi_range_ticks(range, l->def->color, most);
    for (; most > 1 && ticks.count > 1; most--)
    {
        char label[THUDI_TICK_LABEL];
        double room = width * (ticks.at[1] - ticks.at[0]) / (range->high - range->low);
        if (thudi_label_width(l->cairo, thudi_tick_label(label, &ticks, 1)) + 8 * l->u < room)
            break;
        ticks = thudi_range_ticks(range, l->def->color, most - 1);
    }
    return ticks;
}

static void draw_scale(const legend *l)
{
    char label[2 * THUD_UNIT_SIZE], unit[THUD_UNIT_SIZE], tick[THUDI_TICK_LABEL], shown[80];
    double low = l->survey->range.low, high = l->survey->range.high, u = l->u;
    double width = 190 * u, height = 9 * u;
    legend bar = *l;
    bar.y -= 20 * u;
    draw_bar(&bar, width, height);
    thudi_ink(l->cairo, l->theme.ink);
    thudi_font(l->cairo, 12 * u);
    thudi_ticks ticks = choose_ticks(l, width);
    for (int i = 0; i < ticks.count && high > low; i++)
    {
        double x = l->x + width * (ticks.at[i] - low) / (high - low);
        bool is_last = l->survey->range.is_cut && ticks.at[i] >= high * (1 - THUDI_TICK_SLACK);
        cairo_rectangle(l->cairo, x - 0.4 * u, bar.y, 0.8 * u, 3 * u);
        cairo_fill(l->cairo);
        (void)snprintf(shown, sizeof shown, "%s%s", is_last ? "\xe2\x89\xa5 " : "",
                       thudi_tick_label(tick, &ticks, i));
        thudi_label(l->cairo, x, l->y - 3 * u, 0, 0, shown);
    }
    label_of(label, sizeof label, thudi_color_name(l->def->color),
             thudi_color_unit(unit, l->def->scene, l->def->color));
    if (!(high > low)) // all alike: the one value is said
    {
        char number[THUDI_TEXT_NUMBER_SIZE];
        (void)snprintf(shown, sizeof shown, "all %s", thudi_text_number(number, low));
        thudi_label(l->cairo, l->x + width / 2, l->y - 3 * u, 0, 0, shown);
    }
    thudi_label(l->cairo, l->x, bar.y - height - 6 * u, 1, 300 * u, label);
}

static void draw_names(const legend *l)
{
    const thud_scene *scene = l->def->scene;
    double u = l->u, y = l->y - 4 * u;
    int shown = scene->material_count < NAMES ? scene->material_count : NAMES;
    thudi_font(l->cairo, 12 * u);
    if (shown < scene->material_count)
    {
        thudi_ink(l->cairo, l->theme.ink);
        thudi_label(l->cairo, l->x + 18 * u, y, 1, 0, "\xe2\x80\xa6");
        y -= 18 * u;
    }
    for (int i = shown - 1; i >= 0; i--, y -= 18 * u)
    {
        thudi_ink(l->cairo, thudi_palette_choice(i));
        cairo_rectangle(l->cairo, l->x, y - 9.5 * u, 11 * u, 11 * u);
        cairo_fill(l->cairo);
        thudi_ink(l->cairo, l->theme.ink);
        thudi_label(l->cairo, l->x + 18 * u, y, 1, 300 * u, scene->materials[i].name);
    }
}

void thudi_legend_draw(cairo_t *cairo, const thud_render_def *def, const thudi_survey *survey,
                       const thud_snapshot *snapshot)
{
    double u = def->height / 720.0;
    char text[2 * THUD_UNIT_SIZE], unit[THUD_UNIT_SIZE], number[THUDI_TEXT_NUMBER_SIZE];
    legend l = {cairo, def, survey, thudi_theme_of(def->theme), u, 26 * u, def->height - 20 * u};
    if (def->color == THUD_COLOR_MATERIAL)
        draw_names(&l);
    else if (def->color != THUD_COLOR_PLAIN)
        draw_scale(&l);
    thudi_ink(cairo, l.theme.ink);
    thudi_font(cairo, 13 * u);
    (void)snprintf(text, sizeof text, "t = %s %s", thudi_text_number(number, snapshot->t),
                   thud_unit_text(unit, def->scene, 0, 1, 0));
    thudi_label(cairo, def->width - 26 * u, l.y - 3 * u, -1, 300 * u, text);
    if (!def->chains || !(survey->force > 0))
        return;
    (void)snprintf(text, sizeof text, "thickest chains: %s %s",
                   thudi_text_number(number, survey->force), thud_unit_force(unit, def->scene));
    thudi_label(cairo, def->width - 26 * u, l.y - 22 * u, -1, 400 * u, text);
}
