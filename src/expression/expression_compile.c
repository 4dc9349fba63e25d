// Expressions made and destroyed, and what is known of them before they are evaluated.
#include "core/door.h"
#include "core/fault.h"
#include "expression/expression_program.h"
#include "expression/expression_text.h"

#include <string.h>

enum
{
    ROOM_PER_NODE = 5 // value, its two time derivatives, slope, its time derivative
};

// The coordinates that appear, in increasing order and once each.
static thud_status collect_coordinates(thud_expression *e)
{
    thud_expression_traits *traits = &e->traits;
    for (int i = 0; i < e->count; i++)
    {
        if (e->nodes.items[i].op != THUDI_OP_COORDINATE)
            continue;
        int coordinate = e->nodes.items[i].coordinate, place = 0;
        while (place < traits->coordinate_count && e->coordinates.items[place] < coordinate)
            place++;
        if (place < traits->coordinate_count && e->coordinates.items[place] == coordinate)
            continue;
        size_t count = (size_t)traits->coordinate_count;
        THUD_TRY(thudi_array_reserve(&e->allocator, &e->coordinates, count + 1));
        memmove(e->coordinates.items + place + 1, e->coordinates.items + place,
                (count - (size_t)place) * sizeof *e->coordinates.items);
        e->coordinates.items[place] = coordinate;
        traits->coordinate_count++;
    }
    traits->coordinate = e->coordinates.items;
    for (int i = 0; i < e->count; i++)
        while (e->nodes.items[i].op == THUDI_OP_COORDINATE &&
               traits->coordinate[e->nodes.items[i].slot] != e->nodes.items[i].coordinate)
            e->nodes.items[i].slot++;
    return THUD_OK;
}

// Whether the derivative of a node by its operand k depends on t (space: on coordinates).
static bool slope_depends(const thud_expression *e, const thudi_node *node, int k, bool space)
{
    const int *operands = thudi_operands(e, node);
    const thudi_node *other = &e->nodes.items[operands[node->count - 1 - k]];
    switch (node->op)
    {
    case THUDI_OP_MINUS:
    case THUDI_OP_ADD:
    case THUDI_OP_SUBTRACT:
        return false;
    case THUDI_OP_MULTIPLY:
        return space ? other->space : other->time;
    case THUDI_OP_DIVIDE:
        if (k == 0)
            return space ? other->space : other->time;
        return space ? node->space : node->time;
    default:
        return space ? node->space : node->time;
    }
}

// From the value down: which slopes change with t and with the coordinates.
static void find_slopes(thud_expression *e)
{
    for (int i = e->count - 1; i >= 0; i--)
    {
        const thudi_node *node = &e->nodes.items[i];
        for (int k = 0; k < node->count; k++)
        {
            thudi_node *operand = &e->nodes.items[thudi_operands(e, node)[k]];
            operand->slope_time |= node->slope_time || slope_depends(e, node, k, false);
            operand->slope_space |= node->slope_space || slope_depends(e, node, k, true);
        }
    }
}

static bool has_kink(thudi_op op)
{
    return op == THUDI_OP_ABS || op == THUDI_OP_STEP || op == THUDI_OP_MIN || op == THUDI_OP_MAX;
}

// The column of the first abs, step, min or max whose arguments depend on t (and on coordinates, if
// `both`); 0: none.
static int find_kink(const thud_expression *e, size_t length, bool both)
{
    const thudi_source source = {.text = e->text.items, .length = length};
    size_t first = length;
    for (int i = 0; i < e->count; i++)
    {
        const thudi_node *node = &e->nodes.items[i];
        if (has_kink(node->op) && node->time && (node->space || !both) && node->at < first)
            first = node->at;
    }
    return first < length ? thudi_source_column(&source, first) : 0;
}

static void find_traits(thud_expression *e)
{
    thud_expression_traits *traits = &e->traits;
    const thudi_node *value = &e->nodes.items[e->count - 1];
    traits->text = e->text.items;
    traits->is_constant = !value->time && !value->space;
    traits->uses_time = value->time;
    traits->is_affine_in_time = !value->curved;
    traits->is_affine_in_coordinates = true;
    traits->room = ROOM_PER_NODE * e->count;
    for (int i = 0; i < e->count; i++)
    {
        const thudi_node *node = &e->nodes.items[i];
        if (node->op == THUDI_OP_COORDINATE && node->slope_time)
            traits->is_affine_in_time = false;
        if (node->op == THUDI_OP_COORDINATE && node->slope_space)
            traits->is_affine_in_coordinates = false;
    }
}

static thud_status compile(thud_expression *e, const char *text, size_t length,
                           const thud_symbols *symbols, thud_fault *fault)
{
    THUD_TRY(thudi_expression_parse(e, text, length, symbols, fault));
    THUD_TRY(thudi_array_reserve(&e->allocator, &e->text, length + 1));
    memcpy(e->text.items, text, length);
    e->text.items[length] = '\0';
    THUD_TRY(collect_coordinates(e));
    find_slopes(e);
    find_traits(e);
    e->traits.kink_in_time = find_kink(e, length, false);
    e->traits.kink_in_both = find_kink(e, length, true);
    return THUD_OK;
}

THUDI_DOOR thud_status thud_expression_create(const char *text, size_t length,
                                              const thud_symbols *symbols,
                                              const thud_allocator *allocator,
                                              thud_expression **out, thud_fault *fault)
{
    const thud_symbols none = {0};
    *out = NULL;
    thud_status status = thud_float_check();
    if (status < 0)
        return thudi_fail(fault, status, THUDI_NOWHERE, "", "%s", thud_status_text(status));
    thud_allocator own = thudi_allocator_or_default(allocator);
    thud_expression *e = thudi_allocate_zeroed(&own, sizeof *e);
    status = THUD_ERR_MEMORY;
    if (e)
    {
        e->allocator = own;
        status = compile(e, text, length, symbols ? symbols : &none, fault);
    }
    if (status == THUD_ERR_MEMORY)
        (void)thudi_fail(fault, status, THUDI_NOWHERE, "", "%s", thud_status_text(status));
    if (status < 0)
    {
        thud_expression_destroy(e);
        return status;
    }
    *out = e;
    return THUD_OK;
}

void thud_expression_destroy(thud_expression *expression)
{
    if (!expression)
        return;
    thud_allocator allocator = expression->allocator;
    thudi_array_free(&allocator, &expression->nodes);
    thudi_array_free(&allocator, &expression->operands);
    thudi_array_free(&allocator, &expression->coordinates);
    thudi_array_free(&allocator, &expression->text);
    thudi_free(&allocator, expression, sizeof *expression);
}

const thud_expression_traits *thud_expression_view(const thud_expression *expression)
{
    return &expression->traits;
}
