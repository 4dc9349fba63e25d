// The checkpoints of a run: their states against the chain of hashes, their figures against the
// log and the series.
#include "core/fault.h"
#include "core/memory.h"
#include "run/recorder.h"
#include "run/run_json.h"
#include "run/verify/verify_parts.h"
#include "thud/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"checkpoint.thud", "checkpoint.prev.thud"};

thud_status thudi_verify_marks(thudi_verifier *a)
{
    a->json = malloc(THUDI_RUN_JSON);
    if (!a->json)
        return THUD_ERR_MEMORY;
    for (int i = 0; i < 2; i++) // what is wrong with them is said when they are looked at
    {
        thud_fault fault;
        thud_checkpoint *checkpoint = NULL;
        const thud_field node[] = {{"n", THUD_FIELD_INT64, 1, &a->marks[i].node}};
        if (thud_checkpoint_read(a->folder, i == 1, NULL, &checkpoint, &fault) < 0 ||
            thud_checkpoint_restore(checkpoint, node, 1, &fault) < 0)
            a->marks[i].node = -1;
        thud_checkpoint_free(checkpoint);
    }
    thudi_run_json_read(a->folder, a->json);
    thudi_verify_json_source(a);
    int64_t steps = thud_json_find_count(a->json, "steps");
    a->marks[THUDI_MARK_JSON].node = steps >= 0 ? steps + a->verdict->first : -1;
    a->marks[THUDI_MARK_END].node = thud_log_view(a->run->log).step_count - 1;
    return THUD_OK;
}

void thudi_verify_pass_marks(thudi_verifier *a, int64_t node)
{
    for (int i = 0; i < THUDI_MARK_COUNT; i++)
    {
        thudi_verify_mark *mark = &a->marks[i];
        if (mark->node >= node || mark->is_passed)
            continue;
        mark->is_passed = true;
        mark->checked = a->verdict->judged;
        mark->held = a->held;
        mark->verified = a->verdict->verified;
        memcpy(mark->worst, a->worst, sizeof mark->worst);
    }
}

static thud_status restore_state(const thud_checkpoint *checkpoint, thud_law law, thud_state *state,
                                 thud_fault *fault)
{
    thud_field fields[THUD_STATE_FIELDS];
    THUD_TRY(thudi_state_fit(checkpoint, law, state));
    int fields_used = thud_state_fields(state, fields);
    return thud_checkpoint_restore(checkpoint, fields, fields_used, fault);
}

// A state that is sound and matches the chain; otherwise the checkpoint's file is damaged.
static thud_status verify_state(thudi_verifier *a, const char *name,
                                const thud_checkpoint *checkpoint, thud_state *state,
                                thud_fault *fault)
{
    const thud_log *log = a->run->log;
    thud_recorded_verdict *verdict = a->verdict;
    uint64_t chain = 0;
    const thud_field own[] = {{"chain", THUD_FIELD_UINT64, 1, &chain}};
    THUD_TRY(restore_state(checkpoint, a->run->scene->law, state, fault));
    THUD_TRY(thud_checkpoint_restore(checkpoint, own, 1, fault));
    if (state->n > verdict->kept)
        verdict->kept = state->n;
    const char *wrong = thudi_state_fault(state, a->run->scene);
    if (wrong)
        thudi_verify_damage(verdict, a->folder, name, "the checkpoint cannot be used: %s", wrong);
    else if (state->n >= thud_log_view(log).step_count)
    {
        // written since the log was opened, or else the log has lost what it speaks of
        if (!thud_record_is_busy(a->folder))
            thudi_verify_damage(verdict, a->folder, name,
                                "the hash of step %lld is missing in the log", (long long)state->n);
    }
    else if (state->n < verdict->first || chain != thud_log_chain(log, state->n))
        thudi_verify_damage(verdict, a->folder, name, "the checkpoint belongs to another run");
    else if (!thudi_verify_is_linked(a, state))
        thudi_verify_damage(verdict, a->folder, name,
                            "the state of step %lld does not match the chain of hashes",
                            (long long)state->n);
    return THUD_OK;
}

// A recorder as it was at the mark: what log and series give, and all else as the file says.
static void fill_known(const thudi_verifier *a, const thudi_verify_mark *mark,
                       thudi_recorder *known)
{
    const thud_scene *scene = a->run->scene;
    const thud_tally *own = &mark->tally;
    const thud_figure *figures = thud_tally_figures();
    thud_tally *tally = &known->tally;
    double t = fma((double)mark->node, scene->step, scene->start);
    known->chain = thud_log_chain(a->run->log, mark->node);
    known->next_frame = 0;
    (void)thudi_is_output(scene, t, &known->next_frame);
    if (a->verdict->json_is_ours)
    {
        known->checked = known->is_checking ? mark->checked : 0;
        known->held = known->is_checking ? mark->held : 0;
        for (int i = 0; i < THUD_CERT_COUNT; i++)
            known->worst[i] = known->is_checking ? mark->worst[i] : 0;
    }
    if (!mark->is_told)
        return;
    known->concave_step = mark->concave_step;
    tally->steps = own->steps;
    tally->news_steps = own->news_steps;
    tally->first_news = own->first_news;
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
        if (a->columns[i] >= 0 && !thudi_is_uncounted(tally, i))
            memcpy((char *)tally + figures[i].offset, (const char *)own + figures[i].offset,
                   figures[i].type == THUD_FIGURE_BITS ? sizeof(unsigned) : sizeof(double));
}

