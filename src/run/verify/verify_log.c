// A run verified from what it has recorded: its log.
#include "run/verify/verify_parts.h"

#include "core/fault.h"
#include "core/memory.h"
#include "run/recorder.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void fail_file(thud_fault *fault, const char *folder, const char *file, int line,
                      const char *format, va_list arguments)
{
    if (fault->text[0] != '\0')
        return;
    (void)thudi_fail_list(fault, THUD_ERR_RECORD,
                          (thudi_at){.folder = folder, .file = file, .line = line}, "", format,
                          arguments);
}

void thudi_verify_damage(thud_recorded_verdict *verdict, const char *folder, const char *file,
                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_file(&verdict->damage, folder, file, 0, format, arguments);
    va_end(arguments);
}

void thudi_verify_figure(thud_recorded_verdict *verdict, const char *folder, const char *file,
                         int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_file(&verdict->figures, folder, file, line, format, arguments);
    va_end(arguments);
}

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// The first node of a run that continues another has no hash before it: its state must be the one
// that the log begins with.
bool thudi_verify_is_linked(const thudi_verifier *a, const thud_state *state)
{
    const thud_log *log = a->run->log;
    int64_t n = state->n;
    if (n > 0 && n == a->verdict->first)
        return thud_state_hash(state, 0) == a->start_hash;
    return thud_state_hash(state, n > 0 ? thud_log_chain(log, n - 1) : 0) == thud_log_chain(log, n);
}

static void check_chain(thudi_verifier *a, const thud_state *state)
{
    const thud_log *log = a->run->log;
    int64_t n = state->n;
    if (n < a->verdict->first || n >= thud_log_view(log).step_count)
        thudi_verify_damage(a->verdict, a->folder, a->log_name, "the hash of step %lld is missing",
                            (long long)n);
    else if (!thudi_verify_is_linked(a, state))
        thudi_verify_damage(a->verdict, a->folder, a->log_name,
                            "frame %lld: the state of step %lld does not match the chain of hashes",
                            (long long)a->frame, (long long)n);
}

static bool has_same_multipliers(const thud_state *a, const thud_state *b)
{
    size_t count = (size_t)a->multiplier_count, more = count * (size_t)a->more_width;
    return a->multiplier_count == b->multiplier_count &&
           (count == 0 ||
            (a->more_width == b->more_width &&
             memcmp(a->multipliers, b->multipliers, count * sizeof *a->multipliers) == 0)) &&
           (more == 0 || memcmp(a->more, b->more, more * sizeof *a->more) == 0);
}

// What a step began with is what the step before it ended with, bit for bit.
static void check_joint(thudi_verifier *a)
{
    const thud_state *end = a->previous, *begin = a->nodes.before;
    size_t size = (size_t)begin->dim * sizeof(double);
    if (!a->has_previous || end->n != begin->n)
        return;
    if (memcmp(end->q, begin->q, size) != 0 || memcmp(end->u, begin->u, size) != 0 ||
        !has_same_multipliers(end, begin))
        thudi_verify_damage(a->verdict, a->folder, a->log_name,
                            "frame %lld does not begin where the previous frame ends",
                            (long long)a->frame);
}

static void check_words(thudi_verifier *a, const thud_frame *frame)
{
    const char *wrong = thudi_verify_word(a->run->scene, frame);
    if (wrong)
        thudi_verify_damage(a->verdict, a->folder, a->log_name, "frame %lld: %s",
                            (long long)a->frame, wrong);
}

// A run that continues another begins with a state that only a rerun can prove.
static void check_continued(thudi_verifier *a, const thud_frame *frame)
{
    const thud_scene *scene = a->run->scene;
    const char *wrong = thudi_state_fault(a->nodes.after, scene);
    if (a->frame != 0 || frame->n != a->verdict->first || frame->after_count != 0 ||
        !is_same(frame->h, 0) ||
        !is_same(frame->t, fma((double)frame->n, scene->step, scene->start)))
        wrong = "its step or time is not that of the first node";
    if (wrong)
        thudi_verify_damage(a->verdict, a->folder, a->log_name, "frame %lld: %s",
                            (long long)a->frame, wrong);
    a->start_hash = thud_state_hash(a->nodes.after, 0);
}

static void check_start(thudi_verifier *a, const thud_frame *frame)
{
    const thud_state *start = thud_model_state(a->run->model);
    size_t size = (size_t)frame->dim * sizeof(double);
    if (a->frame != 0 || frame->n != 0 || !is_same(frame->t, a->run->scene->start) ||
        !is_same(frame->h, 0) || frame->before_count != 0 || frame->after_count != 0 ||
        memcmp(frame->q, start->q, size) != 0 || memcmp(frame->u, start->u, size) != 0)
        thudi_verify_damage(a->verdict, a->folder, a->log_name,
                            "frame %lld: its start differs from the scene's start",
                            (long long)a->frame);
    check_chain(a, a->nodes.after);
}

