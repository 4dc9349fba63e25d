// One step of Maury's scheme, stage by stage:
//
//     predict     w     = u_n + h M^-1 f_n
//     linearise   K     = { v : g_i(t_n+1, q_n) + h grad g_i(t_n+1, q_n) . v >= 0 }
//     project     u_n+1 = P_K(w)                     again with the rows that CHECK found missing;
//                                                    laws other than dry: glue.c, restitution.c
//     examine     g_i(t_n+1, q_n+1) >= lin_i ?       are the multipliers unique? how deep between?
//     commit      q_n+1 = q_n + h u_n+1              the only write to the state
#include "step/work.h"

#include "core/clock.h"
#include "core/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double next_time(const thud_state *state)
{
    return fma((double)state->n + 1, state->h, state->t0);
}

// One sentence with step and time.
static void say_where(const thud_state *state, thud_work *work, const char *what)
{
    char t[THUDI_NUMBER_SIZE];
    thudi_work_say(work, "step %lld (t = %s): %s", (long long)state->n + (state->n < INT64_MAX),
                   thudi_text_number(t, next_time(state)), what);
}

static thud_moment moment_of(const thud_state *state, const thud_work *work, thud_phase phase)
{
    return (thud_moment){
        .phase = phase,
        .t = next_time(state),
        .h = state->h,
        .q = state->q,
        .u = state->u,
        .w = work->w.items,
        .multipliers = state->multipliers,
        .multiplier_count = state->multiplier_count,
    };
}

// Call the gaps callback into an empty list and sort what it pushed.
static thud_status ask(const thud_inclusion *problem, const thud_state *state,
                       const thud_moment *moment, thud_rows *rows, thud_work *work)
{
    char t[THUDI_NUMBER_SIZE];
    thud_rows_clear(rows);
    if (!problem->gaps)
        return THUD_OK;
    int code = problem->gaps(moment, rows, problem->user);
    // a push that failed comes first: the callback may have handed its error on
    thud_status status = thud_rows_status(rows);
    if (status >= 0 && code != 0)
        status = THUD_ERR_CALLBACK;
    const char *phase = moment->phase == THUD_CHECK       ? "check"
                        : moment->phase == THUD_LOOK_BACK ? "look back"
                                                          : "linearise";
    thudi_text_number(t, moment->t);
    if (rows->refusal[0] != '\0')
        say_where(state, work, rows->refusal);
    else if (thud_rows_status(rows) < 0 && rows->failed_at_key)
        thudi_work_say(work, "step %lld (t = %s): constraint %llu (%s): %s",
                       (long long)state->n + 1, t, (unsigned long long)rows->failed_key, phase,
                       thud_status_text(status));
    else if (status < 0)
        thudi_work_say(work, "step %lld (t = %s): the constraints (%s): %s",
                       (long long)state->n + 1, t, phase, thud_status_text(status));
    thud_rows_sort(rows);
    return status;
}

// The first guess of every row from the multipliers recalled, both sorted by key.
static void warm_from_recall(thud_work *work, int recalled)
{
    const thud_multiplier *recall = work->recall.items;
    for (int i = 0, j = 0; i < work->rows->count; i++)
    {
        uint64_t key = work->rows->heads.items[i].key;
        while (j < recalled && recall[j].key < key)
            j++;
        bool known = j < recalled && recall[j].key == key;
        work->warm.items[i] = known ? recall[j++].impulse : 0;
    }
}

// What the law keeps of the multipliers of the projection: where glue starts from is part of it.
static void recall_state(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    thud_multiplier *recall = work->recall.items;
    for (int i = 0; i < state->multiplier_count; i++)
    {
        recall[i] = state->multipliers[i];
        if (problem->law == THUD_LAW_RESTITUTION)
            recall[i].impulse = recall[i].memory;
        else if (problem->law == THUD_LAW_GLUE)
            recall[i].impulse = -recall[i].memory;
    }
}

