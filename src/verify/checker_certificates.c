// The nine certificates of one step, each a residual over its tolerance, <= 1 when it holds.
//
// With b = u_n and p = h f_n for the second order, b = f_n and p = 0 for the first, and
// mu = h lambda:
//     1 stationarity      M (u' - b) - p - sum mu_i slope_i = 0             per coordinate
//     2 sign              mu_i >= 0; sorted keys; no impulse without a row  exactly
//     3 feasible          lin_i = gap_i + h slope_i . u' >= 0               all rows
//     4 complementarity   lin_i = 0 where mu_i != 0
//     5 motion            q' = q + h u', t' = t + h
//     6 no overlap        g_i(t', q') >= 0
//     7 energy            |u'|^2/2 - |b|^2/2 + |u' - b|^2/2 = p . u' - sum lambda_i gap_i
//                                                            + sum lambda_i lin_i    (M norms)
//     8 momentum          sum m (u' - b) - sum p - sum over external rows of mu_i slope_i = 0
//     9 between           g >= min(its values at both nodes) - h^2/8 (gap_tt + 2 gap_tq |u'|)
//
// 7 is u' . (1), as |u'|^2 - |b|^2 + |u' - b|^2 = 2 u' . M (u' - b) and h slope_i . u' = lin_i -
// gap_i. 9 holds for g convex in q, as s -> g(t + s, q + s u') then has a second derivative >=
// -(gap_tt + 2 gap_tq |u'|), and for g concave in q by interpolating in q first and in t then.
#include "checker.h"

#include <float.h>

// Room for the rounding of one sum and one product: of q + h u'.
#define FEW_ULPS (8 * DBL_EPSILON)

// Room for the rounding of a gap: g is known no better than to an ulp of |slope| |q|, and a K that
// is empty by rounding alone leaves a few of them.
#define GAP_ULPS (16 * DBL_EPSILON)

// Impulses must not vouch for themselves: they widen a tolerance by their rounding, not by more.
#define IMPULSE_ULPS (64 * DBL_EPSILON)

// Room for the rounding of a direction: two ways to turn a frame agree to a few ulps of its length.
#define TURN_ULPS (16 * DBL_EPSILON)

void thudi_exam_note(thud_check *check, double residual, double allowed, int64_t where,
                     uint64_t key)
{
    double value = residual == 0 && allowed >= 0 ? 0 : residual / allowed;
    if (isnan(value))
        value = INFINITY;
    if (!(value > check->value))
        return;
    check->value = value;
    check->residual = residual;
    check->where = where;
    check->key = key;
}

static bool is_first(const thudi_exam *exam)
{
    return exam->problem->order == THUD_FIRST_ORDER;
}

// b of coordinate k.
static double base(const thudi_exam *exam, int k)
{
    return is_first(exam) ? exam->force[k] : exam->before->u[k];
}

// What the error of the mean force may add to stationarity of coordinate k.
static double force_slack(const thudi_exam *exam, int k)
{
    return exam->force_error[k] * (is_first(exam) ? thudi_exam_mass(exam, k) : exam->h);
}

// M (u' - b) - p of coordinate k, and the absolute values of its terms.
static thudi_sum impulse_wanted(const thudi_exam *exam, int k, double *size)
{
    double m = thudi_exam_mass(exam, k), after = exam->after->u[k], f = exam->force[k];
    thudi_sum sum = thudi_sum_plus_product((thudi_sum){0, 0}, m, after);
    sum = thudi_sum_plus_product(sum, -m, base(exam, k));
    if (is_first(exam))
    {
        *size = m * fabs(after) + m * exam->force_size[k];
        return sum;
    }
    *size = m * fabs(after) + m * fabs(exam->before->u[k]) + exam->h * exam->force_size[k];
    return thudi_sum_plus_product(sum, -exam->h, f);
}

// |mu| times what a slope of a row at an obstacle (thud/spheres.h has its key) is off, apart from
// its own size: the direction is turned with its frame, and so is rounded as a whole.
static double turn_slack(const thud_row *row, double mu)
{
    const uint64_t mark = UINT64_C(1) << 63 | UINT64_C(1) << 31;
    bool is_turned = (row->key & mark) == mark && row->count == 1;
    double largest = 0;
    for (int e = 0; is_turned && e < row->width; e++)
        largest = fmax(largest, fabs(row->slope[e]));
    return TURN_ULPS * largest * fabs(mu);
}

