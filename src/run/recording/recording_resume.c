// An interrupted run, resumed from its last checkpoint.
#include "run/recording/recording.h"

#include "core/fault.h"
#include "core/memory.h"
#include "run/measure_values.h"
#include "run/recorded/recorded.h"
#include "run/recorded/remedy.h"
#include "run/run_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A larger count in run.json was not written by this program, and must not overflow an int.
static const double MOST_RESUMED = 1e9;

thud_status thudi_recording_read(thud_recording *r, const char *folder, thud_fault *fault)
{
    thud_status status = thudi_run_read_model(folder, &r->own_scene, &r->own_model, fault);
    r->scene = r->own_scene;
    r->model = r->own_model;
    if (status >= 0)
        return thudi_recording_prepare(r, fault);
    if (status == THUD_ERR_RECORD && !r->scene && !thud_record_find_log(folder, NULL))
        (void)thudi_fail(fault, status, THUDI_IN(folder, NULL),
                         "give a run directory, which 'thud run' writes",
                         "the folder holds no run that has begun");
    return status;
}

static thud_status restore(thud_recording *r, const thud_checkpoint *checkpoint, thud_fault *fault)
{
    r->recorder.first = thud_record_first(r->recorder.record);
    thud_status status = thudi_recorder_restore(&r->recorder, checkpoint, fault);
    if (status < 0)
        (void)snprintf(fault->file, sizeof fault->file, "%.255s", r->folder);
    else if (r->scene->measure_count > 0)
        status = thudi_measures_read(r->folder, r->model, r->recorder.values, fault);
    return status;
}

// A checkpoint that is damaged has one before it.
static void warn_of_older(const thud_recording *r, const thud_fault *fault)
{
    char text[900];
    (void)snprintf(text, sizeof text, "%s%s%s; the checkpoint before it is used", fault->file,
                   fault->file[0] ? ": " : "", fault->text);
    if (r->def.news)
        r->def.news(THUD_RECORDING_WARNING, thud_model_state(r->model)->n, text, r->def.user);
}

static thud_status open_record(thud_recording *r, thud_fault *fault)
{
    thud_checkpoint *checkpoint = NULL;
    thud_record_def def = thudi_recording_record(r);
    thud_status status = thud_record_resume(&def, &r->recorder.record, &checkpoint, fault);
    bool is_older = status == THUD_NEWS;
    thud_fault newer = is_older ? *fault : (thud_fault){0};
    if (status >= 0)
        status = restore(r, checkpoint, fault);
    if (is_older) // its step is known now
        warn_of_older(r, &newer);
    thud_checkpoint_free(checkpoint);
    if (status == THUD_ERR_RECORD)
        thudi_remedy_elsewhere(r->folder, fault);
    return status;
}

// What run.json has said of the run until then.
static thud_status read_run_json(thud_recording *r, thud_fault *fault)
{
    char *json = malloc(THUDI_RUN_JSON), how[40];
    if (!json)
        return thudi_fail_memory(fault);
    thudi_run_json_read(r->folder, json);
    (void)thud_json_find_text(json, "ending", how, sizeof how);
    double resumed = thud_json_find_number(json, "resumed");
    (void)thud_json_find_text(json, "continues.run", r->origin, sizeof r->origin);
    thud_status status = thudi_halving_keep(&r->halving, r->model, json);
    free(json);
    if (status < 0)
        return thudi_fail_memory(fault);
    r->summary.reached = thud_state_time(thud_model_state(r->model));
    r->was_done = strcmp(how, "done") == 0;
    // a run may be over and not know it: killed between its last checkpoint and its last run.json
    if (thud_recording_is_done(r))
        return THUD_OK;
    r->summary.resumed = resumed >= 0 && resumed < MOST_RESUMED ? (int)resumed + 1 : 1;
    return thudi_recording_write_json(r, fault);
}

thud_status thud_recording_resume(const thud_recording_def *def, thud_recording **recording,
                                  thud_fault *fault)
{
    thud_recording *r = NULL;
    thud_fault own;
    fault = thudi_fault_begin(fault, &own);
    *recording = NULL;
    THUD_TRY(thudi_recording_new(def, &r, fault));
    thud_status status = thudi_recording_read(r, r->folder, fault);
    if (status >= 0)
        status = open_record(r, fault);
    if (status >= 0)
        status = read_run_json(r, fault);
    status = thudi_recording_made(r, status, recording, fault);
    return status < 0 ? thudi_fault_end(fault, status) : THUD_OK;
}