// Remember the present answer by key, so that rows can be added and the projection done again.
static int recall_answer(thud_work *work)
{
    int recalled = 0;
    for (int i = 0; i < work->rows->count; i++)
        if (work->report.answer.mu[i] > 0)
            work->recall.items[recalled++] = (thud_multiplier){
                .key = work->rows->heads.items[i].key, .impulse = work->report.answer.mu[i]};
    return recalled;
}

static thud_status make_room(thud_work *work, int recalled)
{
    size_t rows = (size_t)work->rows->count;
    size_t most = rows > (size_t)recalled ? rows : (size_t)recalled;
    THUD_TRY(thudi_array_reserve(&work->allocator, &work->warm, rows));
    return thudi_array_reserve(&work->allocator, &work->recall, most);
}

static void explain_infeasible(const thud_state *state, thud_work *work)
{
    const thud_farkas *farkas = &work->report.answer.farkas;
    char t[THUDI_NUMBER_SIZE], radius[THUDI_NUMBER_SIZE], keys[256] = "";
    size_t used = 0;
    int named = 0;
    for (int i = 0; i < work->rows->count; i++)
        if (farkas->y[i] > 0 && named++ < 6 && used < sizeof keys)
        {
            char y[THUDI_NUMBER_SIZE];
            int wrote =
                snprintf(keys + used, sizeof keys - used, "%s%llu (y = %s)", used ? ", " : "",
                         (unsigned long long)work->rows->heads.items[i].key,
                         thudi_text_number(y, farkas->y[i]));
            used += wrote > 0 ? (size_t)wrote : 0;
        }
    thudi_work_say(work,
                   "step %lld (t = %s): no velocity satisfies constraints %s%s together; none with "
                   "|v| < %s is admissible",
                   (long long)state->n + 1, thudi_text_number(t, next_time(state)), keys,
                   named > 6 ? " and others" : "", thudi_text_number(radius, farkas->radius));
}

