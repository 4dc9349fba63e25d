// The certificates of a step whose contacts bounce. The state holds u' with the impulses p, and in
// its memories the multipliers of the displacement x = P_K(w), which are judged as ever. Besides:
//
//     active            lin_i(x) <= sigma_i + max(sigma_i / 2, 64 ulps), or a memory
//     D_i             = (g_i(t_n+1, q_n) - g_i(t_n, q_n)) / h,   r_i = D_i + slope_i . w
//     one e           = sum (r_i^-)^2 / A_ii e_i / sum (r_i^-)^2 / A_ii per cluster of active rows
//     nu              = p / (1 + e),   v = w + M^-1 G^T nu
//     feasible          D_i + slope_i . v >= 0 on active rows, and the displacement leaves all rows
//     complementarity   D_i + slope_i . v = 0 where p_i > 0; p_i = 0 on rows that are not active;
//                       p . A p + (1 + e) p . r = 0, which is what makes s = 1; where no row of the
//                       cluster has e > 0, p is the memory, so that u' = x
//     motion            q' = q + h x, or q + h (x + e (x - w)) for a whole cluster that meets fast
//     energy            |u'| <= |w| in every cluster whose rows do not move
#include "verify/laws/checked_impact.h"

#include "verify/checker.h"

#include <float.h>

static const double TOUCH_ULPS = 64 * DBL_EPSILON;
static const double GAP_ULPS = 32 * DBL_EPSILON; // of two gaps
static const double W_ULPS = 4 * DBL_EPSILON;    // of the terms of w
static const double FAST = 5;
static const double ROUNDED_SPEED = 1 - 1e-9; // a speed this near to FAST counts as fast
// Squares of speeds below this may not be in range: such an approach counts as none.
static const double NO_SPEED = 1e-140;

// Coordinates that active rows join; found from the one of its coordinates that leads it.
typedef struct group
{
    bool bounces, moves;                // a row has e > 0; a row has D != 0
    double approach, pull;              // largest -r_i, largest |f| / m
    double weight, weighted, e, e_room; // e and what it may be off by
    double work, work_size, work_room;  // p . r
    double energy, energy_size;         // p . A p
    double rise, rise_size;             // |u'|^2/2 - |w|^2/2
    double still, extended;             // worst of the motion, by x and by x + e (x - w)
} group;

typedef struct impact
{
    thudi_checker *checker;
    group *groups;     // by coordinate
    int *leader;       // by coordinate
    double *rate;      // D_i by row
    double *r;         // r_i by row
    double *room;      // what r_i may be off by, by row
    double *size;      // A_ii by row
    bool *active;      // by row
    thudi_sum *push;   // (G^T p)_k by coordinate
    double *push_size; // its terms
    double *velocity;  // v, by coordinate
} impact;

// e of row i.
static double restitution_of(const thudi_checker *checker, int i)
{
    const double *numbers = thud_rows_get(checker->rows, i).numbers;
    return numbers ? numbers[0] : 0;
}

static int lead(const impact *im, int k)
{
    while (im->leader[k] != k)
        k = im->leader[k];
    return k;
}

static group *group_of(const impact *im, int k)
{
    return &im->groups[lead(im, k)];
}

static group *group_of_row(const impact *im, int i)
{
    thud_row row = thud_rows_get(im->checker->rows, i);
    return group_of(im, thudi_row_coordinate(&row, 0));
}

static double ulps_of(const thudi_checker *checker, const thud_row *row)
{
    double sum = fabs(row->gap);
    for (int e = 0; e < thudi_row_length(row); e++)
    {
        int k = thudi_row_coordinate(row, e);
        double v = fabs(checker->prediction[k]) + fabs(checker->x[k]);
        sum += fabs(row->slope[e]) * (fabs(checker->before->q[k]) + checker->h * v);
    }
    return TOUCH_ULPS * sum;
}

// Lead every coordinate of an active row by the smallest leader among them. Chains are cut short as
// they are met.
static void gather(impact *im, const thud_row *row)
{
    int first = lead(im, thudi_row_coordinate(row, 0));
    for (int e = 1; e < thudi_row_length(row); e++)
    {
        int other = lead(im, thudi_row_coordinate(row, e));
        int low = first < other ? first : other, high = first < other ? other : first;
        im->leader[high] = low;
        im->leader[thudi_row_coordinate(row, e)] = low;
        first = low;
    }
}

