// One call of `thud run` or `thud resume`: its signals, its progress line and its result.
#include "session.h"
#include "members.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// Written by the handlers of signals, and read by the run, also within steps.
static volatile int stop_asked;       // 1 after SIGINT, SIGTERM or SIGHUP
static volatile int checkpoint_asked; // changes with every SIGUSR1

// Limit of --max-steps. Every whole number below it is a double.
static const double STEPS_LIMIT = 1e15;

static void ask_to_stop(int signal)
{
    (void)signal;
    stop_asked = 1;
}

static void ask_for_checkpoint(int signal)
{
    (void)signal;
    checkpoint_asked = (checkpoint_asked + 1) & 0xffff; // begins again at 0: it never overflows
}

static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = ask_to_stop};
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    (void)sigemptyset(&action.sa_mask);
    // After the first signal the default is back, so a second one ends the process at once.
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    {
        struct sigaction before;
        // a signal that the caller ignores stays ignored: nohup does so with SIGHUP
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(signals[i], &action, NULL);
    }
    action.sa_handler = ask_for_checkpoint;
    action.sa_flags = SA_RESTART;
    (void)sigaction(SIGUSR1, &action, NULL);
}

static void show_progress(const thud_recording_progress *at, void *user)
{
    cli_session *session = user;
    const thud_scene *scene = thud_recording_scene(session->recording);
    char text[200], count[THUD_COUNT_SIZE], unit[THUD_COUNT_SIZE], rate[THUD_NUMBER_SIZE];
    if (at->is_second && !session->is_second)
    {
        session->is_second = true;
        cli_progress_end(&session->progress);
        session->progress = cli_progress_begin(false);
    }
    if (!cli_progress_is_due(&session->progress, at->part))
        return;
    double steps_per_second =
        cli_pace_rate(&session->progress.pace) * (scene->end - scene->start) / scene->step;
    int used = snprintf(text, sizeof text, "t %.4g of %.4g%s", at->t, scene->end,
                        thud_words_unit(unit, scene->unit_time));
    if (at->is_second)
        (void)snprintf(text + used, sizeof text - (size_t)used, "  at half the step");
    else
        (void)snprintf(text + used, sizeof text - (size_t)used,
                       "  gaps off by <= %.2g  %s  %s steps/s", at->backward,
                       thud_words_count(count, at->contacts, "contact"),
                       thud_words_short(rate, steps_per_second));
    cli_progress_show(&session->progress, text);
}

static void on_news(thud_recording_news kind, int64_t step, const char *text, void *user)
{
    cli_session *session = user;
    if (kind == THUD_RECORDING_CHECKPOINT)
    {
        if (cli_has(session->call, "tell"))
            (void)fprintf(stderr, "thud: checkpoint at step %lld\n", (long long)step);
        return;
    }
    cli_progress_end(&session->progress);
    cli_warn("%s", text);
}

// Read --max-walltime. *deadline: a time of cli_seconds(), or 0 without the option.
static int read_deadline(const cli_call *call, double *deadline)
{
    const char *text = cli_value(call, "max-walltime", NULL);
    double seconds = 0;
    *deadline = 0;
    if (!text)
        return CLI_DONE;
    if (!thud_number_read(text, strlen(text), &seconds) || !(seconds > 0))
        return cli_fail_usage("give seconds, as in --max-walltime 3600",
                              "--max-walltime must be a number of seconds above 0, not '%s'", text);
    *deadline = cli_seconds() + seconds;
    return CLI_DONE;
}

// Read --max-steps. *steps is 0 without the option.
static int read_step_limit(const cli_call *call, int64_t *steps)
{
    const char *text = cli_value(call, "max-steps", NULL);
    double count = 0;
    if (text && (!thud_number_read(text, strlen(text), &count) ||
                 !(count >= 1 && count < STEPS_LIMIT) || count != floor(count)))
        return cli_fail_usage("give a number, as in --max-steps 1000",
                              "--max-steps must be a whole number above 0 and below 1e15, not '%s'",
                              text);
    *steps = (int64_t)count;
    return CLI_DONE;
}

int cli_session_begin(cli_session *session, const cli_call *call)
{
    bool is_quiet = cli_has(call, "quiet") || cli_has(call, "no-progress") || !cli_is_first();
    *session = (cli_session){.call = call,
                             .def = {.team = cli_team(),
                                     .replace = cli_has(call, "replace"),
                                     .no_check = cli_has(call, "no-check"),
                                     .halve = cli_has(call, "halve"),
                                     .progress = is_quiet ? NULL : show_progress,
                                     .news = on_news,
                                     .user = session,
                                     .stop = &stop_asked,
                                     .checkpoint = &checkpoint_asked}};
    int code = read_step_limit(call, &session->def.max_steps);
    return code == CLI_DONE ? read_deadline(call, &session->def.deadline) : code;
}

int cli_session_folder(cli_session *session, const char *folder)
{
    session->def.folder = folder;
    if (strlen(folder) < CLI_FOLDER_SIZE)
        return CLI_DONE;
    return cli_fail_usage("run thud from a folder nearer to it",
                          "the path of the run directory is too long");
}

void cli_session_watch(cli_session *session)
{
    watch_signals(); // before the run directory exists
    session->progress = cli_progress_begin(!session->def.progress);
}

static int print_result(const cli_session *session, int code)
{
    int printed = CLI_DONE;
    if (cli_has(session->call, "json"))
    {
        thud_json json = {0};
        thud_recording_write_json(session->recording, &json);
        printed = cli_json_print(&json);
    }
    else if (!cli_has(session->call, "quiet"))
    {
        thud_writer out = cli_writer(stdout);
        thud_recording_write(session->recording, &out);
    }
    return code == CLI_DONE ? printed : code;
}

// Take the steps, and print the result or the error. Returns an exit code.
static int run_to_end(cli_session *session)
{
    thud_fault fault = {0};
    thud_status status = thud_recording_run(session->recording, INFINITY, &fault);
    thud_recording_figures figures = thud_recording_summary(session->recording);
    cli_progress_end(&session->progress);
    int code = status < 0 ? cli_fail(status, &fault) : cli_exit_of(status);
    if (!figures.is_recorded)
        return code;
    if (strcmp(figures.ending, "stopped") == 0)
        (void)fprintf(
            stderr, "thud: stopped at t = %.6g after a checkpoint; continue with: thud resume %s\n",
            figures.reached, session->def.folder);
    return print_result(session, code);
}

int cli_session_run(cli_session *session)
{
    int code = run_to_end(session);
    int closed = cli_session_close(session);
    return closed == CLI_DONE ? code : closed;
}

int cli_session_follow(cli_session *session)
{
    thud_fault fault = {0};
    thud_status status = thud_recording_follow(&session->def, &fault);
    return status < 0 ? cli_fail(status, &fault) : CLI_DONE;
}

int cli_session_close(cli_session *session)
{
    thud_fault fault = {0};
    thud_status status = thud_recording_close(session->recording, &fault);
    session->recording = NULL;
    return status < 0 ? cli_fail(status, &fault) : CLI_DONE;
}
