// The one evaluation of a number that may depend on time, and the one place that bounds it.
#include "fields/knots.h"

#include <math.h>

// A rate of change is not larger than its double times this, for the rounding of its two ends.
static const double OUTWARDS = 1 + 1e-9;

double thud_varying_at_point(const thud_varying *varying, double t, const double *q, double *room)
{
    switch (varying->kind)
    {
    case THUD_VARYING_NONE:
        return 0;
    case THUD_VARYING_CONSTANT:
        return varying->value;
    case THUD_VARYING_EXPRESSION:
        return thud_expression_value(varying->expression, t, q, room);
    case THUD_VARYING_TABLE:
        return thudi_knots_at(varying->table, t);
    }
    return NAN;
}

double thud_varying_at(const thud_varying *varying, double t, double *room)
{
    return thud_varying_at_point(varying, t, NULL, room);
}

void thud_varying_differentiate(const thud_varying *varying, double t, const double *q,
                                double *room, thud_jet *jet)
{
    if (varying->kind == THUD_VARYING_EXPRESSION)
    {
        thud_expression_differentiate(varying->expression, t, q, room, jet);
        return;
    }
    jet->t = jet->tt = 0;
    jet->value = varying->kind == THUD_VARYING_CONSTANT ? varying->value : 0;
    if (varying->kind == THUD_VARYING_TABLE)
        thudi_knots_differentiate(varying->table, t, jet);
}

int thud_varying_room(const thud_varying *varying)
{
    bool is_computed = varying->kind == THUD_VARYING_EXPRESSION;
    return is_computed ? thud_expression_view(varying->expression)->room : 0;
}

bool thud_varying_uses_time(const thud_varying *varying)
{
    if (varying->kind == THUD_VARYING_EXPRESSION)
        return thud_expression_view(varying->expression)->uses_time;
    return varying->kind == THUD_VARYING_TABLE;
}

static thud_varying_bounds bound_expression(const thud_varying *varying, double a, double b,
                                            double *room)
{
    const thud_expression_traits *traits = thud_expression_view(varying->expression);
    thud_varying_bounds bounds = {NAN, NAN, traits->kink_in_time};
    if (!traits->is_affine_in_time)
        return bounds;
    bounds.x_tt = 0;
    if (!traits->uses_time)
        bounds.x_t = 0;
    else if (traits->coordinate_count == 0 && b > a)
    {
        double way = thud_varying_at(varying, b, room) - thud_varying_at(varying, a, room);
        bounds.x_t = fabs(way) / (b - a) * OUTWARDS;
    }
    return bounds;
}

thud_varying_bounds thud_varying_bound(const thud_varying *varying, double a, double b,
                                       double *room)
{
    if (varying->kind == THUD_VARYING_EXPRESSION)
        return bound_expression(varying, a, b, room);
    if (varying->kind == THUD_VARYING_TABLE)
        return (thud_varying_bounds){thudi_knots_steepest(varying->table) * OUTWARDS,
                                     thudi_knots_bend(varying->table), 0};
    return (thud_varying_bounds){0, 0, 0};
}
