// The value of an expression, operation by operation.
#include "core/math/elementary.h"
#include "expression/expression_program.h"

#include <math.h>

// Of several the first smallest (largest), or the first NAN.
static double choose(const thudi_node *node, const int *operands, const double *values)
{
    double chosen = values[operands[0]];
    for (int i = 1; i < node->count && !isnan(chosen); i++)
    {
        double x = values[operands[i]];
        if (isnan(x) || (node->op == THUDI_OP_MIN ? x < chosen : x > chosen))
            chosen = x;
    }
    return chosen;
}

static double of_one(const thudi_node *node, double x)
{
    switch (node->op)
    {
    case THUDI_OP_SIN:
        return thudi_sin(x);
    case THUDI_OP_COS:
        return thudi_cos(x);
    case THUDI_OP_TAN:
        return thudi_tan(x);
    case THUDI_OP_ASIN:
        return thudi_asin(x);
    case THUDI_OP_ACOS:
        return thudi_acos(x);
    case THUDI_OP_ATAN:
        return thudi_atan(x);
    case THUDI_OP_SINH:
        return thudi_sinh(x);
    case THUDI_OP_COSH:
        return thudi_cosh(x);
    case THUDI_OP_TANH:
        return thudi_tanh(x);
    case THUDI_OP_EXP:
        return thudi_exp(x);
    case THUDI_OP_LOG:
        return thudi_log(x);
    case THUDI_OP_SQRT:
        return sqrt(x);
    case THUDI_OP_ABS:
        return fabs(x);
    case THUDI_OP_STEP:
        return isnan(x) ? x : x >= 0;
    case THUDI_OP_POWER_CONSTANT:
        return thudi_pow(x, node->constant);
    default: // MINUS
        return -x;
    }
}

double thudi_node_value(const thudi_node *node, const int *operands, const double *values)
{
    double a = node->count > 0 ? values[operands[0]] : 0;
    double b = node->count > 1 ? values[operands[1]] : 0;
    switch (node->op)
    {
    case THUDI_OP_CONSTANT:
        return node->constant;
    case THUDI_OP_ADD:
        return a + b;
    case THUDI_OP_SUBTRACT:
        return a - b;
    case THUDI_OP_MULTIPLY:
        return a * b;
    case THUDI_OP_DIVIDE:
        return a / b;
    case THUDI_OP_POWER:
        return thudi_pow(a, b);
    case THUDI_OP_ATAN2:
        return thudi_atan2(a, b);
    case THUDI_OP_MIN:
    case THUDI_OP_MAX:
        return choose(node, operands, values);
    case THUDI_OP_HYPOT:
        return thudi_hypot(values, operands, node->count);
    default:
        return of_one(node, a);
    }
}

double thud_expression_value(const thud_expression *expression, double t, const double *q,
                             double *room)
{
    for (int i = 0; i < expression->count; i++)
    {
        const thudi_node *node = &expression->nodes.items[i];
        if (node->op == THUDI_OP_TIME)
            room[i] = t;
        else if (node->op == THUDI_OP_COORDINATE)
            room[i] = q[node->coordinate];
        else
            room[i] = thudi_node_value(node, thudi_operands(expression, node), room);
    }
    return room[expression->count - 1];
}