static void explain_projection(thud_status status, const thud_state *state, thud_work *work)
{
    char t[THUDI_NUMBER_SIZE], kkt[THUDI_NUMBER_SIZE];
    if (status == THUD_ERR_INFEASIBLE)
        explain_infeasible(state, work);
    else if (status == THUD_ERR_ARGUMENT) // all else was checked before
        say_where(state, work, "a block of a pair row has coordinates of two masses");
    else if (status != THUD_ERR_NOT_CONVERGED)
        say_where(state, work, thud_status_text(status));
    else
        thudi_work_say(work, "step %lld (t = %s): the projection: %s (relative KKT residual %s)",
                       (long long)state->n + 1, thudi_text_number(t, next_time(state)),
                       thud_status_text(status),
                       thudi_text_number(kkt, work->report.answer.certificate.kkt));
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

// Project. A Farkas vector of the shifted problem does not prove K empty, so smaller shifts are
// tried before giving up.
static thud_status project(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    static const double scales[] = {1, 0x1p-4, 0x1p-8, 0};
    thud_report *report = &work->report;
    thud_projection projection = {
        .dim = problem->dim,
        .h = state->h,
        .mass = problem->mass,
        .w = work->w.items,
        .rows = work->rows,
        .origin = state->q,
        .warm = work->warm.items,
        .accuracy = work->def.accuracy,
        .force = problem->order == THUD_SECOND_ORDER ? work->mean_force.items : work->pull.items,
    };
    thud_status status = THUD_ERR_INFEASIBLE;
    if (problem->law == THUD_LAW_GLUE)
    {
        THUD_TRY(thudi_glue_begin(problem, state, work));
        projection.w = work->target.items;
        projection.force = work->pull.items;
    }
    for (size_t s = 0; s < sizeof scales / sizeof *scales && status == THUD_ERR_INFEASIBLE; s++)
    {
        if (s > 0 && !any_shift(work->rows))
            break;
        projection.shift_scale = report->shift_scale = scales[s];
        status = thud_project(&projection, work->projector, &report->answer);
        add_effort(&report->effort, &report->answer.effort);
    }
    report->rounds++;
    if (status >= 0 && problem->law == THUD_LAW_GLUE && !report->answer.unique)
        thudi_glue_spread(&projection, work);
    if (status < 0)
    {
        explain_projection(status, state, work);
        return status;
    }
    thudi_law_dry(work);
    if (problem->law == THUD_LAW_GLUE)
        thudi_glue_end(problem, state, work);
    return THUD_OK;
}

static thud_status try_out(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    for (int k = 0; k < problem->dim; k++)
    {
        work->trial.items[k] = fma(state->h, work->report.move[k], state->q[k]);
        if (!isfinite(work->trial.items[k]))
        {
            char t[THUDI_NUMBER_SIZE];
            thudi_work_say(work, "step %lld (t = %s): coordinate %d is not finite",
                           (long long)state->n + 1, thudi_text_number(t, next_time(state)), k);
            return THUD_ERR_NOT_FINITE;
        }
    }
    return THUD_OK;
}

// Ask the problem for rows that the trial position shows to be missing.
static thud_status find_missing(const thud_inclusion *problem, const thud_state *state,
                                thud_work *work, int *added)
{
    thud_moment moment = moment_of(state, work, THUD_CHECK);
    THUD_TRY(try_out(problem, state, work));
    moment.trial = work->trial.items;
    THUD_TRY(ask(problem, state, &moment, work->missing, work));
    THUD_TRY(thudi_rows_merge(work->rows, work->missing, NULL, added));
    work->report.rows_missed += *added;
    return *added > 0 ? thudi_law_check_rows(problem, state, work) : THUD_OK;
}

// The bounces, and the check of where they lead to.
static thud_status restitute(const thud_inclusion *problem, const thud_state *state,
                             thud_work *work, int *added)
{
    thud_moment moment = moment_of(state, work, THUD_LOOK_BACK);
    THUD_TRY(thudi_impact_find(problem, state, work));
    if (work->impact.count == 0)
        return THUD_OK;
    moment.t = thud_state_time(state);
    moment.known = work->rows;
    THUD_TRY(ask(problem, state, &moment, work->probe, work));
    THUD_TRY(thudi_impact_solve(problem, state, work));
    return find_missing(problem, state, work, added);
}

static thud_status linearise(const thud_inclusion *problem, const thud_state *state,
                             thud_work *work)
{
    thud_moment moment = moment_of(state, work, THUD_LINEARISE);
    work->report.rows = work->rows;
    THUD_TRY(ask(problem, state, &moment, work->rows, work));
    return thudi_law_check_rows(problem, state, work);
}

// Project and check until the problem finds nothing missing at the trial position.
static thud_status project_until_checked(const thud_inclusion *problem, const thud_state *state,
                                         thud_work *work)
{
    thud_profile *profile = &work->report.profile;
    int recalled = state->multiplier_count;
    THUD_TRY(make_room(work, recalled));
    recall_state(problem, state, work);
    for (int round = 0; round < work->def.round_limit; round++)
    {
        int added;
        double start = thudi_seconds();
        warm_from_recall(work, recalled);
        THUD_TRY(project(problem, state, work));
        double projected = thudi_seconds();
        profile->project += projected - start;
        profile->certify += work->report.answer.certify_seconds;
        recalled = recall_answer(work);
        THUD_TRY(find_missing(problem, state, work, &added));
        if (added == 0 && problem->law == THUD_LAW_RESTITUTION)
            THUD_TRY(restitute(problem, state, work, &added));
        profile->check += thudi_seconds() - projected;
        if (added == 0)
            return THUD_OK;
        THUD_TRY(make_room(work, recalled));
    }
    char t[THUDI_NUMBER_SIZE];
    thudi_work_say(work, "step %lld (t = %s): constraints still missing after %d projections",
                   (long long)state->n + 1, thudi_text_number(t, next_time(state)),
                   work->def.round_limit);
    return THUD_ERR_NOT_CONVERGED;
}

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
    thud_moment moment = moment_of(state, work, THUD_LINEARISE);
    moment.q = work->trial.items;
    THUD_TRY(ask(problem, state, &moment, work->probe, work));
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
        explain_projection(status, state, work);
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
    for (int k = 0; k < problem->dim; k++)
        speed += work->report.move[k] * work->report.move[k];
    double curvature = problem->smooth->gap_tt;
    if (problem->smooth->gap_tq > 0)
        curvature += 2 * problem->smooth->gap_tq * sqrt(speed);
    // rounded outwards
    work->report.between =
        state->h * state->h / 8 * curvature * (1 + (problem->dim + 8) * DBL_EPSILON);
}

