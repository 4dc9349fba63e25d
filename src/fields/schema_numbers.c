// Numbers, vectors and expressions out of the tree.
#include "core/text.h"
#include "expression/expression_names.h"
#include "fields/slips.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Larger whole numbers are written with an exponent; long long has them up to 9e18.
static const double MOST_DIGITS = 1e17;

static thud_symbols symbols_for(const thudi_reader *r, thudi_scope scope)
{
    thud_symbols symbols = r->symbols;
    symbols.time = scope != THUDI_CONSTANT;
    if (scope != THUDI_OF_TIME_AND_COORDINATES)
        symbols.coordinate_count = 0;
    return symbols;
}

// What is wrong in an expression, where it is in the file.
static thud_status fail_expression(thudi_reader *r, const thudi_tree *node, thud_status status,
                                   const thud_fault *found)
{
    char path[THUDI_PATH_SIZE];
    int column = node->column;
    if (status == THUD_ERR_MEMORY)
        return thudi_fail_status(r->fault, status);
    if (node->text_column > 0)
        column = node->text_column + (found->column > 0 ? found->column - 1 : 0);
    status = thudi_fail_place(r->fault, status == THUD_ERR_ARGUMENT ? THUD_ERR_SCENE : status,
                              node->file, node->line, column, found->hint, "%s: %s",
                              thudi_tree_path(node, path), found->text);
    if (r->fault)
        memcpy(r->fault->name, found->name, sizeof r->fault->name);
    return thudi_fault_path(r->fault, status, node);
}

// Expressions of t in a place for constants get a sentence of their own.
static bool is_time_expression(thudi_reader *r, const thudi_tree *node)
{
    thud_symbols symbols = symbols_for(r, THUDI_OF_TIME);
    thud_expression *expression = NULL;
    thud_status status = thud_expression_create(node->text, node->length, &symbols, &r->allocator,
                                                &expression, NULL);
    thud_expression_destroy(expression);
    return status >= 0;
}

static thud_status compile(thudi_reader *r, const thudi_tree *node, thudi_scope scope,
                           thud_expression **out)
{
    thud_symbols symbols = symbols_for(r, scope);
    thud_fault found = {0};
    *out = NULL;
    THUD_TRY(thudi_expect(r, node, THUDI_STRING, "a number"));
    thud_status status =
        thud_expression_create(node->text, node->length, &symbols, &r->allocator, out, &found);
    memcpy(r->unknown, found.name, sizeof r->unknown);
    if (status >= 0 && r->used)
        thudi_names_mark(node->text, node->length, symbols.parameters, symbols.parameter_count,
                         r->used);
    if (status >= 0)
        return THUD_OK;
    if (status == THUD_ERR_ARGUMENT && scope == THUDI_CONSTANT && is_time_expression(r, node))
    {
        (void)snprintf(found.text, sizeof found.text, "this number cannot depend on the time t");
        (void)snprintf(found.hint, sizeof found.hint,
                       "use a number or a parameter: the value is needed once, at the start");
    }
    if (status == THUD_ERR_ARGUMENT && thudi_slip_comma(node, found.hint))
        (void)snprintf(found.text, sizeof found.text, "a number with a decimal comma");
    return fail_expression(r, node, status, &found);
}

thud_status thudi_value_at(thudi_reader *r, const thud_varying *varying, double t, const double *q,
                           double *x)
{
    size_t room = (size_t)thud_varying_room(varying);
    if (thudi_array_reserve(&r->allocator, &r->room, room + 1) < 0)
        return thudi_fail_status(r->fault, THUD_ERR_MEMORY);
    *x = thud_varying_at_point(varying, t, q, r->room.items);
    return THUD_OK;
}

// A constant gets its value now, so that no evaluation depends on memory later.
static thud_status fill(thudi_reader *r, const thud_expression *expression, thud_varying *out)
{
    out->kind = THUD_VARYING_EXPRESSION;
    out->expression = expression;
    if (!thud_expression_view(expression)->is_constant)
        return THUD_OK;
    THUD_TRY(thudi_value_at(r, out, 0, NULL, &out->value));
    out->kind = THUD_VARYING_CONSTANT;
    return THUD_OK;
}

static thud_status check_range(thudi_reader *r, const thudi_tree *node, thudi_range range, double x)
{
    char path[THUDI_PATH_SIZE], number[THUDI_TEXT_NUMBER_SIZE];
    bool fine = range == THUDI_POSITIVE ? x > 0 : (range == THUDI_NOT_NEGATIVE ? x >= 0 : true);
    if (!isfinite(x))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "%s is not finite",
                               thudi_tree_path(node, path));
    if (fine)
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "%s must be %s 0, but is %s",
                           thudi_tree_path(node, path),
                           range == THUDI_POSITIVE ? ">" : ">=", thudi_text_number(number, x));
}

