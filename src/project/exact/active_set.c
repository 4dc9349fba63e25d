// The exact projection by a dense dual active set (Goldfarb and Idnani), for rows of any rank.
//
// With x = sqrt(M) (v - w) and rows scaled to unit norm n_i, the problem is
//     min |x|^2 / 2   subject to   n_i . x >= goal_i,    x = sum of z_i n_i over the active rows.
// The active rows stay independent and their multipliers z >= 0; each change raises the dual
// objective. Cost per change: 4 d k flops for d coordinates and k active rows, plus one pass over
// all rows. active_set.h says what is in which file.
#include "project/exact/active_set.h"

#include <float.h>
#include <string.h>

// Of the largest entry of a direction: among dependent rows what is smaller is rounding.
static const double NO_DIRECTION = 1e-13;

enum
{
    ROUND_LIMIT = 40 // of refinement and re-entry before the certificate speaks for itself
};

static double length_of_x(const thudi_dual *d)
{
    double sum = 0;
    for (int k = 0; k < d->dim; k++)
        sum += d->set->x[k] * d->set->x[k];
    return sqrt(sum);
}

// The most violated row outside the active set, or -1.
static int most_violated(const thudi_dual *d, double *violation)
{
    const thudi_active_set *set = d->set;
    double length = length_of_x(d);
    int worst = -1;
    *violation = 0;
    for (int i = 0; i < d->rows; i++)
    {
        if (set->place[i] != THUDI_OUTSIDE)
            continue;
        double depth = -thudi_dual_slack(d, i);
        if (depth > *violation && depth > THUDI_DUAL_ULPS * DBL_EPSILON * (set->size[i] + length))
        {
            worst = i;
            *violation = depth;
        }
    }
    return worst;
}

// The first active row whose multiplier falls to 0 as row s enters, and the step at which it does.
static int blocking(const thudi_dual *d, bool dependent, double *step)
{
    const thudi_active_set *set = d->set;
    double largest = 1;
    for (int j = 0; j < set->count; j++)
        largest = fmax(largest, fabs(set->direction[j]));
    // among dependent rows a direction within rounding of 0 is 0: it must not block
    double least = dependent ? NO_DIRECTION * largest : 0;
    int first = -1;
    *step = INFINITY;
    for (int j = 0; j < set->count; j++)
        if (set->direction[j] > least && set->z[j] < *step * set->direction[j])
        {
            *step = set->z[j] / set->direction[j];
            first = j;
        }
    return first;
}

static void move(thudi_dual *d, double step, bool along_x)
{
    thudi_active_set *set = d->set;
    for (int j = 0; j < set->count; j++)
        set->z[j] -= step * set->direction[j];
    if (along_x)
        for (int k = 0; k < d->dim; k++)
            set->x[k] += step * set->basis.rest[k];
}

// Row s beside the active ones, and how their multipliers change as its own grows: direction.
typedef struct candidate
{
    double norm;       // of what it adds to the active rows
    bool is_dependent; // nothing
    double full;       // the step of its multiplier after which it holds
} candidate;

static thud_status split_row(thudi_dual *d, int s, double violation, candidate *n)
{
    thudi_active_set *set = d->set;
    THUD_TRY(thudi_dual_split(d, s, &n->norm));
    if (set->count > 0)
        memcpy(set->direction, set->basis.coefficient, (size_t)set->count * sizeof *set->direction);
    thudi_orthogonal_solve(&set->basis, set->direction);
    n->is_dependent = n->norm <= THUDI_DEPENDENT || set->count == d->dim;
    n->full = n->is_dependent ? INFINITY : violation / (n->norm * n->norm);
    return THUD_OK;
}

// Bring row s into the active set, dropping rows whose multiplier would turn negative on the way.
static thud_status bring_in(thudi_dual *d, int s, double violation, thudi_dual_entry *outcome)
{
    double z = 0, partial;
    do
    {
        candidate n;
        THUD_TRY(split_row(d, s, violation, &n));
        bool nearly = n.is_dependent || n.norm <= THUDI_NEARLY_DEPENDENT;
        if (nearly && blocking(d, true, &partial) < 0)
        {
            THUD_TRY(thudi_dual_classify_dependent(d, s, violation, n.is_dependent, outcome));
            if (*outcome != THUDI_ENTERED)
                return THUD_OK;
        }
        int first = blocking(d, n.is_dependent, &partial);
        double step = fmin(partial, n.full);
        *outcome = THUDI_SET_ASIDE;
        if (!isfinite(step)) // numbers out of range: leave it to the certificate
        {
            d->set->place[s] = THUDI_ASIDE;
            return THUD_OK;
        }
        move(d, step, !n.is_dependent);
        z += step;
        if (n.full <= partial)
        {
            d->task->effort->added++;
            d->changes++;
            thudi_dual_enter(d, s, z, n.norm);
            *outcome = THUDI_ENTERED;
            return THUD_OK;
        }
        thudi_dual_leave(d, first);
        // 0 by a tie: s then enters by a step of length 0
        violation = fmax(0, -thudi_dual_slack(d, s));
    } while (d->changes <= d->change_limit);
    return THUD_OK;
}

// Goldfarb and Idnani's loop: bring in the most violated row until none is.
static thud_status climb(thudi_dual *d, int s, double violation)
{
    while (s >= 0)
    {
        thudi_dual_entry outcome;
        THUD_TRY(thudi_stop_status(d->task->projector->stop));
        if (d->changes > d->change_limit)
            return THUD_ERR_NOT_CONVERGED;
        THUD_TRY(bring_in(d, s, violation, &outcome));
        if (outcome == THUDI_INFEASIBLE)
            return THUD_ERR_INFEASIBLE;
        s = most_violated(d, &violation);
    }
    return THUD_OK;
}

// Solve, refine, look again with the refined velocity, until nothing changes.
static thud_status solve(thudi_dual *d)
{
    double violation;
    int s = most_violated(d, &violation);
    THUD_TRY(climb(d, s, violation));
    for (int round = 0; round < ROUND_LIMIT + d->rows; round++)
    {
        thudi_dual_refine(d);
        int negative = thudi_dual_most_negative(d);
        if (negative >= 0)
        {
            thudi_dual_leave(d, negative);
            thudi_dual_make_feasible(d);
            s = most_violated(d, &violation);
        }
        else if ((s = thudi_dual_most_violated_exactly(d, &violation)) < 0)
            return THUD_OK;
        THUD_TRY(climb(d, s, violation));
    }
    thudi_dual_refine_and_clip(d);
    return THUD_OK;
}

thud_status thudi_project_by_active_set(const thudi_task *task)
{
    thudi_active_set set = {0};
    thudi_dual d = {
        .task = task,
        .problem = task->problem,
        .set = &set,
        .rows = task->problem->rows->count,
        .dim = task->problem->dim,
        .change_limit = task->projector->change_limit,
    };
    if (d.change_limit == 0)
        d.change_limit = 50 * ((int64_t)d.dim + d.rows);
    THUD_TRY(thudi_dual_open_rooms(&d));
    THUD_TRY(thudi_dual_scale_rows(&d));
    if (thudi_dual_has_infeasible_row(&d))
        return THUD_ERR_INFEASIBLE;
    THUD_TRY(thudi_dual_warm_start(&d));
    thud_status status = solve(&d);
    if (status == THUD_ERR_NOT_CONVERGED)
        thudi_dual_refine_and_clip(&d);
    if (status < 0)
        return status;
    return thudi_dual_count_tight(&d);
}
