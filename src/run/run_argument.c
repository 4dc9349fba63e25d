// The run directory that a command is given.
#include "run/run_argument.h"

#include "report.h"
#include "run/remedy.h"

#include <string.h>
#include <sys/stat.h>

#define WAS_CHANGED "restore the file: it was changed after the run, or belongs to another version"

// A scene in a run directory was written by Thud: whatever is wrong with it, the run is damaged.
static thud_status blame_scene(const char *folder, thud_status status, thud_fault *fault)
{
    bool is_missing = status == THUD_ERR_IO && strstr(fault->text, "does not exist");
    if (!is_missing && status != THUD_ERR_SCENE && status != THUD_ERR_OVERLAP)
        return status;
    if (is_missing && fault->line == 0)
    {
        (void)snprintf(fault->file, sizeof fault->file, "%.255s", folder);
        (void)snprintf(fault->text, sizeof fault->text, "scene.yaml is missing");
    }
    (void)snprintf(fault->hint, sizeof fault->hint,
                   is_missing ? "restore the file from a copy of the run: the other files cannot "
                                "be read without it"
                              : WAS_CHANGED);
    return THUD_ERR_RECORD;
}

thud_status thudi_run_read_scene(const char *folder, thud_scene **scene, thud_fault *fault)
{
    char path[1100];
    if (snprintf(path, sizeof path, "%s/scene.yaml", folder) >= (int)sizeof path)
    {
        (void)snprintf(fault->text, sizeof fault->text, "the path of the run is too long");
        (void)snprintf(fault->hint, sizeof fault->hint, "run thud from a folder nearer to it");
        return THUD_ERR_ARGUMENT;
    }
    thud_status status = thud_scene_read(
        &(thud_scene_def){.path = path, .no_links = true, .resolved = true}, scene, fault);
    return status < 0 ? blame_scene(folder, status, fault) : status;
}

thud_status thudi_run_read_model(const char *folder, thud_scene **scene, thud_model **model,
                                 thud_fault *fault)
{
    thud_status status = thudi_run_read_scene(folder, scene, fault);
    if (status < 0)
        return status;
    status = thud_model_create(*scene, NULL, model, fault);
    return status < 0 ? blame_scene(folder, status, fault) : status;
}

static thud_status blame_pair(const char *folder, const char *file, const char *hint,
                              thud_fault *fault)
{
    (void)snprintf(fault->file, sizeof fault->file, "%.230s%s", folder, file);
    (void)snprintf(fault->text, sizeof fault->text, "the scene and the log do not belong together");
    (void)snprintf(fault->hint, sizeof fault->hint, "%s", hint);
    return THUD_ERR_RECORD;
}

// Is the log or the series to blame?
static bool is_damage(thud_status status, const thud_fault *fault)
{
    return status == THUD_ERR_RECORD &&
           (strstr(fault->file, "/frames.thud") || strstr(fault->file, "/series.csv") ||
            strstr(fault->text, "series.csv"));
}

int thudi_run_complain_damaged(const char *folder, thud_status status, thud_fault *fault)
{
    bool is_log = strstr(fault->file, "/frames.thud") != NULL;
    if (is_damage(status, fault))
        thudi_remedy(folder, is_log ? THUDI_DAMAGE_READ : THUDI_DAMAGE_FOUND, fault);
    return cli_complain(status, fault);
}

int thudi_run_complain(const char *folder, thud_status status, thud_fault *fault)
{
    // a record of the log does not match its checksum
    bool is_record = strstr(fault->text, "frame ") || strstr(fault->text, "a step does not");
    if (status == THUD_ERR_RECORD && fault->hint[0] == '\0' && is_record)
        (void)snprintf(fault->hint, sizeof fault->hint,
                       "use --skip-damaged to leave damaged frames out");
    return thudi_run_complain_damaged(folder, status, fault);
}

thud_status thudi_run_read_frames(const thudi_run *run, int64_t count, double times[2],
                                  thud_fault *fault)
{
    thud_frame frame;
    for (int64_t i = 0; i < count; i++)
    {
        thud_status status = thud_log_frame(run->log, i, &frame, fault);
        if (status < 0)
            return status;
        if (times && i == 0)
            times[0] = frame.t;
        if (times)
            times[1] = frame.t + frame.h;
    }
    return THUD_OK;
}

void thudi_run_warn_of_series(const thudi_run *run)
{
    thud_fault fault = {0};
    if (!thud_record_is_busy(run->folder) &&
        thud_record_check_series(run->folder, NULL, &fault) == THUD_ERR_RECORD)
        cli_warn("%s: %s; 'thud verify' says what to do", fault.file, fault.text);
}

const char *thudi_run_left_out(const thudi_run *run, char *text, size_t size)
{
    thud_log_summary log = thud_log_look(run->log);
    char count[THUD_COUNT_SIZE];
    text[0] = '\0';
    if (log.damaged_count > 0)
        (void)snprintf(text, size, "; %s left out, the first is frame %lld",
                       thud_words_count(count, log.damaged_count, "damaged frame"),
                       (long long)log.first_damaged);
    else if (run->skips_damaged && log.is_cut)
        (void)snprintf(text, size, "; the end of the log cannot be read");
    return text;
}

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

thud_status thudi_run_try(const char *folder, bool skips_damaged, thudi_run *run, thud_fault *fault)
{
    *run = (thudi_run){.folder = folder, .skips_damaged = skips_damaged};
    thud_status status = skips_damaged ? thud_log_open_damaged(folder, NULL, &run->log, fault)
                                       : thud_log_open(folder, NULL, &run->log, fault);
    if (status < 0)
        suggest_folder(folder, fault);
    if (status >= 0)
        status = thudi_run_read_model(folder, &run->scene, &run->model, fault);
    if (status < 0 || thud_model_problem(run->model)->dim == thud_log_look(run->log).dim)
        return status;
    return blame_pair(folder, "/scene.yaml", WAS_CHANGED, fault);
}

int thudi_run_open(const char *folder, thudi_run *run)
{
    thud_fault fault = {0};
    thud_status status = thudi_run_try(folder, false, run, &fault);
    return status < 0 ? thudi_run_complain_damaged(folder, status, &fault) : CLI_DONE;
}

int thudi_run_open_call(const cli_call *call, thudi_run *run)
{
    thud_fault fault = {0};
    thud_status status =
        thudi_run_try(call->arguments[0], cli_has(call, "skip-damaged"), run, &fault);
    return status < 0 ? thudi_run_complain(call->arguments[0], status, &fault) : CLI_DONE;
}

int thudi_run_open_by(const char *folder, const thud_scene_def *def, thudi_run *run)
{
    thud_fault fault = {0};
    *run = (thudi_run){.folder = folder};
    thud_status status = thud_log_open(folder, NULL, &run->log, &fault);
    if (status >= 0)
        status = thud_scene_read(def, &run->scene, &fault);
    if (status >= 0)
        status = thud_model_create(run->scene, NULL, &run->model, &fault);
    if (status >= 0 && thud_model_problem(run->model)->dim != thud_log_look(run->log).dim)
        status = blame_pair(folder, "", "give the scene that the run was made from", &fault);
    return status < 0 ? thudi_run_complain_damaged(folder, status, &fault) : CLI_DONE;
}

void thudi_run_close(thudi_run *run)
{
    thud_log_close(run->log);
    thud_model_destroy(run->model);
    thud_scene_destroy(run->scene);
}
