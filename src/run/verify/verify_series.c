// series.csv against the log: at recorded steps all that follows from their states, and of all
// lines the figures that run.json and checkpoints sum up.
#include "run/verify/verify_parts.h"

#include "core/fault.h"
#include "core/memory.h"
#include "core/whole.h"
#include "run/run_summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERIES "series.csv"

// Of the largest coordinate: more than the rounding of a gap between two bodies.
static const double GAP_ROUNDING = 64 * 0x1p-53;

// The columns that every series has, in this order.
enum
{
    STEP,
    TIME,
    ROUNDS = 4,
    SWEEPS,
    MIN_GAP,
    VIOLATION,
    BACKWARD,
    FORWARD,
    KKT,
    BETWEEN,
    NEWS
};

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void fail_line(thudi_verifier *a, const char *what, long long step)
{
    thudi_verify_figure(a->verdict, a->folder, SERIES, thud_series_line(a->series),
                        "%s does not match the log at step %lld", what, step);
}

static void check_names(thudi_verifier *a)
{
    const char *const *names;
    int count = thud_model_series(a->run->model, &names);
    bool same = thud_series_columns(a->series) == count;
    for (int i = 0; same && i < count; i++)
        same = strcmp(thud_series_name(a->series, i), names[i]) == 0;
    if (same)
        return;
    thudi_verify_figure(a->verdict, a->folder, SERIES, 1,
                        "its columns differ from those of the scene");
    thud_series_close(a->series);
    a->series = NULL;
}

// What cannot be read as a series is damage, and no error.
static thud_status note_damage(thudi_verifier *a, thud_status status, const thud_fault *fault)
{
    if (status != THUD_ERR_RECORD)
        return status;
    if (a->verdict->damage.text[0] == '\0')
        a->verdict->damage = *fault;
    thud_series_close(a->series);
    a->series = NULL;
    return THUD_OK;
}

// The first step of an inclusion counts the gaps of the start as well.
static thud_status find_start_gap(thudi_verifier *a)
{
    const thud_inclusion *problem = thud_model_problem(a->run->model);
    const thud_state *start = thud_model_state(a->run->model);
    thud_rows *rows;
    a->start_gap = INFINITY;
    if (a->run->scene->kind != THUD_SCENE_INCLUSION || a->verdict->first > 0)
        return THUD_OK;
    THUD_TRY(thud_rows_create(problem->dim, NULL, &rows));
    thud_moment at = {.phase = THUD_LINEARISE,
                      .t = thud_state_time(start),
                      .h = start->h,
                      .q = start->q,
                      .u = start->u,
                      .w = start->u};
    bool has_gaps = problem->gaps && problem->gaps(&at, rows, problem->user) == 0;
    for (int i = 0; has_gaps && i < thud_rows_count(rows); i++)
        a->start_gap = fmin(a->start_gap, thud_rows_get(rows, i, NULL).gap);
    thud_rows_destroy(rows);
    return THUD_OK;
}

// Prepare the sums of the run itself, with which a second run at half the step was compared.
static thud_status begin_sums(thudi_verifier *a)
{
    if (!a->verdict->has_halved)
        return THUD_OK;
    a->recorder = calloc(1, sizeof *a->recorder);
    if (!a->recorder)
        return THUD_ERR_MEMORY;
    a->recorder->scene = a->run->scene;
    a->recorder->model = a->run->model;
    a->recorder->values = a->values;
    return thudi_halving_begin(&a->halving, a->recorder);
}

// Which columns the figures of the tally are gathered from.
static void find_columns(thudi_verifier *a, const char *const *names, int count)
{
    const thud_figure *figures = thud_tally_figures();
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
    {
        a->columns[i] = -1;
        for (int k = 0; k < count && figures[i].column[0] != '\0' && a->columns[i] < 0; k++)
            if (strcmp(names[k], figures[i].column) == 0)
                a->columns[i] = k;
    }
}

