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

void thudi_checker_keep_worst(thud_check *check, double residual, double allowed, int64_t where,
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

static bool is_first(const thudi_checker *checker)
{
    return checker->problem->order == THUD_FIRST_ORDER;
}

// b of coordinate k.
static double base(const thudi_checker *checker, int k)
{
    return is_first(checker) ? checker->force[k] : checker->before->u[k];
}

// How much the force changes within the step, the largest of all coordinates, from three looks
// inside: it need not be finite at the ends.
static thud_status find_variation(thudi_checker *checker, double *sum)
{
    const thud_inclusion *problem = checker->problem;
    double *f = (double *)checker->total, *last = f + checker->dim;
    *sum = 0;
    for (int look = 0; look <= 2; look++)
    {
        double t = checker->t + (look + 1) * (checker->t_next - checker->t) / 4, most = 0;
        if (problem->force(t, checker->before->q, f, problem->user) != 0)
            return THUD_ERR_CALLBACK;
        for (int k = 0; k < checker->dim && look > 0; k++)
            most = fmax(most, fabs(f[k] - last[k]));
        for (int k = 0; k < checker->dim; k++)
            last[k] = f[k];
        *sum += most;
    }
    return THUD_OK;
}

thud_status thudi_checker_find_quadrature(thudi_checker *checker)
{
    const thud_inclusion *problem = checker->problem;
    double largest = 0, variation;
    checker->quadrature_error = 0;
    if (checker->def.mean_force || !problem->force || problem->impulse || problem->force_is_steady)
        return THUD_OK;
    for (int k = 0; k < checker->dim; k++)
        largest = fmax(largest, checker->force_size[k]);
    thud_status status = find_variation(checker, &variation);
    if (!isfinite(variation)) // a look at a pole: no reason to allow more than the mean says
        variation = 2 * largest;
    // a time is known to an ulp
    double late = DBL_EPSILON * fmax(fabs(checker->t), fabs(checker->t_next)) / checker->h;
    checker->quadrature_error = QUADRATURE * largest + 32 * late * variation;
    return status;
}

// What the error of the mean force may add to stationarity of coordinate k.
static double force_allowed(const thudi_checker *checker, int k)
{
    double error = checker->force_error[k] + checker->quadrature_error;
    return error * (is_first(checker) ? thudi_checker_mass(checker, k) : checker->h);
}

// M (u' - b) - p of coordinate k.
static thudi_sum impulse_wanted(const thudi_checker *checker, int k)
{
    double m = thudi_checker_mass(checker, k);
    thudi_sum sum = thudi_sum_plus_product((thudi_sum){0, 0}, m, checker->after->u[k]);
    sum = thudi_sum_plus_product(sum, -m, base(checker, k));
    return is_first(checker) ? sum : thudi_sum_plus_product(sum, -checker->h, checker->force[k]);
}

// By u' = fl(w + M^-1 sum mu_i slope_i) the residual is the rounding of u' and w, whatever the
// impulses, except for what the slopes are off and for the sum itself.
void thudi_checker_verify_stationarity(thudi_checker *checker)
{
    thud_check *check = &checker->verdict.checks[THUD_CERT_STATIONARITY];
    for (int k = 0; k < checker->dim; k++)
    {
        checker->total[k] = impulse_wanted(checker, k);
        checker->coordinate_allowed[k] =
            checker->def.tolerance * checker->coordinate_allowed[k] + force_allowed(checker, k);
    }
    for (int i = 0; i < checker->row_count; i++)
    {
        double mu = thudi_checker_impulse(checker, i), gap;
        double counts = fmin(fabs(mu), checker->impulse_cap);
        if (mu == 0)
            continue;
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        const thudi_known *known = checker->known;
        double row_error = known ? known->row_error(&row, &gap, known->user) : 0;
        // an impulse scaled to another step and back is known to an ulp
        double part = checker->starts_segment ? TWO_ULPS : SUM_ROUNDING;
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            checker->total[k] = thudi_sum_plus_product(checker->total[k], -mu, row.slope[e]);
            checker->coordinate_allowed[k] += counts * (row_error + part * fabs(row.slope[e]));
        }
    }
    for (int k = 0; k < checker->dim; k++)
        thudi_checker_keep_worst(check, fabs(thudi_sum_value(checker->total[k])),
                                 checker->coordinate_allowed[k], k, thud_key_number(0));
}

double thudi_checker_motion_error(const thudi_checker *checker, int k, double v, double extra)
{
    const double *q = checker->before->q;
    thudi_sum error = thudi_sum_plus((thudi_sum){checker->after->q[k], 0}, -q[k]);
    error = thudi_sum_plus_product(error, -checker->h, v);
    // the last term is for products that underflow
    double allowed = FEW_ULPS * (fabs(q[k]) + checker->h * fabs(v)) + 8 * DBL_TRUE_MIN;
    return fabs(thudi_sum_value(error)) / (allowed + extra);
}