static void find_active(impact *im)
{
    thudi_checker *checker = im->checker;
    for (int k = 0; k < checker->dim; k++)
        im->leader[k] = k;
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row row = thud_rows_get(checker->rows, i);
        double touch = fmax(row.shift / 2, ulps_of(checker, &row));
        im->active[i] =
            thudi_row_length(&row) > 0 && (thudi_checker_memory_after(checker, i) > 0 ||
                                           thudi_sum_value(checker->slack[i]) <= row.shift + touch);
        if (im->active[i])
            gather(im, &row);
    }
    for (int i = 0; i < checker->row_count; i++)
        if (im->active[i] && restitution_of(checker, i) > 0)
            group_of_row(im, i)->bounces = true;
}

// D_i of all active rows of groups that bounce; THUD_ERR_CALLBACK if one is not in checker->node.
static thud_status read_rates(impact *im)
{
    thudi_checker *checker = im->checker;
    for (int i = 0, n = 0; i < checker->row_count; i++)
    {
        thud_row row = thud_rows_get(checker->rows, i);
        if (!im->active[i] || !group_of_row(im, i)->bounces)
            continue;
        while (n < thud_rows_count(checker->node) &&
               thud_key_before(thud_rows_get(checker->node, n).key, row.key))
            n++;
        if (n == thud_rows_count(checker->node) ||
            !thud_key_same(thud_rows_get(checker->node, n).key, row.key))
            return THUD_ERR_CALLBACK;
        im->rate[i] = (row.gap - thud_rows_get(checker->node, n).gap) / checker->h;
        group_of_row(im, i)->moves = group_of_row(im, i)->moves || im->rate[i] != 0;
    }
    return THUD_OK;
}

// r_i, A_ii, and what r_i is known to.
static void measure_row(impact *im, int i)
{
    thudi_checker *checker = im->checker;
    thud_row row = thud_rows_get(checker->rows, i);
    thudi_sum r = {im->rate[i], 0};
    double size = fabs(im->rate[i]), error = 0, rounding = 0;
    im->size[i] = 0;
    for (int e = 0; e < thudi_row_length(&row); e++)
    {
        int k = thudi_row_coordinate(&row, e);
        double m = thudi_checker_mass(checker, k);
        r = thudi_sum_plus_product(r, row.slope[e], checker->prediction[k]);
        size += fabs(row.slope[e] * checker->prediction[k]);
        error += fabs(row.slope[e]) * checker->h * checker->force_error[k] / m;
        // u and h f / m may cancel: w is known no better than these
        error += W_ULPS * fabs(row.slope[e]) *
                 (fabs(checker->before->u[k]) + fabs(checker->h * checker->force[k] / m));
        rounding += fabs(row.slope[e] * checker->before->q[k]);
        im->size[i] += row.slope[e] * row.slope[e] / m;
    }
    im->r[i] = thudi_sum_value(r);
    im->room[i] = checker->def.tolerance * size + error +
                  (im->rate[i] != 0 ? GAP_ULPS * rounding / checker->h : 0);
}

static void add_pull(impact *im, int i)
{
    thud_row row = thud_rows_get(im->checker->rows, i);
    group *g = group_of_row(im, i);
    int width = row.width > 1 ? row.width : 1;
    for (int e = 0; e < thudi_row_length(&row); e += width)
    {
        double square = 0;
        for (int a = e; a < e + width; a++)
        {
            int k = thudi_row_coordinate(&row, a);
            square += pow(im->checker->force[k] / thudi_checker_mass(im->checker, k), 2);
        }
        g->pull = fmax(g->pull, sqrt(square));
    }
}

static bool counts(const impact *im, int i)
{
    return im->active[i] && group_of_row(im, i)->bounces;
}

