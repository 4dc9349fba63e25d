// The nine certificates of one step, each a residual over its tolerance, <= 1 when it holds.
//
// With b = u_n and p = h f_n for the second order, b = f_n and p = 0 for the first, and
// mu = h lambda:
//     1 stationarity      M (u' - b) - p - sum mu_i slope_i = 0             per coordinate
//     2 sign              mu_i >= 0; sorted keys; no impulse without a row  exactly
//     3 feasible, 4 complementarity: checker_rows.c
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
// Sizes that residuals are compared with are those of masses, velocities and forces: no impulse of
// the record widens what is allowed (checker_rows.c).
#include "verify/checker.h"

#include <float.h>

// Room for the rounding of one sum and one product: of q + h u', and of a displacement.
#define TWO_ULPS (2 * DBL_EPSILON)
#define FEW_ULPS (8 * DBL_EPSILON)

// As in checker_rows.c.
#define GAP_ULPS (16 * DBL_EPSILON)
#define IMPULSE_ULPS (16 * DBL_EPSILON)

// The tolerance of the solver's quadrature.
#define QUADRATURE 1e-12

// Of its terms: the rounding of a sum of many in doubled precision.
#define SUM_ROUNDING 0x1p-96

void thudi_exam_note(thud_check *check, double residual, double allowed, int64_t where,
                     thud_key key)
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

// How much the force changes within the step, the largest of all coordinates, from three looks
// inside: it need not be finite at the ends.
static thud_status find_variation(thudi_exam *exam, double *sum)
{
    const thud_inclusion *problem = exam->problem;
    double *f = exam->reach, *last = exam->x; // both filled again before they are needed
    *sum = 0;
    for (int look = 0; look <= 2; look++)
    {
        double t = exam->t + (look + 1) * (exam->t_next - exam->t) / 4, most = 0;
        if (problem->force(t, exam->before->q, f, problem->user) != 0)
            return THUD_ERR_CALLBACK;
        for (int k = 0; k < exam->dim && look > 0; k++)
            most = fmax(most, fabs(f[k] - last[k]));
        for (int k = 0; k < exam->dim; k++)
            last[k] = f[k];
        *sum += most;
    }
    return THUD_OK;
}

thud_status thudi_exam_weigh_force(thudi_exam *exam)
{
    const thud_inclusion *problem = exam->problem;
    double largest = 0, variation;
    exam->quadrature = 0;
    if (exam->def.mean_force || !problem->force || problem->impulse || problem->force_is_steady)
        return THUD_OK;
    for (int k = 0; k < exam->dim; k++)
        largest = fmax(largest, exam->force_size[k]);
    thud_status status = find_variation(exam, &variation);
    if (!isfinite(variation)) // a look at a pole: no reason to allow more than the mean says
        variation = 2 * largest;
    // a time is known to an ulp
    double late = DBL_EPSILON * fmax(fabs(exam->t), fabs(exam->t_next)) / exam->h;
    exam->quadrature = QUADRATURE * largest + 32 * late * variation;
    return status;
}

// What the error of the mean force may add to stationarity of coordinate k.
static double force_slack(const thudi_exam *exam, int k)
{
    double error = exam->force_error[k] + exam->quadrature;
    return error * (is_first(exam) ? thudi_exam_mass(exam, k) : exam->h);
}

// M (u' - b) - p of coordinate k.
static thudi_sum impulse_wanted(const thudi_exam *exam, int k)
{
    double m = thudi_exam_mass(exam, k);
    thudi_sum sum = thudi_sum_plus_product((thudi_sum){0, 0}, m, exam->after->u[k]);
    sum = thudi_sum_plus_product(sum, -m, base(exam, k));
    return is_first(exam) ? sum : thudi_sum_plus_product(sum, -exam->h, exam->force[k]);
}

// By u' = fl(w + M^-1 sum mu_i slope_i) the residual is the rounding of u' and w, whatever the
// impulses, except for what the slopes are off and for the sum itself.
void thudi_exam_stationarity(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_STATIONARITY];
    for (int k = 0; k < exam->dim; k++)
    {
        exam->total[k] = impulse_wanted(exam, k);
        exam->room[k] = exam->def.tolerance * exam->size[k] + force_slack(exam, k);
    }
    for (int i = 0; i < exam->row_count; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        double mu = exam->mu[i], counts = fmin(fabs(mu), exam->most), gap;
        const thudi_known *known = exam->known;
        double blur = known && mu != 0 ? known->blur(&row, &gap, known->user) : 0;
        // an impulse scaled to another step and back is known to an ulp
        double part = exam->starts_segment ? TWO_ULPS : SUM_ROUNDING;
        for (int e = 0; mu != 0 && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            exam->total[k] = thudi_sum_plus_product(exam->total[k], -mu, row.slope[e]);
            exam->room[k] += counts * (blur + part * fabs(row.slope[e]));
        }
    }
    for (int k = 0; k < exam->dim; k++)
        thudi_exam_note(check, fabs(thudi_sum_value(exam->total[k])), exam->room[k], k,
                        thud_key_number(0));
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
    for (int k = 0; k < exam->dim && !exam->law->has_own_displacement; k++)
    {
        thudi_sum error = thudi_sum_plus((thudi_sum){after->q[k], 0}, -before->q[k]);
        error = thudi_sum_plus_product(error, -exam->h, after->u[k]);
        double size = fabs(before->q[k]) + exam->h * fabs(after->u[k]);
        // the last term is for products that underflow
        thudi_exam_note(check, fabs(thudi_sum_value(error)), TWO_ULPS * size + 8 * DBL_TRUE_MIN, k,
                        thud_key_number(0));
    }
    bool goes_on = after->t0 == before->t0 && after->h == before->h && after->n == before->n + 1;
    if (goes_on || exam->starts_segment)
        return;
    // the count and the step matter even where the times agree
    double late = fma((double)after->n, after->h, after->t0) - exam->t_next;
    *check = (thud_check){.value = INFINITY, .residual = fabs(late), .where = -1};
}

