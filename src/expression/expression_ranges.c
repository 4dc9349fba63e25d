// Ranges of an expression over a stretch of time by interval arithmetic, rounded outwards:
//
//     f(s) in [low, high],  (f(r) - f(s)) / (r - s) in [slope_low, slope_high]  for r, s in it.
//
// Slopes follow the chain rule with ranges for values, which is the mean value theorem; a jump
// of step() is a slope up to infinity.
#include "expression/expression_ranges.h"

#include "expression/intervals.h"

#include <float.h>
#include <math.h>

static const double LARGEST_POWER = 1e9; // the rounding of larger ones is not bounded
static const double LEAST_ROOT = 1e-150, LARGEST_ROOT = 1e150; // squares are normal numbers

typedef struct jet
{
    interval value, slope;
} jet;

static const interval NOTHING = {0, 0};

static jet jet_of(const thud_kink_range *range)
{
    return (jet){{range->low, range->high}, {range->slope_low, range->slope_high}};
}

// Of a function that is not known better, and of one that is nowhere defined.
static jet anything(void)
{
    return (jet){interval_whole(), interval_whole()};
}

static jet nowhere(void)
{
    return (jet){{NAN, NAN}, {NAN, NAN}};
}

static jet chain(interval value, interval derivative, jet inner)
{
    return (jet){value, interval_multiply(derivative, inner.slope)};
}

// What of the argument lies in the domain [low, high].
static interval clip(interval x, double low, double high)
{
    return (interval){fmax(x.low, low), fmin(x.high, high)};
}

static jet of_arcs(const thudi_node *node, jet x)
{
    interval u = clip(x.value, -1, 1), one = {1, 1};
    if (u.low > u.high)
        return nowhere();
    interval root = interval_sqrt(interval_subtract(one, interval_power(u, 2)));
    interval derivative = {interval_divide(one, root).low, INFINITY};
    if (root.low > 0)
        derivative = interval_divide(one, root);
    if (node->op == THUDI_OP_ASIN)
        return chain(interval_rising(u, thudi_asin), derivative, x);
    return chain(interval_falling(u, thudi_acos), interval_minus(derivative), x);
}

static jet of_tangent(jet x)
{
    interval cosine = interval_cos(x.value), one = {1, 1};
    if (interval_has_zero(cosine) || x.value.high - x.value.low > 3)
        return anything();
    interval value = interval_rising(x.value, thudi_tan);
    return chain(value, interval_add(one, interval_power(value, 2)), x);
}

static jet of_root(jet x)
{
    interval u = clip(x.value, 0, INFINITY), one = {1, 1};
    if (u.low > u.high)
        return nowhere();
    interval root = interval_sqrt(u), twice = interval_add(root, root);
    interval derivative = {0, INFINITY};
    if (root.low > 0)
        derivative = interval_divide(one, twice);
    return chain(root, derivative, x);
}

static jet of_log(jet x)
{
    interval u = clip(x.value, 0, INFINITY), one = {1, 1};
    if (u.low > u.high)
        return nowhere();
    if (u.high == 0)
        return (jet){{-INFINITY, -DBL_MAX}, interval_whole()};
    if (u.low > 0)
        return chain(interval_rising(u, thudi_log), interval_divide(one, u), x);
    return chain((interval){-INFINITY, interval_rising(u, thudi_log).high}, (interval){0, INFINITY},
                 x);
}

static jet of_abs(jet x)
{
    interval derivative = {x.value.low > 0 ? 1 : -1, x.value.high < 0 ? -1 : 1};
    return chain(interval_abs(x.value), derivative, x);
}

static jet of_step(jet x)
{
    if (x.value.low >= 0)
        return (jet){{1, 1}, NOTHING};
    if (x.value.high < 0)
        return (jet){{0, 0}, NOTHING};
    return chain((interval){0, 1}, (interval){0, INFINITY}, x);
}

// u^p, a whole p of any u and others of u >= 0.
static jet of_power(jet x, double p)
{
    interval u = x.value;
    bool whole = p == floor(p);
    if (p == 0)
        return (jet){{1, 1}, NOTHING};
    if (!whole && u.low == -INFINITY)
        return anything(); // which has a power
    if (!whole)
        u = clip(u, 0, INFINITY);
    if (u.low > u.high)
        return nowhere();
    if ((p < 0 && interval_has_zero(u)) || fabs(p) > LARGEST_POWER)
        return anything();
    interval derivative = {0, INFINITY};
    if (whole || u.low > 0)
        derivative = interval_power(u, p - 1);
    return chain(interval_power(u, p), interval_multiply((interval){p, p}, derivative), x);
}

