// The observer of a run.
#include "run/recorder.h"

#include "core/clock.h"
#include "core/memory.h"
#include "thud/model_verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of the step: t and the output times are rounded in different ways.
static const double TIME_ROUNDING = 1e-9;

// Of the smallest radius: bodies that fit exactly overlap by less.
static const double EXACT_FIT = 1e-9;

thud_status thudi_recorder_begin(thudi_recorder *recorder)
{
    const thud_state *start = thud_model_state(recorder->model);
    const char *const *names;
    size_t count = (size_t)thud_model_series(recorder->model, &names);
    recorder->values = malloc(count * sizeof *recorder->values);
    recorder->told = calloc((size_t)recorder->scene->measure_count + 1, sizeof *recorder->told);
    if (!recorder->values || !recorder->told)
        return THUD_ERR_MEMORY;
    for (size_t i = 0; i < count; i++)
        recorder->values[i] = NAN; // until a step is seen
    thud_status status = thud_state_create(
        &(thud_state_def){
            .dim = start->dim, .t0 = start->t0, .h = start->h, .q = start->q, .u = start->u},
        &recorder->before);
    recorder->tally = thud_tally_begin();
    recorder->smallest = INFINITY;
    for (int i = 0; i < recorder->scene->body_count; i++)
        if (recorder->scene->bodies[i].sphere.radius < recorder->smallest)
            recorder->smallest = recorder->scene->bodies[i].sphere.radius;
    return status < 0 ? status : thud_state_copy(recorder->before, start);
}

void thudi_recorder_end(thudi_recorder *recorder)
{
    thud_state_destroy(recorder->before);
    free(recorder->values);
    free(recorder->told);
    free(recorder->directions);
}

bool thudi_is_output(const thud_scene *scene, double t, int64_t *passed)
{
    bool reached = scene->record_all;
    double room = TIME_ROUNDING * scene->step;
    while (*passed < scene->frames)
    {
        double k = (double)(*passed + 1);
        if (!(scene->start + (scene->end - scene->start) * k / scene->frames <= t + room))
            break;
        ++*passed;
        reached = true;
    }
    return reached;
}

// Is the velocity kept another than that of the displacement?
static bool moves_apart(const thud_view *view)
{
    return thud_law_has((int)view->problem->law, THUD_TRAIT_MOVE_APART);
}

// Rows may depend on the directions in which the step searched. The checker then gets these
// directions, now and from the log.
static thud_status gather_directions(thudi_recorder *recorder, const thud_view *view)
{
    int count = thud_rows_count(view->report->rows);
    if (recorder->scene->obstacle_count == 0)
        return THUD_OK;
    if (count > recorder->direction_room)
    {
        size_t room = 2 * (size_t)count;
        thud_direction *grown = realloc(recorder->directions, room * sizeof *grown);
        if (!grown)
            return THUD_ERR_MEMORY;
        recorder->directions = grown;
        recorder->direction_room = (int)room;
    }
    recorder->direction_count =
        thud_model_directions(recorder->model, view->report->rows, recorder->directions);
    return THUD_OK;
}

// Numbers that the law keeps beyond the memory. A state without multipliers may not know them yet.
static int width_of(const thud_state *before, const thud_state *after)
{
    return before->multiplier_count > 0 ? before->more_width : after->more_width;
}

static thud_status record_frame(thudi_recorder *recorder, const thud_view *view)
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
                                           .move = moves_apart(view) ? view->report->move : NULL,
                                           .before = before->multipliers,
                                           .before_count = before->multiplier_count,
                                           .after = after->multipliers,
                                           .after_count = after->multiplier_count,
                                           .before_more = before->more,
                                           .after_more = after->more,
                                           .more_width = width_of(before, after),
                                           .directions = recorder->directions,
                                           .direction_count = recorder->direction_count});
}

// The start has no multipliers, unless it is where another run was.
static thud_status record_start(thudi_recorder *recorder, const thud_view *view)
{
    const thud_state *start = view->state;
    return thud_record_frame(recorder->record,
                             &(thud_frame){.n = start->n,
                                           .t = view->t,
                                           .dim = start->dim,
                                           .q = start->q,
                                           .u = start->u,
                                           .before = start->multipliers,
                                           .before_count = start->multiplier_count,
                                           .before_more = start->more,
                                           .more_width = start->more_width});
}

