// thud resume: continues an interrupted run from its last checkpoint.
#include "commands.h"
#include "members.h"
#include "report.h"
#include "session.h"

// The pace of this session is counted from the part of the run that is done.
static void begin_progress(cli_session *session)
{
    const thud_scene *scene = thud_recording_scene(session->recording);
    double reached = thud_recording_summary(session->recording).reached;
    cli_progress_go_on(&session->progress, (reached - scene->start) / (scene->end - scene->start));
}

static void print_done(const cli_session *session)
{
    char steps[THUD_COUNT_SIZE];
    thud_recording_figures how = thud_recording_summary(session->recording);
    if (!cli_has(session->call, "quiet"))
        (void)printf("%s: the run is done, %s to t = %.6g; there is nothing to resume\n",
                     session->def.folder, thud_words_count(steps, how.tally->steps, "step"),
                     how.reached);
}

static int resume_run(cli_session *session)
{
    thud_fault fault = {0};
    thud_status status = thud_recording_resume(&session->def, &session->recording, &fault);
    if (status < 0)
        return cli_fail(status, &fault);
    if (thud_recording_is_done(session->recording))
    {
        print_done(session);
        return cli_session_close(session);
    }
    begin_progress(session);
    if (cli_has(session->call, "tell"))
        (void)fprintf(stderr, "thud: resumed after step %lld\n",
                      (long long)thud_recording_state(session->recording)->n);
    return cli_session_run(session);
}

// Continue in a new directory, from a checkpoint.
static int go_on(cli_session *session)
{
    thud_fault fault = {0};
    const char *from = session->call->arguments[0];
    thud_status status = thud_recording_continue(&session->def, from, &session->recording, &fault);
    if (status == THUD_ERR_ARGUMENT && thud_recording_is_within(session->def.folder, from))
        return cli_fail_usage("choose a directory outside RUN",
                              "--from-checkpoint must not write into RUN, but '%s' is in '%s'",
                              session->def.folder, from);
    if (status < 0)
        return cli_fail(status, &fault);
    begin_progress(session);
    return cli_session_run(session);
}

int command_resume(const cli_call *call)
{
    cli_session session;
    int code = cli_session_begin(&session, call);
    if (code == CLI_DONE)
        code = cli_session_folder(&session, cli_value(call, "from-checkpoint", call->arguments[0]));
    if (code != CLI_DONE)
        return code;
    cli_session_watch(&session);
    if (!cli_is_first())
    {
        session.def.folder = call->arguments[0]; // of its scene
        return cli_session_follow(&session);
    }
    return cli_has(call, "from-checkpoint") ? go_on(&session) : resume_run(&session);
}
