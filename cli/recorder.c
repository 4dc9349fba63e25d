// The observer of a run.
#include "recorder.h"

#include "report.h"

#include <math.h>
#include <stdlib.h>

thud_status cli_recorder_begin(cli_recorder *recorder)
{
    const thud_state *start = thud_model_state(recorder->model);
    const char *const *names;
    size_t count = (size_t)thud_model_series(recorder->model, &names);
    recorder->values = malloc(count * sizeof *recorder->values);
    if (!recorder->values)
        return THUD_ERR_MEMORY;
    thud_status status = thud_state_create(
        &(thud_state_def){
            .dim = start->dim, .t0 = start->t0, .h = start->h, .q = start->q, .u = start->u},
        &recorder->before);
    return status < 0 ? status : thud_state_copy(recorder->before, start);
}

void cli_recorder_end(cli_recorder *recorder)
{
    thud_state_destroy(recorder->before);
    free(recorder->values);
}

// The first output time that has not been recorded.
static double next_output(const cli_recorder *recorder)
{
    const thud_scene *scene = recorder->scene;
    int k = recorder->next_frame + 1;
    return k > scene->frames ? INFINITY
                             : scene->start + (scene->end - scene->start) * k / scene->frames;
}

// Does the step that ends at t reach an output time? Rounding of t and of the output times may
// differ by ulps.
static bool is_output(cli_recorder *recorder, double t)
{
    bool reached = recorder->scene->record_all;
    double room = 1e-9 * recorder->scene->step;
    while (next_output(recorder) <= t + room)
    {
        recorder->next_frame++;
        reached = true;
    }
    return reached;
}

static thud_status record_frame(cli_recorder *recorder, const thud_view *view)
{
    const thud_state *before = recorder->before, *after = view->state;
    return thud_record_frame(recorder->record,
                             &(thud_frame){.n = before->n,
                                           .t = thud_state_time(before),
                                           .h = before->h,
                                           .dim = before->dim,
                                           .q = before->q,
                                           .u = before->u,
                                           .u_next = after->u,
                                           .force = view->report->mean_force,
                                           .before = before->multipliers,
                                           .before_count = before->multiplier_count,
                                           .after = after->multipliers,
                                           .after_count = after->multiplier_count});
}

static thud_status record_start(cli_recorder *recorder, const thud_view *view)
{
    const thud_state *start = view->state;
    return thud_record_frame(
        recorder->record,
        &(thud_frame){.t = view->t, .dim = start->dim, .q = start->q, .u = start->u});
}

static thud_status check_step(cli_recorder *recorder, const thud_view *view)
{
    thud_verdict verdict;
    thud_status status = thud_model_judge(recorder->model, recorder->before, view->state,
                                          view->report->mean_force, &verdict);
    if (status < 0)
        return status;
    recorder->checked++;
    recorder->held += verdict.holds;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        const thud_check *check = &verdict.checks[i];
        if (!(check->value <= recorder->worst[i]))
            recorder->worst[i] = check->value;
        if (check->holds || recorder->failed_step > 0)
            continue;
        recorder->failed_step = view->state->n;
        recorder->failed = (thud_certificate_name)i;
        if (check->where >= 0 && check->key != 0)
            thud_model_describe(recorder->model, check->key, recorder->failed_where,
                                sizeof recorder->failed_where);
    }
    return THUD_OK;
}

static void note_concave(cli_recorder *recorder, const thud_view *view)
{
    if (!(view->report->news & THUD_NEWS_NOT_CONVEX) || recorder->concave_step > 0)
        return;
    recorder->concave_step = view->state->n;
    thud_model_describe(recorder->model, view->report->defect_key, recorder->concave,
                        sizeof recorder->concave);
}

static void show_progress(cli_recorder *recorder, const thud_view *view)
{
    const thud_scene *scene = recorder->scene;
    double part = (view->t - scene->start) / (scene->end - scene->start);
    char text[200], count[THUD_NUMBER_SIZE], unit[CLI_COUNT_SIZE];
    if (!cli_progress_is_due(recorder->progress, part))
        return;
    double spent = cli_seconds() - recorder->progress->begun;
    (void)snprintf(text, sizeof text,
                   "t %.4g of %.4g%s  %.3g s of work per %s  contacts %s  gaps off by <= %.2g",
                   view->t, scene->end, cli_unit(unit, scene->unit_time),
                   spent / (view->t - scene->start),
                   scene->unit_time[0] ? scene->unit_time : "time unit",
                   cli_grouped(count, view->state->multiplier_count), recorder->backward);
    cli_progress_show(recorder->progress, part, text);
}

static thud_status observe(cli_recorder *recorder, const thud_view *view)
{
    thud_model_measure(recorder->model, view, recorder->values);
    thud_status status = thud_record_series(recorder->record, recorder->values);
    if (!view->report)
        return status < 0 ? status : record_start(recorder, view);
    note_concave(recorder, view);
    if (view->report->answer.certificate.backward > recorder->backward)
        recorder->backward = view->report->answer.certificate.backward;
    recorder->is_stopping = *recorder->stop != 0;
    bool is_frame = is_output(recorder, view->t) || recorder->is_stopping;
    if (status >= 0 && is_frame)
    {
        status = record_frame(recorder, view);
        if (status >= 0 && recorder->is_checking)
            status = check_step(recorder, view);
    }
    if (status >= 0)
        status = thud_state_copy(recorder->before, view->state);
    show_progress(recorder, view);
    return status;
}

int cli_recorder_observe(const thud_view *view, void *user)
{
    cli_recorder *recorder = user;
    double begun = cli_seconds();
    recorder->status = observe(recorder, view);
    recorder->seconds += cli_seconds() - begun;
    return recorder->status < 0 || recorder->failed_step > 0 || recorder->is_stopping;
}
