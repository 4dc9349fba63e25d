// The steps of a run computed again, and compared with all that it has left.
#include "core/fault.h"
#include "core/memory.h"
#include "run/members/run_members.h"
#include "run/recorder.h"
#include "run/verify/verify_deal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct rerun
{
    const char *folder;
    const thud_recorded *run;
    const thud_recorded_verify_def *def;
    thud_recorded_verdict *verdict;
    thud_model *model;
    thud_work *work;
    thud_checkpoint *from; // where it begins, NULL for the start
    bool has_members;      // who take every step too
    thudi_recorder recorder;
} rerun;

// Steps that were not checked when they were taken are not checked now: their figures are 0. So it
// is with enclosures that were not counted.
static void read_checking(rerun *r)
{
    thud_fault fault;
    thud_checkpoint *newest = NULL;
    thud_tally counted = {0};
    const thud_field checking[] = {{"checking", THUD_FIELD_INT64, 1, &r->recorder.is_checking}};
    r->recorder.is_checking = 1;
    if (thud_checkpoint_read(r->folder, false, NULL, &newest, &fault) >= 0)
    {
        (void)thud_checkpoint_restore(newest, checking, 1, &fault);
        thudi_recorder_read_tally(newest, &counted);
    }
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
        if (thudi_is_uncounted(&counted, i))
            *(int64_t *)((char *)&r->recorder.tally + thud_tally_figures()[i].offset) = -1;
    thud_checkpoint_free(newest);
}

static thud_status prepare(rerun *r, thud_fault *fault)
{
    static const int never = 0;
    const char *const *names;
    thudi_recorder *recorder = &r->recorder;
    THUD_TRY(thud_model_create(r->run->scene, NULL, &r->model, fault));
    recorder->scene = r->run->scene;
    recorder->first = thud_log_view(r->run->log).first_node;
    recorder->model = r->model;
    recorder->compares = true;
    recorder->requests =
        (thudi_requests){.stop = &never, .checkpoint = &never, .deadline = INFINITY, .steps = -1};
    thud_work_def work = thud_model_work(r->model);
    THUD_TRY(thud_work_create(&work, &r->work));
    thud_work_set_team(r->work, r->def->team);
    recorder->work = r->work;
    THUD_TRY(thudi_recorder_begin(recorder));
    for (int i = 0; i < recorder->scene->measure_count; i++)
        recorder->told[i] = true; // the run has said it
    read_checking(r);
    if (r->def->rerun == THUD_RERUN_TAIL)
        THUD_TRY(thud_record_check_one(r->folder,
                                       thudi_run_has_file(r->folder, "checkpoint.prev.thud"), NULL,
                                       &r->from, fault));
    thud_record_def def = {.folder = r->folder,
                           .first_node = recorder->first,
                           .dim = thud_model_problem(r->model)->dim,
                           .keys = thud_scene_keys(recorder->scene),
                           .id_count = recorder->scene->body_count,
                           .series_count = thud_model_series(r->model, &names)};
    def.series = names;
    THUD_TRY(thud_record_rehearse(&def, r->from, &recorder->record, fault));
    return r->from ? thudi_recorder_restore(recorder, r->from, fault) : THUD_OK;
}

static int observe(rerun *r, const thud_report *report)
{
    const thud_state *state = thud_model_state(r->model);
    thud_view view = {thud_state_time(state),      state->q, state->u, state, report,
                      thud_model_problem(r->model)};
    return thudi_recorder_observe(&view, &r->recorder);
}

// The steps before the first node that is on record, from the scene's start on: they must lead to
// the state there.
static thud_status reach_first(rerun *r, int *stop)
{
    thud_state *state = thud_model_state(r->model);
    int64_t count = thud_log_view(r->run->log).step_count;
    thudi_recorder_pass(&r->recorder, NULL);
    while (state->n < r->recorder.first && !thud_run_is_over(state, r->run->scene->end))
    {
        if (thudi_verify_ends(r->def, (double)state->n / (double)count))
            return THUD_STOPPED;
        THUD_TRY(thud_step(thud_model_problem(r->model), state, r->work));
        r->verdict->rerun++;
        thudi_recorder_pass(&r->recorder, thud_work_report(r->work));
    }
    *stop = thudi_recorder_continue(&r->recorder) < 0;
    return THUD_OK;
}