// |w| + |u'| + |u| in one coordinate: the velocities of the step, whatever its impulses.
static double plain_reach(const thudi_exam *exam, int k)
{
    return fabs(exam->prediction[k]) + fabs(exam->after->u[k]) + fabs(exam->before->u[k]);
}

// x is u', but where contacts bounce it is what the memories make of w.
static void find_x(thudi_exam *exam)
{
    if (exam->problem->law != THUD_LAW_RESTITUTION)
    {
        for (int k = 0; k < exam->dim; k++)
            exam->x[k] = exam->after->u[k];
        return;
    }
    for (int k = 0; k < exam->dim; k++)
        exam->total[k] = (thudi_sum){0, 0};
    for (int i = 0; i < exam->row_count; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        for (int e = 0; exam->kept[i] != 0 && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            exam->total[k] = thudi_sum_plus_product(exam->total[k], exam->kept[i], row.slope[e]);
        }
    }
    for (int k = 0; k < exam->dim; k++)
    {
        double push = thudi_sum_value(exam->total[k]) / thudi_exam_mass(exam, k);
        exam->x[k] = exam->prediction[k] + push;
    }
}

void thudi_exam_measure(thudi_exam *exam)
{
    for (int k = 0; k < exam->dim; k++)
        exam->reach[k] = fabs(exam->prediction[k]);
    for (int i = 0; i < exam->row_count; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        double impulse = fabs(exam->mu[i]) + fabs(exam->load[i]) + fabs(exam->held[i]);
        if (exam->problem->law == THUD_LAW_DRY)
            impulse = fabs(exam->mu[i]);
        for (int e = 0; impulse != 0 && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            exam->reach[k] += fabs(row.slope[e] * impulse) / thudi_exam_mass(exam, k);
        }
    }
    find_x(exam);
    for (int i = 0; i < exam->row_count; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        thudi_sum speed = {0, 0}, way = {0, 0};
        double size = fabs(row.gap), rounding = 0, impulses = 0;
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            speed = thudi_sum_plus_product(speed, row.slope[e], exam->after->u[k]);
            way = thudi_sum_plus_product(way, row.slope[e], exam->x[k]);
            size += exam->h * fabs(row.slope[e]) * plain_reach(exam, k);
            impulses += exam->h * fabs(row.slope[e]) * exam->reach[k];
            rounding += fabs(row.slope[e] * exam->before->q[k]);
        }
        exam->lin[i] = thudi_sum_plus(thudi_sum_times(speed, exam->h), row.gap);
        exam->slack[i] = thudi_sum_plus(thudi_sum_times(way, exam->h), row.gap);
        exam->allowed[i] = exam->def.tolerance * size + GAP_ULPS * rounding +
                           (exam->def.strict ? 0 : IMPULSE_ULPS * impulses);
    }
}

void thudi_exam_stationarity(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_STATIONARITY];
    for (int k = 0; k < exam->dim; k++)
        exam->total[k] = impulse_wanted(exam, k, &exam->total_size[k]);
    for (int i = 0; i < exam->row_count; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        double slack = turn_slack(&row, exam->mu[i]) / exam->def.tolerance;
        for (int e = 0; exam->mu[i] != 0 && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            exam->total[k] = thudi_sum_plus_product(exam->total[k], -exam->mu[i], row.slope[e]);
            exam->total_size[k] += fabs(exam->mu[i] * row.slope[e]) + slack;
        }
    }
    for (int k = 0; k < exam->dim; k++)
        thudi_exam_note(check, fabs(thudi_sum_value(exam->total[k])),
                        exam->def.tolerance * exam->total_size[k] + force_slack(exam, k), k, 0);
}

void thudi_exam_feasible(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_FEASIBLE];
    for (int i = 0; i < exam->row_count; i++)
    {
        double lin = thudi_sum_value(exam->slack[i]);
        double allowed = fmax(exam->allowed[i], exam->def.feasibility);
        thudi_exam_note(check, lin >= 0 ? 0 : -lin, allowed, i, thud_rows_get(exam->rows, i).key);
    }
}

void thudi_exam_complementarity(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_COMPLEMENTARITY];
    for (int i = 0; i < exam->row_count; i++)
    {
        double lin = thudi_sum_value(exam->slack[i]);
        double allowed = fmax(exam->allowed[i], exam->def.backward);
        if (exam->load[i] != 0)
            thudi_exam_note(check, fabs(lin), allowed, i, thud_rows_get(exam->rows, i).key);
    }
}

