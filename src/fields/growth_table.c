// A growth by table: the natural cubic spline through its knots, which is twice differentiable, and
// where it is smallest.
#include "fields/growth.h"

#include <math.h>

// A run that ends where its table does may miss it by rounding; so may a step that divides the run.
static const double SLACK = 1e-9;

bool thudi_growth_curve(const double *t, const double *value, int count, double *curve,
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
static double value_within(const thud_scene_growth *growth, int i, double b)
{
    double a = 1 - b, width = growth->t[i + 1] - growth->t[i];
    double bend = (a * a * a - a) * growth->curve[i] + (b * b * b - b) * growth->curve[i + 1];
    return a * growth->value[i] + b * growth->value[i + 1] + bend * (width * width / 6);
}

bool thudi_growth_covers(const thud_scene_growth *growth, double t)
{
    double low = growth->t[0], high = growth->t[growth->count - 1], slack = SLACK * (high - low);
    return t >= low - slack && t <= high + slack;
}

double thud_scene_growth_value(const thud_scene_growth *growth, double t, double *room)
{
    if (!growth)
        return 1;
    if (growth->expression)
        return thud_expression_value(growth->expression, t, NULL, room);
    int low = 0, high = growth->count - 1;
    if (!thudi_growth_covers(growth, t))
        return NAN;
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        if (t < growth->t[middle])
            high = middle;
        else
            low = middle;
    }
    return value_within(growth, low, (t - growth->t[low]) / (growth->t[high] - growth->t[low]));
}

// The part of the way from knot i to the next where the cubic is smallest inside, and its value;
// the ends are knots. Its derivative is quadratic: c2 b^2 + c1 b + c0.
static double least_within(const thud_scene_growth *growth, int i, double *part)
{
    double width = growth->t[i + 1] - growth->t[i], sixth = width * width / 6;
    double first = growth->curve[i] * sixth, second = growth->curve[i + 1] * sixth;
    double c2 = 3 * (second - first), c1 = 6 * first;
    double c0 = growth->value[i + 1] - growth->value[i] - 2 * first - second;
    double under = c1 * c1 - 4 * c2 * c0, least = INFINITY;
    if (!(under >= 0))
        return least;
    // without a difference of numbers that are nearly equal
    double far = -(c1 + (c1 < 0 ? -sqrt(under) : sqrt(under))) / 2;
    double roots[2] = {far / c2, c0 / far};
    for (int k = 0; k < 2; k++)
        if (roots[k] > 0 && roots[k] < 1 && value_within(growth, i, roots[k]) < least)
        {
            *part = roots[k];
            least = value_within(growth, i, roots[k]);
        }
    return least;
}

double thudi_growth_least(const thud_scene_growth *growth, double *t, int *knot)
{
    double least = INFINITY;
    for (int i = 0; i + 1 < growth->count; i++)
    {
        double part = 0, here = least_within(growth, i, &part);
        if (!(here < least))
            continue;
        least = here;
        *knot = i;
        *t = growth->t[i] + part * (growth->t[i + 1] - growth->t[i]);
    }
    return least;
}

double thudi_growth_bend(const thud_scene_growth *growth)
{
    double most = 0;
    if (!growth)
        return 0;
    if (growth->expression)
        return thud_expression_look(growth->expression)->is_affine_in_time ? 0 : NAN;
    for (int i = 0; i < growth->count; i++)
        most = fabs(growth->curve[i]) > most ? fabs(growth->curve[i]) : most;
    return most;
}