static void find_coefficients(impact *im)
{
    thudi_checker *checker = im->checker;
    for (int i = 0; i < checker->row_count; i++)
    {
        if (!counts(im, i))
            continue;
        group *g = group_of_row(im, i);
        measure_row(im, i);
        add_pull(im, i);
        g->approach = fmax(g->approach, -im->r[i]);
        if (im->r[i] >= 0 || im->size[i] == 0)
            continue;
        double weight = im->r[i] * im->r[i] / im->size[i];
        g->weight += weight;
        g->weighted += weight * restitution_of(checker, i);
    }
    for (int k = 0; k < checker->dim; k++)
        if (im->groups[k].weight > 0)
            im->groups[k].e = im->groups[k].weighted / im->groups[k].weight;
    for (int i = 0; i < checker->row_count; i++)
        if (counts(im, i) && im->r[i] < im->room[i] && im->size[i] > 0)
        {
            group *g = group_of_row(im, i);
            double off = fabs(restitution_of(checker, i) - g->e);
            double change = 2 * (fabs(im->r[i]) + im->room[i]) * im->room[i] / im->size[i];
            g->e_room += g->weight > 0 ? off * change / g->weight : 0;
        }
}

static void find_pushes(impact *im)
{
    thudi_checker *checker = im->checker;
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row row = thud_rows_get(checker->rows, i);
        double p = checker->mu[i];
        if (!counts(im, i) || p == 0)
            continue;
        group *g = group_of_row(im, i);
        g->work += p * im->r[i];
        g->work_size += fmin(p, checker->most) * fabs(im->r[i]);
        g->work_room += fmin(p, checker->most) * im->room[i];
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            im->push[k] = thudi_sum_plus_product(im->push[k], p, row.slope[e]);
            im->push_size[k] += fabs(p * row.slope[e]);
        }
    }
    for (int k = 0; k < checker->dim; k++)
    {
        group *g = group_of(im, k);
        double m = thudi_checker_mass(checker, k), push = thudi_sum_value(im->push[k]);
        double w = checker->prediction[k], u = checker->after->u[k];
        g->energy += push * push / m;
        double size = fmin(im->push_size[k], checker->most);
        g->energy_size += size * size / m;
        g->rise += m / 2 * (u - w) * (u + w);
        g->rise_size += m / 2 * (u * u + w * w) + (fabs(w) + fabs(u)) * checker->h *
                                                      checker->force_error[k] /
                                                      checker->def.tolerance;
        im->velocity[k] = w + push / (m * (1 + g->e));
    }
}

// The cone, and which rows may push.
static void verify_rows(impact *im)
{
    thudi_checker *checker = im->checker;
    thud_check *checks = checker->verdict.checks;
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row row = thud_rows_get(checker->rows, i);
        double p = checker->mu[i];
        if (!counts(im, i))
        {
            // an impulse scaled to another step and back is known to an ulp
            thudi_checker_keep_worst(&checks[THUD_CERT_COMPLEMENTARITY],
                                     fabs(p - thudi_checker_memory_after(checker, i)),
                                     checker->starts_segment ? 8 * DBL_EPSILON * p : 0, i, row.key);
            continue;
        }
        thudi_sum speed = {im->rate[i], 0};
        for (int e = 0; e < thudi_row_length(&row); e++)
            speed = thudi_sum_plus_product(speed, row.slope[e],
                                           im->velocity[thudi_row_coordinate(&row, e)]);
        double v = checker->h * thudi_sum_value(speed);
        double load = checker->h * p * im->size[i] / (1 + group_of_row(im, i)->e);
        double exact =
            checker->allowed[i] + checker->coupled + checker->h * (im->room[i] + NO_SPEED);
        double allowed = fmax(exact + checker->row_tolerance[i],
                              fmax(checker->def.backward, checker->def.feasibility));
        thudi_checker_keep_worst(&checks[THUD_CERT_FEASIBLE], v >= 0 ? 0 : -v, allowed, i, row.key);
        // a row that hardly pushes may be open, as the rule to stop allows
        thudi_checker_keep_worst(&checks[THUD_CERT_COMPLEMENTARITY], fmin(fabs(v), fabs(load)),
                                 allowed, i, row.key);
    }
}