// Checks of coordinates have the key of number 0, which is that of constraint 0 as well. What a
// certificate is about tells them apart. Where contacts bounce, complementarity is about groups
// too.
bool thudi_check_is_row(const thud_scene *scene, thud_certificate_name name,
                        const thud_check *check)
{
    if (check->where < 0 || !thud_key_same(check->key, thud_key_number(0)))
        return check->where >= 0;
    switch (name)
    {
    case THUD_CERT_SIGN:
    case THUD_CERT_FEASIBLE:
    case THUD_CERT_NO_OVERLAP:
    case THUD_CERT_BETWEEN:
        return true;
    case THUD_CERT_COMPLEMENTARITY:
        return !thud_law_has((int)scene->law, THUD_TRAIT_MOVE_APART);
    default:
        return false;
    }
}

static thud_status check_step(thudi_recorder *recorder, const thud_view *view)
{
    thud_verdict verdict;
    thud_status status = thud_model_verify_recorded(recorder->model, recorder->before, view->state,
                                                    view->report->mean_force, recorder->directions,
                                                    recorder->direction_count, &verdict);
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
        bool is_row = thudi_check_is_row(recorder->scene, recorder->failed, check);
        recorder->failed_key = is_row ? check->key : THUD_NO_KEY;
        if (is_row)
            thud_model_describe(recorder->model, check->key, recorder->failed_where,
                                sizeof recorder->failed_where);
    }
    return THUD_OK;
}

static void note_concave(thudi_recorder *recorder, const thud_view *view)
{
    if (!(view->report->news & THUD_NEWS_NOT_CONVEX) || recorder->concave_step > 0)
        return;
    recorder->concave_step = view->state->n;
    recorder->concave_key = view->report->defect_key;
    thud_model_describe(recorder->model, view->report->defect_key, recorder->concave,
                        sizeof recorder->concave);
}

// Spheres keep a distance from each other: one that overlaps at any step, recorded or not, by more
// than the rounding of an exact fit, ends the run.
static void watch_overlap(thudi_recorder *recorder, const thud_view *view)
{
    if (recorder->failed_step > 0 || recorder->smallest == INFINITY ||
        !(view->report->min_gap < -EXACT_FIT * recorder->smallest))
        return;
    recorder->failed_step = view->state->n;
    recorder->failed_key = THUD_NO_KEY;
    recorder->failed = THUD_CERT_NO_OVERLAP;
}

static void show_progress(thudi_recorder *recorder, const thud_view *view)
{
    const thudi_listener *listener = &recorder->listener;
    const thud_scene *scene = recorder->scene;
    if (listener->progress)
        listener->progress(&(thud_recording_progress){.t = view->t,
                                                      .part = (view->t - scene->start) /
                                                              (scene->end - scene->start),
                                                      .backward = recorder->tally.backward,
                                                      .contacts = view->state->multiplier_count},
                           listener->user);
}

static void send_news(const thudi_recorder *recorder, thud_recording_news kind, int64_t step,
                      const char *text)
{
    if (recorder->listener.news)
        recorder->listener.news(kind, step, text, recorder->listener.user);
}

static thud_status write_checkpoint(thudi_recorder *recorder, int64_t step, bool planned)
{
    thud_field fields[THUDI_RUN_FIELDS];
    thud_work_release(recorder->work); // packed rows need memory for a moment
    double begun = thudi_seconds();
    int count = thudi_recorder_fields(recorder, fields);
    thud_status status = thud_record_checkpoint(recorder->record, fields, count, planned);
    double spent = thudi_seconds() - begun;
    recorder->checkpoint_seconds += spent;
    recorder->slowest = spent > recorder->slowest ? spent : recorder->slowest;
    recorder->checkpoints++;
    // reported only now, when it is on the disk
    if (status >= 0)
        send_news(recorder, THUD_RECORDING_CHECKPOINT, step, "a checkpoint was written");
    return status;
}

// Checkpoints of the plan are at every k-th output time and at the end, whatever happened before,
// so that a resumed run leaves the same files.
static bool is_planned(const thudi_recorder *recorder, int64_t frame_before, const thud_view *view)
{
    const thud_scene *scene = recorder->scene;
    if (thud_run_is_over(view->state, scene->end))
        return true;
    if (scene->checkpoints == 0)
        return false;
    int64_t stride = (scene->frames + scene->checkpoints - 1) / scene->checkpoints;
    return recorder->next_frame / stride > frame_before / stride;
}

// A deadline leaves room for the checkpoint: three times the slowest so far.
static bool is_late(const thudi_recorder *recorder)
{
    return thudi_seconds() + 3 * recorder->slowest >= recorder->requests.deadline;
}

static thud_status keep(thudi_recorder *recorder, const thud_view *view, bool planned)
{
    thudi_requests *requests = &recorder->requests;
    int wish = *requests->checkpoint;
    if (view->report && requests->steps > 0)
        requests->steps--;
    recorder->is_stopping = !thud_run_is_over(view->state, recorder->scene->end) &&
                            (*requests->stop != 0 || requests->steps == 0 || is_late(recorder));
    bool is_wished = recorder->is_stopping || wish != recorder->answered || recorder->compares;
    recorder->answered = wish;
    return planned || is_wished ? write_checkpoint(recorder, view->state->n, planned) : THUD_OK;
}

