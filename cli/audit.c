// A run judged from what it has recorded.
#include "audit.h"

#include "frame_nodes.h"
#include "recorder.h"
#include "try.h"

#include <math.h>
#include <string.h>

#define LOG "frames.thud"

typedef struct auditor
{
    const char *folder;
    const cli_run *run;
    cli_audit *audit;
    cli_nodes nodes;
    int64_t frame;      // being looked at
    int64_t next_node;  // whose output has not been accounted for
    int64_t next_frame; // output times passed
} auditor;

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_chain(auditor *a, const thud_state *state)
{
    const thud_log *log = a->run->log;
    int64_t n = state->n, count = thud_log_look(log).step_count;
    if (n >= count)
        cli_audit_blame(a->audit, a->folder, LOG, "the hash of step %lld is missing", (long long)n);
    else if (thud_state_hash(state, n > 0 ? thud_log_chain(log, n - 1) : 0) !=
             thud_log_chain(log, n))
        cli_audit_blame(a->audit, a->folder, LOG,
                        "frame %lld: the state of step %lld does not match the chain of hashes",
                        (long long)a->frame, (long long)n);
}

static void check_start(auditor *a, const thud_frame *frame)
{
    const thud_state *start = thud_model_state(a->run->model);
    size_t size = (size_t)frame->dim * sizeof(double);
    if (a->frame != 0 || frame->n != 0 || !is_same(frame->t, a->run->scene->start) ||
        frame->before_count != 0 || frame->after_count != 0 ||
        memcmp(frame->q, start->q, size) != 0 || memcmp(frame->u, start->u, size) != 0)
        cli_audit_blame(a->audit, a->folder, LOG, "frame %lld: the start is not that of the scene",
                        (long long)a->frame);
    check_chain(a, a->nodes.after);
}

static void check_time(auditor *a, const thud_frame *frame)
{
    const thud_scene *scene = a->run->scene;
    if (!is_same(frame->h, scene->step) ||
        !is_same(frame->t, fma((double)frame->n, scene->step, scene->start)))
        cli_audit_blame(a->audit, a->folder, LOG,
                        "frame %lld: its time or step is not that of step %lld of the scene",
                        (long long)a->frame, (long long)frame->n + 1);
}

// Are the frames until this one those that the scene asks for? node: its end, or the end of all.
static void check_place(auditor *a, int64_t node)
{
    const thud_scene *scene = a->run->scene;
    for (; a->next_node < node; a->next_node++)
        if (cli_is_output(scene, fma((double)a->next_node, scene->step, scene->start),
                          &a->next_frame))
            cli_audit_blame(a->audit, a->folder, LOG, "the frame of step %lld is missing",
                            (long long)a->next_node);
}

static void check_turn(auditor *a, int64_t node)
{
    const thud_scene *scene = a->run->scene;
    check_place(a, node);
    if (a->next_node != node ||
        !cli_is_output(scene, fma((double)node, scene->step, scene->start), &a->next_frame))
        cli_audit_blame(a->audit, a->folder, LOG,
                        "frame %lld is of step %lld, which is out of turn", (long long)a->frame,
                        (long long)node);
    a->next_node = node + 1;
}

static void note_verdict(auditor *a, const thud_verdict *verdict)
{
    cli_audit *audit = a->audit;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        const thud_check *check = &verdict->checks[i];
        if (!(check->value <= audit->worst[i].value))
            audit->worst[i] = *check;
        if (check->holds || audit->failed_step > 0)
            continue;
        audit->failed_step = a->nodes.after->n;
        audit->failed = (thud_certificate_name)i;
        if (check->where >= 0 && check->key != 0)
            thud_model_describe(a->run->model, check->key, audit->failed_where,
                                sizeof audit->failed_where);
    }
}

// Judged with the force as recorded, and with one integrated anew: a force that was made up would
// vouch for itself.
static thud_status judge(auditor *a, const thud_frame *frame)
{
    thud_verdict recorded, anew;
    thud_model *model = a->run->model;
    THUD_TRY(thud_model_judge_recorded(model, a->nodes.before, a->nodes.after, frame->force,
                                       frame->directions, frame->direction_count, &recorded));
    note_verdict(a, &recorded);
    thud_status status =
        thud_model_judge_recorded(model, a->nodes.before, a->nodes.after, NULL, frame->directions,
                                  frame->direction_count, &anew);
    bool holds = recorded.holds;
    if (status >= 0)
    {
        note_verdict(a, &anew);
        a->audit->own_force++;
        holds = holds && anew.holds;
    }
    else if (status != THUD_ERR_QUADRATURE) // a force too rough for the checker is taken as it is
        return status;
    a->audit->judged++;
    a->audit->held += holds;
    return THUD_OK;
}

static thud_status look_at_frame(auditor *a, thud_fault *fault)
{
    thud_frame frame;
    THUD_TRY(thud_log_frame(a->run->log, a->frame, &frame, fault));
    THUD_TRY(cli_nodes_fill(&a->nodes, a->run->scene, &frame));
    if (frame.h == 0)
    {
        check_start(a, &frame);
        return THUD_OK;
    }
    if (a->frame == 0)
        cli_audit_blame(a->audit, a->folder, LOG, "the start is missing");
    check_time(a, &frame);
    check_turn(a, frame.n + 1);
    check_chain(a, a->nodes.before);
    check_chain(a, a->nodes.after);
    thud_status status = judge(a, &frame);
    if (status != THUD_ERR_CALLBACK && status != THUD_ERR_NOT_FINITE)
        return status;
    // no run goes on where the scene has no answer: these numbers are not of one
    cli_audit_blame(a->audit, a->folder, LOG, "frame %lld: the scene has no forces or gaps there",
                    (long long)a->frame);
    a->audit->judged++;
    return THUD_OK;
}

// How far the run has come. One that was killed may have written the hash of its last step, and not
// its frame; not so if there is a checkpoint of it.
static void look_at_end(auditor *a, int64_t last)
{
    const thud_scene *scene = a->run->scene;
    thud_state end = *a->nodes.after;
    end.t0 = scene->start;
    end.h = scene->step;
    end.n = last;
    check_place(a, last);
    bool is_complete = a->next_node > last ||
                       !cli_is_output(scene, thud_state_time(&end), &(int64_t){a->next_frame});
    if (!is_complete && a->audit->kept >= last)
        check_place(a, last + 1);
    a->audit->is_over = is_complete && thud_run_is_over(&end, scene->end);
    a->audit->reached = thud_state_time(&end);
}

thud_status cli_audit_log(const char *folder, const cli_run *run, cli_audit *audit,
                          thud_fault *fault)
{
    thud_log_summary log = thud_log_look(run->log);
    auditor a = {.folder = folder, .run = run, .audit = audit, .next_node = 1};
    *audit = (cli_audit){.rerun = -1, .steps = log.step_count - 1, .frames = log.frame_count};
    if (log.step_count < 1 || log.frame_count < 1)
        cli_audit_blame(audit, folder, LOG, "the log holds no start, or no hashes");
    thud_status status = cli_nodes_make(&a.nodes, log.dim);
    for (; status >= 0 && a.frame < log.frame_count; a.frame++)
        status = look_at_frame(&a, fault);
    if (status >= 0)
        status = cli_audit_checkpoints(folder, run, audit, fault);
    if (status >= 0)
        look_at_end(&a, log.step_count - 1);
    cli_nodes_free(&a.nodes);
    return status;
}