thud_status thudi_verify_series_open(thudi_verifier *a, thud_fault *fault)
{
    const char *const *names;
    size_t count = (size_t)thud_model_series(a->run->model, &names);
    a->values = malloc(count * sizeof *a->values);
    a->own = malloc(count * sizeof *a->own);
    a->radii = malloc(((size_t)a->run->scene->body_count + 1) * sizeof *a->radii);
    a->told = malloc(count * sizeof *a->told);
    a->stage = calloc((size_t)a->run->scene->measure_count + 1, sizeof *a->stage);
    a->time = calloc((size_t)a->run->scene->measure_count + 1, sizeof *a->time);
    if (!a->values || !a->own || !a->radii || !a->told || !a->stage || !a->time)
        return THUD_ERR_MEMORY;
    for (size_t i = 0; i < count; i++)
        a->told[i] = NAN;
    find_columns(a, names, (int)count);
    THUD_TRY(begin_sums(a));
    THUD_TRY(find_start_gap(a));
    *fault = thudi_fault_none();
    THUD_TRY(note_damage(a, thud_series_open(a->folder, NULL, &a->series, fault), fault));
    if (a->series)
        check_names(a);
    return THUD_OK;
}

void thudi_verify_series_close(thudi_verifier *a)
{
    thud_series_close(a->series);
    free(a->values);
    free(a->own);
    free(a->radii);
    free(a->told);
    free(a->stage);
    free(a->time);
    for (int i = 0; i < THUDI_MARK_COUNT; i++)
    {
        free(a->marks[i].stage);
        free(a->marks[i].time);
    }
    thudi_halving_end(&a->halving);
    free(a->recorder);
}

// Times of time_when follow from the lines up to this one. A run that continues another has no
// lines before its first: what is remembered there is as the run says.
static void check_times(thudi_verifier *a, const char *const *names, int count)
{
    if (a->run->scene->measure_count == 0)
        return;
    if (!a->follows && a->row > 0)
        thud_model_follow_from(a->run->model, a->stage, a->time, a->values);
    a->follows = true;
    memcpy(a->own, a->values, (size_t)count * sizeof *a->own);
    thud_model_follow(a->run->model, a->stage, a->time, a->own);
    for (int i = 0; i < count; i++)
        if (!is_same(a->values[i], a->own[i]))
            thudi_verify_figure(a->verdict, a->folder, SERIES, thud_series_line(a->series),
                                "'%.190s' is not what the lines up to step %lld give", names[i],
                                (long long)a->row);
}

static void check_measures(thudi_verifier *a)
{
    const char *const *names;
    int count = thud_model_series(a->run->model, &names);
    check_times(a, names, count);
    if (a->marks[THUDI_MARK_JSON].node == a->row)
        memcpy(a->told, a->values, (size_t)count * sizeof *a->told);
}

// As thud_tally_add does, from the line alone.
static void add_line(thudi_verifier *a)
{
    const double *x = a->values;
    thud_tally *tally = &a->tally;
    unsigned news = x[NEWS] >= 0 && x[NEWS] < THUDI_MOST_FLAGS ? (unsigned)x[NEWS] : 0;
    tally->steps++;
    tally->min_gap = fmin(tally->min_gap, a->start_gap);
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
        if (a->columns[i] >= 0)
            thud_tally_fold(tally, i, x[a->columns[i]]);
    tally->news_steps += news != 0;
    if (news && tally->first_news == 0)
        tally->first_news = tally->steps;
    if ((news & THUD_NEWS_NOT_CONVEX) && a->concave_step == 0)
        a->concave_step = a->row;
}

static double *copy_numbers(const double *from, int count)
{
    double *copy = malloc(((size_t)count + 1) * sizeof *copy);
    if (copy)
        memcpy(copy, from, (size_t)count * sizeof *copy);
    return copy;
}

// The figures as they are after the line last read.
static thud_status fill_marks(thudi_verifier *a)
{
    int count = a->run->scene->measure_count;
    for (int i = 0; i < THUDI_MARK_COUNT; i++)
    {
        thudi_verify_mark *mark = &a->marks[i];
        if (mark->node != a->row)
            continue;
        mark->is_told = true;
        mark->tally = a->tally;
        mark->concave_step = a->concave_step;
        if (!a->follows || mark->stage)
            continue;
        mark->stage = copy_numbers(a->stage, count);
        mark->time = copy_numbers(a->time, count);
        if (!mark->stage || !mark->time)
            return THUD_ERR_MEMORY;
    }
    return THUD_OK;
}