static thud_status examine(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    if (work->report.shift_scale < 1)
        work->report.news |= THUD_NEWS_NO_ROOM;
    if (work->report.answer.relieved > 0)
        work->report.news |= THUD_NEWS_EXACT_FIT;
    bound_between(problem, state, work);
    THUD_TRY(examine_convexity(problem, state, work));
    return examine_uniqueness(problem, state, work);
}

// The memory a row had before the step, by key; 0 for a new row.
static double memory_of(const thud_state *state, uint64_t key, int *from)
{
    while (*from < state->multiplier_count && state->multipliers[*from].key < key)
        ++*from;
    bool known = *from < state->multiplier_count && state->multipliers[*from].key == key;
    return known ? state->multipliers[(*from)++].memory : 0;
}

static void commit_multipliers(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    thud_multiplier *next = work->recall.items;
    int count = 0, from = 0;
    for (int i = 0; i < work->rows->count; i++)
    {
        uint64_t key = work->rows->heads.items[i].key;
        double memory = memory_of(state, key, &from);
        next[count] = thudi_law_keep(problem, work, i, memory);
        count += next[count].impulse != 0 || next[count].memory != 0;
    }
    state->multiplier_count = count;
    if (count > 0)
        memcpy(state->multipliers, next, (size_t)count * sizeof *next);
}

// Cannot fail: room was made before.
static void commit(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    size_t size = (size_t)state->dim * sizeof(double);
    commit_multipliers(problem, state, work);
    memcpy(state->u, work->report.velocity, size);
    memcpy(state->q, work->trial.items, size);
    state->n++;
}

static thud_status check_problem(const thud_inclusion *problem, const thud_state *state,
                                 thud_work *work)
{
    thud_status status;
    const char *fault = thudi_step_fault(problem, state, &status);
    if (fault)
        say_where(state, work, fault);
    return status;
}

static thud_status advance(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    thud_profile *profile = &work->report.profile;
    THUD_TRY(check_problem(problem, state, work));
    THUD_TRY(thudi_work_fit(work, problem->dim));
    double start = thudi_seconds();
    THUD_TRY(thudi_predict(problem, state, work));
    double predicted = thudi_seconds();
    THUD_TRY(linearise(problem, state, work));
    double linearised = thudi_seconds();
    THUD_TRY(project_until_checked(problem, state, work));
    double checked = thudi_seconds();
    THUD_TRY(examine(problem, state, work));
    THUD_TRY(make_room(work, 0));
    THUD_TRY(thud_state_reserve(state, work->rows->count));
    double examined = thudi_seconds();
    commit(problem, state, work);
    profile->predict = predicted - start;
    profile->linearise = linearised - predicted;
    profile->check += examined - checked;
    profile->commit = thudi_seconds() - examined;
    return work->report.news ? THUD_NEWS : THUD_OK;
}

thud_status thud_step(const thud_inclusion *problem, thud_state *state, thud_work *work)
{
    work->report =
        (thud_report){.min_gap = NAN, .gamma = NAN, .between = INFINITY, .shift_scale = 1};
    work->message[0] = '\0';
    thud_status status = advance(problem, state, work);
    if (status < 0 && work->message[0] == '\0')
        say_where(state, work, thud_status_text(status));
    return status;
}
