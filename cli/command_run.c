// thud run: a scene in, a run directory out.
#include "commands.h"
#include "estimate.h"
#include "recorder.h"
#include "report.h"
#include "run_summary.h"
#include "scene_argument.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile int stop_asked; // by a signal; looked at after every step

static void ask_to_stop(int signal)
{
    (void)signal;
    stop_asked = 1;
}

static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = ask_to_stop};
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    (void)sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND; // the second one kills
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    {
        struct sigaction before;
        // what was ignored from the start, as nohup does it, stays so
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(signals[i], &action, NULL);
    }
}

// Everything a run holds, so that one function can let go of it.
typedef struct running
{
    const cli_call *call;
    thud_scene *scene;
    thud_model *model;
    thud_work *work;
    cli_progress progress;
    cli_recorder recorder;
    cli_run_summary summary;
    char folder[1024];
    char error[700];
} running;

static thud_status write_json(running *run)
{
    cli_json json = {0};
    thud_record *record = run->recorder.record;
    cli_run_summary_json(&run->summary, &json);
    thud_status status =
        json.has_failed ? THUD_ERR_MEMORY : thud_record_file_begin(record, "run.json");
    if (status >= 0 && (thud_record_file_write(json.text, json.length, record) != 0 ||
                        thud_record_file_write("\n", 1, record) != 0))
        status = THUD_ERR_IO;
    if (status >= 0)
        status = thud_record_file_end(record);
    cli_json_free(&json);
    return status;
}

static thud_status write_scene(running *run)
{
    thud_record *record = run->recorder.record;
    bool has_bodies = run->scene->kind == THUD_SCENE_SPHERES;
    thud_status status = thud_record_file_begin(record, "scene.yaml");
    if (status >= 0)
        status = thud_scene_write(run->scene, has_bodies ? "bodies.csv" : NULL,
                                  thud_record_file_write, record);
    if (status >= 0)
        status = thud_record_file_end(record);
    if (status < 0 || !has_bodies)
        return status;
    status = thud_record_file_begin(record, "bodies.csv");
    if (status >= 0)
        status = thud_scene_write_bodies(run->scene, thud_record_file_write, record);
    return status < 0 ? status : thud_record_file_end(record);
}

static thud_status open_record(running *run, thud_fault *fault)
{
    const char *const *names;
    thud_record_def def = {.folder = run->folder,
                           .replace = cli_has(run->call, "replace"),
                           .dim = thud_model_problem(run->model)->dim,
                           .series_count = thud_model_series(run->model, &names)};
    def.series = names;
    thud_status status = thud_record_create(&def, &run->recorder.record, fault);
    if (status >= 0)
        status = write_scene(run);
    if (status >= 0)
        status = write_json(run);
    return status;
}

// The constraints that the proof of infeasibility rests on, the heaviest first.
static void name_conflict(running *run, char *text, size_t size)
{
    const thud_report *report = thud_work_report(run->work);
    const double *y = report->answer.farkas.y;
    int count = y ? thud_rows_count(report->rows) : 0, named = 0;
    double below = INFINITY;
    size_t used = 0;
    for (int last = -1; named < 4; named++)
    {
        int heaviest = -1;
        for (int i = 0; i < count; i++)
            if (y[i] > 0 && (y[i] < below || (y[i] == below && i > last)) &&
                (heaviest < 0 || y[i] > y[heaviest]))
                heaviest = i;
        if (heaviest < 0)
            break;
        below = y[heaviest];
        last = heaviest;
        char name[200];
        thud_model_describe(run->model, thud_rows_get(report->rows, heaviest).key, name,
                            sizeof name);
        int length = snprintf(text + used, size - used, "%s%s", named ? "; " : "", name);
        used += length > 0 && (size_t)length < size - used ? (size_t)length : 0;
    }
}