double thudi_exam_motion_error(const thudi_exam *exam, int k, double v, double room)
{
    const double *q = exam->before->q;
    thudi_sum error = thudi_sum_plus((thudi_sum){exam->after->q[k], 0}, -q[k]);
    error = thudi_sum_plus_product(error, -exam->h, v);
    // the last term is for products that underflow
    double allowed = FEW_ULPS * (fabs(q[k]) + exam->h * fabs(v)) + 8 * DBL_TRUE_MIN;
    return fabs(thudi_sum_value(error)) / (allowed + room);
}

void thudi_exam_motion(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_MOTION];
    const thud_state *before = exam->before, *after = exam->after;
    for (int k = 0; k < exam->dim && exam->problem->law != THUD_LAW_RESTITUTION; k++)
    {
        thudi_sum error = thudi_sum_plus((thudi_sum){after->q[k], 0}, -before->q[k]);
        error = thudi_sum_plus_product(error, -exam->h, after->u[k]);
        double size = fabs(before->q[k]) + exam->h * fabs(after->u[k]);
        // the last term is for products that underflow
        thudi_exam_note(check, fabs(thudi_sum_value(error)), FEW_ULPS * size + 8 * DBL_TRUE_MIN, k,
                        0);
    }
    bool goes_on = after->t0 == before->t0 && after->h == before->h && after->n == before->n + 1;
    if (goes_on || exam->starts_segment)
        return;
    // the count and the step matter even where the times agree
    double late = fma((double)after->n, after->h, after->t0) - exam->t_next;
    *check = (thud_check){.value = INFINITY, .residual = fabs(late), .where = -1};
}

// (|u'|^2 - |b|^2 + |u' - b|^2) / 2 - p . u', and the absolute values of its terms.
static thudi_sum kinetic(const thudi_exam *exam, double *size, double *slack)
{
    thudi_sum sum = {0, 0};
    for (int k = 0; k < exam->dim; k++)
    {
        double m = thudi_exam_mass(exam, k), u = exam->after->u[k], b = base(exam, k);
        double f = is_first(exam) ? 0 : exam->force[k];
        thudi_sum jump = thudi_sum_plus((thudi_sum){u, 0}, -b), square = {0, 0}, push = {0, 0};
        square = thudi_sum_plus_product(square, u, u);
        square = thudi_sum_plus_product(square, -b, b);
        square = thudi_sum_plus_product(square, 2 * jump.high, jump.low);
        square = thudi_sum_plus_product(square, jump.high, jump.high);
        push = thudi_sum_plus_product(push, f, u);
        sum = thudi_sum_plus_sum(sum, thudi_sum_times(square, m / 2));
        sum = thudi_sum_plus_sum(sum, thudi_sum_times(push, -exam->h));
        double b_size = is_first(exam) ? exam->force_size[k] : fabs(b);
        double f_size = is_first(exam) ? 0 : exam->force_size[k];
        *size += m / 2 * (u * u + b_size * b_size + jump.high * jump.high);
        *size += exam->h * f_size * fabs(u);
        *slack += force_slack(exam, k) * fabs(u);
    }
    return sum;
}

// Formed with both sides times h, which spares a division of mu.
void thudi_exam_energy(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_ENERGY];
    double size = 0, slack = 0, work_size = 0;
    thudi_sum sum = thudi_sum_times(kinetic(exam, &size, &slack), exam->h);
    for (int i = 0; i < exam->row_count; i++)
    {
        double gap = thud_rows_get(exam->rows, i).gap, mu = exam->mu[i];
        thudi_sum lin = exam->lin[i];
        sum = thudi_sum_plus_product(sum, mu, gap);
        sum = thudi_sum_plus_sum(sum, thudi_sum_times(lin, -mu));
        work_size += fabs(mu) * (fabs(gap) + fabs(lin.high));
    }
    double allowed = exam->def.tolerance * (exam->h * size + work_size) + exam->h * slack;
    thudi_exam_note(check, fabs(thudi_sum_value(sum)) / exam->h, allowed / exam->h, -1, 0);
}

// Coordinates per body: the width of the pair rows if there are any and they agree, else 1.
static int axis_count(const thudi_exam *exam)
{
    int width = 1;
    for (int i = 0; i < exam->row_count; i++)
    {
        int of_row = thud_rows_get(exam->rows, i).width;
        if (of_row > 1 && width > 1 && of_row != width)
            return 1;
        if (of_row > 1)
            width = of_row;
    }
    return width;
}