// Until every byte of log and series was compared.
static thud_status take_steps(rerun *r)
{
    thud_state *state = thud_model_state(r->model);
    int64_t count = thud_log_view(r->run->log).step_count;
    r->verdict->rerun = 0;
    r->verdict->rerun_from = state->n;
    int stop = 0;
    if (!r->from && r->recorder.first > 0)
    {
        thud_status status = reach_first(r, &stop);
        if (status != THUD_OK)
            return status;
    }
    else if (!r->from)
        stop = observe(r, NULL);
    while (!stop && !thud_run_is_over(state, r->run->scene->end) &&
           (state->n + 1 < count || !thud_record_is_matched(r->recorder.record)))
    {
        if (thudi_verify_ends(r->def, (double)state->n / (double)count))
            return THUD_STOPPED;
        THUD_TRY(thud_step(thud_model_problem(r->model), state, r->work));
        r->verdict->rerun += state->n < count;
        stop = observe(r, thud_work_report(r->work));
    }
    return THUD_OK;
}

// The other members of a team make what they need, and get the state to begin with.
static thud_status gather_members(rerun *r, thud_fault *fault)
{
    thud_team *team = r->def->team;
    if (thud_team_size(team) == 1)
        return THUD_OK;
    THUD_TRY(thudi_order_members(team, &(thudi_order){.name = THUDI_ORDER_RERUN}, fault));
    r->has_members = true;
    THUD_TRY(thudi_meet_members(team, THUD_OK, fault));
    return thudi_share_state(team, thud_model_state(r->model), fault);
}

// They take no more steps, and wait for the next order.
static void part(const rerun *r)
{
    if (!r->has_members)
        return;
    thudi_part_from_members(r->def->team);
    thud_team_begin(r->def->team);
}

// What differs is damage, and no error.
static thud_status finish(rerun *r, thud_status status, thud_fault *fault)
{
    thud_fault found = {0};
    bool is_matched = r->recorder.record && thud_record_is_matched(r->recorder.record);
    thud_status closed = thud_record_close(r->recorder.record, &found);
    thud_recorded_verdict *verdict = r->verdict;
    if (status == THUD_STOPPED)
        return status;
    if (status >= 0 && closed >= 0 && r->recorder.status < 0)
        return r->recorder.status;
    if (closed == THUD_ERR_RECORD || status == THUD_ERR_RECORD)
    {
        if (verdict->damage.text[0] == '\0')
            verdict->damage = closed < 0 ? found : *fault;
        return THUD_OK;
    }
    if (closed < 0)
    {
        *fault = found;
        return closed;
    }
    if (status < 0 && fault->text[0] == '\0')
        return thudi_fail(fault, status, THUDI_NOWHERE, "", "recomputed: %.400s",
                          r->work ? thud_work_message(r->work) : thud_status_text(status));
    if (status < 0)
        return status;
    if (!is_matched && verdict->damage.text[0] == '\0')
    {
        (void)snprintf(verdict->damage.file, sizeof verdict->damage.file, "%.255s", r->folder);
        (void)snprintf(verdict->damage.text, sizeof verdict->damage.text,
                       "the log or the series continues after the end of the recomputed run");
    }
    return status;
}

thud_status thudi_verify_rerun(const thud_recorded *run, const thud_recorded_verify_def *def,
                               thud_recorded_verdict *verdict, thud_fault *fault)
{
    if (thud_log_view(run->log).step_count < 1 || verdict->damage.text[0] != '\0')
        return THUD_OK; // noted before: no state to begin with can be trusted
    rerun *r = calloc(1, sizeof *r);
    if (!r)
        return THUD_ERR_MEMORY;
    r->folder = run->folder;
    r->run = run;
    r->def = def;
    r->verdict = verdict;
    *fault = thudi_fault_none();
    thud_status status = prepare(r, fault);
    if (status >= 0)
        status = gather_members(r, fault);
    if (status >= 0)
        status = take_steps(r);
    part(r);
    status = finish(r, status, fault);
    if (status == THUD_OK && verdict->damage.text[0] == '\0')
        verdict->verified =
            verdict->rerun + (def->rerun == THUD_RERUN_TAIL ? verdict->verified_older : 0);
    thudi_recorder_end(&r->recorder);
    thud_checkpoint_free(r->from);
    thud_work_destroy(r->work);
    thud_model_destroy(r->model);
    free(r);
    return status;
}