// Say what went wrong in the step after the last good one.
static int complain_step(running *run, thud_status status)
{
    thud_fault fault = {.hint = ""};
    char who[600] = "";
    const thud_state *state = thud_model_state(run->model);
    double next = fma((double)state->n + 1, state->h, state->t0);
    if (status == THUD_ERR_INFEASIBLE)
        name_conflict(run, who, sizeof who);
    else if (thud_model_trouble(run->model, next, state->q, who, sizeof who))
        (void)snprintf(fault.text, sizeof fault.text, "step %lld: %.400s at t = %.6g",
                       (long long)state->n + 1, who, next);
    if (fault.text[0] != '\0')
        (void)snprintf(
            fault.hint, sizeof fault.hint,
            "expressions must be finite, and radii and normals not vanish, for the whole "
            "run");
    else if (who[0] != '\0')
        (void)snprintf(
            fault.text, sizeof fault.text, "step %lld (from t = %.6g): %s; in conflict: %.400s",
            (long long)state->n + 1, thud_state_time(state), thud_status_text(status), who);
    else
        (void)snprintf(fault.text, sizeof fault.text, "%.500s", thud_work_message(run->work));
    if (status == THUD_ERR_INFEASIBLE)
        (void)snprintf(fault.hint, sizeof fault.hint,
                       "walls or radii leave no room from then on; the frames until then are kept");
    else if (status == THUD_ERR_NOT_CONVERGED)
        (void)snprintf(fault.hint, sizeof fault.hint,
                       "a smaller step, or a coarser solver.quality, may help");
    (void)snprintf(run->error, sizeof run->error, "%s", fault.text);
    // a callback that failed for a reason we could name is no bug
    bool is_named = status == THUD_ERR_CALLBACK && who[0] != '\0';
    return cli_complain(is_named ? THUD_ERR_NOT_FINITE : status, &fault);
}

static int complain_check(running *run)
{
    const cli_recorder *recorder = &run->recorder;
    thud_fault fault = {.hint = "please report this with the run directory: it is a bug"};
    if (recorder->concave_step > 0)
    {
        (void)snprintf(fault.text, sizeof fault.text,
                       "step %lld: %s does not hold any more: it is not convex in the coordinates",
                       recorder->failed_step, recorder->concave);
        (void)snprintf(fault.hint, sizeof fault.hint,
                       "g itself must be convex, as of the outside of a disc; the scheme does not "
                       "keep others");
    }
    else
        (void)snprintf(fault.text, sizeof fault.text,
                       "step %lld does not pass the check '%s' (%s)%s%s", recorder->failed_step,
                       thud_certificate_title(recorder->failed),
                       thud_certificate_text(recorder->failed),
                       recorder->failed_where[0] ? ": " : "", recorder->failed_where);
    (void)snprintf(run->error, sizeof run->error, "%s", fault.text);
    return cli_complain(THUD_ERR_NOT_CONVERGED, &fault);
}

static int add_profile(const thud_view *view, void *user)
{
    thud_profile *sum = &((running *)user)->summary.profile;
    if (!view->report)
        return 0;
    const thud_profile *step = &view->report->profile;
    sum->predict += step->predict;
    sum->linearise += step->linearise;
    sum->project += step->project;
    sum->check += step->check;
    sum->commit += step->commit;
    sum->certify += step->certify;
    return 0;
}

// Take the steps. Returns the exit code; the summary says how it ended.
static int take_steps(running *run)
{
    thud_observer observers[] = {{add_profile, THUD_EVERY_STEP, run},
                                 {cli_recorder_observe, THUD_EVERY_STEP, &run->recorder}};
    thud_run_def def = {.end = run->scene->end, .observers = observers, .observer_count = 2};
    thud_status status = thud_run(thud_model_problem(run->model), thud_model_state(run->model),
                                  run->work, &def, &run->summary.tally);
    cli_progress_end(&run->progress);
    run->summary.seconds = cli_seconds() - run->progress.begun;
    run->summary.reached = thud_state_time(thud_model_state(run->model));
    run->summary.ending = "failed";
    if (run->recorder.status < 0)
        return cli_exit_of(run->recorder.status); // said when the record is closed
    if (run->recorder.failed_step > 0)
        return complain_check(run);
    if (status < 0)
        return complain_step(run, status);
    run->summary.ending = status == THUD_STOPPED ? "stopped" : "done";
    if (status == THUD_STOPPED)
        (void)fprintf(stderr, "thud: stopped at t = %.6g; what was recorded is kept\n",
                      run->summary.reached);
    return status == THUD_STOPPED ? CLI_STOPPED : CLI_DONE;
}

