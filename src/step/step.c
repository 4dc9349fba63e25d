// One step of Maury's scheme, stage by stage:
//
//     predict     w     = u_n + h M^-1 f_n
//     linearise   K     = { v : g_i(t_n+1, q_n) + h grad g_i(t_n+1, q_n) . v >= 0 }
//     project     u_n+1 = P_K(w)                     again with the rows that FIND_MISSING found
//     missing;
//                                                    a law may change it: see law.h
//     examine     g_i(t_n+1, q_n+1) >= lin_i ?       are the multipliers unique? how deep between?
//     commit      q_n+1 = q_n + h u_n+1              the only write to the state
#include "step/look.h"
#include "step/meeting.h"

#include "core/clock.h"
#include "core/fault.h"
#include "core/math/finite.h"
#include "core/math/float_unit.h"
#include "core/text.h"
#include "project/projector.h"

#include <math.h>
#include <string.h>

thud_moment thudi_moment_of(const thud_state *state, const thud_work *work, thud_phase phase)
{
    return (thud_moment){
        .phase = phase,
        .t = thudi_next_time(state),
        .h = state->h,
        .q = state->q,
        .u = state->u,
        .w = work->w.items,
        .multipliers = state->multipliers,
        .multiplier_count = state->multiplier_count,
    };
}

thud_status thudi_call_gaps(const thud_inclusion *problem, const thud_state *state,
                            const thud_moment *moment, thud_rows *rows, thud_work *work)
{
    thud_rows_clear(rows);
    if (!problem->gaps)
        return THUD_OK;
    int open = thud_rooms_count(&work->rooms);
    rows->rooms = &work->rooms;
    int code = problem->gaps(moment, rows, problem->user);
    rows->rooms = NULL;
    thud_rooms_close(&work->rooms, open);
    // a push that failed comes first: the callback may have handed its error on
    thud_status status = thud_rows_status(rows);
    if (status >= 0 && code != 0)
        status = THUD_ERR_CALLBACK;
    if (status < 0)
        thudi_fail_gaps(status, state, moment, rows, work);
    thud_rows_sort(rows);
    return status;
}

static bool any_shift(const thud_rows *rows)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->heads.items[i].shift > 0)
            return true;
    return false;
}

static void add_effort(thud_effort *sum, const thud_effort *more)
{
    sum->added += more->added;
    sum->dropped += more->dropped;
    sum->warmed += more->warmed;
    sum->sweeps += more->sweeps;
    sum->evaluations += more->evaluations;
    sum->clusters += more->clusters;
    sum->polished += more->polished;
}

// The answer of the projection is the step, unless the law changes it.
static void take_answer(thud_work *work)
{
    thud_report *report = &work->report;
    report->velocity = report->move = report->answer.u;
    report->impulse = report->answer.mu;
    report->lin = report->answer.lin;
}

// Project once. Sweeps look for missing rows as they go on, unless the law changes what is
// projected by the rows that there are.
static thud_status project_once(thudi_stage *stage, const thud_projection *projection)
{
    thud_work *work = stage->work;
    thudi_look look = thudi_look_of(stage);
    bool looks = stage->problem->gaps && !work->law->begin;
    work->look_failed = false;
    work->projector->look = looks ? &look : NULL;
    thud_status status = thud_project(projection, work->projector, &work->report.answer);
    work->projector->look = NULL;
    add_effort(&work->report.effort, &work->report.answer.effort);
    return status;
}

// Project with the rows' shifts, or with smaller ones: a Farkas vector of the shifted problem does
// not prove K empty, so these are tried before giving up.
static thud_status project_with_shifts(thudi_stage *stage, thud_projection *projection)
{
    static const double scales[] = {1, 0x1p-4, 0x1p-8, 0};
    thud_work *work = stage->work;
    thud_report *report = &work->report;
    thud_status status = THUD_ERR_INFEASIBLE;
    for (size_t s = 0; s < sizeof scales / sizeof *scales && status == THUD_ERR_INFEASIBLE; s++)
    {
        if (s > 0 && !any_shift(work->rows))
            break;
        projection->shift_scale = report->shift_scale = scales[s];
        status = project_once(stage, projection);
    }
    report->rounds++;
    return status;
}

