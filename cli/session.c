// A session of a run: from the first step it takes to the summary.
#include "session.h"

#include "run/step_hint.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile int stop_asked;       // by a signal; looked at within steps, too
static volatile int checkpoint_asked; // counted

static void ask_to_stop(int signal)
{
    (void)signal;
    stop_asked = 1;
}

static void ask_for_checkpoint(int signal)
{
    (void)signal;
    checkpoint_asked = (checkpoint_asked + 1) & 0xffff;
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
    action.sa_handler = ask_for_checkpoint;
    action.sa_flags = SA_RESTART;
    (void)sigaction(SIGUSR1, &action, NULL);
}

int cli_session_write_json(cli_session *run)
{
    thud_json json = {0};
    thud_record *record = run->recorder.record;
    run->summary.frames = thud_record_frames(record);
    run->summary.digest = thud_record_digest(record);
    thudi_run_summary_json(&run->summary, &json);
    if (json.has_failed)
    {
        thud_json_free(&json);
        return cli_complain(THUD_ERR_MEMORY, &(thud_fault){0});
    }
    thud_status status = thud_record_file_begin(record, "run.json");
    if (status >= 0 && (thud_record_file_write(json.text, json.length, record) != 0 ||
                        thud_record_file_write("\n", 1, record) != 0))
        status = THUD_ERR_IO;
    if (status >= 0)
        status = thud_record_file_end(record);
    thud_json_free(&json);
    return cli_exit_of(status); // errors of the record are said when it is closed
}

// Name what cannot be used at the end of the step, or else at its start or in between; *t: when.
static bool find_trouble(cli_session *run, double *t, char *who, size_t size)
{
    const thud_state *state = thud_model_state(run->model);
    for (int part = 64; part >= 0; part--)
    {
        *t = fma((double)state->n + part / 64.0, state->h, state->t0);
        if (thud_model_trouble(run->model, *t, state->q, who, size))
            return true;
    }
    return false;
}

// Say what went wrong in the step after the last good one.
static int complain_step(cli_session *run, thud_status status)
{
    thud_fault fault = {.hint = ""};
    char who[600] = "";
    const thud_state *state = thud_model_state(run->model);
    double when = 0;
    if (status == THUD_ERR_INFEASIBLE)
        thudi_name_conflict(run->model, thud_work_report(run->work), who, sizeof who);
    else if (find_trouble(run, &when, who, sizeof who))
        (void)snprintf(fault.text, sizeof fault.text, "step %lld: %.400s at t = %.6g",
                       (long long)state->n + 1, who, when);
    if (fault.text[0] != '\0')
        (void)snprintf(fault.hint, sizeof fault.hint,
                       "change the scene: expressions must be finite, and radii and normals must "
                       "not vanish, for the whole run");
    else if (who[0] != '\0')
        (void)snprintf(
            fault.text, sizeof fault.text, "step %lld (from t = %.6g): %s; in conflict: %.400s",
            (long long)state->n + 1, thud_state_time(state), thud_status_text(status), who);
    else
        (void)snprintf(fault.text, sizeof fault.text, "%.500s", thud_work_message(run->work));
    if (status == THUD_ERR_INFEASIBLE)
        thudi_hint_conflict(run->scene, run->model, thud_work_report(run->work), &fault);
    else if (status == THUD_ERR_STEP && who[0] == '\0')
        thudi_hint_step(run->scene, &fault);
    else if (status == THUD_ERR_NOT_CONVERGED)
        (void)snprintf(fault.hint, sizeof fault.hint,
                       "try a smaller step, or a coarser solver.quality");
    (void)snprintf(run->error, sizeof run->error, "%s", fault.text);
    // a callback that failed for a reason we could name is no bug
    bool is_named = status == THUD_ERR_CALLBACK && who[0] != '\0';
    return cli_complain(is_named ? THUD_ERR_NOT_FINITE : status, &fault);
}