static int print_result(running *run)
{
    if (cli_has(run->call, "json"))
    {
        cli_json json = {0};
        cli_run_summary_json(&run->summary, &json);
        return cli_json_print(&json);
    }
    if (!cli_has(run->call, "quiet"))
        cli_run_summary_print(&run->summary);
    return CLI_DONE;
}

static int run_and_record(running *run)
{
    thud_fault fault = {0};
    thud_work_def def = thud_model_work(run->model);
    thud_status status = thud_work_create(&def, &run->work);
    if (status >= 0)
        status = cli_recorder_begin(&run->recorder);
    if (status < 0)
        return cli_complain(status, &fault);
    run->summary.ending = "running";
    status = open_record(run, &fault);
    if (status < 0 && !run->recorder.record)
        return cli_complain(status, &fault);
    int code = status < 0 ? cli_exit_of(status) : take_steps(run);
    bool has_ended = status >= 0 && run->recorder.status >= 0;
    if (has_ended)
        has_ended = write_json(run) >= 0;
    if (has_ended)
    {
        int printed = print_result(run);
        code = code == CLI_DONE ? printed : code;
    }
    status = thud_record_close(run->recorder.record, &fault);
    return status < 0 ? cli_complain(status, &fault) : code;
}

static int refuse_if_too_much(const running *run)
{
    const char *what;
    char need[THUD_NUMBER_SIZE], have[THUD_NUMBER_SIZE];
    cli_estimate estimate = cli_estimate_run(run->scene, run->folder);
    if (!cli_estimate_is_too_much(&estimate, &what) || cli_has(run->call, "force"))
        return CLI_DONE;
    bool is_memory = strcmp(what, "memory") == 0;
    thud_fault fault = {.hint = "make the scene smaller, record less, or use --force"};
    (void)snprintf(fault.file, sizeof fault.file, "%s", run->scene->file);
    (void)snprintf(
        fault.text, sizeof fault.text, "the run needs about %s of %s, and there is %s",
        cli_bytes(need, is_memory ? estimate.memory : estimate.disk), what,
        cli_bytes(have, is_memory ? estimate.memory_available : estimate.disk_available));
    return cli_complain(THUD_ERR_LIMIT, &fault);
}

static void choose_folder(running *run)
{
    const char *path = run->call->arguments[0], *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".yaml") == 0)
        length -= 5;
    const char *wanted = cli_value(run->call, "out", NULL);
    if (wanted)
        (void)snprintf(run->folder, sizeof run->folder, "%s", wanted);
    else
        (void)snprintf(run->folder, sizeof run->folder, "%.*s.run", (int)length, name);
}

int command_run(const cli_call *call)
{
    running *run = calloc(1, sizeof *run);
    if (!run)
        return cli_complain(THUD_ERR_MEMORY, &(thud_fault){0});
    run->call = call;
    choose_folder(run);
    int code = cli_read_scene(call, &run->scene);
    if (code == CLI_DONE)
        code = refuse_if_too_much(run);
    if (code == CLI_DONE)
        code = cli_make_model(run->scene, &run->model);
    if (code == CLI_DONE)
    {
        watch_signals(); // before there is anything to lose
        run->progress = cli_progress_begin(cli_has(call, "quiet") || cli_has(call, "no-progress"));
        run->recorder = (cli_recorder){.scene = run->scene,
                                       .model = run->model,
                                       .is_checking = !cli_has(call, "no-check"),
                                       .progress = &run->progress,
                                       .stop = &stop_asked};
        run->summary = (cli_run_summary){.scene = run->scene,
                                         .folder = run->folder,
                                         .recorder = &run->recorder,
                                         .error = run->error,
                                         .reached = run->scene->start};
        code = run_and_record(run);
    }
    cli_recorder_end(&run->recorder);
    thud_work_destroy(run->work);
    thud_model_destroy(run->model);
    thud_scene_destroy(run->scene);
    free(run);
    return code;
}
