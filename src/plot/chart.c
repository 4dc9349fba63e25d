// Charts: axes with round ticks, thin lines, a legend above; nothing else.
#include "plot/chart.h"

#include "colors/ticks.h"
#include "core/fault.h"
#include "core/math/elementary.h"
#include "plot/chart_curve.h"
#include "plot/chart_key.h"

#include <math.h>
#include <stdio.h>

// Sizes in points: a figure for one and a half columns.
static const double WIDTH = 360, HEIGHT = 225, STACKED = 150;
static const double FONT = 9, SMALL = 8, TICK = 3.5, AXIS = 0.6, CURVE = 1.0;
static const double LINE = 10.5; // from one line of a label to the next
static const double RIGHT = 12, TOP = 8, BOTTOM = 34, GAP = 12;

// Of the values: a shorter range is rounding. An axis is at least the second long, or the third
// where there is no range; a logarithmic one two powers of ten.
static const double NO_RANGE = 1e-12, LEAST_RANGE = 1e-6, ALONE_RANGE = 0.2, LEAST_LOG = 4.7;

static const double SAME = 0.5;          // points: curves closer than that cannot be told apart
static const double DASH = 8;            // a dash and the gap after it
static const double PIXELS = 300.0 / 72; // of the PNG, for each point

enum
{
    COLUMNS = 1440, // that long curves are reduced to
    NAME = 80
};

typedef struct axis
{
    double low, high; // of the values, logarithms if is_log
    double from, to;  // in the picture
    bool is_log;
    thudi_ticks ticks;
} axis;

// What is drawn, and where.
typedef struct sheet
{
    const thudi_chart *chart;
    size_t *kept;      // work space of the reduction
    const axis *x, *y; // of the present panel
} sheet;

static double chart_height(const thudi_chart *chart)
{
    double panels = chart->count == 1 ? HEIGHT : STACKED * chart->count;
    for (int p = 0; p < chart->count; p++)
    {
        int rows = thudi_key_rows(&chart->panels[p]);
        panels += rows > 1 ? THUDI_KEY_ROW * (rows - 1) : 0;
    }
    return panels + (chart->is_equal ? 80 : 0);
}

static double place(const axis *a, double x)
{
    double value = a->is_log ? thudi_log(x) : x;
    return a->from + (value - a->low) / (a->high - a->low) * (a->to - a->from);
}

static void widen(axis *a, double x)
{
    a->low = x < a->low ? x : a->low;
    a->high = x > a->high ? x : a->high;
}

// Room around the values, or around the one there is.
static void pad(axis *a, double part)
{
    if (!(a->low <= a->high))
        a->low = a->high = a->is_log ? 1 : 0;
    if (a->is_log)
    {
        a->low = thudi_log(a->low);
        a->high = thudi_log(a->high);
    }
    double span = a->high - a->low,
           size = fabs(a->low) > fabs(a->high) ? fabs(a->low) : fabs(a->high);
    // what differs by rounding alone is not a range; what does not differ gets round numbers
    double part_of_size = span > NO_RANGE * size ? LEAST_RANGE : ALONE_RANGE;
    double least = a->is_log ? LEAST_LOG : (size > 0 ? part_of_size * size : 1);
    double more = span < least ? (least - span) / 2 : 0;
    a->low -= more + part * (span + 2 * more);
    a->high += more + part * (span + 2 * more);
}

static void find_ticks(axis *a, int most, bool is_whole)
{
    if (a->is_log)
        a->ticks = thudi_ticks_log(thudi_exp(a->low), thudi_exp(a->high), most);
    else if (is_whole)
        a->ticks = thudi_ticks_whole(a->low, a->high, most);
    else
        a->ticks = thudi_ticks_linear(a->low, a->high, most);
}

