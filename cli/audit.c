// A run judged from what it has recorded.
#include "audit.h"

#include "frame_nodes.h"
#include "recorder.h"
#include "try.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

// Note the first thing that does not fit.
__attribute__((format(printf, 2, 3))) static void blame(auditor *a, const char *format, ...)
{
    thud_fault *damage = &a->audit->damage;
    va_list arguments;
    if (damage->text[0] != '\0')
        return;
    (void)snprintf(damage->file, sizeof damage->file, "%.240s/frames.thud", a->folder);
    va_start(arguments, format);
    (void)vsnprintf(damage->text, sizeof damage->text, format, arguments);
    va_end(arguments);
}

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_chain(auditor *a, const thud_state *state)
{
    const thud_log *log = a->run->log;
    int64_t n = state->n, count = thud_log_look(log).step_count;
    if (n >= count)
        blame(a, "the hash of step %lld is missing", (long long)n);
    else if (thud_state_hash(state, n > 0 ? thud_log_chain(log, n - 1) : 0) !=
             thud_log_chain(log, n))
        blame(a, "frame %lld: the state of step %lld does not match the chain of hashes",
              (long long)a->frame, (long long)n);
}

static void check_start(auditor *a, const thud_frame *frame)
{
    const thud_state *start = thud_model_state(a->run->model);
    size_t size = (size_t)frame->dim * sizeof(double);
    if (a->frame != 0 || frame->n != 0 || !is_same(frame->t, a->run->scene->start) ||
        frame->before_count != 0 || frame->after_count != 0 ||
        memcmp(frame->q, start->q, size) != 0 || memcmp(frame->u, start->u, size) != 0)
        blame(a, "frame %lld: the start is not that of the scene", (long long)a->frame);
    check_chain(a, a->nodes.after);
}

static void check_time(auditor *a, const thud_frame *frame)
{
    const thud_scene *scene = a->run->scene;
    if (!is_same(frame->h, scene->step) ||
        !is_same(frame->t, fma((double)frame->n, scene->step, scene->start)))
        blame(a, "frame %lld: its time or step is not that of step %lld of the scene",
              (long long)a->frame, (long long)frame->n + 1);
}

// Are the frames until this one those that the scene asks for? node: its end, or the end of all.
static void check_place(auditor *a, int64_t node)
{
    const thud_scene *scene = a->run->scene;
    for (; a->next_node < node; a->next_node++)
        if (cli_is_output(scene, fma((double)a->next_node, scene->step, scene->start),
                          &a->next_frame))
            blame(a, "the frame of step %lld is missing", (long long)a->next_node);
}

static void check_turn(auditor *a, int64_t node)
{
    const thud_scene *scene = a->run->scene;
    check_place(a, node);
    if (a->next_node != node ||
        !cli_is_output(scene, fma((double)node, scene->step, scene->start), &a->next_frame))
        blame(a, "frame %lld is of step %lld, which is out of turn", (long long)a->frame,
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
    THUD_TRY(thud_model_judge(model, a->nodes.before, a->nodes.after, frame->force, &recorded));
    note_verdict(a, &recorded);
    thud_status status = thud_model_judge(model, a->nodes.before, a->nodes.after, NULL, &anew);
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
        blame(a, "the start is missing");
    check_time(a, &frame);
    check_turn(a, frame.n + 1);
    check_chain(a, a->nodes.before);
    check_chain(a, a->nodes.after);
    return judge(a, &frame);
}

// The newest checkpoint, if there is one, must be of this log.
static thud_status look_at_checkpoint(auditor *a, thud_fault *fault)
{
    int64_t n = -1;
    uint64_t chain = 0;
    thud_checkpoint *checkpoint = NULL;
    const thud_field fields[] = {{"n", THUD_FIELD_INT64, 1, &n},
                                 {"chain", THUD_FIELD_UINT64, 1, &chain}};
    thud_status status = thud_record_check(a->folder, NULL, &checkpoint, fault);
    if (status >= 0)
        status = thud_checkpoint_restore(checkpoint, fields, 2, fault);
    thud_checkpoint_free(checkpoint);
    if (status == THUD_ERR_RECORD)
    {
        if (a->audit->damage.text[0] == '\0')
            a->audit->damage = *fault;
        return THUD_OK;
    }
    if (status >= 0 && (n < 0 || n >= thud_log_look(a->run->log).step_count ||
                        chain != thud_log_chain(a->run->log, n)))
        blame(a, "the checkpoint is of another run");
    return status;
}

thud_status cli_audit_log(const char *folder, const cli_run *run, cli_audit *audit,
                          thud_fault *fault)
{
    thud_log_summary log = thud_log_look(run->log);
    auditor a = {.folder = folder, .run = run, .audit = audit, .next_node = 1};
    *audit = (cli_audit){.rerun = -1, .steps = log.step_count - 1, .frames = log.frame_count};
    if (log.step_count < 1 || log.frame_count < 1)
        blame(&a, "the log holds no start, or no hashes");
    thud_status status = cli_nodes_make(&a.nodes, log.dim);
    for (; status >= 0 && a.frame < log.frame_count; a.frame++)
        status = look_at_frame(&a, fault);
    check_place(&a, log.step_count);
    if (status >= 0)
        status = look_at_checkpoint(&a, fault);
    if (status >= 0 && log.step_count > 0)
    {
        thud_state end = *a.nodes.after;
        end.t0 = run->scene->start;
        end.h = run->scene->step;
        end.n = audit->steps;
        audit->is_over = thud_run_is_over(&end, run->scene->end);
        audit->reached = thud_state_time(&end);
    }
    cli_nodes_free(&a.nodes);
    return status;
}

thud_status cli_audit_rerun(const char *folder, const cli_run *run, cli_audit *audit,
                            thud_fault *fault)
{
    thud_work *work = NULL;
    thud_work_def def = thud_model_work(run->model);
    thud_state *state = thud_model_state(run->model);
    int64_t count = thud_log_look(run->log).step_count;
    auditor a = {.folder = folder, .run = run, .audit = audit};
    thud_status status = thud_work_create(&def, &work);
    uint64_t chain = thud_state_hash(state, 0);
    for (int64_t n = 0; status >= 0 && n < count; n++)
    {
        if (n > 0)
        {
            status = thud_step(thud_model_problem(run->model), state, work);
            chain = thud_state_hash(state, chain);
            audit->rerun = n;
        }
        if (status >= 0 && chain != thud_log_chain(run->log, n))
        {
            blame(&a, "step %lld computed again is another than the recorded one", (long long)n);
            break;
        }
    }
    if (status < 0)
        (void)snprintf(fault->text, sizeof fault->text, "computed again: %.400s",
                       work ? thud_work_message(work) : thud_status_text(status));
    thud_work_destroy(work);
    return status;
}
