// What can be said of a step that was found: is g convex there, are the multipliers unique, how
// deep may it be between? And of the first one: did it begin inside a constraint?
#include "step/work.h"

#include <float.h>
#include <math.h>

// Of its terms: more than the rounding of a gap that the caller computed from positions.
static const double GAP_ROUNDING = 64 * DBL_EPSILON;

enum
{
    OTHER_ROUNDINGS = 8 // of a bound, in addition to those of a sum over the coordinates
};

// Does another row have the key of row i? The list is sorted.
static bool shares_key(const thud_rows *rows, int i)
{
    const thudi_row_head *heads = rows->heads.items;
    return (i > 0 && thud_key_same(heads[i - 1].key, heads[i].key)) ||
           (i + 1 < rows->count && thud_key_same(heads[i + 1].key, heads[i].key));
}

// How much a gap at the probe may be off by rounding, with the way to it from q_n.
static double probe_rounding(const thud_state *state, const thud_work *work, int j)
{
    const thudi_row_head *row = &work->probe->heads.items[j];
    double sum = fabs(row->gap);
    for (int e = 0; e < thudi_row_size(row); e++)
    {
        int k = thudi_row_coordinate(work->probe, row, e);
        sum +=
            fabs(thudi_row_slope(work->probe, row, e)) * (fabs(state->q[k]) + fabs(work->trial[k]));
    }
    return GAP_ROUNDING * sum;
}

// What the tangent at q_n+1 says of the gap at q_n.
static double look_back(const thud_state *state, const thud_work *work, int j)
{
    const thudi_row_head *row = &work->probe->heads.items[j];
    double sum = row->gap;
    for (int e = 0; e < thudi_row_size(row); e++)
    {
        int k = thudi_row_coordinate(work->probe, row, e);
        sum += thudi_row_slope(work->probe, row, e) * (state->q[k] - work->trial[k]);
    }
    return sum;
}

// Convexity alarm: for every convex row the tangent at q_n is below g at q_n+1, lin_i <=
// g_i(t_n+1, q_n+1), and the tangent at q_n+1 below g at q_n. Otherwise g is not convex there, or a
// slope is wrong: one that is too small breaks the first, one that is too large the second.
static void compare_with_probe(const thud_state *state, thud_work *work)
{
    thud_report *report = &work->report;
    const thud_rows *rows = work->rows, *probe = work->probe;
    for (int i = 0, j = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        while (j < probe->count && thud_key_before(probe->heads.items[j].key, row->key))
            j++;
        if (j == probe->count || !thud_key_same(probe->heads.items[j].key, row->key) ||
            shares_key(rows, i) || shares_key(probe, j))
            continue; // nothing to compare with, or no telling which
        if (thudi_row_kind_of(row) != THUD_CONVEX)
            continue;
        double rounding = thudi_row_rounding(state, work, i) + probe_rounding(state, work, j);
        double ahead = report->lin[i] - probe->heads.items[j].gap;
        double defect = fmax(ahead, look_back(state, work, j) - row->gap);
        if (defect > report->defect &&
            (defect > rounding || ahead > thudi_row_rounding(state, work, i)))
        {
            report->defect = defect;
            report->defect_key = row->key;
            report->news |= THUD_NEWS_NOT_CONVEX;
        }
    }
}

// The gaps at t_0 and q_0. Every later node is the end of a step.
static thud_status examine_start(const thud_inclusion *problem, const thud_state *state,
                                 thud_work *work)
{
    thud_report *report = &work->report;
    if (state->n > 0)
        return THUD_OK;
    thud_moment moment = thudi_moment_of(state, work, THUD_LINEARISE);
    moment.t = thud_state_time(state);
    THUD_TRY(thudi_call_gaps(problem, state, &moment, work->probe, work));
    report->start_gap = INFINITY;
    for (int j = 0; j < work->probe->count; j++)
    {
        double gap = work->probe->heads.items[j].gap;
        if (!(gap < report->start_gap))
            continue;
        report->start_gap = gap;
        report->start_key = work->probe->heads.items[j].key;
        if (gap < -probe_rounding(state, work, j))
            report->news |= THUD_NEWS_START_INSIDE;
    }
    return THUD_OK;
}

static thud_status examine_convexity(const thud_inclusion *problem, const thud_state *state,
                                     thud_work *work)
{
    thud_report *report = &work->report;
    double noted = thud_rows_noted_gap(work->missing); // told in the last FIND_MISSING
    report->min_gap = noted < INFINITY ? noted : NAN;
    if (work->def.skip_convexity)
        return THUD_OK;
    thud_moment moment = thudi_moment_of(state, work, THUD_LINEARISE);
    moment.q = work->trial;
    THUD_TRY(thudi_call_gaps(problem, state, &moment, work->probe, work));
    report->min_gap = INFINITY;
    for (int i = 0; i < work->probe->count; i++)
        report->min_gap = fmin(report->min_gap, work->probe->heads.items[i].gap);
    compare_with_probe(state, work);
    return examine_start(problem, state, work);
}

static thud_status examine_uniqueness(const thud_inclusion *problem, const thud_state *state,
                                      thud_work *work)
{
    thud_report *report = &work->report;
    if (report->answer.unique)
        return THUD_OK;
    report->news |= THUD_NEWS_NOT_UNIQUE;
    if (work->def.skip_uniqueness)
        return THUD_OK;
    thud_status status = thud_gamma(work->rows, problem->mass, report->answer.is_tight,
                                    work->gamma_projector, &report->gamma, NULL);
    if (status == THUD_ERR_NOT_CONVERGED)
        return THUD_OK; // a diagnosis that could not be made is no reason to fail the step
    if (status < 0)
        thudi_fail_projection(status, state, work);
    if (status >= 0 && isinf(report->gamma))
        report->news |= THUD_NEWS_SELF_STRESS;
    return status;
}

// During the step g >= min(g(t_n, q_n), lin) - h^2/8 (|g_tt| + 2 |g_tq| |u|), by convexity in q.
static void bound_between(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    double speed = 0;
    work->report.between = INFINITY;
    if (!problem->smooth)
        return;
    double curvature = problem->smooth->gap_tt;
    for (int k = 0; k < problem->dim && problem->smooth->gap_tq > 0; k++)
        speed += work->report.move[k] * work->report.move[k];
    if (problem->smooth->gap_tq > 0)
        curvature += 2 * problem->smooth->gap_tq * sqrt(speed);
    // rounded outwards
    work->report.between =
        state->h * state->h / 8 * curvature * (1 + (problem->dim + OTHER_ROUNDINGS) * DBL_EPSILON);
}

thud_status thudi_examine(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    if (work->report.shift_scale < 1)
        work->report.news |= THUD_NEWS_NO_ROOM;
    if (work->report.answer.relieved > 0)
        work->report.news |= THUD_NEWS_EXACT_FIT;
    bound_between(problem, state, work);
    THUD_TRY(examine_convexity(problem, state, work));
    return examine_uniqueness(problem, state, work);
}