static axis axis_over(const thudi_panel *panels, int count, bool is_x, bool is_log)
{
    axis a = {.low = INFINITY, .high = -INFINITY, .is_log = is_log};
    for (int p = 0; p < count; p++)
        for (int c = 0; c < panels[p].count; c++)
        {
            const thudi_curve *curve = &panels[p].curves[c];
            for (size_t i = 0; i < curve->count; i++)
                if (thudi_curve_shows(curve, panels[p].is_log, i))
                    widen(&a, is_x ? curve->x[i * curve->x_stride] : curve->y[i * curve->y_stride]);
        }
    return a;
}

// Give the axis with more room per unit a longer range.
static void equalise(axis *x, axis *y)
{
    double sx = fabs(x->to - x->from) / (x->high - x->low);
    double sy = fabs(y->to - y->from) / (y->high - y->low);
    axis *a = sx > sy ? x : y;
    double factor = sx > sy ? sx / sy : sy / sx, middle = (a->low + a->high) / 2;
    double half = (a->high - a->low) / 2 * factor;
    a->low = middle - half;
    a->high = middle + half;
}

static double widest_label(cairo_t *cairo, const axis *a)
{
    char text[THUDI_TICK_LABEL];
    double widest = 0;
    for (int i = 0; i < a->ticks.count; i++)
    {
        double width = thudi_label_width(cairo, thudi_tick_label(text, &a->ticks, i));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void draw_line(cairo_t *cairo, double x1, double y1, double x2, double y2)
{
    cairo_move_to(cairo, x1, y1);
    cairo_line_to(cairo, x2, y2);
    cairo_stroke(cairo);
}

static void draw_x_axis(cairo_t *cairo, const axis *x, double y, const char *label)
{
    char text[THUDI_TICK_LABEL];
    draw_line(cairo, x->from, y, x->to, y);
    for (int i = 0; i < x->ticks.count; i++)
    {
        double at = place(x, x->ticks.at[i]);
        draw_line(cairo, at, y, at, y + TICK);
        if (label)
            thudi_label(cairo, at, y + TICK + SMALL + 1, 0, 0,
                        thudi_tick_label(text, &x->ticks, i));
    }
    thudi_font(cairo, FONT);
    if (label)
        thudi_label(cairo, (x->from + x->to) / 2, y + BOTTOM - 6, 0, x->to - x->from, label);
    thudi_font(cairo, SMALL);
}

// How long the label of a vertical axis may be.
static double label_room(const axis *y)
{
    return y->from - y->to + GAP;
}

static void draw_y_axis(cairo_t *cairo, const axis *y, double x, const char *label)
{
    char text[THUDI_TICK_LABEL], first[THUDI_CHART_LABEL];
    draw_line(cairo, x, y->from, x, y->to);
    for (int i = 0; i < y->ticks.count; i++)
    {
        double at = place(y, y->ticks.at[i]);
        draw_line(cairo, x - TICK, at, x, at);
        thudi_label(cairo, x - TICK - 2, at + SMALL * 0.36, -1, 0,
                    thudi_tick_label(text, &y->ticks, i));
    }
    double most = label_room(y);
    cairo_save(cairo);
    cairo_translate(cairo, FONT + 3, (y->from + y->to) / 2);
    cairo_rotate(cairo, -1.5707963267948966);
    thudi_font(cairo, FONT);
    size_t second = thudi_label_break(cairo, label, most);
    (void)snprintf(first, sizeof first, "%.*s", second > 0 ? (int)second - 1 : -1, label);
    thudi_label(cairo, 0, 0, 0, most, first);
    if (second > 0)
        thudi_label(cairo, 0, LINE, 0, most, label + second);
    cairo_restore(cairo);
    thudi_font(cairo, SMALL);
}

// Lines in the plane are thinned evenly; those that go to the right by columns.
static size_t choose_points(const sheet *s, const thudi_panel *panel, const thudi_curve *curve)
{
    if (!s->chart->is_path)
        return thudi_curve_reduce(curve, panel->is_log, s->x->low, s->x->high, COLUMNS, s->kept);
    size_t stride = curve->count / COLUMNS / 2 + 1, count = 0;
    for (size_t i = 0; i < curve->count; i += stride)
        s->kept[count++] = thudi_curve_shows(curve, panel->is_log, i) ? i : SIZE_MAX;
    return count;
}

// How many of the curves that are drawn already have a point where this one has its point i.
static int covered(const sheet *s, const thudi_panel *panel, int c, size_t i)
{
    const thudi_curve *own = &panel->curves[c];
    double px = place(s->x, own->x[i * own->x_stride]), py = place(s->y, own->y[i * own->y_stride]);
    int count = 0;
    for (int k = c + 1; k < panel->count; k++)
    {
        const thudi_curve *other = &panel->curves[k];
        if (i < other->count && thudi_curve_shows(other, panel->is_log, i) &&
            fabs(place(s->x, other->x[i * other->x_stride]) - px) < SAME &&
            fabs(place(s->y, other->y[i * other->y_stride]) - py) < SAME)
            count++;
    }
    return count;
}

// Where curves coincide the one above is dashed, so that the colours of all are seen.
static void stroke(cairo_t *cairo, int covered_curves)
{
    double dashes[2] = {DASH / (covered_curves + 1), DASH - DASH / (covered_curves + 1)};
    cairo_set_dash(cairo, dashes, covered_curves > 0 ? 2 : 0, 0);
    cairo_set_line_cap(cairo, covered_curves > 0 ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    cairo_stroke(cairo);
    cairo_set_dash(cairo, NULL, 0, 0);
}

static void draw_marks(cairo_t *cairo, const sheet *s, const thudi_curve *curve, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (s->kept[k] != SIZE_MAX)
        {
            cairo_arc(cairo, place(s->x, curve->x[s->kept[k] * curve->x_stride]),
                      place(s->y, curve->y[s->kept[k] * curve->y_stride]), 2, 0, 6.283185307179586);
            cairo_fill(cairo);
        }
}

static void draw_curve(cairo_t *cairo, const sheet *s, const thudi_panel *panel, int c)
{
    const thudi_curve *curve = &panel->curves[c];
    size_t count = choose_points(s, panel, curve);
    int style = 0;
    bool is_up = true;
    for (size_t k = 0; k < count; k++)
    {
        size_t i = s->kept[k];
        if (i == SIZE_MAX)
        {
            is_up = true;
            continue;
        }
        double px = place(s->x, curve->x[i * curve->x_stride]);
        double py = place(s->y, curve->y[i * curve->y_stride]);
        int next = covered(s, panel, c, i);
        if (is_up)
            cairo_move_to(cairo, px, py);
        // a point without neighbours is a dot
        if (!is_up || k + 1 == count || s->kept[k + 1] == SIZE_MAX)
            cairo_line_to(cairo, px, py);
        if (next != style && !is_up)
        {
            stroke(cairo, style);
            cairo_move_to(cairo, px, py);
        }
        style = next;
        is_up = false;
    }
    stroke(cairo, style);
    if (panel->has_points)
        draw_marks(cairo, s, curve, count);
}

static void draw_panel(cairo_t *cairo, const sheet *s, const thudi_panel *panel, bool is_last)
{
    cairo_set_line_width(cairo, CURVE);
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    for (int c = panel->count - 1; c >= 0; c--)
    {
        thudi_ink(cairo, thudi_palette_choice(c));
        draw_curve(cairo, s, panel, c);
    }
    thudi_ink(cairo, thudi_theme_of(THUD_THEME_LIGHT).ink);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(cairo, AXIS);
    draw_x_axis(cairo, s->x, s->y->from, is_last ? s->chart->label : NULL);
    draw_y_axis(cairo, s->y, s->x->from, panel->label);
}

// Where the axes are: the panels share the height, and the widest label is on the left.
static void lay_out(cairo_t *cairo, const thudi_chart *chart, axis *x, axis ys[THUDI_PANELS])
{
    double left = 0, top = TOP, lines = 0;
    double whole = (chart_height(chart) - BOTTOM - TOP - GAP * (chart->count - 1)) / chart->count;
    for (int p = 0; p < chart->count; p++, top += whole + GAP)
    {
        int rows = thudi_key_rows(&chart->panels[p]);
        ys[p] = axis_over(&chart->panels[p], 1, false, chart->panels[p].is_log);
        pad(&ys[p], 0.05);
        ys[p].from = top + whole;
        ys[p].to = top + THUDI_KEY_ROW * rows + (rows > 0 ? 3 : 0);
        find_ticks(&ys[p], 6, chart->panels[p].is_whole);
        double width = widest_label(cairo, &ys[p]);
        left = width > left ? width : left;
        thudi_font(cairo, FONT);
        if (thudi_label_break(cairo, chart->panels[p].label, label_room(&ys[p])) > 0)
            lines = LINE;
        thudi_font(cairo, SMALL);
    }
    *x = axis_over(chart->panels, chart->count, true, chart->has_log_steps);
    x->from = left + FONT + TICK + 12 + lines;
    x->to = WIDTH - RIGHT;
    pad(x, chart->is_path ? 0.05 : 0.015);
    if (chart->is_equal)
    {
        equalise(x, &ys[0]);
        find_ticks(&ys[0], 6, false);
    }
    find_ticks(x, 8, false);
}

static void draw_chart(cairo_t *cairo, const void *user)
{
    const sheet *s = user;
    const thudi_chart *chart = s->chart;
    axis x, ys[THUDI_PANELS] = {{0}};
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    thudi_font(cairo, SMALL);
    lay_out(cairo, chart, &x, ys);
    for (int p = 0; p < chart->count; p++)
    {
        const thudi_panel *panel = &chart->panels[p];
        sheet at = {chart, s->kept, &x, &ys[p]};
        draw_panel(cairo, &at, panel, p + 1 == chart->count);
        thudi_key_draw(cairo, panel, x.from + 4, x.to,
                       ys[p].to - THUDI_KEY_ROW * thudi_key_rows(panel) + 6);
    }
}

static thud_status write_png(const sheet *s, const thudi_picture_folder *output, const char *name)
{
    double height = chart_height(s->chart);
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)(WIDTH * PIXELS + 0.5), (int)(height * PIXELS + 0.5));
    cairo_t *cairo = cairo_create(surface);
    cairo_scale(cairo, PIXELS, PIXELS);
    draw_chart(cairo, s);
    thud_status status = thudi_cairo_check(cairo_status(cairo), output->fault);
    cairo_destroy(cairo);
    if (status == THUD_OK)
        status = thudi_picture_folder_png(output, name, surface);
    cairo_surface_destroy(surface);
    return status;
}

thud_status thudi_chart_write(const thudi_chart *chart, const thudi_picture_folder *output,
                              const char *name)
{
    char file[NAME];
    size_t room = 0;
    for (int p = 0; p < chart->count; p++)
        for (int c = 0; c < chart->panels[p].count; c++)
        {
            size_t wanted = thudi_curve_room(&chart->panels[p].curves[c], COLUMNS);
            room = wanted > room ? wanted : room;
        }
    THUDI_ARRAY(size_t) kept = {0};
    if (thudi_array_reserve(output->allocator, &kept, room) < 0)
        return thudi_fail_memory(output->fault);
    sheet s = {.chart = chart, .kept = kept.items};
    (void)snprintf(file, sizeof file, "%s.svg", name);
    thud_status status =
        thudi_picture_folder_svg(output, file, WIDTH, chart_height(chart), draw_chart, &s);
    (void)snprintf(file, sizeof file, "%s.png", name);
    if (status == THUD_OK)
        status = write_png(&s, output, file);
    thudi_array_free(output->allocator, &kept);
    return status;
}