// (|u'|^2 - |b|^2 + |u' - b|^2) / 2 - p . u', and the absolute values of its terms.
static thudi_sum kinetic(const thudi_exam *exam, double *size)
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
    }
    return sum;
}

// u' times the residual of stationarity, and no wider than that. Formed with both sides times h,
// which spares a division of mu.
void thudi_exam_energy(thudi_exam *exam)
{
    thud_check *check = &exam->verdict.checks[THUD_CERT_ENERGY];
    double size = 0, allowed = 0, work = 0;
    thudi_sum sum = thudi_sum_times(kinetic(exam, &size), exam->h);
    for (int i = 0; i < exam->row_count; i++)
    {
        double gap = thud_rows_get(exam->rows, i).gap, mu = exam->mu[i];
        thudi_sum lin = exam->lin[i];
        sum = thudi_sum_plus_product(sum, mu, gap);
        sum = thudi_sum_plus_sum(sum, thudi_sum_times(lin, -mu));
        work += fmin(fabs(mu), exam->most) * (fabs(gap) + fabs(lin.high)) / exam->h;
    }
    for (int k = 0; k < exam->dim; k++)
        allowed += fabs(exam->after->u[k]) * exam->room[k];
    allowed += exam->def.tolerance * size + SUM_ROUNDING * work;
    thudi_exam_note(check, fabs(thudi_sum_value(sum)) / exam->h, allowed, -1, thud_key_number(0));
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
    double rooms[3] = {0, 0, 0};
    int axes = thudi_exam_axes(exam);
    for (int k = 0; k < exam->dim; k++)
    {
        sums[k % axes] = thudi_sum_plus_sum(sums[k % axes], impulse_wanted(exam, k));
        rooms[k % axes] += exam->room[k];
    }
    for (int i = 0; i < exam->row_count; i++)
    {
        thud_row row = thud_rows_get(exam->rows, i);
        int length = exam->mu[i] == 0 || is_internal(&row, axes) ? 0 : thudi_row_length(&row);
        for (int e = 0; e < length; e++)
        {
            int axis = thudi_row_coordinate(&row, e) % axes;
            sums[axis] = thudi_sum_plus_product(sums[axis], -exam->mu[i], row.slope[e]);
        }
    }
    for (int a = 0; a < 3; a++) // axes that are not there sum to 0
        thudi_exam_note(check, fabs(thudi_sum_value(sums[a])), rooms[a], a, thud_key_number(0));
}

// The multipliers of the step before as they were stored, by row of exam->node: 0 for none.
static double stored_before(const thudi_exam *exam, thud_key key, int *from)
{
    const thud_multiplier *stored = exam->before->multipliers;
    while (*from < exam->before->multiplier_count && thud_key_before(stored[*from].key, key))
        (*from)++;
    bool known = *from < exam->before->multiplier_count && thud_key_same(stored[*from].key, key);
    return known ? stored[(*from)++].impulse : 0;
}

// All the momentum that the step before moved: m |u| and what its impulses sum up to.
static double moved_before(const thudi_exam *exam)
{
    double moved = 0;
    for (int k = 0; k < exam->dim; k++)
        exam->total[k] = (thudi_sum){0, 0};
    for (int i = 0, m = 0; i < thud_rows_count(exam->node); i++)
    {
        thud_row row = thud_rows_get(exam->node, i);
        double mu = stored_before(exam, row.key, &m);
        for (int e = 0; mu != 0 && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            exam->total[k] = thudi_sum_plus_product(exam->total[k], mu, row.slope[e]);
        }
    }
    for (int k = 0; k < exam->dim; k++)
        moved += thudi_exam_mass(exam, k) * fabs(exam->before->u[k]) +
                 fabs(thudi_sum_value(exam->total[k]));
    return moved;
}

// The position before carries the rounding of the step that led to it, in which
// |w| <= |u| + sum |slope_i| mu_i / m with its multipliers.
void thudi_exam_recall(thudi_exam *exam)
{
    double most = THUDI_MOST_STRESS * moved_before(exam);
    for (int k = 0; k < exam->dim; k++)
        exam->reach[k] += fabs(exam->before->u[k]);
    for (int i = 0, m = 0; i < thud_rows_count(exam->node); i++)
    {
        thud_row row = thud_rows_get(exam->node, i);
        double mu = fmin(2 * fabs(stored_before(exam, row.key, &m)), most);
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            exam->reach[k] += fabs(row.slope[e]) * mu / thudi_exam_mass(exam, k);
        }
    }
}

// g at a node is known no better than the position is: a few ulps of |slope| |q| are allowed
// in addition to the tolerance, which is relative to what can change in a step.
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
            change += exam->h * fabs(row.slope[e]) * thudi_exam_speeds(exam, k);
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
        if (exam->law->has_own_displacement)
            v = (exam->after->q[k] - exam->before->q[k]) / exam->h;
        square += v * v;
    }
    // rounded outwards: all terms are positive, and no more than dim + 8 roundings are made
    double outwards = 1 + (exam->dim + 8) * DBL_EPSILON;
    return exam->h * exam->h / 8 * (smooth->gap_tt + 2 * smooth->gap_tq * sqrt(square)) * outwards;
}
