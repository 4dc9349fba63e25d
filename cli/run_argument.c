// The run directory that a command is given.
#include "run_argument.h"

#include "report.h"

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

int cli_run_open(const char *folder, cli_run *run)
{
    char path[1100];
    thud_fault fault = {0};
    *run = (cli_run){.folder = folder};
    thud_status status = thud_log_open(folder, NULL, &run->log, &fault);
    if (status < 0)
        return cli_complain(status, &fault);
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