// u = P_K(w), as the law has it.
static thud_status project(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    const thudi_law *law = work->law;
    thudi_stage stage = {problem, state, work};
    thud_projection projection = {
        .dim = problem->dim,
        .h = state->h,
        .mass = problem->mass,
        .w = work->w.items,
        .rows = work->rows,
        .origin = state->q,
        .warm = work->warm.items,
        .accuracy = work->def.accuracy,
        .tolerance_share = work->def.tolerance_share,
        .force = problem->order == THUD_SECOND_ORDER ? work->mean_force.items : work->pull.items,
        .bricks = problem->bricks,
    };
    if (law->begin)
        THUD_TRY(law->begin(&stage, &projection));
    work->report.target = projection.w;
    thud_status status = project_with_shifts(&stage, &projection);
    if (status < 0 && !work->look_failed)
        thudi_fail_projection(status, state, work);
    THUD_TRY(status);
    if (law->spread && !work->report.answer.unique)
        law->spread(&stage, &projection);
    take_answer(work);
    if (law->end)
        law->end(&stage);
    return THUD_OK;
}

static thud_status try_step(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    const double *q = state->q, *move = work->report.move, h = state->h;
    char t[THUDI_TEXT_NUMBER_SIZE];
    int k = 0;
    double *trial = work->trial;
    for (int i = 0; i < problem->dim; i++)
        trial[i] = fma(h, move[i], q[i]);
    if (thudi_all_finite(trial, problem->dim))
        return THUD_OK;
    while (isfinite(trial[k]))
        k++;
    thudi_work_fail(work, "step %lld (t = %s): coordinate %d is not finite",
                    (long long)state->n + 1, thudi_text_number(t, thudi_next_time(state)), k);
    return THUD_ERR_NOT_FINITE;
}

// Ask the problem for rows that the trial position shows to be missing.
static thud_status find_missing(const thud_inclusion *problem, const thud_state *state,
                                thud_work *work, int *added)
{
    thud_moment moment = thudi_moment_of(state, work, THUD_FIND_MISSING);
    THUD_TRY(try_step(problem, state, work));
    moment.trial = work->trial;
    THUD_TRY(thudi_call_gaps(problem, state, &moment, work->missing, work));
    THUD_TRY(thudi_rows_add(work->rows, work->missing, NULL, added));
    work->report.rows_missed += *added;
    if (*added == 0)
        return THUD_OK;
    THUD_TRY(thudi_recall_answer(work, *added));
    return thudi_law_check_rows(&(thudi_stage){problem, state, work});
}

// What the law does to a step that lacks no row, and the check of where it leads to.
static thud_status solve_law(const thud_inclusion *problem, const thud_state *state,
                             thud_work *work, int *added)
{
    bool moves = false;
    THUD_TRY(work->law->solve(&(thudi_stage){problem, state, work}, &moves));
    return moves ? find_missing(problem, state, work, added) : THUD_OK;
}

static thud_status linearise(const thud_inclusion *problem, const thud_state *state,
                             thud_work *work)
{
    thud_moment moment = thudi_moment_of(state, work, THUD_LINEARISE);
    work->report.rows = work->rows;
    THUD_TRY(thudi_call_gaps(problem, state, &moment, work->rows, work));
    return thudi_law_check_rows(&(thudi_stage){problem, state, work});
}

// The room of the trial position, if it is open, is the last one.
static void close_trial(thud_work *work)
{
    if (work->trial)
        thud_rooms_close(&work->rooms, thud_rooms_count(&work->rooms) - 1);
    work->trial = NULL;
}

