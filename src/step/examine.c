// What can be said of a step that was found: is g convex there, are the multipliers unique, how
// deep may it be between?
#include "step/work.h"

#include <float.h>
#include <math.h>

// Does another row have the key of row i? The list is sorted.
static bool shares_key(const thud_rows *rows, int i)
{
    const thudi_row_head *heads = rows->heads.items;
    return (i > 0 && heads[i - 1].key == heads[i].key) ||
           (i + 1 < rows->count && heads[i + 1].key == heads[i].key);
}

// Convexity alarm: g_i(t_n+1, q_n+1) >= lin_i for every convex row, or g is not convex there.
static void compare_with_probe(const thud_state *state, thud_work *work)
{
    thud_report *report = &work->report;
    const thud_rows *rows = work->rows, *probe = work->probe;
    for (int i = 0, j = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        while (j < probe->count && probe->heads.items[j].key < row->key)
            j++;
        if (j == probe->count || probe->heads.items[j].key != row->key || shares_key(rows, i) ||
            shares_key(probe, j))
            continue; // nothing to compare with, or no telling which
        double defect = report->lin[i] - probe->heads.items[j].gap;
        if (row->kind == THUD_CONVEX && defect > report->defect &&
            defect > thudi_row_rounding(state, work, i))
        {
            report->defect = defect;
            report->defect_key = row->key;
            report->news |= THUD_NEWS_NOT_CONVEX;
        }
    }
}

static thud_status examine_convexity(const thud_inclusion *problem, const thud_state *state,
                                     thud_work *work)
{
    thud_report *report = &work->report;
    double noted = thud_rows_noted_gap(work->missing); // told in the last CHECK
    report->min_gap = noted < INFINITY ? noted : NAN;
    if (work->def.skip_convexity)
        return THUD_OK;
    thud_moment moment = thudi_moment_of(state, work, THUD_LINEARISE);
    moment.q = work->trial.items;
    THUD_TRY(thudi_ask(problem, state, &moment, work->probe, work));
    report->min_gap = INFINITY;
    for (int i = 0; i < work->probe->count; i++)
        report->min_gap = fmin(report->min_gap, work->probe->heads.items[i].gap);
    compare_with_probe(state, work);
    return THUD_OK;
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
        thudi_explain_projection(status, state, work);
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
        state->h * state->h / 8 * curvature * (1 + (problem->dim + 8) * DBL_EPSILON);
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