// No column of the series has it, or it was not counted: run.json must say what the checkpoint
// says, which a rerun compares.
static void keep_enclosed(thudi_verify_mark *mark, const thud_tally *told)
{
    mark->has_enclosed = true;
    mark->tally.enclosed = told->enclosed;
    mark->tally.enclosure = told->enclosure;
    mark->tally.shifted = told->shifted;
    mark->tally.weak = told->weak;
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
        if (thudi_is_uncounted(told, i))
            *(int64_t *)((char *)&mark->tally + thud_tally_figures()[i].offset) = -1;
}

// What a checkpoint remembers of times that have come, as the lines of the series give it.
static thud_status verify_times(thudi_verifier *a, const char *name, const thudi_verify_mark *mark,
                                const thud_checkpoint *checkpoint, thud_fault *fault)
{
    const thud_scene *scene = a->run->scene;
    int count = scene->measure_count;
    if (!mark->stage || count == 0)
        return THUD_OK;
    double *told = calloc(2 * (size_t)count, sizeof *told);
    if (!told)
        return THUD_ERR_MEMORY;
    const thud_field fields[] = {{"crossed", THUD_FIELD_DOUBLE, count, told},
                                 {"carried", THUD_FIELD_DOUBLE, count, told + count}};
    thud_status status = thud_checkpoint_restore(checkpoint, fields, 2, fault);
    for (int i = 0; status >= 0 && i < count; i++)
        for (int k = 0; k < 2 && scene->measures[i].kind == THUD_MEASURE_TIME_WHEN; k++)
            if (memcmp(&told[k * count + i], k == 0 ? &mark->stage[i] : &mark->time[i],
                       sizeof *told) != 0)
                thudi_verify_figure(a->verdict, a->folder, name, 0,
                                    "'%s' of '%.190s' is not what the lines up to step %lld "
                                    "give",
                                    fields[k].name, scene->measures[i].name, (long long)mark->node);
    free(told);
    return status;
}

// The figures of a checkpoint: the first that is another than log and series give.
static thud_status verify_figures(thudi_verifier *a, const char *name,
                                  const thudi_verify_mark *mark, const thud_checkpoint *checkpoint,
                                  thud_fault *fault)
{
    thudi_recorder told = {0}, known;
    thud_field theirs[THUDI_RECORDER_FIELDS], ours[THUDI_RECORDER_FIELDS];
    if (mark->node < a->verdict->first || mark->node >= thud_log_view(a->run->log).step_count)
        return THUD_OK;
    int count = thudi_recorder_known_fields(&told, checkpoint, theirs);
    THUD_TRY(thud_checkpoint_restore(checkpoint, theirs, count, fault));
    bool is_new = thud_checkpoint_count(checkpoint, "tally.enclosed") >= 0;
    if (is_new && mark->node == a->marks[THUDI_MARK_JSON].node)
        keep_enclosed(&a->marks[THUDI_MARK_JSON], &told.tally);
    known = told;
    fill_known(a, mark, &known);
    (void)thudi_recorder_known_fields(&known, checkpoint, ours);
    for (int i = 0; i < count; i++)
        if (memcmp(theirs[i].data, ours[i].data,
                   (size_t)ours[i].count * thud_field_size(ours[i].type)) != 0)
            thudi_verify_figure(a->verdict, a->folder, name, 0,
                                "'%s' does not match the log and the series at step %lld",
                                ours[i].name, (long long)mark->node);
    return verify_times(a, name, mark, checkpoint, fault);
}

// Damage is noted, and no error.
static thud_status verify_checkpoint(thudi_verifier *a, int which, thud_state *state,
                                     thud_fault *fault)
{
    thud_checkpoint *checkpoint = NULL;
    thud_recorded_verdict *verdict = a->verdict;
    *fault = thudi_fault_none();
    thud_status status = thud_record_check_one(a->folder, which == 1, NULL, &checkpoint, fault);
    if (status >= 0)
        status = verify_state(a, names[which], checkpoint, state, fault);
    if (status >= 0 && state->n == a->marks[which].node) // else it was replaced meanwhile
        status = verify_figures(a, names[which], &a->marks[which], checkpoint, fault);
    thud_checkpoint_free(checkpoint);
    if (status != THUD_ERR_RECORD)
        return status;
    if (verdict->damage.text[0] == '\0')
        verdict->damage = *fault;
    if (verdict->damage.file[0] == '\0')
        (void)snprintf(verdict->damage.file, sizeof verdict->damage.file, "%.230s/%s", a->folder,
                       names[which]);
    return THUD_OK;
}

// The newest, without which the one before it stands in, and that one if there is one.
thud_status thudi_verify_checkpoints(thudi_verifier *a, thud_fault *fault)
{
    bool has_older = thudi_run_has_file(a->folder, names[1]);
    if (thudi_run_has_file(a->folder, names[0]) || !has_older)
        THUD_TRY(verify_checkpoint(a, 0, a->nodes.after, fault));
    return has_older ? verify_checkpoint(a, 1, a->nodes.before, fault) : THUD_OK;
}