static thud_status observe_start(thudi_recorder *recorder, const thud_view *view)
{
    if (recorder->first == 0)
        recorder->chain = thud_state_hash(view->state, 0);
    THUD_TRY(record_start(recorder, view));
    THUD_TRY(thud_record_step(recorder->record, view->state->n, recorder->chain));
    return keep(recorder, view, true);
}

// The model's state as an observer sees it that knows nothing of the step before.
static thud_view view_of(const thudi_recorder *recorder)
{
    const thud_state *state = thud_model_state(recorder->model);
    return (thud_view){.t = thud_state_time(state),
                       .q = state->q,
                       .u = state->u,
                       .state = state,
                       .problem = thud_model_problem(recorder->model)};
}

thud_status thudi_recorder_continue(thudi_recorder *recorder)
{
    thud_view view = view_of(recorder);
    recorder->first = view.state->n;
    recorder->tally = thud_tally_begin();
    recorder->checked = recorder->held = 0;
    memset(recorder->worst, 0, sizeof recorder->worst);
    recorder->concave_step = 0;
    recorder->concave_key = thud_key_number(0);
    recorder->is_resumed = true; // steps go on from here
    THUD_TRY(thud_state_copy(recorder->before, view.state));
    return recorder->status = observe_start(recorder, &view);
}

void thudi_recorder_pass(thudi_recorder *recorder, const thud_report *report)
{
    thud_view view = view_of(recorder);
    view.report = report;
    thud_model_measure(recorder->model, &view, recorder->values); // measures remember
    recorder->chain = thud_state_hash(view.state, report ? recorder->chain : 0);
    if (report)
        (void)thudi_is_output(recorder->scene, view.t, &recorder->next_frame);
}

static thud_status observe_step(thudi_recorder *recorder, const thud_view *view)
{
    int64_t frame_before = recorder->next_frame;
    note_concave(recorder, view);
    thud_tally_add(&recorder->tally, view->report);
    recorder->chain = thud_state_hash(view->state, recorder->chain);
    THUD_TRY(thud_record_step(recorder->record, view->state->n, recorder->chain));
    if (thudi_is_output(recorder->scene, view->t, &recorder->next_frame))
    {
        thud_work_release(recorder->work); // the frame and the checker need memory for a moment
        THUD_TRY(gather_directions(recorder, view));
        THUD_TRY(record_frame(recorder, view));
        if (recorder->is_checking)
            THUD_TRY(check_step(recorder, view));
    }
    watch_overlap(recorder, view);
    THUD_TRY(thud_state_copy(recorder->before, view->state));
    show_progress(recorder, view);
    if (recorder->failed_step > 0) // the resumed run is to fail again
        return THUD_OK;
    return keep(recorder, view, is_planned(recorder, frame_before, view));
}

// A measure that is not finite harms nothing but itself: the run goes on, and it is said once.
static void watch_measures(thudi_recorder *recorder, const thud_view *view)
{
    for (int i = 0; i < recorder->scene->measure_count; i++)
    {
        char text[400], line[600];
        if (recorder->told[i] ||
            !thud_model_measure_fault(recorder->model, i, recorder->values, text, sizeof text))
            continue;
        recorder->told[i] = true;
        (void)thud_format(line, sizeof line,
                          "%s, first at t = %.6g, step %lld; series.csv records it, and the run "
                          "continues",
                          text, view->t, (long long)view->state->n);
        send_news(recorder, THUD_RECORDING_WARNING, view->state->n, line);
    }
}

static thud_status observe(thudi_recorder *recorder, const thud_view *view)
{
    if (!view->report && recorder->is_resumed)
        return THUD_OK;
    thud_model_measure(recorder->model, view, recorder->values);
    watch_measures(recorder, view);
    THUD_TRY(thud_record_series(recorder->record, recorder->values));
    return view->report ? observe_step(recorder, view) : observe_start(recorder, view);
}

int thudi_recorder_observe(const thud_view *view, void *user)
{
    thudi_recorder *recorder = user;
    double begun = thudi_seconds();
    recorder->status = observe(recorder, view);
    recorder->seconds += thudi_seconds() - begun;
    return recorder->status < 0 || recorder->failed_step > 0 || recorder->is_stopping;
}

void thudi_recorder_stop(thudi_recorder *recorder, const thud_state *state)
{
    if (recorder->is_stopping || recorder->status < 0 || recorder->failed_step > 0)
        return;
    recorder->is_stopping = true;
    recorder->status = write_checkpoint(recorder, state->n, false);
}