// Project and check until the problem finds nothing missing at the trial position.
static thud_status project_until_checked(const thud_inclusion *problem, const thud_state *state,
                                         thud_work *work)
{
    thud_profile *profile = &work->report.profile;
    THUD_TRY(thudi_recall_state(state, work));
    for (int round = 0; round < work->def.round_limit; round++)
    {
        int added;
        close_trial(work); // that of the round before
        double start = thudi_seconds();
        THUD_TRY(thudi_stop_status(&work->stop));
        THUD_TRY(project(problem, state, work));
        double projected = thudi_seconds();
        profile->project += projected - start - work->look_seconds;
        profile->check += work->look_seconds;
        work->look_seconds = 0;
        profile->certify += work->report.answer.certify_seconds;
        THUD_TRY(thudi_room(&work->rooms, &work->trial, (size_t)problem->dim, "trial position"));
        THUD_TRY(find_missing(problem, state, work, &added));
        if (added == 0 && work->law->solve)
            THUD_TRY(solve_law(problem, state, work, &added));
        profile->check += thudi_seconds() - projected;
        if (added == 0)
            return THUD_OK;
    }
    char t[THUDI_TEXT_NUMBER_SIZE];
    thudi_work_fail(work, "step %lld (t = %s): constraints still missing after %d projections",
                    (long long)state->n + 1, thudi_text_number(t, thudi_next_time(state)),
                    work->def.round_limit);
    return THUD_ERR_NOT_CONVERGED;
}

// Cannot fail: room was made before.
static thud_status commit(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    double start = thudi_seconds();
    size_t size = (size_t)state->dim * sizeof(double);
    thudi_keep(problem, state, work);
    memcpy(state->u, work->report.velocity, size);
    memcpy(state->q, work->trial, size);
    state->n++;
    work->report.profile.commit = thudi_seconds() - start;
    return work->report.news ? THUD_NEWS : THUD_OK;
}

static thud_status check_problem(const thud_inclusion *problem, const thud_state *state,
                                 thud_work *work)
{
    thud_status status;
    const char *fault = thudi_step_fault(problem, state, &status);
    if (fault)
        thudi_step_fail(state, work, fault);
    return status;
}

// All of a step but the commit.
static thud_status advance(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    thud_profile *profile = &work->report.profile;
    THUD_TRY(check_problem(problem, state, work));
    THUD_TRY(thudi_float_check_team(problem->dim));
    THUD_TRY(thudi_work_fit(work, problem->dim));
    THUD_TRY(thudi_work_use_law(work, problem->law));
    double start = thudi_seconds();
    THUD_TRY(thudi_predict(problem, state, work));
    double predicted = thudi_seconds();
    THUD_TRY(linearise(problem, state, work));
    double linearised = thudi_seconds();
    THUD_TRY(project_until_checked(problem, state, work));
    double checked = thudi_seconds();
    THUD_TRY(thudi_examine(problem, state, work));
    THUD_TRY(thudi_keep_reserve(state, work));
    if (work->stop.was_seen) // by something that could be done without: another answer, then
        return THUD_ERR_STOPPED;
    profile->predict = predicted - start;
    profile->linearise = linearised - predicted;
    profile->check += thudi_seconds() - checked;
    return THUD_OK;
}

thud_status thud_step(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    work->report = (thud_report){
        .min_gap = NAN, .start_gap = NAN, .gamma = NAN, .between = INFINITY, .shift_scale = 1};
    work->fault = thudi_fault_none();
    work->stop.was_seen = false;
    work->name = problem->name;
    work->name_user = problem->name_user;
    work->trial = NULL;
    thudi_rooms_enter(&work->rooms);
    thud_status status = advance(problem, state, work);
    if (status < 0 && (work->fault.text[0] == '\0' || status == THUD_ERR_STOPPED))
        thudi_step_fail(state, work, thud_status_text(status));
    status = thudi_step_meet(state, work, status);
    if (status >= 0)
        status = commit(problem, state, work);
    close_trial(work);
    thudi_rooms_expect(&work->rooms, 0);
    if (status < 0)
    {
        work->fault.status = status;
        work->fault.step = state->n + (state->n < INT64_MAX);
    }
    return status;
}