static jet of_one(const thudi_node *node, jet x)
{
    interval one = {1, 1};
    switch (node->op)
    {
    case THUDI_OP_SIN:
        return chain(interval_sin(x.value), interval_cos(x.value), x);
    case THUDI_OP_COS:
        return chain(interval_cos(x.value), interval_minus(interval_sin(x.value)), x);
    case THUDI_OP_TAN:
        return of_tangent(x);
    case THUDI_OP_ASIN:
    case THUDI_OP_ACOS:
        return of_arcs(node, x);
    case THUDI_OP_ATAN:
        return chain(interval_rising(x.value, thudi_atan),
                     interval_divide(one, interval_add(one, interval_power(x.value, 2))), x);
    case THUDI_OP_SINH:
        return chain(interval_rising(x.value, thudi_sinh), interval_cosh(x.value), x);
    case THUDI_OP_COSH:
        return chain(interval_cosh(x.value), interval_rising(x.value, thudi_sinh), x);
    case THUDI_OP_TANH:
        return chain(interval_rising(x.value, thudi_tanh), (interval){0, 1}, x);
    case THUDI_OP_EXP:
        return chain(interval_exp(x.value), interval_exp(x.value), x);
    case THUDI_OP_LOG:
        return of_log(x);
    case THUDI_OP_SQRT:
        return of_root(x);
    case THUDI_OP_ABS:
        return of_abs(x);
    case THUDI_OP_STEP:
        return of_step(x);
    case THUDI_OP_POWER_CONSTANT:
        return of_power(x, node->constant);
    default: // MINUS
        return (jet){interval_minus(x.value), interval_minus(x.slope)};
    }
}

static jet divide(jet a, jet b)
{
    if (interval_has_zero(b.value))
        return anything();
    interval value = interval_divide(a.value, b.value);
    interval bent = interval_subtract(a.slope, interval_multiply(value, b.slope));
    return (jet){value, interval_divide(bent, b.value)};
}

static jet power(jet a, jet b)
{
    if (!(a.value.low > 0))
        return anything();
    interval log = interval_rising(a.value, thudi_log);
    interval value = interval_exp(interval_multiply(b.value, log));
    interval first = interval_multiply(b.slope, log);
    interval second = interval_multiply(b.value, interval_divide(a.slope, a.value));
    return (jet){value, interval_multiply(value, interval_add(first, second))};
}

// The angle of (x, y): by atan(y / x) to the right, by atan(x / y) above and below.
static jet angle(jet y, jet x)
{
    interval square = interval_add(interval_power(x.value, 2), interval_power(y.value, 2));
    interval turn =
        interval_subtract(interval_multiply(x.value, y.slope), interval_multiply(y.value, x.slope));
    if (!(square.low > 0) || (x.value.low <= 0 && interval_has_zero(y.value)))
        return (jet){{-3.2, 3.2}, interval_whole()};
    interval slope = interval_divide(turn, square);
    if (x.value.low > 0)
        return (jet){interval_rising(interval_divide(y.value, x.value), thudi_atan), slope};
    interval quarter = interval_widen(THUDI_HALF_PI, THUDI_HALF_PI);
    interval rest = interval_rising(interval_divide(x.value, y.value), thudi_atan);
    quarter = y.value.low > 0 ? quarter : interval_minus(quarter);
    return (jet){interval_subtract(quarter, rest), slope};
}

// The smaller (larger) of two.
static jet choose(bool smaller, jet a, jet b)
{
    if (!smaller)
    {
        a = (jet){interval_minus(a.value), interval_minus(a.slope)};
        b = (jet){interval_minus(b.value), interval_minus(b.slope)};
    }
    jet c = {{fmin(a.value.low, b.value.low), fmin(a.value.high, b.value.high)}, NOTHING};
    if (a.value.high < b.value.low)
        c.slope = a.slope;
    else if (b.value.high < a.value.low)
        c.slope = b.slope;
    else
        c.slope = interval_hull(a.slope, b.slope);
    return smaller ? c : (jet){interval_minus(c.value), interval_minus(c.slope)};
}

static jet least(const thudi_node *node, const int *operands, int count,
                 const thud_kink_range *room)
{
    jet chosen = jet_of(&room[operands[0]]);
    for (int i = 1; i < count; i++)
        chosen = choose(node->op == THUDI_OP_MIN, chosen, jet_of(&room[operands[i]]));
    return chosen;
}

static jet length(const thudi_node *node, const int *operands, const thud_kink_range *room)
{
    interval sum = NOTHING, turn = NOTHING, most = NOTHING;
    for (int i = 0; i < node->count; i++)
    {
        jet x = jet_of(&room[operands[i]]);
        sum = interval_add(sum, interval_power(x.value, 2));
        turn = interval_add(turn, interval_multiply(x.value, x.slope));
        most = interval_add(most, interval_abs(x.slope));
    }
    interval root = interval_sqrt(sum);
    // squares may underflow: the length does not
    if (root.low > LEAST_ROOT && root.high < LARGEST_ROOT)
        return (jet){root, interval_divide(turn, root)};
    return (jet){{0, root.high < LARGEST_ROOT ? root.high + LEAST_ROOT : INFINITY},
                 {-most.high, most.high}};
}

