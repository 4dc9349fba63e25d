// thud resume: a run that was interrupted, taken up where its last checkpoint was.
#include "commands.h"
#include "continue_run.h"
#include "report.h"
#include "run/measure_values.h"
#include "run/remedy.h"
#include "run/run_argument.h"
#include "run/run_json.h"
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The scene as the run has written it. Its warnings were given when the run began.
static int read_scene(cli_session *run)
{
    char path[1100];
    thud_fault fault = {0};
    const char *folder = run->call->arguments[0];
    thud_status status = thudi_run_read_model(folder, &run->scene, &run->model, &fault);
    if (status >= 0)
        return CLI_DONE;
    (void)snprintf(path, sizeof path, "%s/frames.thud", folder);
    if (status == THUD_ERR_RECORD && !run->scene && access(path, F_OK) != 0 && errno == ENOENT)
    {
        (void)snprintf(fault.file, sizeof fault.file, "%.255s", folder);
        (void)snprintf(fault.text, sizeof fault.text, "the folder holds no run that has begun");
        (void)snprintf(fault.hint, sizeof fault.hint,
                       "give a run directory, which 'thud run' writes");
    }
    return cli_complain(status, &fault);
}

static int open_record(cli_session *run)
{
    thud_fault fault = {0};
    const char *const *names;
    thudi_recorder *recorder = &run->recorder;
    thud_checkpoint *checkpoint = NULL;
    thud_record_def def = {.folder = run->folder,
                           .dim = thud_model_problem(run->model)->dim,
                           .keys = thud_scene_keys(run->scene),
                           .id_count = run->scene->body_count,
                           .series_count = thud_model_series(run->model, &names)};
    def.series = names;
    thud_status status = thud_record_resume(&def, &recorder->record, &checkpoint, &fault);
    if (status == THUD_NEWS)
        cli_warn("%s%s%s; the checkpoint before it is used", fault.file, fault.file[0] ? ": " : "",
                 fault.text);
    if (status >= 0)
    {
        recorder->first = thud_record_first(recorder->record);
        status = thudi_recorder_restore(recorder, checkpoint, &fault);
        if (status < 0)
            (void)snprintf(fault.file, sizeof fault.file, "%.255s", run->folder);
        else if (run->scene->measure_count > 0)
            status = thudi_measures_read(run->folder, run->model, recorder->values, &fault);
    }
    thud_checkpoint_free(checkpoint);
    if (status == THUD_ERR_RECORD)
        thudi_remedy_elsewhere(run->folder, &fault);
    return status < 0 ? cli_complain(status, &fault) : CLI_DONE;
}

// The part of the run from which the pace of this session is counted.
static void begin_progress(cli_session *run)
{
    const thud_scene *scene = run->scene;
    run->summary.reached = thud_state_time(thud_model_state(run->model));
    cli_progress_go_on(&run->progress,
                       (run->summary.reached - scene->start) / (scene->end - scene->start));
}

static int say_done(const cli_session *run)
{
    char steps[THUD_COUNT_SIZE];
    if (!cli_has(run->call, "quiet"))
        (void)printf("%s: the run is done, %s to t = %.6g; there is nothing to resume\n",
                     run->folder, thud_words_count(steps, run->recorder.tally.steps, "step"),
                     run->summary.reached);
    return CLI_DONE;
}

// A run may be over and not know it: killed between its last checkpoint and its last run.json.
static int take_up(cli_session *run)
{
    char *json = malloc(THUDI_RUN_JSON), how[40];
    if (!json)
        return cli_complain(THUD_ERR_MEMORY, &(thud_fault){0});
    thudi_run_json_read(run->folder, json);
    (void)thud_json_find_text(json, "ending", how, sizeof how);
    double resumed = thud_json_find_number(json, "resumed");
    (void)thud_json_find_text(json, "continues.run", run->origin, sizeof run->origin);
    thud_status status = thudi_halving_keep(&run->halving, run->model, json);
    free(json);
    if (status < 0)
        return cli_complain(status, &(thud_fault){0});
    begin_progress(run);
    if (strcmp(how, "done") == 0 && thud_run_is_over(thud_model_state(run->model), run->scene->end))
        return say_done(run);
    if (run->recorder.wishes.tells)
        (void)fprintf(stderr, "thud: resumed after step %lld\n",
                      (long long)thud_model_state(run->model)->n);
    run->summary.resumed = resumed >= 0 && resumed < 1e9 ? (int)resumed + 1 : 1;
    int code = cli_session_write_json(run);
    return code == CLI_DONE ? cli_session_take(run) : code;
}

// In a new directory, from a checkpoint.
static int go_on(cli_session *run)
{
    int code = thudi_continue_run(run, run->call->arguments[0]);
    if (code != CLI_DONE)
        return code;
    begin_progress(run);
    code = cli_session_write_json(run);
    return code == CLI_DONE ? cli_session_take(run) : code;
}

static int choose_folder(cli_session *run)
{
    const char *folder = cli_value(run->call, "from-checkpoint", run->call->arguments[0]);
    if (snprintf(run->folder, sizeof run->folder, "%s", folder) < (int)sizeof run->folder)
        return CLI_DONE;
    return cli_usage_error("run thud from a folder nearer to it",
                           "the path of the run directory is too long");
}

int command_resume(const cli_call *call)
{
    bool is_new = cli_has(call, "from-checkpoint");
    cli_session *run = malloc(sizeof *run);
    if (!run)
        return cli_complain(THUD_ERR_MEMORY, &(thud_fault){0});
    int code = cli_session_begin(run, call);
    if (code == CLI_DONE)
        code = choose_folder(run);
    if (code == CLI_DONE)
        code = read_scene(run);
    if (code == CLI_DONE)
        code = cli_session_prepare(run);
    if (code == CLI_DONE && !is_new)
        code = open_record(run);
    if (code == CLI_DONE)
        code = is_new ? go_on(run) : take_up(run);
    code = cli_session_close(run, code);
    cli_session_end(run);
    free(run);
    return code;
}
