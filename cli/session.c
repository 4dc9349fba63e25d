// A session of a run: from the first step it takes to the summary.
#include "session.h"
#include "members.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile int stop_asked;       // by a signal; also read within steps
static volatile int checkpoint_asked; // how often

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
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND; // a second signal kills
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    {
        struct sigaction before;
        // a signal that was ignored from the start, as by nohup, stays ignored
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            (void)sigaction(signals[i], &action, NULL);
    }
    action.sa_handler = ask_for_checkpoint;
    action.sa_flags = SA_RESTART;
    (void)sigaction(SIGUSR1, &action, NULL);
}

static void show_progress(const thud_recording_progress *at, void *user)
{
    cli_session *run = user;
    const thud_scene *scene = thud_recording_scene(run->recording);
    char text[200], count[THUD_COUNT_SIZE], unit[THUD_COUNT_SIZE], rate[THUD_NUMBER_SIZE];
    if (at->is_second && !run->is_second)
    {
        run->is_second = true;
        cli_progress_end(&run->progress);
        run->progress = cli_progress_begin(false);
    }
    if (!cli_progress_is_due(&run->progress, at->part))
        return;
    double steps = cli_pace_rate(&run->progress.pace) * (scene->end - scene->start) /
                   scene->step; // per second
    int used = snprintf(text, sizeof text, "t %.4g of %.4g%s", at->t, scene->end,
                        thud_words_unit(unit, scene->unit_time));
    if (at->is_second)
        (void)snprintf(text + used, sizeof text - (size_t)used, "  at half the step");
    else
        (void)snprintf(text + used, sizeof text - (size_t)used,
                       "  gaps off by <= %.2g  %s  %s steps/s", at->backward,
                       thud_words_count(count, at->contacts, "contact"),
                       thud_words_short(rate, steps));
    cli_progress_show(&run->progress, text);
}

static void on_news(thud_recording_news kind, int64_t step, const char *text, void *user)
{
    cli_session *run = user;
    if (kind == THUD_RECORDING_CHECKPOINT)
    {
        if (cli_has(run->call, "tell"))
            (void)fprintf(stderr, "thud: checkpoint at step %lld\n", (long long)step);
        return;
    }
    cli_progress_end(&run->progress);
    cli_warn("%s", text);
}

// --max-walltime, as a time of the monotonic clock.
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

static int read_step_limit(const cli_call *call, int64_t *steps)
{
    const char *text = cli_value(call, "max-steps", NULL);
    double count = 0;
    if (text && (!thud_number_read(text, strlen(text), &count) || !(count >= 1 && count < 1e15) ||
                 count != floor(count)))
        return cli_fail_usage("give a number, as in --max-steps 1000",
                              "--max-steps must be a whole number above 0, not '%s'", text);
    *steps = (int64_t)count;
    return CLI_DONE;
}

int cli_session_begin(cli_session *run, const cli_call *call)
{
    bool is_quiet = cli_has(call, "quiet") || cli_has(call, "no-progress") || !cli_is_first();
    *run = (cli_session){.call = call,
                         .def = {.team = cli_team(),
                                 .replace = cli_has(call, "replace"),
                                 .no_check = cli_has(call, "no-check"),
                                 .halve = cli_has(call, "halve"),
                                 .progress = is_quiet ? NULL : show_progress,
                                 .news = on_news,
                                 .user = run,
                                 .stop = &stop_asked,
                                 .checkpoint = &checkpoint_asked}};
    int code = read_step_limit(call, &run->def.max_steps);
    return code == CLI_DONE ? read_deadline(call, &run->def.deadline) : code;
}

int cli_session_folder(cli_session *run, const char *folder)
{
    run->def.folder = folder;
    if (strlen(folder) < CLI_FOLDER_SIZE)
        return CLI_DONE;
    return cli_fail_usage("run thud from a folder nearer to it",
                          "the path of the run directory is too long");
}

void cli_session_watch(cli_session *run)
{
    watch_signals(); // before there is anything to lose
    run->progress = cli_progress_begin(!run->def.progress);
}

static int print_result(const cli_session *run, int code)
{
    int printed = CLI_DONE;
    if (cli_has(run->call, "json"))
    {
        thud_json json = {0};
        thud_recording_write_json(run->recording, &json);
        printed = cli_json_print(&json);
    }
    else if (!cli_has(run->call, "quiet"))
    {
        thud_writer out = cli_writer(stdout);
        thud_recording_write(run->recording, &out);
    }
    return code == CLI_DONE ? printed : code;
}

// Take the steps and say how they went.
static int run_to_end(cli_session *run)
{
    thud_fault fault = {0};
    thud_status status = thud_recording_run(run->recording, INFINITY, &fault);
    thud_recording_figures how = thud_recording_summary(run->recording);
    cli_progress_end(&run->progress);
    int code = status < 0 ? cli_fail(status, &fault) : cli_exit_of(status);
    if (!how.is_recorded)
        return code;
    if (strcmp(how.ending, "stopped") == 0)
        (void)fprintf(
            stderr, "thud: stopped at t = %.6g after a checkpoint; continue with: thud resume %s\n",
            how.reached, run->def.folder);
    return print_result(run, code);
}

int cli_session_run(cli_session *run)
{
    int code = run_to_end(run);
    int closed = cli_session_close(run);
    return closed == CLI_DONE ? code : closed;
}

int cli_session_follow(cli_session *run)
{
    thud_fault fault = {0};
    thud_status status = thud_recording_follow(&run->def, &fault);
    return status < 0 ? cli_fail(status, &fault) : CLI_DONE;
}

int cli_session_close(cli_session *run)
{
    thud_fault fault = {0};
    thud_status status = thud_recording_close(run->recording, &fault);
    run->recording = NULL;
    return status < 0 ? cli_fail(status, &fault) : CLI_DONE;
}