static void check_time(thudi_verifier *a, const thud_frame *frame)
{
    const thud_scene *scene = a->run->scene;
    if (!is_same(frame->h, scene->step) ||
        !is_same(frame->t, fma((double)frame->n, scene->step, scene->start)))
        thudi_verify_damage(
            a->verdict, a->folder, a->log_name,
            "frame %lld: its time or step length differs from step %lld of the scene",
            (long long)a->frame, (long long)frame->n + 1);
}

// Are the frames until this one those that the scene asks for? node: its end, or the end of all.
// One far behind the last hash is out of order: nodes are looked at only as far as the log goes.
static void check_place(thudi_verifier *a, int64_t node)
{
    const thud_scene *scene = a->run->scene;
    int64_t most = thud_log_view(a->run->log).step_count;
    for (; a->next_node < node && a->next_node <= most; a->next_node++)
        if (thudi_is_output(scene, fma((double)a->next_node, scene->step, scene->start),
                            &a->next_frame))
            thudi_verify_damage(a->verdict, a->folder, a->log_name,
                                "the frame of step %lld is missing", (long long)a->next_node);
}

static void check_turn(thudi_verifier *a, int64_t node)
{
    const thud_scene *scene = a->run->scene;
    check_place(a, node);
    if (a->next_node != node ||
        !thudi_is_output(scene, fma((double)node, scene->step, scene->start), &a->next_frame))
        thudi_verify_damage(a->verdict, a->folder, a->log_name,
                            "frame %lld holds step %lld, which is out of order",
                            (long long)a->frame, (long long)node);
    a->next_node = node + 1;
}

static void note_step(thudi_verifier *a, const thud_verdict *step)
{
    thud_recorded_verdict *verdict = a->verdict;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        const thud_check *check = &step->checks[i];
        if (!(check->value <= verdict->worst[i].value))
            verdict->worst[i] = *check;
        if (check->holds || verdict->failed_step > 0)
            continue;
        verdict->failed_step = a->nodes.after->n;
        verdict->failed = (thud_certificate_name)i;
        if (thudi_check_is_row(a->run->scene, verdict->failed, check))
            thud_model_describe(a->run->model, check->key, verdict->failed_where,
                                sizeof verdict->failed_where);
    }
}

// As the run itself has counted.
static void note_recorded(thudi_verifier *a, const thud_verdict *step)
{
    note_step(a, step);
    a->held += step->holds;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        if (!(step->checks[i].value <= a->worst[i]))
            a->worst[i] = step->checks[i].value;
}

// Verify a step twice: with the recorded force, and with one that the checker integrates, as a
// forged force would pass with itself. A force that the checker cannot integrate leaves the step
// unproved.
static thud_status verify_twice(thudi_verifier *a, const thud_frame *frame,
                                const thudi_judgement *dealt, double *min_gap)
{
    thudi_judgement own;
    thud_recorded_verdict *verdict = a->verdict;
    if (!dealt)
        thudi_judge(a->run, &a->nodes, frame, &own);
    const thudi_judgement *found = dealt ? dealt : &own;
    THUD_TRY(found->recorded);
    *min_gap = found->by_recorded.min_gap;
    note_recorded(a, &found->by_recorded);
    if (found->integrated < 0 && found->integrated != THUD_ERR_QUADRATURE)
        return found->integrated;
    verdict->judged++;
    verdict->unproved += found->integrated < 0;
    if (found->integrated < 0)
        return THUD_OK;
    note_step(a, &found->by_integrated);
    verdict->held += found->by_recorded.holds && found->by_integrated.holds;
    verdict->verified += found->by_recorded.holds && found->by_integrated.holds;
    return THUD_OK;
}

static thud_status verify_step(thudi_verifier *a, const thud_frame *frame,
                               const thudi_judgement *dealt, double *min_gap)
{
    if (a->frame == 0)
        thudi_verify_damage(a->verdict, a->folder, a->log_name, "the start is missing");
    check_time(a, frame);
    check_turn(a, frame->n + 1);
    check_joint(a);
    check_chain(a, a->nodes.before);
    check_chain(a, a->nodes.after);
    thud_status status = verify_twice(a, frame, dealt, min_gap);
    if (status != THUD_ERR_CALLBACK && status != THUD_ERR_NOT_FINITE)
        return status;
    // no run goes on where the scene has no answer: these numbers are not of one
    thudi_verify_damage(a->verdict, a->folder, a->log_name,
                        "frame %lld: the scene's forces or gaps cannot be evaluated there",
                        (long long)a->frame);
    a->verdict->judged++;
    return THUD_OK;
}

static thud_status verify_frame(thudi_verifier *a, thud_fault *fault)
{
    thud_frame frame;
    const thudi_judgement *dealt;
    double min_gap = NAN;
    THUD_TRY(thudi_deal_round(&a->deal, a->run, &a->nodes, a->frame, fault));
    THUD_TRY(thud_log_frame(a->run->log, a->frame, &frame, fault));
    THUD_TRY(thudi_deal_find(&a->deal, a->run, a->frame, &dealt, fault));
    THUD_TRY(thudi_nodes_fill(&a->nodes, a->run->scene, &frame));
    check_words(a, &frame);
    if (frame.h == 0 && a->verdict->first > 0)
        check_continued(a, &frame);
    else if (frame.h == 0)
        check_start(a, &frame);
    else
    {
        thudi_verify_pass_marks(a, frame.n + 1);
        THUD_TRY(verify_step(a, &frame, dealt, &min_gap));
    }
    a->has_previous = true;
    THUD_TRY(thud_state_copy(a->previous, a->nodes.after));
    return thudi_verify_series_node(a, min_gap, fault);
}

