// A number of time by a table: its knots, and that the curve through them stays positive.
#include "core/text.h"
#include "fields/knots.h"
#include "fields/schema.h"
#include "fields/slips.h"

#include <math.h>

enum
{
    MOST_KNOTS = 100000
};

// One knot, [t, value], after the one before.
static thud_status read_knot(thudi_reader *r, const thudi_tree *node, int i, double *t,
                             double *value)
{
    char path[THUDI_PATH_SIZE], a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE];
    char hint[THUDI_HINT_SIZE] = "";
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a pair [t, value]"));
    (void)thudi_slip_comma_in_list(node, hint);
    if (node->count != 2)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, hint,
                               "%s must be a pair [t, value], but has %d numbers",
                               thudi_tree_path(node, path), node->count);
    THUD_TRY(thudi_number(r, node->first, THUDI_ANY, &t[i]));
    THUD_TRY(thudi_number(r, node->last, THUDI_POSITIVE, &value[i]));
    double width = i == 0 ? 1 : t[i] - t[i - 1];
    if (!isfinite(width * width)) // the cubic uses this square
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "give the times of the run only",
                               "%s: the time %s is more than 1e154 after %s",
                               thudi_tree_path(node, path), thudi_text_number(a, t[i]),
                               thudi_text_number(b, t[i - 1]));
    if (width > 0)
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "write the knots in order of time",
                           "%s: the time %s is not after %s", thudi_tree_path(node, path),
                           thudi_text_number(a, t[i]), thudi_text_number(b, t[i - 1]));
}

// The curve must stay positive between the knots too.
static thud_status check_table(thudi_reader *r, const thudi_tree *node, const thud_knots *knots)
{
    char path[THUDI_PATH_SIZE], value[THUDI_TEXT_NUMBER_SIZE], at[THUDI_TEXT_NUMBER_SIZE];
    char a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE];
    double t = 0;
    int knot = 0;
    double least = thudi_knots_least(knots, &t, &knot);
    if (least > 0)
        return THUD_OK;
    return thudi_fail_node(
        r->fault, THUD_ERR_SCENE, node, "add knots there, because the curve swings",
        "%s: the curve through the knots falls to %s at t = %s, between %s and %s",
        thudi_tree_path(node, path), thudi_text_number(value, least), thudi_text_number(at, t),
        thudi_text_number(a, knots->t[knot]), thudi_text_number(b, knots->t[knot + 1]));
}

thud_status thudi_varying_table(thudi_reader *r, const thudi_tree *node, thud_varying *out)
{
    thud_knots *knots;
    char path[THUDI_PATH_SIZE];
    double *numbers;
    size_t count = (size_t)node->count;
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of pairs [t, value]"));
    if (count < 2 || count > MOST_KNOTS)
        return thudi_fail_node(r->fault, count < 2 ? THUD_ERR_SCENE : THUD_ERR_LIMIT, node, "",
                               "%s must have 2 to %d knots, but has %d",
                               thudi_tree_path(node, path), MOST_KNOTS, node->count);
    THUD_TRY(thudi_reader_allocate(r, 4 * count * sizeof *numbers, &numbers));
    double *t = numbers, *value = numbers + count, *curve = value + count;
    int i = 0;
    for (const thudi_tree *item = node->first; item; item = item->next)
        THUD_TRY(read_knot(r, item, i++, t, value));
    THUD_TRY(thudi_reader_allocate(r, sizeof *knots, &knots));
    *knots = (thud_knots){.count = node->count, .t = t, .value = value, .curve = curve};
    out->kind = THUD_VARYING_TABLE;
    out->table = knots;
    if (!thudi_knots_curve(t, value, knots->count, curve, curve + count))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node,
                               "place knots farther apart in time, or use smaller values",
                               "%s: the curve through the knots is too steep for double precision",
                               thudi_tree_path(node, path));
    return check_table(r, node, knots);
}
