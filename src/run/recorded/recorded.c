// A run directory opened for reading.
#include "run/recorded/recorded.h"

#include "core/fault.h"
#include "core/memory.h"
#include "run/recorder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// 'thud run ball.yaml' writes ball.run: name it where 'ball' or 'ball.yaml' was given instead.
static void suggest_folder(const char *folder, thud_fault *fault)
{
    char near[200];
    struct stat about;
    size_t length = strlen(folder);
    if (length > 5 && strcmp(folder + length - 5, ".yaml") == 0)
        length -= 5;
    while (length > 1 && folder[length - 1] == '/')
        length--;
    int size = snprintf(near, sizeof near, "%.*s.run", (int)length, folder);
    bool is_run = stat(folder, &about) == 0 && S_ISDIR(about.st_mode);
    if (!is_run && size < (int)sizeof near && stat(near, &about) == 0 && S_ISDIR(about.st_mode))
        (void)snprintf(fault->hint, sizeof fault->hint, "did you mean '%s'?", near);
}

// Does the run's own scene say what the one given instead says? What was recorded and when is no
// part of what happened: that is taken from it.
static thud_status compare_own(thud_recorded *recorded)
{
    thud_scene *own = NULL;
    thud_fault fault = {0};
    char path[1100];
    bool is_same;
    recorded->source = THUD_SCENE_UNREADABLE;
    (void)snprintf(path, sizeof path, "%.1000s/scene.yaml", recorded->folder);
    if (thud_scene_read(&(thud_scene_def){.path = path, .resolved = true}, &own, &fault) < 0)
        return THUD_OK;
    recorded->scene->frames = own->frames;
    recorded->scene->record_all = own->record_all;
    recorded->scene->checkpoints = own->checkpoints;
    thud_status status = thudi_scene_compare(recorded->scene, own, &is_same);
    recorded->source = is_same ? THUD_SCENE_SAME : THUD_SCENE_DIFFERENT;
    thud_scene_destroy(own);
    return status;
}

static thud_status read_parts(thud_recorded *recorded, const thud_recorded_def *def,
                              thud_fault *fault)
{
    const char *folder = recorded->folder;
    thud_status status = def->skip_damaged
                             ? thud_log_open_damaged(folder, NULL, &recorded->log, fault)
                             : thud_log_open(folder, NULL, &recorded->log, fault);
    if (status < 0 && !def->scene)
        suggest_folder(folder, fault);
    THUD_TRY(status);
    if (!def->scene)
        THUD_TRY(thudi_run_read_model(folder, &recorded->scene, &recorded->model, fault));
    else
    {
        THUD_TRY(thud_scene_read(def->scene, &recorded->scene, fault));
        THUD_TRY(thud_model_create(recorded->scene, NULL, &recorded->model, fault));
    }
    if (thud_model_problem(recorded->model)->dim == thud_log_view(recorded->log).dim)
        return def->scene ? compare_own(recorded) : THUD_OK;
    return thudi_fail(fault, THUD_ERR_RECORD,
                      def->scene ? THUDI_IN(folder, NULL) : THUDI_IN(folder, "scene.yaml"),
                      def->scene ? "give the scene that the run was made from"
                                 : "restore the file: it was changed after the run, or belongs to "
                                   "another version",
                      "the scene and the log do not belong together");
}

thud_status thud_recorded_open(const char *folder, const thud_recorded_def *def,
                               thud_recorded **out, thud_fault *fault)
{
    static const thud_recorded_def plain = {0};
    thud_fault own;
    fault = thudi_fault_begin(fault, &own);
    *out = NULL;
    def = def ? def : &plain;
    thud_recorded *recorded = calloc(1, sizeof *recorded);
    size_t size = strlen(folder) + 1;
    if (!recorded || !(recorded->folder = malloc(size)))
    {
        free(recorded);
        return thudi_fail_memory(fault);
    }
    memcpy(recorded->folder, folder, size);
    recorded->skips_damaged = def->skip_damaged;
    thud_status status = read_parts(recorded, def, fault);
    if (status < 0)
        thud_recorded_close(recorded);
    else
        *out = recorded;
    return status < 0 ? thudi_fault_end(fault, status) : THUD_OK;
}

void thud_recorded_close(thud_recorded *recorded)
{
    if (!recorded)
        return;
    thud_log_close(recorded->log);
    thud_model_destroy(recorded->model);
    thud_scene_destroy(recorded->scene);
    free(recorded->folder);
    free(recorded);
}

const char *thud_recorded_folder(const thud_recorded *recorded)
{
    return recorded->folder;
}

const thud_scene *thud_recorded_scene(const thud_recorded *recorded)
{
    return recorded->scene;
}

thud_model *thud_recorded_model(const thud_recorded *recorded)
{
    return recorded->model;
}

thud_log *thud_recorded_log(const thud_recorded *recorded)
{
    return recorded->log;
}

thud_status thud_recorded_read_frames(const thud_recorded *recorded, int64_t count, double times[2],
                                      thud_fault *fault)
{
    thud_frame frame;
    for (int64_t i = 0; i < count; i++)
    {
        THUD_TRY(thud_log_frame(recorded->log, i, &frame, fault));
        if (times && i == 0)
            times[0] = frame.t;
        if (times)
            times[1] = frame.t + frame.h;
    }
    return THUD_OK;
}

int64_t thud_recorded_count_frames(const thud_recorded *recorded, int64_t n)
{
    const thud_scene *scene = recorded->scene;
    thud_log_summary log = thud_log_view(recorded->log);
    int64_t count = 1, passed = 0, node = log.first_node; // the start has one
    if (n == log.step_count - 1)
        return log.frame_count;
    if (node > 0) // output times before it have passed
        (void)thudi_is_output(scene, fma((double)node, scene->step, scene->start), &passed);
    while (++node <= n)
        count += thudi_is_output(scene, fma((double)node, scene->step, scene->start), &passed);
    return count < log.frame_count ? count : log.frame_count;
}

thud_status thud_recorded_check_series(const thud_recorded *recorded, thud_fault *fault)
{
    if (thud_record_is_busy(recorded->folder))
        return THUD_OK;
    return thud_record_check_series(recorded->folder, NULL, fault);
}

const char *thud_recorded_left_out(const thud_recorded *recorded, char *text, size_t size)
{
    thud_log_summary log = thud_log_view(recorded->log);
    char count[THUD_COUNT_SIZE];
    text[0] = '\0';
    if (log.damaged_count > 0)
        (void)snprintf(text, size, "; %s left out, the first is frame %lld",
                       thud_words_count(count, log.damaged_count, "damaged frame"),
                       (long long)log.first_damaged);
    else if (recorded->skips_damaged && log.is_cut)
        (void)snprintf(text, size, "; the end of the log cannot be read");
    return text;
}