void thudi_checker_verify_motion(thudi_checker *checker)
{
    thud_check *check = &checker->verdict.checks[THUD_CERT_MOTION];
    const thud_state *before = checker->before, *after = checker->after;
    for (int k = 0; k < checker->dim && !checker->law->has_own_displacement; k++)
    {
        thudi_sum error = thudi_sum_plus((thudi_sum){after->q[k], 0}, -before->q[k]);
        error = thudi_sum_plus_product(error, -checker->h, after->u[k]);
        double size = fabs(before->q[k]) + checker->h * fabs(after->u[k]);
        // the last term is for products that underflow
        thudi_checker_keep_worst(check, fabs(thudi_sum_value(error)),
                                 TWO_ULPS * size + 8 * DBL_TRUE_MIN, k, thud_key_number(0));
    }
    bool goes_on = after->t0 == before->t0 && after->h == before->h && after->n == before->n + 1;
    if (goes_on || checker->starts_segment)
        return;
    // the count and the step matter even where the times agree
    double late = fma((double)after->n, after->h, after->t0) - checker->t_next;
    *check = (thud_check){.value = INFINITY, .residual = fabs(late), .where = -1};
}

// (|u'|^2 - |b|^2 + |u' - b|^2) / 2 - p . u', and the absolute values of its terms.
static thudi_sum kinetic(const thudi_checker *checker, double *size)
{
    thudi_sum sum = {0, 0};
    for (int k = 0; k < checker->dim; k++)
    {
        double m = thudi_checker_mass(checker, k), u = checker->after->u[k], b = base(checker, k);
        double f = is_first(checker) ? 0 : checker->force[k];
        thudi_sum jump = thudi_sum_plus((thudi_sum){u, 0}, -b), square = {0, 0}, push = {0, 0};
        square = thudi_sum_plus_product(square, u, u);
        square = thudi_sum_plus_product(square, -b, b);
        square = thudi_sum_plus_product(square, 2 * jump.high, jump.low);
        square = thudi_sum_plus_product(square, jump.high, jump.high);
        push = thudi_sum_plus_product(push, f, u);
        sum = thudi_sum_plus_sum(sum, thudi_sum_times(square, m / 2));
        sum = thudi_sum_plus_sum(sum, thudi_sum_times(push, -checker->h));
        double b_size = is_first(checker) ? checker->force_size[k] : fabs(b);
        double f_size = is_first(checker) ? 0 : checker->force_size[k];
        *size += m / 2 * (u * u + b_size * b_size + jump.high * jump.high);
        *size += checker->h * f_size * fabs(u);
    }
    return sum;
}

// u' times the residual of stationarity, and no wider than that. Formed with both sides times h,
// which spares a division of mu.
void thudi_checker_verify_energy(thudi_checker *checker)
{
    thud_check *check = &checker->verdict.checks[THUD_CERT_ENERGY];
    double size = 0, allowed = 0, work = 0;
    thudi_sum sum = thudi_sum_times(kinetic(checker, &size), checker->h);
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row_room room;
        double gap = thudi_checker_row(checker, i, &room).gap;
        double mu = thudi_checker_impulse(checker, i);
        thudi_sum lin = checker->lin[i];
        sum = thudi_sum_plus_product(sum, mu, gap);
        sum = thudi_sum_plus_sum(sum, thudi_sum_times(lin, -mu));
        work += fmin(fabs(mu), checker->impulse_cap) * (fabs(gap) + fabs(lin.high)) / checker->h;
    }
    for (int k = 0; k < checker->dim; k++)
        allowed += fabs(checker->after->u[k]) * checker->coordinate_allowed[k];
    allowed += checker->def.tolerance * size + SUM_ROUNDING * work;
    thudi_checker_keep_worst(check, fabs(thudi_sum_value(sum)) / checker->h, allowed, -1,
                             thud_key_number(0));
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
void thudi_checker_verify_momentum(thudi_checker *checker)
{
    thud_check *check = &checker->verdict.checks[THUD_CERT_MOMENTUM];
    thudi_sum sums[3] = {{0, 0}, {0, 0}, {0, 0}};
    double allowed[3] = {0, 0, 0};
    int axes = checker->width;
    for (int k = 0; k < checker->dim; k++)
    {
        sums[k % axes] = thudi_sum_plus_sum(sums[k % axes], impulse_wanted(checker, k));
        allowed[k % axes] += checker->coordinate_allowed[k];
    }
    for (int i = 0; i < checker->row_count; i++)
    {
        double mu = thudi_checker_impulse(checker, i);
        if (mu == 0)
            continue;
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        int length = is_internal(&row, axes) ? 0 : thudi_row_length(&row);
        for (int e = 0; e < length; e++)
        {
            int axis = thudi_row_coordinate(&row, e) % axes;
            sums[axis] = thudi_sum_plus_product(sums[axis], -mu, row.slope[e]);
        }
    }
    for (int a = 0; a < 3; a++) // axes that are not there sum to 0
        thudi_checker_keep_worst(check, fabs(thudi_sum_value(sums[a])), allowed[a], a,
                                 thud_key_number(0));
}

