// A statistic of one column over a window. Between the ends of steps a column is a straight line:
//
//     v(t) = v_i + (t - t_i) / (t_i+1 - t_i) (v_i+1 - v_i)
#include "thud/measured.h"

#include <math.h>

// Times that are nearer than this part of the run are the same: nodes are rounded.
static const double ROUNDING = 1e-12;

// A point of the run: within or at the end of step `after`, from node after - 1 on.
typedef struct point
{
    int64_t after; // the first node at or after it
    double t;
} point;

static double value_at(const double *t, const double *value, point p)
{
    int64_t i = p.after;
    if (p.t == t[i] || i == 0)
        return value[i];
    return value[i - 1] + (p.t - t[i - 1]) / (t[i] - t[i - 1]) * (value[i] - value[i - 1]);
}

// The first node at or after `when`, of a run that lasts until then.
static bool find_time(const thud_track *track, double when, point *p)
{
    int64_t i = 0;
    while (i < track->count && track->t[i] < when)
        i++;
    if (i == track->count)
        return false;
    *p = (point){i, i == 0 ? track->t[0] : when};
    return true;
}

// Where the guide first reaches `level` from the point on; at the point itself if it is beyond.
static bool find_level(const thud_track *track, point from, double level, bool rises, point *p)
{
    double sign = rises ? 1 : -1, before = value_at(track->t, track->guide, from), t = from.t;
    *p = from;
    for (int64_t i = from.after; i < track->count; i++)
    {
        if (sign * before >= sign * level)
            return true;
        double here = track->guide[i];
        *p = (point){i, track->t[i]};
        if (sign * here > sign * level && sign * before < sign * level)
        {
            p->t = t + (level - before) / (here - before) * (track->t[i] - t);
            return true;
        }
        before = here;
        t = track->t[i];
    }
    return sign * before >= sign * level;
}

// Where the guide enters the window. What is beyond both bounds from the start on has not gone
// through it: it must come back before `low` first.
static bool find_entry(const thud_window *window, const thud_track *track, bool rises, point *a)
{
    double sign = rises ? 1 : -1, start = value_at(track->t, track->guide, *a);
    if (sign * start < sign * window->high)
        return find_level(track, *a, window->low, rises, a);
    for (int64_t i = a->after; i < track->count; i++)
        if (sign * track->guide[i] < sign * window->low)
            return find_level(track, (point){i, track->t[i]}, window->low, rises, a);
    return false;
}

static bool find_window(const thud_window *window, const thud_track *track, point *a, point *b)
{
    bool rises = window->low <= window->high;
    double end = track->t[track->count - 1], rounding = ROUNDING * (end - track->t[0]);
    if (!find_time(track, window->from, a) ||
        !find_time(track,
                   isinf(window->to) || fabs(window->to - end) <= rounding ? end : window->to, b))
        return false;
    if (window->has_guide)
    {
        point until = *b;
        if (!find_entry(window, track, rises, a) ||
            !find_level(track, *a, window->high, rises, b) || b->t > until.t)
            return false;
    }
    return b->t >= a->t;
}

// Every straight piece of the window: its ends.
typedef void piece_fn(double t0, double v0, double t1, double v1, double *result);

static void add_area(double t0, double v0, double t1, double v1, double *result)
{
    if (!isfinite(v0) || !isfinite(v1))
        return;
    result[0] += (t1 - t0) * (0.5 * v0 + 0.5 * v1);
    result[1] += t1 - t0;
}

static void take_larger(double t0, double v0, double t1, double v1, double *result)
{
    (void)t0, (void)t1;
    result[0] = fmax(result[0], fmax(v0, v1));
}

static void take_smaller(double t0, double v0, double t1, double v1, double *result)
{
    (void)t0, (void)t1;
    result[0] = fmin(result[0], fmin(v0, v1));
}

static void each_piece(const thud_track *track, point a, point b, piece_fn *visit, double *result)
{
    double t = a.t, value = value_at(track->t, track->value, a);
    for (int64_t i = a.after; i < b.after; i++)
    {
        visit(t, value, track->t[i], track->value[i], result);
        t = track->t[i];
        value = track->value[i];
    }
    visit(t, value, b.t, value_at(track->t, track->value, b), result);
}

// Slope of the straight line that is nearest, by least squares, to both ends of the window and all
// nodes between.
static double fit_slope(const thud_track *track, point a, point b)
{
    double origin = value_at(track->t, track->value, a), n = 1, x = 0, y = 0, xx = 0, xy = 0;
    for (int64_t i = a.after; i <= b.after; i++)
    {
        bool is_end = i == b.after;
        double t = (is_end ? b.t : track->t[i]) - a.t;
        double v = (is_end ? value_at(track->t, track->value, b) : track->value[i]) - origin;
        if (!(t > 0) || !isfinite(v))
            continue;
        n += 1, x += t, y += v, xx += t * t, xy += t * v;
    }
    double spread = n * xx - x * x;
    return n > 1 && spread > 0 ? (n * xy - x * y) / spread : NAN;
}

bool thud_window_is_reached(const thud_window *window, const thud_track *track)
{
    point a, b;
    return track->count > 0 && find_window(window, track, &a, &b);
}

double thud_statistic_find(thud_statistic statistic, const thud_window *window,
                           const thud_track *track)
{
    point a, b;
    double result[2] = {0};
    if (track->count == 0 || !find_window(window, track, &a, &b))
        return NAN;
    double last = value_at(track->t, track->value, b);
    switch (statistic)
    {
    case THUD_STATISTIC_MAXIMUM:
        result[0] = -INFINITY;
        each_piece(track, a, b, take_larger, result);
        return isinf(result[0]) ? NAN : result[0];
    case THUD_STATISTIC_MINIMUM:
        result[0] = INFINITY;
        each_piece(track, a, b, take_smaller, result);
        return isinf(result[0]) ? NAN : result[0];
    case THUD_STATISTIC_MEAN:
        each_piece(track, a, b, add_area, result);
        return result[1] > 0 ? result[0] / result[1] : last;
    case THUD_STATISTIC_RATE:
        return fit_slope(track, a, b);
    case THUD_STATISTIC_END:
    case THUD_STATISTIC_COUNT:
        break;
    }
    return last;
}
