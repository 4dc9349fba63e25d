// The derivatives of single operations, first and second.
#include "expression/expression_slopes.h"

#include "core/math/elementary.h"

#include <math.h>

static thudi_slopes slopes_of_one(double first, double second)
{
    return (thudi_slopes){{first}, {{second}}};
}

static thudi_slopes of_arc(double x, double sign)
{
    double s = 1 / sqrt((1 - x) * (1 + x));
    return slopes_of_one(sign * s, sign * (x * s) * (s * s));
}

static thudi_slopes of_atan(double x)
{
    double s = 1 / (1 + x * x);
    return slopes_of_one(s, -2 * (x * s) * s);
}

static thudi_slopes of_tanh(double x, double value)
{
    double c = thudi_cosh(x), s = 1 / c / c;
    return slopes_of_one(s, -2 * value * s);
}

// x^y by x, y constant. A factor 0 rules, whatever x is.
static thudi_slopes of_constant_power(double x, double y)
{
    double first = y == 0 ? 0 : y * thudi_pow(x, y - 1);
    double factor = y * (y - 1);
    return slopes_of_one(first, factor == 0 ? 0 : factor * thudi_pow(x, y - 2));
}

static thudi_slopes of_power(double x, double y, double value)
{
    thudi_slopes s = of_constant_power(x, y);
    double logarithm = thudi_log(x), below = thudi_pow(x, y - 1);
    s.first[1] = value == 0 ? 0 : value * logarithm;
    s.second[1][1] = value == 0 ? 0 : value * logarithm * logarithm;
    s.second[0][1] = s.second[1][0] = below == 0 ? 0 : below * (1 + y * logarithm);
    return s;
}

static thudi_slopes of_atan2(double y, double x)
{
    double pair[2] = {y, x}, h = thudi_hypot(pair, (const int[]){0, 1}, 2);
    double sine = y / h, cosine = x / h, curve = 2 * sine * cosine / h / h;
    double mixed = (sine - cosine) * (sine + cosine) / h / h;
    return (thudi_slopes){{cosine / h, -sine / h}, {{-curve, mixed}, {mixed, curve}}};
}

static thudi_slopes of_quotient(double b, double value)
{
    double first = 1 / b, by_b = -value / b;
    return (thudi_slopes){{first, by_b}, {{0, -first / b}, {-first / b, -2 * by_b / b}}};
}

static thudi_slopes slopes_of_function(const thudi_node *node, double a, double value)
{
    switch (node->op)
    {
    case THUDI_OP_SIN:
        return slopes_of_one(thudi_cos(a), -value);
    case THUDI_OP_COS:
        return slopes_of_one(-thudi_sin(a), -value);
    case THUDI_OP_TAN:
        return slopes_of_one(1 + value * value, 2 * value * (1 + value * value));
    case THUDI_OP_ASIN:
        return of_arc(a, 1);
    case THUDI_OP_ACOS:
        return of_arc(a, -1);
    case THUDI_OP_ATAN:
        return of_atan(a);
    case THUDI_OP_SINH:
        return slopes_of_one(thudi_cosh(a), value);
    case THUDI_OP_COSH:
        return slopes_of_one(thudi_sinh(a), value);
    case THUDI_OP_TANH:
        return of_tanh(a, value);
    case THUDI_OP_EXP:
        return slopes_of_one(value, value);
    case THUDI_OP_LOG:
        return slopes_of_one(1 / a, -1 / a / a);
    case THUDI_OP_SQRT:
        return slopes_of_one(0.5 / value, -0.25 / value / a);
    case THUDI_OP_ABS:
        return slopes_of_one((a > 0) - (a < 0), 0);
    case THUDI_OP_STEP:
        return slopes_of_one(0, 0);
    default: // MINUS
        return slopes_of_one(-1, 0);
    }
}

thudi_slopes thudi_node_slopes(const thudi_node *node, const int *operands, const double *values,
                               double value)
{
    double a = values[operands[0]], b = node->count > 1 ? values[operands[1]] : 0;
    if (isnan(value) && !isnan(a) && !isnan(b)) // outside of the domain, whatever formulas say
        return (thudi_slopes){{NAN, NAN}, {{NAN, NAN}, {NAN, NAN}}};
    switch (node->op)
    {
    case THUDI_OP_ADD:
        return (thudi_slopes){.first = {1, 1}};
    case THUDI_OP_SUBTRACT:
        return (thudi_slopes){.first = {1, -1}};
    case THUDI_OP_MULTIPLY:
        return (thudi_slopes){{b, a}, {{0, 1}, {1, 0}}};
    case THUDI_OP_DIVIDE:
        return of_quotient(b, value);
    case THUDI_OP_POWER:
        return of_power(a, b, value);
    case THUDI_OP_POWER_CONSTANT:
        return of_constant_power(a, node->constant);
    case THUDI_OP_ATAN2:
        return of_atan2(a, b);
    default:
        return slopes_of_function(node, a, value);
    }
}

int thudi_node_chosen(const thudi_node *node, const int *operands, const double *values)
{
    double value = thudi_node_value(node, operands, values);
    int i = 0;
    while (isnan(value) ? !isnan(values[operands[i]]) : values[operands[i]] != value)
        i++;
    return operands[i];
}
