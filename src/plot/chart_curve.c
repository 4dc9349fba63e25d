// Long curves made short: what a line shows at the resolution of the chart, and no more.
#include "plot/chart_curve.h"

#include <math.h>

bool thudi_curve_shows(const thudi_curve *curve, bool is_log, size_t i)
{
    double x = curve->x[i * curve->x_stride], y = curve->y[i * curve->y_stride];
    return isfinite(x) && isfinite(y) && (!is_log || y > 0);
}

bool thudi_chart_has_points(const thudi_chart *chart)
{
    for (int p = 0; p < chart->count; p++)
        for (int c = 0; c < chart->panels[p].count; c++)
            for (size_t i = 0; i < chart->panels[p].curves[c].count; i++)
                if (thudi_curve_shows(&chart->panels[p].curves[c], chart->panels[p].is_log, i))
                    return true;
    return false;
}

// Five for each column: the four that may be kept, and a gap; or all points and the gaps between.
size_t thudi_curve_room(const thudi_curve *curve, int columns)
{
    size_t most = 5 * ((size_t)columns + 2);
    return 2 * curve->count + 1 < most ? 2 * curve->count + 1 : most;
}

// The points of a column so far.
typedef struct column
{
    size_t first, lowest, highest, last;
    int at;
    bool is_empty, has_gap;
} column;

static void take(column *c, const thudi_curve *curve, size_t i, int at)
{
    const double *y = curve->y;
    size_t s = curve->y_stride;
    if (c->is_empty)
        *c = (column){i, i, i, i, at, false, false};
    c->last = i;
    if (y[i * s] < y[c->lowest * s])
        c->lowest = i;
    if (y[i * s] > y[c->highest * s])
        c->highest = i;
}

// Write the kept points in their order, each once, and a gap after them.
static size_t flush(column *c, size_t *kept, size_t count)
{
    size_t a = c->lowest < c->highest ? c->lowest : c->highest;
    size_t b = c->lowest < c->highest ? c->highest : c->lowest;
    size_t points[4] = {c->first, a, b, c->last};
    for (int k = 0; k < 4 && !c->is_empty; k++)
        if (k == 0 || points[k] != points[k - 1])
            kept[count++] = points[k];
    if (!c->is_empty && c->has_gap)
        kept[count++] = SIZE_MAX;
    c->is_empty = true;
    return count;
}

size_t thudi_curve_reduce(const thudi_curve *curve, bool is_log, double low, double high,
                          int columns, size_t *kept)
{
    column c = {.is_empty = true, .at = -2};
    size_t count = 0;
    for (size_t i = 0; i < curve->count; i++)
    {
        if (!thudi_curve_shows(curve, is_log, i))
        {
            c.has_gap = true;
            continue;
        }
        double part = (curve->x[i * curve->x_stride] - low) / (high - low);
        int at = part <= 0 ? 0 : (part >= 1 ? columns : (int)(part * columns));
        if (!c.is_empty && at != c.at)
            count = flush(&c, kept, count);
        take(&c, curve, i, at);
    }
    return flush(&c, kept, count);
}