// How far the run has come. One that was killed may have written the hash of its last step, and not
// its frame; not so if there is a checkpoint of it.
static void verify_end(thudi_verifier *a, int64_t last)
{
    const thud_scene *scene = a->run->scene;
    thud_state end = *a->nodes.after;
    end.t0 = scene->start;
    end.h = scene->step;
    end.n = last;
    check_place(a, last);
    bool is_complete = a->next_node > last ||
                       !thudi_is_output(scene, thud_state_time(&end), &(int64_t){a->next_frame});
    if (!is_complete && a->verdict->kept >= last)
        check_place(a, last + 1);
    a->verdict->is_over = is_complete && thud_run_is_over(&end, scene->end);
    a->verdict->reached = thud_state_time(&end);
    if (a->verdict->is_over && thud_log_view(a->run->log).is_cut)
        thudi_verify_damage(a->verdict, a->folder, a->log_name,
                            "there are bytes after the last record");
}

static thud_status take_digests(thudi_verifier *a, thud_fault *fault)
{
    int order[THUDI_MARK_COUNT], count = 0;
    int64_t nodes[THUDI_MARK_COUNT];
    thud_digest digests[THUDI_MARK_COUNT];
    for (int i = 0; i < THUDI_MARK_COUNT; i++) // sorted by node
    {
        int at = count++;
        for (; at > 0 && nodes[at - 1] > a->marks[i].node; at--)
        {
            nodes[at] = nodes[at - 1];
            order[at] = order[at - 1];
        }
        nodes[at] = a->marks[i].node;
        order[at] = i;
    }
    THUD_TRY(thud_log_digest(a->run->log, nodes, count, digests, fault));
    for (int i = 0; i < count; i++)
        a->marks[order[i]].digest = digests[i];
    a->verdict->digest = a->marks[THUDI_MARK_END].digest;
    return THUD_OK;
}

static thud_status verify_frames(thudi_verifier *a, thud_fault *fault)
{
    thud_log_summary log = thud_log_view(a->run->log);
    THUD_TRY(thudi_nodes_make(&a->nodes, log.dim));
    THUD_TRY(thudi_node_make(&a->previous, log.dim));
    THUD_TRY(thudi_deal_open(&a->deal, a->def->team));
    THUD_TRY(thudi_deal_compare(&a->deal, a->run, fault));
    THUD_TRY(thudi_verify_marks(a));
    THUD_TRY(thudi_verify_series_open(a, fault));
    for (; a->frame < log.frame_count; a->frame++)
    {
        if (thudi_verify_ends(a->def, (double)a->frame / (double)log.frame_count))
            return THUD_STOPPED;
        THUD_TRY(verify_frame(a, fault));
    }
    thudi_verify_pass_marks(a, INT64_MAX);
    bool has_older = a->marks[THUDI_MARK_OLDER].node >= 0;
    a->verdict->verified_older =
        a->marks[has_older ? THUDI_MARK_OLDER : THUDI_MARK_NEWEST].verified;
    THUD_TRY(thudi_verify_series_end(a, log.step_count - 1, fault));
    THUD_TRY(take_digests(a, fault));
    THUD_TRY(thudi_verify_checkpoints(a, fault));
    verify_end(a, log.step_count - 1);
    thudi_verify_series_missing(a);
    return thudi_verify_json(a);
}

thud_status thudi_verify_log(const thud_recorded *run, const thud_recorded_verify_def *def,
                             thud_recorded_verdict *verdict, thud_fault *fault)
{
    const char *folder = run->folder;
    thud_log_summary log = thud_log_view(run->log);
    thudi_verifier a = {.folder = folder,
                        .log_name = thud_log_form_file(log.form),
                        .run = run,
                        .def = def,
                        .verdict = verdict,
                        .next_node = log.first_node + 1,
                        .row = log.first_node > 0 ? log.first_node : -1,
                        .missing_line = -1,
                        .tally = thud_tally_begin()};
    *verdict = (thud_recorded_verdict){.rerun = -1,
                                       .first = log.first_node,
                                       .steps = log.step_count - 1,
                                       .frames = log.frame_count};
    if (log.first_node > 0) // output times before it have passed
        (void)thudi_is_output(run->scene,
                              fma((double)log.first_node, run->scene->step, run->scene->start),
                              &a.next_frame);
    if (log.step_count <= log.first_node || log.frame_count < 1)
        thudi_verify_damage(verdict, folder, a.log_name,
                            "the log has no start frame, or no hashes");
    thud_status status = verify_frames(&a, fault);
    thudi_verify_series_close(&a);
    thudi_deal_close(&a.deal);
    thudi_nodes_free(&a.nodes);
    thud_state_destroy(a.previous);
    free(a.json);
    return status;
}
