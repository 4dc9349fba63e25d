// A table: the natural cubic spline through its knots, which is twice differentiable, where it is
// smallest and where it is steepest. Between knots i and i + 1, at the part b = 1 - a of the width
// w,
//     x = a x_i + b x_{i+1} + ((a^3 - a) c_i + (b^3 - b) c_{i+1}) w^2 / 6,  c = x'' at the knots.
#include "fields/knots.h"

#include <math.h>

// Rounding may put the end of a run, or a step that divides the run, slightly outside the table.
static const double SLACK = 1e-9;

bool thudi_knots_curve(const double *t, const double *value, int count, double *curve,
                       double *scratch)
{
    curve[0] = curve[count - 1] = scratch[0] = 0;
    for (int i = 1; i < count - 1; i++)
    {
        double left = t[i] - t[i - 1], right = t[i + 1] - t[i];
        double kink = (value[i + 1] - value[i]) / right - (value[i] - value[i - 1]) / left;
        double pivot = (left + right) / 3 - left / 6 * scratch[i - 1];
        scratch[i] = right / 6 / pivot;
        curve[i] = (kink - left / 6 * curve[i - 1]) / pivot;
    }
    for (int i = count - 2; i > 0; i--)
        curve[i] -= scratch[i] * curve[i + 1];
    for (int i = 0; i < count; i++)
        if (!isfinite(curve[i]))
            return false;
    return true;
}

// At the part b of the way from knot i to the next.
static double value_within(const thud_knots *knots, int i, double b)
{
    double a = 1 - b, width = knots->t[i + 1] - knots->t[i];
    double bend = (a * a * a - a) * knots->curve[i] + (b * b * b - b) * knots->curve[i + 1];
    return a * knots->value[i] + b * knots->value[i + 1] + bend * (width * width / 6);
}

bool thudi_knots_cover(const thud_knots *knots, double t)
{
    double low = knots->t[0], high = knots->t[knots->count - 1], slack = SLACK * (high - low);
    return t >= low - slack && t <= high + slack;
}

// Find the last knot at or before t, and how far t is on the way to the next knot, from 0 to 1.
// Returns false if t lies outside the table.
static bool find(const thud_knots *knots, double t, int *knot, double *part)
{
    int low = 0, high = knots->count - 1;
    if (!thudi_knots_cover(knots, t))
        return false;
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        if (t < knots->t[middle])
            high = middle;
        else
            low = middle;
    }
    *knot = low;
    *part = (t - knots->t[low]) / (knots->t[high] - knots->t[low]);
    return true;
}

double thudi_knots_at(const thud_knots *knots, double t)
{
    int i;
    double b;
    return find(knots, t, &i, &b) ? value_within(knots, i, b) : NAN;
}

static double slope_within(const thud_knots *knots, int i, double b)
{
    double a = 1 - b, width = knots->t[i + 1] - knots->t[i];
    double bend = (3 * b * b - 1) * knots->curve[i + 1] - (3 * a * a - 1) * knots->curve[i];
    return (knots->value[i + 1] - knots->value[i]) / width + bend * (width / 6);
}

void thudi_knots_differentiate(const thud_knots *knots, double t, thud_jet *jet)
{
    int i;
    double b;
    jet->value = jet->t = jet->tt = NAN;
    if (!find(knots, t, &i, &b))
        return;
    jet->value = value_within(knots, i, b);
    jet->t = slope_within(knots, i, b);
    jet->tt = (1 - b) * knots->curve[i] + b * knots->curve[i + 1];
}

// The smaller extremum of the cubic strictly between knot i and the next, and the part of the way
// where it is. INFINITY if there is none. The derivative is quadratic: c2 b^2 + c1 b + c0.
static double least_within(const thud_knots *knots, int i, double *part)
{
    double width = knots->t[i + 1] - knots->t[i], sixth = width * width / 6;
    double first = knots->curve[i] * sixth, second = knots->curve[i + 1] * sixth;
    double c2 = 3 * (second - first), c1 = 6 * first;
    double c0 = knots->value[i + 1] - knots->value[i] - 2 * first - second;
    double under = c1 * c1 - 4 * c2 * c0, least = INFINITY;
    if (!(under >= 0))
        return least;
    // in this form nearly equal numbers are not subtracted
    double far = -(c1 + (c1 < 0 ? -sqrt(under) : sqrt(under))) / 2;
    double roots[2] = {far / c2, c0 / far};
    for (int k = 0; k < 2; k++)
        if (roots[k] > 0 && roots[k] < 1 && value_within(knots, i, roots[k]) < least)
        {
            *part = roots[k];
            least = value_within(knots, i, roots[k]);
        }
    return least;
}

double thudi_knots_least(const thud_knots *knots, double *t, int *knot)
{
    double least = INFINITY;
    for (int i = 0; i + 1 < knots->count; i++)
    {
        double part = 0, here = least_within(knots, i, &part);
        if (!(here < least))
            continue;
        least = here;
        *knot = i;
        *t = knots->t[i] + part * (knots->t[i + 1] - knots->t[i]);
    }
    return least;
}

// The slope is quadratic between knots. It is largest at a knot, or where the second derivative is
// 0.
double thudi_knots_steepest(const thud_knots *knots)
{
    double most = 0;
    for (int i = 0; i + 1 < knots->count; i++)
    {
        double first = knots->curve[i], second = knots->curve[i + 1];
        double turn = first * second < 0 ? first / (first - second) : 0;
        most = fmax(most, fabs(slope_within(knots, i, 0)));
        most = fmax(most, fabs(slope_within(knots, i, 1)));
        most = fmax(most, fabs(slope_within(knots, i, turn)));
    }
    return most;
}

double thudi_knots_bend(const thud_knots *knots)
{
    double most = 0;
    for (int i = 0; i < knots->count; i++)
        most = fabs(knots->curve[i]) > most ? fabs(knots->curve[i]) : most;
    return most;
}