// The multipliers of the step before as they were stored, by row of checker->node: 0 for none.
static double stored_before(const thudi_checker *checker, thud_key key, int *from)
{
    const thud_multiplier *stored = checker->before->multipliers;
    while (*from < checker->before->multiplier_count && thud_key_before(stored[*from].key, key))
        (*from)++;
    bool known = *from < checker->before->multiplier_count && thud_key_same(stored[*from].key, key);
    return known ? stored[(*from)++].impulse : 0;
}

// All the momentum that the step before moved: m |u| and what its impulses sum up to.
static double moved_before(const thudi_checker *checker)
{
    double moved = 0;
    for (int k = 0; k < checker->dim; k++)
        checker->total[k] = (thudi_sum){0, 0};
    for (int i = 0, m = 0; i < thudi_list_count(&checker->node); i++)
    {
        thud_row_room room;
        thud_row row = thudi_list_row(&checker->node, i, &room);
        double mu = stored_before(checker, row.key, &m);
        for (int e = 0; mu != 0 && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            checker->total[k] = thudi_sum_plus_product(checker->total[k], mu, row.slope[e]);
        }
    }
    for (int k = 0; k < checker->dim; k++)
        moved += thudi_checker_mass(checker, k) * fabs(checker->before->u[k]) +
                 fabs(thudi_sum_value(checker->total[k]));
    return moved;
}

// The position before carries the rounding of the step that led to it, in which
// |w| <= |u| + sum |slope_i| mu_i / m with its multipliers.
void thudi_checker_add_speed_bound_before(thudi_checker *checker)
{
    double most = THUDI_IMPULSE_CAP * moved_before(checker);
    for (int k = 0; k < checker->dim; k++)
        checker->speed_bound[k] += fabs(checker->before->u[k]);
    for (int i = 0, m = 0; i < thudi_list_count(&checker->node); i++)
    {
        thud_row_room room;
        thud_row row = thudi_list_row(&checker->node, i, &room);
        double mu = fmin(2 * fabs(stored_before(checker, row.key, &m)), most);
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            checker->speed_bound[k] += fabs(row.slope[e]) * mu / thudi_checker_mass(checker, k);
        }
    }
}

// g at a node is known no better than the position is: a few ulps of |slope| |q| are allowed
// in addition to the tolerance, which is relative to what can change in a step.
double thudi_checker_verify_node(thudi_checker *checker, const double *q,
                                 thud_certificate_name name)
{
    thud_check *check = &checker->verdict.checks[name];
    double smallest = INFINITY;
    for (int i = 0; i < thudi_list_count(&checker->node); i++)
    {
        thud_row_room room;
        thud_row row = thudi_list_row(&checker->node, i, &room);
        double change = fabs(row.gap), rounding = 0, impulses = 0;
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            change += checker->h * fabs(row.slope[e]) * thudi_checker_speed_sum(checker, k);
            impulses += checker->h * fabs(row.slope[e]) * checker->speed_bound[k];
            rounding += fabs(row.slope[e] * q[k]);
        }
        double allowed = checker->def.tolerance * change + GAP_ULPS * rounding +
                         (checker->def.strict ? 0 : IMPULSE_ULPS * impulses);
        thudi_checker_keep_worst(check, row.gap >= 0 ? 0 : -row.gap,
                                 fmax(allowed, checker->def.feasibility), i, row.key);
        if (row.gap < smallest)
            smallest = row.gap;
    }
    return smallest;
}

double thudi_checker_bound_between(const thudi_checker *checker)
{
    const thud_smoothness *smooth = checker->problem->smooth;
    double square = 0;
    for (int k = 0; k < checker->dim; k++)
    {
        double v = checker->after->u[k];
        if (checker->law->has_own_displacement)
            v = (checker->after->q[k] - checker->before->q[k]) / checker->h;
        square += v * v;
    }
    // rounded outwards: all terms are positive, and no more than dim + 8 roundings are made
    double outwards = 1 + (checker->dim + 8) * DBL_EPSILON;
    return checker->h * checker->h / 8 * (smooth->gap_tt + 2 * smooth->gap_tq * sqrt(square)) *
           outwards;
}