thud_status thudi_number(thudi_reader *r, const thudi_tree *node, thudi_range range, double *x)
{
    if (node->kind == THUDI_STRING && thud_number_read(node->text, node->length, x))
        return check_range(r, node, range, *x);
    thud_expression *expression;
    THUD_TRY(compile(r, node, THUDI_CONSTANT, &expression));
    thud_varying varying = {.kind = THUD_VARYING_NONE};
    thud_status status = fill(r, expression, &varying);
    thud_expression_destroy(expression);
    THUD_TRY(status);
    *x = varying.value;
    return check_range(r, node, range, *x);
}

// Digits for whole numbers, all of them where people write them so.
static const char *whole_text(char text[THUDI_TEXT_NUMBER_SIZE], double x)
{
    if (x == floor(x) && fabs(x) < MOST_DIGITS)
        (void)snprintf(text, THUDI_TEXT_NUMBER_SIZE, "%lld", (long long)x);
    else
        thudi_text_number(text, x);
    return text;
}

thud_status thudi_whole(thudi_reader *r, const thudi_tree *node, double low, double high, double *x)
{
    char path[THUDI_PATH_SIZE], number[THUDI_TEXT_NUMBER_SIZE], a[THUDI_TEXT_NUMBER_SIZE];
    char b[THUDI_TEXT_NUMBER_SIZE];
    THUD_TRY(thudi_number(r, node, THUDI_ANY, x));
    if (*x == floor(*x) && *x >= low && *x <= high)
        return THUD_OK;
    if (low == high - 1)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "%s must be %s or %s, but is %s",
                               thudi_tree_path(node, path), whole_text(a, low), whole_text(b, high),
                               whole_text(number, *x));
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "",
                           "%s must be a whole number from %s to %s, but is %s",
                           thudi_tree_path(node, path), whole_text(a, low), whole_text(b, high),
                           whole_text(number, *x));
}

thud_status thudi_expect_list(thudi_reader *r, const thudi_tree *node, int count,
                              const char *meaning)
{
    char path[THUDI_PATH_SIZE], what[40], hint[THUDI_HINT_SIZE];
    (void)snprintf(what, sizeof what, "a list of %d numbers", count);
    (void)snprintf(hint, sizeof hint, "%s", meaning);
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, what));
    if (node->count == count)
        return THUD_OK;
    for (const thudi_tree *item = node->first; item; item = item->next)
        if (item->kind == THUDI_STRING)
            (void)thudi_hint_comma(hint, item->text);
    bool is_slip = thudi_slip_comma_in_list(node, hint);
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, hint, "%s must be %s, but has %d%s",
                           thudi_tree_path(node, path), what, node->count,
                           is_slip ? ": a decimal comma cuts one in two" : "");
}

thud_status thudi_vector(thudi_reader *r, const thudi_tree *node, int dim, thudi_range range,
                         double x[3])
{
    int k = 0;
    THUD_TRY(thudi_expect_list(r, node, dim, THUDI_AS_DIM));
    for (const thudi_tree *item = node->first; item; item = item->next)
        THUD_TRY(thudi_number(r, item, range, &x[k++]));
    return THUD_OK;
}

// Hand an expression to the scene, which destroys it.
static thud_status keep(thudi_reader *r, thud_expression *expression, const thud_expression **out)
{
    thudi_made *made;
    thud_status status = thudi_reader_allocate(r, sizeof *made, &made);
    if (status < 0)
    {
        thud_expression_destroy(expression);
        return status;
    }
    *made = (thudi_made){*r->expressions, expression};
    *r->expressions = made;
    *out = expression;
    return THUD_OK;
}

thud_status thudi_varying(thudi_reader *r, const thudi_tree *node, thudi_scope scope,
                          thud_varying *out)
{
    thud_expression *expression;
    *out = (thud_varying){.kind = THUD_VARYING_NONE};
    THUD_TRY(compile(r, node, scope, &expression));
    THUD_TRY(keep(r, expression, &out->expression));
    THUD_TRY(thudi_place(r, node, &out->place));
    return fill(r, out->expression, out);
}

thud_status thudi_varyings(thudi_reader *r, const thudi_tree *node, int dim, thud_varying out[3])
{
    int k = 0;
    THUD_TRY(thudi_expect_list(r, node, dim, THUDI_AS_DIM));
    for (const thudi_tree *item = node->first; item; item = item->next)
        THUD_TRY(thudi_varying(r, item, THUDI_OF_TIME, &out[k++]));
    return THUD_OK;
}

thud_status thudi_varying_of(thudi_reader *r, double x, thud_varying *out)
{
    char text[THUD_NUMBER_SIZE];
    thud_symbols none = {0};
    thud_expression *expression = NULL;
    thud_number_write(text, x);
    *out = (thud_varying){.kind = THUD_VARYING_NONE};
    thud_status status =
        thud_expression_create(text, strlen(text), &none, &r->allocator, &expression, NULL);
    if (status < 0)
        return thudi_fail_status(r->fault, status);
    THUD_TRY(keep(r, expression, &out->expression));
    return fill(r, out->expression, out);
}