// The displacement leaves every row.
static void verify_displacement(impact *im)
{
    thudi_checker *checker = im->checker;
    thud_check *check = &checker->verdict.checks[THUD_CERT_FEASIBLE];
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row row = thud_rows_get(checker->rows, i);
        thudi_sum lin = {row.gap, 0};
        double size = 0;
        for (int e = 0; e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            double from = checker->before->q[k], to = checker->after->q[k];
            lin = thudi_sum_plus_product(lin, row.slope[e], to);
            lin = thudi_sum_plus_product(lin, -row.slope[e], from);
            size += fabs(row.slope[e]) * (fabs(from) + fabs(to));
        }
        double value = thudi_sum_value(lin);
        double allowed = checker->allowed[i] + TOUCH_ULPS * size;
        thudi_checker_keep_worst(check, value >= 0 ? 0 : -value,
                                 fmax(allowed, checker->def.feasibility), i, row.key);
    }
}

static void verify_motion(impact *im)
{
    thudi_checker *checker = im->checker;
    thud_check *check = &checker->verdict.checks[THUD_CERT_MOTION];
    for (int k = 0; k < checker->dim; k++)
    {
        group *g = group_of(im, k);
        double w = checker->prediction[k];
        double x =
            g->bounces ? checker->x[k] : checker->after->u[k]; // the same, as p is the memory
        // x is known no better than w and its impulses
        double error = checker->h * checker->force_error[k] / thudi_checker_mass(checker, k);
        double room = checker->h * (16 * DBL_EPSILON * checker->reach[k] + 2 * error);
        g->still = fmax(g->still, thudi_checker_motion_error(checker, k, x, room));
        x += g->e * (x - w);
        room += checker->h * g->e_room * fabs(x - w);
        g->extended = fmax(g->extended, thudi_checker_motion_error(checker, k, x, room));
    }
    for (int k = 0; k < checker->dim; k++)
    {
        const group *g = group_of(im, k);
        bool fast = g->e > 0 && g->approach >= FAST * checker->h * g->pull * ROUNDED_SPEED;
        thudi_checker_keep_worst(check, fast ? fmin(g->still, g->extended) : g->still, 1, k,
                                 thud_key_number(0));
    }
}

static void verify_groups(impact *im)
{
    thudi_checker *checker = im->checker;
    thud_check *checks = checker->verdict.checks;
    for (int k = 0; k < checker->dim; k++)
    {
        const group *g = &im->groups[k];
        if (im->leader[k] != k || !g->bounces)
            continue;
        double tolerance = checker->def.tolerance;
        double residual = fabs(g->energy + (1 + g->e) * g->work);
        double allowed = tolerance * (g->energy_size + 2 * g->work_size) + 2 * g->work_room +
                         g->work_size * g->e_room + NO_SPEED * NO_SPEED;
        thudi_checker_keep_worst(&checks[THUD_CERT_COMPLEMENTARITY], residual, allowed, k,
                                 thud_key_number(0));
        if (!g->moves)
            thudi_checker_keep_worst(&checks[THUD_CERT_ENERGY], g->rise > 0 ? g->rise : 0,
                                     tolerance * g->rise_size + NO_SPEED * NO_SPEED, k,
                                     thud_key_number(0));
    }
}

static thud_status verify(impact *im)
{
    find_active(im);
    thud_status status = read_rates(im);
    if (status != THUD_OK)
        return status;
    find_coefficients(im);
    find_pushes(im);
    verify_rows(im);
    verify_displacement(im);
    verify_motion(im);
    verify_groups(im);
    return THUD_OK;
}

thud_status thudi_checker_impact(thudi_checker *checker)
{
    size_t dim = (size_t)checker->dim, rows = (size_t)checker->row_count;
    size_t size = dim * (sizeof(group) + sizeof(thudi_sum) + 2 * sizeof(double) + sizeof(int)) +
                  rows * (4 * sizeof(double) + sizeof(bool));
    group *block = thudi_checker_allocate(checker, size);
    if (!block)
        return THUD_ERR_MEMORY;
    impact im = {.checker = checker, .groups = block};
    im.push = (thudi_sum *)(im.groups + dim);
    im.push_size = (double *)(im.push + dim);
    im.velocity = im.push_size + dim;
    im.rate = im.velocity + dim;
    im.r = im.rate + rows;
    im.room = im.r + rows;
    im.size = im.room + rows;
    im.leader = (int *)(im.size + rows);
    im.active = (bool *)(im.leader + dim);
    thud_status status = verify(&im);
    thudi_checker_release(checker, block, size);
    return status;
}
