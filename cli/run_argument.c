// The run directory that a command is given.
#include "run_argument.h"

#include "report.h"

#include <string.h>
#include <sys/stat.h>

#define WAS_CHANGED "restore the file: it was changed after the run, or belongs to another version"

// A scene in a run directory was written by Thud: whatever is wrong with it, the run is damaged.
static int complain_of_scene(thud_status status, thud_fault *fault)
{
    bool is_changed = status == THUD_ERR_SCENE || status == THUD_ERR_OVERLAP;
    if (is_changed)
        (void)snprintf(fault->hint, sizeof fault->hint, WAS_CHANGED);
    return cli_complain(is_changed ? THUD_ERR_RECORD : status, fault);
}

static int complain_of_pair(const char *path, thud_fault *fault)
{
    (void)snprintf(fault->file, sizeof fault->file, "%.255s", path);
    (void)snprintf(fault->text, sizeof fault->text, "the scene and the log do not belong together");
    return cli_complain(THUD_ERR_RECORD, fault);
}

int cli_run_complain(thud_status status, thud_fault *fault)
{
    bool is_record = strstr(fault->text, "frame ") || strstr(fault->text, "a step does not");
    if (status == THUD_ERR_RECORD && fault->hint[0] == '\0' && is_record)
        (void)snprintf(fault->hint, sizeof fault->hint,
                       "use --skip-damaged to leave damaged frames out (view, export, render, "
                       "plot)");
    return cli_complain(status, fault);
}

const char *cli_run_left_out(const cli_run *run, char *text, size_t size)
{
    thud_log_summary log = thud_log_look(run->log);
    char count[CLI_COUNT_SIZE];
    text[0] = '\0';
    if (log.damaged_count > 0)
        (void)snprintf(text, size, "; %s left out, the first is frame %lld",
                       cli_count(count, log.damaged_count, "damaged frame"),
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

static int open_run(const char *folder, bool skips_damaged, cli_run *run)
{
    char path[1100];
    thud_fault fault = {0};
    *run = (cli_run){.folder = folder, .skips_damaged = skips_damaged};
    thud_status status = skips_damaged ? thud_log_open_damaged(folder, NULL, &run->log, &fault)
                                       : thud_log_open(folder, NULL, &run->log, &fault);
    if (status < 0)
    {
        suggest_folder(folder, &fault);
        return cli_run_complain(status, &fault);
    }
    if (snprintf(path, sizeof path, "%s/scene.yaml", folder) >= (int)sizeof path)
        return cli_usage_error("run thud from a folder nearer to it",
                               "the path of the run is too long");
    status = thud_scene_read(&(thud_scene_def){.path = path, .no_links = true, .resolved = true},
                             &run->scene, &fault);
    if (status >= 0)
        status = thud_model_create(run->scene, NULL, &run->model, &fault);
    if (status < 0)
        return complain_of_scene(status, &fault);
    if (thud_model_problem(run->model)->dim == thud_log_look(run->log).dim)
        return CLI_DONE;
    (void)snprintf(fault.hint, sizeof fault.hint, WAS_CHANGED);
    return complain_of_pair(path, &fault);
}

int cli_run_open(const char *folder, cli_run *run)
{
    return open_run(folder, false, run);
}

int cli_run_open_call(const cli_call *call, cli_run *run)
{
    return open_run(call->arguments[0], cli_has(call, "skip-damaged"), run);
}

int cli_run_open_by(const char *folder, const thud_scene_def *def, cli_run *run)
{
    thud_fault fault = {0};
    *run = (cli_run){.folder = folder};
    thud_status status = thud_log_open(folder, NULL, &run->log, &fault);
    if (status >= 0)
        status = thud_scene_read(def, &run->scene, &fault);
    if (status >= 0)
        status = thud_model_create(run->scene, NULL, &run->model, &fault);
    if (status < 0)
        return cli_complain(status, &fault);
    if (thud_model_problem(run->model)->dim == thud_log_look(run->log).dim)
        return CLI_DONE;
    return complain_of_pair(folder, &fault);
}

void cli_run_close(cli_run *run)
{
    thud_log_close(run->log);
    thud_model_destroy(run->model);
    thud_scene_destroy(run->scene);
}
