// Curves over time in stacked panels, written as one SVG file.
#include "svg_chart.h"

#include <math.h>
#include <stdio.h>

enum
{
    WIDTH = 960,
    LEFT = 74,
    RIGHT = 24,
    TOP = 84,
    PANEL = 220,
    SPACE = 34,
    BOTTOM = 52
};

typedef struct frame
{
    FILE *file;
    const svg_chart *chart;
    double low, high; // values at the lower and upper edge of the panel
    double top;       // of the panel
} frame;

static double x_of(const frame *f, double t)
{
    const svg_chart *c = f->chart;
    double first = c->t[0], last = c->t[c->count - 1];
    return LEFT + (WIDTH - LEFT - RIGHT) * (t - first) / (last - first);
}

static double y_of(const frame *f, double value)
{
    return f->top + PANEL * (f->high - value) / (f->high - f->low);
}

static void fit(frame *f, const svg_panel *panel)
{
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < panel->curve_count; c++)
        for (int k = 0; k < f->chart->count; k++)
        {
            low = fmin(low, panel->curves[c].value[k]);
            high = fmax(high, panel->curves[c].value[k]);
        }
    double margin = 0.06 * (high > low ? high - low : 1);
    f->low = low - margin;
    f->high = high + margin;
}

// A round step giving four to nine ticks over the length.
static double tick_step(double length)
{
    double power = pow(10, floor(log10(length / 5))), rest = length / 5 / power;
    return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

static void write_axes(const frame *f, const char *label)
{
    const svg_chart *c = f->chart;
    double step = tick_step(f->high - f->low), left = LEFT, right = WIDTH - RIGHT;
    for (double v = ceil(f->low / step) * step; v <= f->high; v += step)
    {
        fprintf(f->file, "<line class='grid' x1='%.1f' x2='%.1f' y1='%.2f' y2='%.2f'/>", left,
                right, y_of(f, v), y_of(f, v));
        fprintf(f->file, "<text class='tick' x='%.1f' y='%.2f' text-anchor='end'>%g</text>\n",
                left - 8, y_of(f, v) + 4, fabs(v) < step / 2 ? 0 : v);
    }
    for (int m = 0; m < c->mark_count; m++)
        fprintf(f->file, "<line class='mark' x1='%.2f' x2='%.2f' y1='%.1f' y2='%.1f'/>\n",
                x_of(f, c->marks[m]), x_of(f, c->marks[m]), f->top, f->top + PANEL);
    fprintf(f->file, "<rect class='frame' x='%.1f' y='%.1f' width='%.1f' height='%d'/>\n", left,
            f->top, right - left, PANEL);
    fprintf(f->file,
            "<text class='label' transform='translate(22 %.1f) rotate(-90)' "
            "text-anchor='middle'>%s</text>\n",
            f->top + PANEL / 2.0, label);
}

static void write_curve(const frame *f, const svg_curve *curve)
{
    const svg_chart *c = f->chart;
    fprintf(f->file, "<path fill='%s' fill-opacity='0.14' stroke='%s' stroke-width='2' d='M",
            curve->is_filled ? curve->colour : "none", curve->is_filled ? "none" : curve->colour);
    double drawn_x = -INFINITY, drawn_y = -INFINITY;
    for (int k = 0; k < c->count; k++)
    {
        double x = x_of(f, c->t[k]), y = y_of(f, curve->value[k]);
        // a point that would not show is left out; the last one closes the curve
        if (k < c->count - 1 && x - drawn_x < 2 && fabs(y - drawn_y) < 2)
            continue;
        fprintf(f->file, "%s%.1f %.1f", k ? "L" : "", x, y);
        drawn_x = x;
        drawn_y = y;
    }
    if (curve->is_filled)
        fprintf(f->file, "L%.1f %.1fL%.1f %.1fZ", x_of(f, c->t[c->count - 1]), f->top + PANEL,
                x_of(f, c->t[0]), f->top + PANEL);
    fprintf(f->file, "'/>\n");
    if (curve->is_filled) // the outline alone, without the sides of the area
    {
        svg_curve line = {curve->name, curve->colour, 0, curve->value};
        write_curve(f, &line);
    }
}

static void write_legend(const frame *f, const svg_panel *panel)
{
    double x = LEFT + 14, y = f->top + 20;
    for (int c = 0; c < panel->curve_count; c++, y += 18)
        fprintf(f->file,
                "<line x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f' stroke='%s' stroke-width='3'/>"
                "<text class='tick' x='%.1f' y='%.1f'>%s</text>\n",
                x, x + 22, y - 4, y - 4, panel->curves[c].colour, x + 30, y, panel->curves[c].name);
}

static void write_time_axis(const frame *f, double y)
{
    const svg_chart *c = f->chart;
    double first = c->t[0], last = c->t[c->count - 1], step = tick_step(last - first);
    for (double t = ceil(first / step) * step; t <= last + step / 1e6; t += step)
        fprintf(f->file, "<text class='tick' x='%.2f' y='%.1f' text-anchor='middle'>%g</text>\n",
                x_of(f, t), y + 18, t);
    fprintf(f->file, "<text class='label' x='%.1f' y='%.1f' text-anchor='middle'>%s</text>\n",
            (LEFT + WIDTH - RIGHT) / 2.0, y + 40, c->axis);
}

int svg_chart_write(const svg_chart *chart, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    frame f = {.file = file, .chart = chart, .top = TOP};
    int height = TOP + chart->panel_count * (PANEL + SPACE) - SPACE + BOTTOM;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
            "font-family='system-ui, DejaVu Sans, sans-serif'>\n"
            "<style>.grid{stroke:#e3e6ea}.mark{stroke:#8a93a0;stroke-dasharray:3 4}"
            ".frame{fill:none;stroke:#5b6470}.tick{font-size:12px;fill:#39414d}"
            ".label{font-size:14px;fill:#1c232d}</style>\n"
            "<rect width='100%%' height='100%%' fill='#ffffff'/>\n"
            "<text x='%d' y='36' font-size='21' font-weight='600' fill='#1c232d'>%s</text>\n"
            "<text x='%d' y='60' font-size='13' fill='#4b5563'>%s</text>\n",
            WIDTH, height, WIDTH, height, LEFT, chart->title, LEFT, chart->subtitle);
    for (int p = 0; p < chart->panel_count; p++, f.top += PANEL + SPACE)
    {
        const svg_panel *panel = &chart->panels[p];
        fit(&f, panel);
        write_axes(&f, panel->label);
        for (int c = 0; c < panel->curve_count; c++)
            write_curve(&f, &panel->curves[c]);
        write_legend(&f, panel);
    }
    write_time_axis(&f, f.top - SPACE);
    fprintf(file, "</svg>\n");
    int failed = ferror(file);
    return fclose(file) != 0 || failed ? -1 : 0;
}
