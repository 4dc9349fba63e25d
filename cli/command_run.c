// thud run: a scene in, a run directory out.
#include "commands.h"
#include "report.h"
#include "run/estimate.h"
#include "scene_argument.h"
#include "session.h"

#include <stdlib.h>
#include <string.h>

// The scene comes last: a folder with a scene has all that it takes to begin.
static thud_status write_scene(cli_session *run)
{
    thud_record *record = run->recorder.record;
    bool has_bodies = run->scene->kind == THUD_SCENE_SPHERES;
    bool has_meshes = thud_scene_has_mesh(run->scene);
    thud_status status = has_bodies ? thud_record_file_begin(record, "bodies.csv") : THUD_OK;
    if (status >= 0 && has_bodies)
        status = thud_scene_write_bodies(run->scene, thud_record_file_write, record);
    if (status >= 0 && has_bodies)
        status = thud_record_file_end(record);
    if (status >= 0 && has_meshes)
        status = thud_record_file_begin(record, THUD_SCENE_MESHES);
    if (status >= 0 && has_meshes)
        status = thud_scene_write_meshes(run->scene, thud_record_file_write, record);
    if (status >= 0 && has_meshes)
        status = thud_record_file_end(record);
    if (status >= 0)
        status = thud_record_file_begin(record, "scene.yaml");
    if (status >= 0)
        status = thud_scene_write(run->scene, has_bodies ? "bodies.csv" : NULL,
                                  thud_record_file_write, record);
    return status < 0 ? status : thud_record_file_end(record);
}

static thud_status open_record(cli_session *run, thud_fault *fault)
{
    const char *const *names;
    thud_record_def def = {.folder = run->folder,
                           .replace = cli_has(run->call, "replace"),
                           .dim = thud_model_problem(run->model)->dim,
                           .keys = thud_scene_keys(run->scene),
                           .id_count = run->scene->body_count,
                           .series_count = thud_model_series(run->model, &names)};
    def.series = names;
    thud_status status = thud_record_create(&def, &run->recorder.record, fault);
    return status < 0 ? status : write_scene(run);
}

static int run_and_record(cli_session *run)
{
    thud_fault fault = {0};
    int code = cli_session_prepare(run);
    if (code != CLI_DONE)
        return code;
    run->recorder.is_checking = !cli_has(run->call, "no-check");
    thud_status status = open_record(run, &fault);
    if (status < 0 && !run->recorder.record)
        return cli_complain(status, &fault);
    code = status < 0 ? cli_exit_of(status) : cli_session_write_json(run);
    return cli_session_close(run, code == CLI_DONE ? cli_session_take(run) : code);
}

static int refuse_if_too_much(const cli_session *run)
{
    const char *what;
    char need[THUD_NUMBER_SIZE], have[THUD_NUMBER_SIZE];
    thudi_estimate estimate = thudi_estimate_run(run->scene, run->folder);
    if (!thudi_estimate_is_too_much(&estimate, &what) || cli_has(run->call, "force"))
        return CLI_DONE;
    bool is_memory = strcmp(what, "memory") == 0;
    thud_fault fault = {.hint = "make the scene smaller, record less, or use --force"};
    (void)snprintf(fault.file, sizeof fault.file, "%s", run->scene->file);
    (void)snprintf(
        fault.text, sizeof fault.text, "the run needs about %s of %s, but only %s is available",
        thud_words_bytes(need, is_memory ? estimate.memory : estimate.disk), what,
        thud_words_bytes(have, is_memory ? estimate.memory_available : estimate.disk_available));
    return cli_complain(THUD_ERR_LIMIT, &fault);
}

static int choose_folder(cli_session *run)
{
    const char *path = run->call->arguments[0], *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".yaml") == 0)
        length -= 5;
    const char *wanted = cli_value(run->call, "out", NULL);
    int size = wanted ? snprintf(run->folder, sizeof run->folder, "%s", wanted)
                      : snprintf(run->folder, sizeof run->folder, "%.*s.run", (int)length, name);
    if (size < (int)sizeof run->folder)
        return CLI_DONE;
    return cli_usage_error("run thud from a folder nearer to it",
                           "the path of the run directory is too long");
}

int command_run(const cli_call *call)
{
    cli_session *run = malloc(sizeof *run);
    if (!run)
        return cli_complain(THUD_ERR_MEMORY, &(thud_fault){0});
    int code = cli_session_begin(run, call);
    if (code == CLI_DONE)
        code = choose_folder(run);
    if (code == CLI_DONE)
        code = cli_read_scene(call, &run->scene);
    if (code == CLI_DONE)
        code = refuse_if_too_much(run);
    if (code == CLI_DONE)
        code = cli_make_model(run->scene, &run->model);
    if (code == CLI_DONE)
        code = run_and_record(run);
    cli_session_end(run);
    free(run);
    return code;
}
