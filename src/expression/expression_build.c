// Programs built node by node, with constant parts computed on the way.
#include "expression/expression_build.h"

#include <math.h>
#include <string.h>

thud_status thudi_build_node(thudi_builder *b, const thudi_node *node, int *out)
{
    thud_expression *e = b->expression;
    THUD_TRY(thudi_array_reserve(&e->allocator, &e->nodes, (size_t)e->count + 1));
    THUD_TRY(thudi_array_reserve(&e->allocator, &b->constant, (size_t)e->count + 1));
    e->nodes.items[e->count] = *node;
    b->constant.items[e->count] = node->constant;
    *out = e->count++;
    return THUD_OK;
}

thud_status thudi_build_constant(thudi_builder *b, double value, int *out)
{
    return thudi_build_node(b, &(thudi_node){.op = THUDI_OP_CONSTANT, .constant = value}, out);
}

static bool all_constant(const thud_expression *e, const int *operands, int count)
{
    for (int i = 0; i < count; i++)
        if (e->nodes.items[operands[i]].op != THUDI_OP_CONSTANT)
            return false;
    return true;
}

// Replace constant operands by the value of the operation on them; they are the last nodes.
static thud_status fold(thudi_builder *b, const thudi_node *node, const int *operands, size_t at,
                        int *out)
{
    double value = thudi_node_value(node, operands, b->constant.items);
    b->expression->count -= node->count;
    if (isfinite(value))
        return thudi_build_constant(b, value, out);
    size_t name = thudi_source_name(b->source, at);
    return thudi_source_fail(b->source, THUD_ERR_ARGUMENT, at,
                             "change this part: without t and coordinates it must be finite",
                             "the result of '%.*s' is %s", name > 0 ? (int)name : 1,
                             b->source->text + at, isnan(value) ? "not a number" : "infinite");
}

static bool is_curved(const thud_expression *e, const thudi_node *node, const int *operands)
{
    const thudi_node *a = &e->nodes.items[operands[0]];
    const thudi_node *b = &e->nodes.items[operands[node->count - 1]];
    switch (node->op)
    {
    case THUDI_OP_MINUS:
    case THUDI_OP_ADD:
    case THUDI_OP_SUBTRACT:
        return a->curved || b->curved;
    case THUDI_OP_MULTIPLY:
        return a->curved || b->curved || (a->time && b->time);
    case THUDI_OP_DIVIDE:
        return a->curved || b->time;
    default:
        return node->time;
    }
}

// The operation written at `at` on these nodes.
thud_status thudi_build_operation(thudi_builder *b, thudi_op op, const int *operands, int count,
                                  size_t at, int *out)
{
    thud_expression *e = b->expression;
    thudi_node node = {.op = op, .count = count, .at = at};
    if (all_constant(e, operands, count))
        return fold(b, &node, operands, at, out);
    if (op == THUDI_OP_POWER && all_constant(e, operands + 1, 1))
    {
        node.op = THUDI_OP_POWER_CONSTANT;
        node.count = 1;
        node.constant = b->constant.items[--e->count];
    }
    *out = operands[0];
    bool same = node.op == THUDI_OP_POWER_CONSTANT && node.constant == 1;
    if (same || ((op == THUDI_OP_MIN || op == THUDI_OP_MAX) && count == 1))
        return THUD_OK;
    if (op == THUDI_OP_HYPOT && count == 1)
        node.op = THUDI_OP_ABS;
    node.first = e->operand_count;
    for (int i = 0; i < node.count; i++)
    {
        node.time = node.time || e->nodes.items[operands[i]].time;
        node.space = node.space || e->nodes.items[operands[i]].space;
    }
    node.curved = is_curved(e, &node, operands);
    size_t wanted = (size_t)e->operand_count + (size_t)node.count;
    THUD_TRY(thudi_array_reserve(&e->allocator, &e->operands, wanted));
    memcpy(e->operands.items + e->operand_count, operands, (size_t)node.count * sizeof *operands);
    e->operand_count += node.count;
    return thudi_build_node(b, &node, out);
}