static int complain_check(cli_session *run)
{
    const thudi_recorder *recorder = &run->recorder;
    thud_fault fault = {.hint = "report this bug with the run directory, please"};
    if (recorder->concave_step > 0)
    {
        (void)snprintf(fault.text, sizeof fault.text,
                       "step %lld: %s no longer holds: it is not convex in the coordinates",
                       recorder->failed_step, recorder->concave);
        (void)snprintf(
            fault.hint, sizeof fault.hint,
            "use a convex g, such as that of the outside of a disk; the scheme cannot keep others");
    }
    else if (recorder->failed == THUD_CERT_NO_OVERLAP && recorder->smallest < INFINITY)
    {
        (void)snprintf(fault.text, sizeof fault.text,
                       "step %lld: bodies overlap by %.3g, which is %.3g of the smallest radius",
                       recorder->failed_step, -recorder->tally.min_gap,
                       -recorder->tally.min_gap / recorder->smallest);
        (void)snprintf(fault.hint, sizeof fault.hint,
                       "use masses and forces that differ less: rounding moves the lighter bodies; "
                       "if they do not differ much, report it");
    }
    else
        (void)snprintf(fault.text, sizeof fault.text,
                       "step %lld fails the certificate '%s' (%s)%s%s", recorder->failed_step,
                       thud_certificate_title(recorder->failed),
                       thud_certificate_text(recorder->failed),
                       recorder->failed_where[0] ? ": " : "", recorder->failed_where);
    (void)snprintf(run->error, sizeof run->error, "%s", fault.text);
    return cli_complain(THUD_ERR_NOT_CONVERGED, &fault);
}