static thud_status check_line(thudi_verifier *a)
{
    const thud_scene *scene = a->run->scene;
    check_measures(a);
    (void)thudi_halving_observe(NULL, &a->halving);
    if (!is_same(a->values[STEP], (double)a->row))
        fail_line(a, "'step'", (long long)a->row);
    if (!is_same(a->values[TIME], fma((double)a->row, scene->step, scene->start)))
        fail_line(a, "'t'", (long long)a->row);
    if (a->row > 0)
        add_line(a);
    return fill_marks(a);
}

// Read on to the line of a node; *found if it is there.
static thud_status go_to(thudi_verifier *a, int64_t node, bool *found, thud_fault *fault)
{
    *found = false;
    while (a->series && a->row < node)
    {
        bool over;
        THUD_TRY(note_damage(a, thud_series_next(a->series, a->values, &over, fault), fault));
        if (a->series && over && a->missing_line < 0)
            a->missing_line = a->row + 1;
        if (!a->series || over)
            return THUD_OK;
        a->row++;
        THUD_TRY(check_line(a));
    }
    *found = a->series != NULL && a->row == node;
    return THUD_OK;
}

// Spheres farther apart than this part of the smallest radius are not looked at: a larger gap says
// no more than that.
static double far_gap(thudi_verifier *a, double t)
{
    const thud_scene *scene = a->run->scene;
    double smallest = INFINITY;
    thud_model_radii(a->run->model, t, a->radii);
    for (int i = 0; i < scene->body_count; i++)
        smallest = fmin(smallest, a->radii[i]);
    return THUDI_FAR_PART * smallest;
}

// The recorded gap may be below the one found here, by its rounding, but not above.
static void check_gap(thudi_verifier *a, double min_gap)
{
    const thud_state *state = a->nodes.after;
    double told = a->values[MIN_GAP], size = 0;
    if (a->run->scene->body_count > 0)
        told = fmin(told, far_gap(a, thud_state_time(state)));
    for (int k = 0; k < state->dim; k++)
        size = fmax(size, fabs(state->q[k]));
    if (told > min_gap + GAP_ROUNDING * size)
        fail_line(a, "'min_gap'", (long long)state->n);
}

thud_status thudi_verify_series_node(thudi_verifier *a, double min_gap, thud_fault *fault)
{
    bool found;
    const char *const *names;
    const thud_state *state = a->nodes.after;
    int count = thud_model_series(a->run->model, &names);
    *fault = thudi_fault_none();
    if (state->n > 0 && state->n == a->verdict->first) // it has no line
        return fill_marks(a);
    THUD_TRY(go_to(a, state->n, &found, fault));
    if (!found)
        return THUD_OK;
    thud_model_measure_state(a->run->model, state, a->own);
    for (int i = 0; i < count; i++)
    {
        char what[200];
        if (state->n > 0 && thud_model_series_source(a->run->model, i) != THUD_SERIES_STATE)
            continue;
        (void)snprintf(what, sizeof what, "'%.190s'", names[i]);
        if (!is_same(a->values[i], a->own[i]))
            fail_line(a, what, (long long)state->n);
    }
    if (state->n > 0)
        check_gap(a, min_gap);
    return THUD_OK;
}

thud_status thudi_verify_series_end(thudi_verifier *a, int64_t last, thud_fault *fault)
{
    bool found, over = false;
    *fault = thudi_fault_none();
    THUD_TRY(go_to(a, last, &found, fault));
    // a run that was killed may have written lines of steps that the log does not know
    while (a->series && !over)
        THUD_TRY(note_damage(a, thud_series_next(a->series, a->values, &over, fault), fault));
    return THUD_OK;
}

void thudi_verify_series_missing(thudi_verifier *a)
{
    const thud_recorded_verdict *verdict = a->verdict;
    if (a->missing_line >= 0 && (a->missing_line <= verdict->kept || verdict->is_over))
        thudi_verify_damage(a->verdict, a->folder, SERIES, "the line of step %lld is missing",
                            (long long)a->missing_line);
}