// A contact between two bodies: what it gives one it takes from the other, on every axis.
static bool is_internal(const thud_row *row, int axes)
{
    if (axes == 1 || row->width != axes || row->count != 2 ||
        row->index[0] % axes != row->index[1] % axes)
        return false;
    for (int c = 0; c < axes; c++)
        if (row->slope[c] != -row->slope[axes + c])
            return false;
    return true;
}

// Axis a sums the coordinates k with k mod axes = a: momentum of all bodies along a. Internal
// rows contribute exactly nothing, so their multipliers, right or wrong, cannot enter.
void thudi_exam_momentum(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_MOMENTUM];
    thudi_sum sums[3] = {{0, 0}, {0, 0}, {0, 0}};
    double sizes[3] = {0, 0, 0}, slacks[3] = {0, 0, 0};
    int axes = axis_count(exam);
    for (int k = 0; k < exam->dim; k++)
    {
        double size = 0;
        sums[k % axes] = thudi_sum_plus_sum(sums[k % axes], impulse_wanted(exam, k, &size));
        sizes[k % axes] += size;
        slacks[k % axes] += force_slack(exam, k);
    }
    for (int i = 0; i < exam->row_count; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        double slack = turn_slack(&row, exam->mu[i]);
        int length = exam->mu[i] == 0 || is_internal(&row, axes) ? 0 : thudi_row_length(&row);
        for (int e = 0; e < length; e++)
        {
            int axis = thudi_row_coordinate(&row, e) % axes;
            sums[axis] = thudi_sum_plus_product(sums[axis], -exam->mu[i], row.slope[e]);
            sizes[axis] += fabs(exam->mu[i] * row.slope[e]);
            slacks[axis] += slack;
        }
    }
    for (int a = 0; a < 3; a++) // axes that are not there sum to 0
        thudi_exam_note(check, fabs(thudi_sum_value(sums[a])),
                        exam->def.tolerance * sizes[a] + slacks[a], a, 0);
}

// The position before carries the rounding of the step that led to it, in which
// |w| <= |u| + sum |slope_i| mu_i / m with its multipliers.
void thudi_exam_recall(thudi_exam *exam)
{
    const thud_multiplier *stored = exam->before->multipliers;
    int count = exam->before->multiplier_count, m = 0;
    for (int k = 0; k < exam->dim; k++)
        exam->reach[k] += fabs(exam->before->u[k]);
    for (int i = 0; i < thud_rows_count(exam->node); i++)
    {
        thud_row row = thud_rows_get(exam->node, i);
        while (m < count && stored[m].key < row.key)
            m++;
        if (m == count || stored[m].key != row.key)
            continue;
        double mu = 2 * fabs(stored[m++].impulse);
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            exam->reach[k] += fabs(row.slope[e]) * mu / thudi_exam_mass(exam, k);
        }
    }
}

// g at a node is known no better than the position is: a few ulps of |slope| |q| are allowed
// besides the tolerance, which is relative to what can change in a step.
double thudi_exam_node(thudi_exam *exam, const double *q, thud_certificate_name name)
{
    thud_check *check = &exam->verdict.checks[name];
    double smallest = INFINITY;
    for (int i = 0; i < thud_rows_count(exam->node); i++)
    {
        thud_row row = thud_rows_get(exam->node, i);
        double change = fabs(row.gap), rounding = 0, impulses = 0;
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            change += exam->h * fabs(row.slope[e]) * plain_reach(exam, k);
            impulses += exam->h * fabs(row.slope[e]) * exam->reach[k];
            rounding += fabs(row.slope[e] * q[k]);
        }
        double allowed = exam->def.tolerance * change + GAP_ULPS * rounding +
                         (exam->def.strict ? 0 : IMPULSE_ULPS * impulses);
        thudi_exam_note(check, row.gap >= 0 ? 0 : -row.gap, fmax(allowed, exam->def.feasibility), i,
                        row.key);
        if (row.gap < smallest)
            smallest = row.gap;
    }
    return smallest;
}

double thudi_exam_between(const thudi_exam *exam)
{
    const thud_smoothness *smooth = exam->problem->smooth;
    double square = 0;
    for (int k = 0; k < exam->dim; k++)
    {
        double v = exam->after->u[k];
        if (exam->problem->law == THUD_LAW_RESTITUTION)
            v = (exam->after->q[k] - exam->before->q[k]) / exam->h;
        square += v * v;
    }
    // rounded outwards: all terms are positive, and no more than dim + 8 roundings are made
    double outwards = 1 + (exam->dim + 8) * DBL_EPSILON;
    return exam->h * exam->h / 8 * (smooth->gap_tt + 2 * smooth->gap_tq * sqrt(square)) * outwards;
}