static jet of_several(const thudi_node *node, const int *operands, const thud_kink_range *room)
{
    jet a = jet_of(&room[operands[0]]), b = jet_of(&room[operands[node->count - 1]]);
    switch (node->op)
    {
    case THUDI_OP_ADD:
        return (jet){interval_add(a.value, b.value), interval_add(a.slope, b.slope)};
    case THUDI_OP_SUBTRACT:
        return (jet){interval_subtract(a.value, b.value), interval_subtract(a.slope, b.slope)};
    case THUDI_OP_MULTIPLY:
        return (jet){
            interval_multiply(a.value, b.value),
            interval_add(interval_multiply(a.slope, b.value), interval_multiply(a.value, b.slope))};
    case THUDI_OP_DIVIDE:
        return divide(a, b);
    case THUDI_OP_POWER:
        return power(a, b);
    case THUDI_OP_ATAN2:
        return angle(a, b);
    case THUDI_OP_HYPOT:
        return length(node, operands, room);
    default: // MIN, MAX
        return least(node, operands, node->count, room);
    }
}

// Operations that may have a value where an argument has none: x^0, 1^x, the length of infinity.
static bool forgives(const thudi_node *node, bool infinite)
{
    return node->op == THUDI_OP_POWER || (node->op == THUDI_OP_HYPOT && infinite) ||
           (node->op == THUDI_OP_POWER_CONSTANT && node->constant == 0);
}

static thud_kink_range range_of(const thudi_node *node, const int *operands,
                                const thud_kink_range *room)
{
    jet found = {.value = {node->constant, node->constant}};
    bool defined = true, infinite = false;
    for (int i = 0; i < node->count; i++)
    {
        const thud_kink_range *x = &room[operands[i]];
        defined = defined && !isnan(x->low);
        infinite = infinite || isinf(x->low) || isinf(x->high);
    }
    if (!defined)
        found = forgives(node, infinite) ? anything() : nowhere();
    else if (node->count > 1)
        found = of_several(node, operands, room);
    else if (node->count == 1)
        found = of_one(node, jet_of(&room[operands[0]]));
    return (thud_kink_range){found.value.low, found.value.high, found.slope.low, found.slope.high};
}

static bool has_zeros(const thudi_node *node)
{
    return node->op == THUDI_OP_ABS || node->op == THUDI_OP_STEP || node->op == THUDI_OP_MIN ||
           node->op == THUDI_OP_MAX || node->op == THUDI_OP_ATAN2;
}

int thudi_expression_kinks(const thud_expression *expression, bool alone, thudi_kink *kinks)
{
    int count = 0;
    for (int i = 0; i < expression->count; i++)
    {
        const thudi_node *node = &expression->nodes.items[i];
        if (!has_zeros(node) || !node->time || (alone && node->space))
            continue;
        bool several = node->op == THUDI_OP_MIN || node->op == THUDI_OP_MAX;
        for (int k = several; k < (several ? node->count : 1); k++, count++)
            if (kinks)
                kinks[count] = (thudi_kink){expression, i, k};
    }
    return count;
}

// Operands come before what uses them: the first node of a part of the program.
static int begin_of(const thud_expression *e, int node)
{
    while (e->nodes.items[node].count > 0)
        node = thudi_operands(e, &e->nodes.items[node])[0];
    return node;
}

static double value_at(const thudi_kink *kink, double t, const double *q, double *room)
{
    const thud_expression *e = kink->expression;
    const thudi_node *node = &e->nodes.items[kink->node];
    const int *operands = thudi_operands(e, node);
    int last = operands[kink->argument];
    for (int i = begin_of(e, kink->node); i <= last; i++)
    {
        const thudi_node *at = &e->nodes.items[i];
        if (at->op == THUDI_OP_TIME)
            room[i] = t;
        else if (at->op == THUDI_OP_COORDINATE)
            room[i] = q[at->coordinate];
        else
            room[i] = thudi_node_value(at, thudi_operands(e, at), room);
    }
    if (kink->argument == 0)
        return room[last];
    thudi_node before = *node;
    before.count = kink->argument;
    return thudi_node_value(&before, operands, room) - room[last];
}

thud_kink_range thudi_kink_range(const thudi_kink *kink, double from, double to, const double *q,
                                 double *room)
{
    const thud_expression *e = kink->expression;
    const thudi_node *node = &e->nodes.items[kink->node];
    const int *operands = thudi_operands(e, node);
    thud_kink_range *ranges = (thud_kink_range *)room;
    int last = operands[kink->argument];
    if (from == to)
    {
        double value = value_at(kink, from, q, room);
        return (thud_kink_range){.low = value, .high = value};
    }
    for (int i = begin_of(e, kink->node); i <= last; i++)
    {
        const thudi_node *at = &e->nodes.items[i];
        if (at->op == THUDI_OP_TIME)
            ranges[i] = (thud_kink_range){from, to, 1, 1};
        else if (at->op == THUDI_OP_COORDINATE)
            ranges[i] = (thud_kink_range){q[at->coordinate], q[at->coordinate], 0, 0};
        else
            ranges[i] = range_of(at, thudi_operands(e, at), ranges);
    }
    if (kink->argument == 0 || isnan(ranges[last].low))
        return ranges[last];
    jet before = least(node, operands, kink->argument, ranges), own = jet_of(&ranges[last]);
    interval value = interval_subtract(before.value, own.value);
    interval slope = interval_subtract(before.slope, own.slope);
    return (thud_kink_range){value.low, value.high, slope.low, slope.high};
}
