// The derivatives of an expression: forward for those in time, then backward for the gradient and
// its time derivative. What does not depend on t or on coordinates by the way it is written is left
// out, so that an infinite slope of it (of sqrt(x) at 0) does not spoil the others.
#include "expression/expression_slopes.h"

#include <math.h>

typedef struct jets
{
    const thud_expression *expression;
    double *value, *t, *tt; // of every node, and its time derivatives
    double *slope;          // the derivative of the expression by every node,
    double *slope_t;        // and its time derivative
} jets;

static const thudi_node *node_of(const jets *tape, int i)
{
    return &tape->expression->nodes.items[i];
}

// sum of second[k][j] * (operand j)_t
static double curvature(const jets *tape, const thudi_node *node, const int *operands,
                        const thudi_slopes *s, int k)
{
    double sum = 0;
    for (int j = 0; j < node->count; j++)
        if (node_of(tape, operands[j])->time && s->second[k][j] != 0)
            sum += s->second[k][j] * tape->t[operands[j]];
    return sum;
}

static void forward_small(const jets *tape, int i, const thudi_node *node, const int *operands)
{
    thudi_slopes s = thudi_node_slopes(node, operands, tape->value, tape->value[i]);
    for (int k = 0; k < node->count; k++)
    {
        int a = operands[k];
        if (!node_of(tape, a)->time)
            continue;
        tape->t[i] += s.first[k] * tape->t[a];
        if (node->curved && node_of(tape, a)->curved)
            tape->tt[i] += s.first[k] * tape->tt[a];
        if (node->curved)
            tape->tt[i] += curvature(tape, node, operands, &s, k) * tape->t[a];
    }
}

// h = |a|: h_t = a.a_t / h, h_tt = (a.a_tt + |part of a_t across a|^2) / h; 0 where h is.
static void forward_hypot(const jets *tape, int i, const thudi_node *node, const int *operands)
{
    double h = tape->value[i];
    for (int k = 0; h != 0 && k < node->count; k++)
        if (node_of(tape, operands[k])->time)
            tape->t[i] += tape->value[operands[k]] / h * tape->t[operands[k]];
    for (int k = 0; h != 0 && k < node->count; k++)
    {
        int a = operands[k];
        double along = tape->value[a] / h, across = tape->t[a] - along * tape->t[i];
        tape->tt[i] += across * across / h;
        if (node_of(tape, a)->curved)
            tape->tt[i] += along * tape->tt[a];
    }
}

static bool is_choice(const thudi_node *node)
{
    return node->op == THUDI_OP_MIN || node->op == THUDI_OP_MAX;
}

static void forward(const jets *tape, int i)
{
    const thudi_node *node = node_of(tape, i);
    const int *operands = thudi_operands(tape->expression, node);
    tape->t[i] = node->op == THUDI_OP_TIME;
    tape->tt[i] = 0;
    if (!node->time || node->count == 0)
        return;
    if (is_choice(node))
    {
        int chosen = thudi_node_chosen(node, operands, tape->value);
        tape->t[i] = tape->t[chosen];
        tape->tt[i] = tape->tt[chosen];
    }
    else if (node->op == THUDI_OP_HYPOT)
        forward_hypot(tape, i, node, operands);
    else
        forward_small(tape, i, node, operands);
}

// Add to the slope of operand a of node i: first is the derivative by it, second that one's time
// derivative.
static void pass_down(const jets *tape, int i, int a, double first, double second)
{
    const thudi_node *node = node_of(tape, i), *operand = node_of(tape, a);
    if (!operand->space)
        return;
    tape->slope[a] += tape->slope[i] * first;
    if (operand->slope_time && node->slope_time)
        tape->slope_t[a] += tape->slope_t[i] * first;
    if (operand->slope_time && second != 0)
        tape->slope_t[a] += tape->slope[i] * second;
}

static void backward_hypot(const jets *tape, int i, const thudi_node *node, const int *operands)
{
    double h = tape->value[i];
    for (int k = 0; h != 0 && k < node->count; k++)
    {
        double along = tape->value[operands[k]] / h;
        double across = node->time ? tape->t[operands[k]] - along * tape->t[i] : 0;
        pass_down(tape, i, operands[k], along, across / h);
    }
}

static void backward(const jets *tape, int i)
{
    const thudi_node *node = node_of(tape, i);
    const int *operands = thudi_operands(tape->expression, node);
    if (!node->space || node->count == 0)
        return;
    if (is_choice(node))
        pass_down(tape, i, thudi_node_chosen(node, operands, tape->value), 1, 0);
    else if (node->op == THUDI_OP_HYPOT)
        backward_hypot(tape, i, node, operands);
    else
    {
        thudi_slopes s = thudi_node_slopes(node, operands, tape->value, tape->value[i]);
        for (int k = 0; k < node->count; k++)
            pass_down(tape, i, operands[k], s.first[k], curvature(tape, node, operands, &s, k));
    }
}

static void collect(const jets *tape, const double *slope, double *gradient)
{
    const thud_expression *e = tape->expression;
    if (!gradient)
        return;
    for (int k = 0; k < e->traits.coordinate_count; k++)
        gradient[k] = 0;
    for (int i = 0; i < e->count; i++)
        if (e->nodes.items[i].op == THUDI_OP_COORDINATE)
            gradient[e->nodes.items[i].slot] += slope[i];
}

void thud_expression_differentiate(const thud_expression *expression, double t, const double *q,
                                   double *room, thud_jet *jet)
{
    size_t n = (size_t)expression->count;
    const jets tape = {expression, room, room + n, room + 2 * n, room + 3 * n, room + 4 * n};
    int last = expression->count - 1;
    jet->value = thud_expression_value(expression, t, q, room);
    for (int i = 0; i <= last; i++)
        forward(&tape, i);
    jet->t = tape.t[last];
    jet->tt = tape.tt[last];
    if (!jet->gradient && !jet->gradient_t)
        return;
    for (int i = 0; i <= last; i++)
        tape.slope[i] = tape.slope_t[i] = 0;
    tape.slope[last] = 1;
    for (int i = last; i >= 0; i--)
        backward(&tape, i);
    collect(&tape, tape.slope, jet->gradient);
    collect(&tape, tape.slope_t, jet->gradient_t);
}
