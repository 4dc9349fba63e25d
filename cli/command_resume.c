// thud resume: continues an interrupted run from its last checkpoint.
#include "commands.h"
#include "members.h"
#include "report.h"
#include "session.h"

// The pace of this session is counted from the part of the run that is done.
static void begin_progress(cli_session *run)
{
    const thud_scene *scene = thud_recording_scene(run->recording);
    double reached = thud_recording_summary(run->recording).reached;
    cli_progress_go_on(&run->progress, (reached - scene->start) / (scene->end - scene->start));
}

static void print_done(const cli_session *run)
{
    char steps[THUD_COUNT_SIZE];
    thud_recording_figures how = thud_recording_summary(run->recording);
    if (!cli_has(run->call, "quiet"))
        (void)printf("%s: the run is done, %s to t = %.6g; there is nothing to resume\n",
                     run->def.folder, thud_words_count(steps, how.tally->steps, "step"),
                     how.reached);
}

static int resume_run(cli_session *run)
{
    thud_fault fault = {0};
    thud_status status = thud_recording_resume(&run->def, &run->recording, &fault);
    if (status < 0)
        return cli_fail(status, &fault);
    if (thud_recording_is_done(run->recording))
    {
        print_done(run);
        return cli_session_close(run);
    }
    begin_progress(run);
    if (cli_has(run->call, "tell"))
        (void)fprintf(stderr, "thud: resumed after step %lld\n",
                      (long long)thud_recording_state(run->recording)->n);
    return cli_session_run(run);
}

// Continue in a new directory, from a checkpoint.
static int go_on(cli_session *run)
{
    thud_fault fault = {0};
    const char *from = run->call->arguments[0];
    thud_status status = thud_recording_continue(&run->def, from, &run->recording, &fault);
    if (status == THUD_ERR_ARGUMENT && thud_recording_is_within(run->def.folder, from))
        return cli_fail_usage("choose a directory outside RUN",
                              "--from-checkpoint must not write into RUN, but '%s' is in '%s'",
                              run->def.folder, from);
    if (status < 0)
        return cli_fail(status, &fault);
    begin_progress(run);
    return cli_session_run(run);
}

int command_resume(const cli_call *call)
{
    cli_session run;
    int code = cli_session_begin(&run, call);
    if (code == CLI_DONE)
        code = cli_session_folder(&run, cli_value(call, "from-checkpoint", call->arguments[0]));
    if (code != CLI_DONE)
        return code;
    cli_session_watch(&run);
    if (!cli_is_first())
    {
        run.def.folder = call->arguments[0]; // of its scene
        return cli_session_follow(&run);
    }
    return cli_has(call, "from-checkpoint") ? go_on(&run) : resume_run(&run);
}