static int add_profile(const thud_view *view, void *user)
{
    thud_profile *sum = &((cli_session *)user)->summary.profile;
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
static int take_steps(cli_session *run)
{
    thud_observer observers[] = {{add_profile, THUD_EVERY_STEP, run},
                                 {thudi_recorder_observe, THUD_EVERY_STEP, &run->recorder},
                                 {thudi_halving_observe, THUD_EVERY_STEP, &run->halving}};
    const thudi_wishes *wishes = &run->recorder.wishes;
    thud_run_def def = {.end = run->scene->end,
                        .observers = observers,
                        .observer_count = sizeof observers / sizeof *observers,
                        .stop = wishes->stop,
                        .deadline = isfinite(wishes->deadline) ? wishes->deadline : 0};
    thud_status status = thud_run(thud_model_problem(run->model), thud_model_state(run->model),
                                  run->work, &def, NULL);
    if (status == THUD_STOPPED) // in the midst of a step, which is dropped
        thudi_recorder_stop(&run->recorder, thud_model_state(run->model));
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
    return status == THUD_STOPPED ? CLI_STOPPED : CLI_DONE;
}

static int print_result(cli_session *run, int code)
{
    int printed = CLI_DONE;
    if (cli_has(run->call, "json"))
    {
        thud_json json = {0};
        thudi_run_summary_json(&run->summary, &json);
        printed = cli_json_print(&json);
    }
    else if (!cli_has(run->call, "quiet"))
        thudi_run_summary_print(&run->summary);
    return code == CLI_DONE ? printed : code;
}

// At half the step; the run itself is on the disk by now. Stopped, it leaves that as it is.
static int take_second_run(cli_session *run, int *written)
{
    bool is_quiet = cli_has(run->call, "quiet") || cli_has(run->call, "no-progress");
    thud_status status = thudi_halving_run(&run->halving, run->scene, is_quiet);
    *written = cli_session_write_json(run);
    return status == THUD_STOPPED ? CLI_STOPPED : CLI_DONE;
}

int cli_session_take(cli_session *run)
{
    int code = take_steps(run);
    if (run->recorder.status < 0)
        return code;
    thudi_halving_confirm(&run->halving, code == CLI_DONE, run->recorder.chain);
    int written = cli_session_write_json(run);
    if (written == CLI_DONE && code == CLI_DONE && run->halving.recorder)
        code = take_second_run(run, &written);
    if (written != CLI_DONE)
        return code == CLI_DONE || code == CLI_STOPPED ? written : code;
    if (strcmp(run->summary.ending, "stopped") == 0)
        (void)fprintf(
            stderr, "thud: stopped at t = %.6g after a checkpoint; continue with: thud resume %s\n",
            run->summary.reached, run->folder);
    return print_result(run, code);
}

int cli_session_close(cli_session *run, int code)
{
    thud_fault fault = {0};
    thud_status status = thud_record_close(run->recorder.record, &fault);
    run->recorder.record = NULL;
    if (status >= 0) // it was not the record that failed, but what it was to be given
        status = run->recorder.status;
    return status < 0 ? cli_complain(status, &fault) : code;
}

// --max-walltime, as a time of the monotonic clock.
static int read_deadline(const cli_call *call, double *deadline)
{
    const char *text = cli_value(call, "max-walltime", NULL);
    double seconds = 0;
    *deadline = INFINITY;
    if (!text)
        return CLI_DONE;
    if (!thud_number_read(text, strlen(text), &seconds) || !(seconds > 0))
        return cli_usage_error("give seconds, as in --max-walltime 3600",
                               "--max-walltime must be a number of seconds above 0, not '%s'",
                               text);
    *deadline = cli_seconds() + seconds;
    return CLI_DONE;
}

static int read_step_limit(const cli_call *call, int64_t *steps)
{
    const char *text = cli_value(call, "max-steps", NULL);
    double count = -1;
    if (text && (!thud_number_read(text, strlen(text), &count) || !(count >= 1 && count < 1e15) ||
                 count != floor(count)))
        return cli_usage_error("give a number, as in --max-steps 1000",
                               "--max-steps must be a whole number above 0, not '%s'", text);
    *steps = (int64_t)count;
    return CLI_DONE;
}

int cli_session_begin(cli_session *run, const cli_call *call)
{
    *run = (cli_session){.call = call};
    run->recorder.wishes = (thudi_wishes){
        .stop = &stop_asked, .checkpoint = &checkpoint_asked, .tells = cli_has(call, "tell")};
    int code = read_step_limit(call, &run->recorder.wishes.steps);
    return code == CLI_DONE ? read_deadline(call, &run->recorder.wishes.deadline) : code;
}

int cli_session_prepare(cli_session *run)
{
    const cli_call *call = run->call;
    thudi_recorder *recorder = &run->recorder;
    watch_signals(); // before there is anything to lose
    run->progress = cli_progress_begin(cli_has(call, "quiet") || cli_has(call, "no-progress"));
    recorder->scene = run->scene;
    recorder->model = run->model;
    recorder->progress = &run->progress;
    run->summary = (thudi_run_summary){.scene = run->scene,
                                       .folder = run->folder,
                                       .recorder = recorder,
                                       .error = run->error,
                                       .origin = run->origin,
                                       .ending = "running",
                                       .reached = run->scene->start,
                                       .advice = thud_step_advise(run->scene, run->model),
                                       .halving = &run->halving};
    thud_work_def def = thud_model_work(run->model);
    thud_status status = thud_work_create(&def, &run->work);
    if (status >= 0)
        status = thudi_recorder_begin(recorder);
    if (status >= 0 && cli_has(call, "halve"))
        status = thudi_halving_begin(&run->halving, recorder);
    return status < 0 ? cli_complain(status, &(thud_fault){0}) : CLI_DONE;
}

void cli_session_end(cli_session *run)
{
    thudi_recorder_end(&run->recorder);
    thudi_halving_end(&run->halving);
    thud_work_destroy(run->work);
    thud_model_destroy(run->model);
    thud_scene_destroy(run->scene);
}
