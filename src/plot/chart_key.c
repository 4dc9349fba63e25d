// The words of a chart: names above its panels, and labels that may need two lines.
#include "plot/chart_key.h"

#include <string.h>

static const double LETTER = 4.6;  // mean width of one, in points, by which rows are planned
static const double SAMPLE = 34;   // what a name takes in addition to its letters
static const double PLANNED = 290; // width of a panel
static const double SWATCH = 1.6;  // of the line beside a name
static const int MOST_COLUMNS = 4;

static int letters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

// The layout must not depend on fonts: heights are planned before anything is drawn.
static int columns_of(const thudi_panel *panel)
{
    int longest = 1;
    for (int c = 0; c < panel->count; c++)
    {
        int count = letters(panel->curves[c].name);
        longest = count > longest ? count : longest;
    }
    int columns = (int)(PLANNED / (SAMPLE + LETTER * longest));
    columns = columns < 1 ? 1 : columns;
    return columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
}

int thudi_key_rows(const thudi_panel *panel)
{
    int columns = columns_of(panel);
    return panel->count > 1 ? (panel->count + columns - 1) / columns : 0;
}

void thudi_key_draw(cairo_t *cairo, const thudi_panel *panel, double left, double right, double top)
{
    int columns = columns_of(panel);
    double width = 0, most = (right - left) / (panel->count < columns ? panel->count : columns);
    for (int c = 0; c < panel->count; c++)
    {
        double wanted = thudi_label_width(cairo, panel->curves[c].name) + SAMPLE;
        width = wanted > width ? wanted : width;
    }
    width = width < most ? width : most;
    for (int c = 0; c < panel->count && panel->count > 1; c++)
    {
        int row = c / columns;
        double x = left + width * (c % columns), y = top + THUDI_KEY_ROW * row;
        thudi_ink(cairo, thudi_palette_choice(c));
        cairo_set_line_width(cairo, SWATCH);
        cairo_move_to(cairo, x, y - 3);
        cairo_line_to(cairo, x + 12, y - 3);
        cairo_stroke(cairo);
        thudi_ink(cairo, thudi_theme_of(THUD_THEME_LIGHT).ink);
        thudi_label(cairo, x + 16, y, 1, width - 20, panel->curves[c].name);
    }
}

size_t thudi_label_break(cairo_t *cairo, const char *text, double most)
{
    size_t length = strlen(text), best = 0;
    if (thudi_label_width(cairo, text) <= most)
        return 0;
    for (size_t i = 1; i + 1 < length; i++)
    {
        size_t now = i > length - i ? i - (length - i) : length - i - i;
        size_t then = best > length - best ? best - (length - best) : length - best - best;
        if (text[i] == ' ' && (best == 0 || now < then))
            best = i;
    }
    return best > 0 ? best + 1 : 0;
}
