// The steps of a run computed again, and compared with all that it has left.
#include "core/memory.h"
#include "run/recorder.h"
#include "run/verify/audit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct rerun
{
    const char *folder;
    const thudi_run *run;
    thudi_audit *audit;
    thud_model *model;
    thud_work *work;
    thud_checkpoint *from; // where it begins, NULL for the start
    thudi_recorder recorder;
} rerun;

// Steps that were not checked when they were taken are not checked now: their figures are 0. So it
// is with enclosures that were not counted.
static void read_checking(rerun *r)
{
    thud_fault fault;
    thud_checkpoint *newest = NULL;
    int64_t enclosed = 0;
    const thud_field checking[] = {{"checking", THUD_FIELD_INT64, 1, &r->recorder.is_checking}};
    const thud_field counted[] = {{"tally.enclosed", THUD_FIELD_INT64, 1, &enclosed}};
    r->recorder.is_checking = 1;
    if (thud_checkpoint_read(r->folder, false, NULL, &newest, &fault) >= 0)
    {
        (void)thud_checkpoint_restore(newest, checking, 1, &fault);
        (void)thud_checkpoint_restore(newest, counted, 1, &fault);
    }
    if (enclosed < 0)
        r->recorder.tally.enclosed = -1;
    thud_checkpoint_free(newest);
}

static bool has_older(const char *folder)
{
    char path[1100];
    struct stat look;
    (void)snprintf(path, sizeof path, "%s/checkpoint.prev.thud", folder);
    return lstat(path, &look) == 0;
}

static thud_status prepare(rerun *r, thudi_rerun part, thud_fault *fault)
{
    static const int never = 0;
    const char *const *names;
    thudi_recorder *recorder = &r->recorder;
    THUD_TRY(thud_model_create(r->run->scene, NULL, &r->model, fault));
    recorder->scene = r->run->scene;
    recorder->first = thud_log_look(r->run->log).first_node;
    recorder->model = r->model;
    recorder->compares = true;
    recorder->wishes =
        (thudi_wishes){.stop = &never, .checkpoint = &never, .deadline = INFINITY, .steps = -1};
    thud_work_def work = thud_model_work(r->model);
    THUD_TRY(thud_work_create(&work, &r->work));
    THUD_TRY(thudi_recorder_begin(recorder));
    for (int i = 0; i < recorder->scene->measure_count; i++)
        recorder->told[i] = true; // the run has said it
    read_checking(r);
    if (part == THUDI_RERUN_TAIL)
        THUD_TRY(thud_record_check_one(r->folder, has_older(r->folder), NULL, &r->from, fault));
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
    thudi_recorder_pass(&r->recorder, NULL);
    while (state->n < r->recorder.first && !thud_run_is_over(state, r->run->scene->end))
    {
        THUD_TRY(thud_step(thud_model_problem(r->model), state, r->work));
        r->audit->rerun++;
        thudi_recorder_pass(&r->recorder, thud_work_report(r->work));
    }
    *stop = thudi_recorder_continue(&r->recorder) < 0;
    return THUD_OK;
}

// Until every byte of log and series was compared.
static thud_status take_steps(rerun *r)
{
    thud_state *state = thud_model_state(r->model);
    int64_t count = thud_log_look(r->run->log).step_count;
    r->audit->rerun = 0;
    r->audit->rerun_from = state->n;
    int stop = 0;
    if (!r->from && r->recorder.first > 0)
        THUD_TRY(reach_first(r, &stop));
    else if (!r->from)
        stop = observe(r, NULL);
    while (!stop && !thud_run_is_over(state, r->run->scene->end) &&
           (state->n + 1 < count || !thud_record_is_matched(r->recorder.record)))
    {
        THUD_TRY(thud_step(thud_model_problem(r->model), state, r->work));
        r->audit->rerun += state->n < count;
        stop = observe(r, thud_work_report(r->work));
    }
    return THUD_OK;
}

// What differs is damage, and no error.
static thud_status finish(rerun *r, thud_status status, thud_fault *fault)
{
    thud_fault found = {0};
    bool is_matched = r->recorder.record && thud_record_is_matched(r->recorder.record);
    thud_status closed = thud_record_close(r->recorder.record, &found);
    thudi_audit *audit = r->audit;
    if (status >= 0 && closed >= 0 && r->recorder.status < 0)
        return r->recorder.status;
    if (closed == THUD_ERR_RECORD || status == THUD_ERR_RECORD)
    {
        if (audit->damage.text[0] == '\0')
            audit->damage = closed < 0 ? found : *fault;
        return THUD_OK;
    }
    if (closed < 0)
    {
        *fault = found;
        return closed;
    }
    if (status < 0)
        (void)snprintf(fault->text, sizeof fault->text, "recomputed: %.400s",
                       r->work ? thud_work_message(r->work) : thud_status_text(status));
    else if (!is_matched && audit->damage.text[0] == '\0')
    {
        (void)snprintf(audit->damage.file, sizeof audit->damage.file, "%.255s", r->folder);
        (void)snprintf(audit->damage.text, sizeof audit->damage.text,
                       "the log or the series continues after the end of the recomputed run");
    }
    return status;
}

thud_status thudi_audit_rerun(const char *folder, const thudi_run *run, thudi_rerun part,
                              thudi_audit *audit, thud_fault *fault)
{
    if (thud_log_look(run->log).step_count < 1 || audit->damage.text[0] != '\0')
        return THUD_OK; // noted before: no state to begin with can be trusted
    rerun *r = calloc(1, sizeof *r);
    if (!r)
        return THUD_ERR_MEMORY;
    r->folder = folder;
    r->run = run;
    r->audit = audit;
    *fault = (thud_fault){0};
    thud_status status = prepare(r, part, fault);
    if (status >= 0)
        status = take_steps(r);
    status = finish(r, status, fault);
    if (status >= 0 && audit->damage.text[0] == '\0')
        audit->verified = audit->rerun + (part == THUDI_RERUN_TAIL ? audit->verified_older : 0);
    thudi_recorder_end(&r->recorder);
    thud_checkpoint_free(r->from);
    thud_work_destroy(r->work);
    thud_model_destroy(r->model);
    free(r);
    return status;
}
