// A recording: made, looked at and closed.
#include "run/recording/recording.h"

#include "core/clock.h"
#include "core/fault.h"
#include "core/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int NEVER = 0;

thud_status thudi_recording_new(const thud_recording_def *def, thud_recording **out,
                                thud_fault *fault)
{
    if (!def->folder || strlen(def->folder) >= THUDI_FOLDER_SIZE)
    {
        (void)thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "use a shorter path",
                         "the path of the run directory is too long");
        (void)thudi_meet_members(def->team, THUD_ERR_ARGUMENT, fault);
        return THUD_ERR_ARGUMENT;
    }
    thud_recording *r = calloc(1, sizeof *r);
    if (!r)
    {
        (void)thudi_fail_memory(fault);
        (void)thudi_meet_members(def->team, THUD_ERR_MEMORY, fault);
        return THUD_ERR_MEMORY;
    }
    r->def = *def;
    r->begun = thudi_seconds();
    (void)snprintf(r->folder, sizeof r->folder, "%s", def->folder);
    r->recorder.requests =
        (thudi_requests){.stop = def->stop ? def->stop : &NEVER,
                         .checkpoint = def->checkpoint ? def->checkpoint : &NEVER,
                         .deadline = def->deadline > 0 ? def->deadline : INFINITY,
                         .steps = def->max_steps > 0 ? def->max_steps : -1};
    r->recorder.listener = (thudi_listener){def->progress, def->news, def->user};
    *out = r;
    return THUD_OK;
}

thud_status thudi_recording_made(thud_recording *r, thud_status status, thud_recording **out,
                                 thud_fault *fault)
{
    status = thudi_meet_members(r->def.team, status, fault);
    if (status < 0)
        thudi_recording_free(r);
    else
        *out = r;
    return status;
}

thud_status thudi_recording_prepare(thud_recording *r, thud_fault *fault)
{
    r->recorder.scene = r->scene;
    r->recorder.model = r->model;
    r->summary = (thudi_run_summary){.scene = r->scene,
                                     .folder = r->folder,
                                     .recorder = &r->recorder,
                                     .error = r->error,
                                     .origin = r->origin,
                                     .ending = "running",
                                     .reached = thud_state_time(thud_model_state(r->model)),
                                     .advice = thud_step_advise(r->scene, r->model),
                                     .halving = &r->halving};
    thud_work_def def = thud_model_work(r->model);
    thud_status status = thud_work_create(&def, &r->work);
    r->recorder.work = r->work;
    if (r->work)
        thud_work_set_team(r->work, r->def.team);
    if (status >= 0)
        status = thudi_recorder_begin(&r->recorder);
    return status < 0 ? thudi_fail(fault, status, THUDI_NOWHERE, "", "%s", thud_status_text(status))
                      : THUD_OK;
}

void thudi_recording_free(thud_recording *r)
{
    (void)thud_record_close(r->recorder.record, NULL);
    thudi_recorder_end(&r->recorder);
    thudi_halving_end(&r->halving);
    thud_work_destroy(r->work);
    thud_model_destroy(r->own_model);
    thud_scene_destroy(r->own_scene);
    free(r);
}

thud_record_def thudi_recording_record(thud_recording *r)
{
    thudi_unit_texts_make(&r->units, r->scene);
    const char *const *names;
    int count = thud_model_series(r->model, &names);
    return (thud_record_def){.folder = r->folder,
                             .units = r->units.all,
                             .dim = thud_model_problem(r->model)->dim,
                             .keys = thud_scene_keys(r->scene),
                             .id_count = r->scene->body_count,
                             .series = names,
                             .series_count = count};
}

thud_status thudi_recording_fail(thud_recording *r, thud_status status, thud_fault *fault)
{
    thud_fault closing = {0};
    thud_status closed = thud_record_close(r->recorder.record, &closing);
    r->recorder.record = NULL;
    r->recorder.status = status;
    if (closed < 0)
        status = closed;
    else // it was not the record that failed, but what it was to be given
        (void)thudi_fail(&closing, status, THUDI_NOWHERE, "", "%s", thud_status_text(status));
    if (fault)
        *fault = closing;
    return status;
}

thud_status thudi_recording_write_json(thud_recording *r, thud_fault *fault)
{
    thud_json json = {0};
    thud_record *record = r->recorder.record;
    r->summary.frames = thud_record_frames(record);
    r->summary.digest = thud_record_digest(record);
    thudi_run_summary_json(&r->summary, &json);
    thud_status status =
        json.has_failed ? THUD_ERR_MEMORY : thud_record_file_begin(record, "run.json");
    if (status >= 0 && (thud_record_file_write(json.text, json.length, record) != 0 ||
                        thud_record_file_write("\n", 1, record) != 0))
        status = THUD_ERR_IO;
    if (status >= 0)
        status = thud_record_file_end(record);
    thud_json_free(&json);
    return status < 0 ? thudi_recording_fail(r, status, fault) : THUD_OK;
}

// A file of the scene, by a function that writes all of it.
static thud_status write_bodies(const thud_scene *scene, thud_record *record)
{
    THUD_TRY(thud_record_file_begin(record, "bodies.csv"));
    THUD_TRY(thud_scene_write_bodies(scene, thud_record_file_write, record));
    return thud_record_file_end(record);
}

static thud_status write_meshes(const thud_scene *scene, thud_record *record)
{
    THUD_TRY(thud_record_file_begin(record, THUD_SCENE_MESHES));
    THUD_TRY(thud_scene_write_meshes(scene, thud_record_file_write, record));
    return thud_record_file_end(record);
}

// The scene comes last: a folder with a scene has all that it takes to begin.
static thud_status write_scene(const thud_scene *scene, thud_record *record)
{
    bool has_bodies = scene->kind == THUD_SCENE_SPHERES;
    if (has_bodies)
        THUD_TRY(write_bodies(scene, record));
    if (thud_scene_has_mesh(scene))
        THUD_TRY(write_meshes(scene, record));
    THUD_TRY(thud_record_file_begin(record, "scene.yaml"));
    THUD_TRY(
        thud_scene_write(scene, has_bodies ? "bodies.csv" : NULL, thud_record_file_write, record));
    return thud_record_file_end(record);
}

static thud_status open_new(thud_recording *r, thud_fault *fault)
{
    THUD_TRY(thudi_recording_prepare(r, fault));
    r->recorder.is_checking = !r->def.no_check;
    thud_record_def def = thudi_recording_record(r);
    def.replace = r->def.replace;
    def.form = r->def.log;
    if (r->def.halve && thudi_halving_begin(&r->halving, &r->recorder) < 0)
        return thudi_fail_memory(fault);
    THUD_TRY(thud_record_create(&def, &r->recorder.record, fault));
    thud_status status = write_scene(r->scene, r->recorder.record);
    return status < 0 ? thudi_recording_fail(r, status, fault)
                      : thudi_recording_write_json(r, fault);
}

// Its own, of the scene.
static thud_status make_model(thud_recording *r, thud_fault *fault)
{
    thud_status status = thud_model_create(r->scene, NULL, &r->own_model, fault);
    r->model = r->own_model;
    if (status == THUD_NEWS && r->def.news)
        r->def.news(THUD_RECORDING_WARNING, 0,
                    "there is no room at the start to open all gaps: bodies fit exactly",
                    r->def.user);
    return status;
}

thud_status thud_recording_create(const thud_recording_def *def, thud_recording **recording,
                                  thud_fault *fault)
{
    thud_recording *r = NULL;
    thud_fault own;
    fault = thudi_fault_begin(fault, &own);
    *recording = NULL;
    if (!def->scene)
    {
        (void)thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "", "there is no scene");
        return thudi_meet_members(def->team, THUD_ERR_ARGUMENT, fault);
    }
    THUD_TRY(thudi_recording_new(def, &r, fault));
    r->scene = def->scene;
    r->model = def->model;
    thud_status status = def->model ? THUD_OK : make_model(r, fault);
    if (status >= 0)
        status = open_new(r, fault);
    return thudi_fault_end(fault, thudi_recording_made(r, status, recording, fault));
}

thud_recording_figures thud_recording_summary(const thud_recording *recording)
{
    const thudi_recorder *recorder = &recording->recorder;
    const thudi_run_summary *summary = &recording->summary;
    return (thud_recording_figures){.ending = summary->ending,
                                    .error = recording->error,
                                    .is_recorded = recorder->record && recorder->status >= 0,
                                    .reached = summary->reached,
                                    .seconds = summary->seconds,
                                    .resumed = summary->resumed,
                                    .first = recorder->first,
                                    .frames = summary->frames,
                                    .checked = recorder->checked,
                                    .held = recorder->held,
                                    .hash = recorder->chain,
                                    .tally = &recorder->tally};
}

void thud_recording_write(const thud_recording *recording, thud_writer *writer)
{
    thudi_run_summary_write(&recording->summary, writer);
}

void thud_recording_write_json(const thud_recording *recording, thud_json *json)
{
    thudi_run_summary_json(&recording->summary, json);
}

const thud_scene *thud_recording_scene(const thud_recording *recording)
{
    return recording->scene;
}

const thud_model *thud_recording_model(const thud_recording *recording)
{
    return recording->model;
}

const thud_state *thud_recording_state(const thud_recording *recording)
{
    return thud_model_state(recording->model);
}

bool thud_recording_is_done(const thud_recording *recording)
{
    bool is_over = thud_run_is_over(thud_recording_state(recording), recording->scene->end);
    return is_over && (recording->was_done || strcmp(recording->summary.ending, "done") == 0);
}

// A run that was begun or resumed, and was left before its end. One that was done stays so.
static thud_status leave(thud_recording *r, thud_fault *fault)
{
    thudi_recorder *recorder = &r->recorder;
    if (!recorder->record || recorder->status < 0 || (!r->has_observed && !recorder->is_resumed) ||
        strcmp(r->summary.ending, "running") != 0 || thud_recording_is_done(r))
        return THUD_OK;
    thudi_recorder_stop(recorder, thud_model_state(r->model));
    if (recorder->status < 0)
        return thudi_recording_fail(r, recorder->status, fault);
    r->summary.ending = "stopped";
    return thudi_recording_write_json(r, fault);
}

thud_status thud_recording_close(thud_recording *recording, thud_fault *fault)
{
    if (!recording)
        return THUD_OK;
    thud_status status = recording->late.status;
    thudi_part_from_members(recording->def.team);
    if (status < 0 && fault)
        *fault = recording->late;
    if (status >= 0)
        status = leave(recording, fault);
    if (status >= 0 && recording->recorder.record)
        status = thud_record_close(recording->recorder.record, fault);
    else
        (void)thud_record_close(recording->recorder.record, NULL);
    recording->recorder.record = NULL;
    thudi_recording_free(recording);
    return status;
}
