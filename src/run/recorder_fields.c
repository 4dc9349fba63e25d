// The table of everything that a run must keep, and how it is brought back. Checkpoints hold these
// fields and no others; hashes and comparisons of states use those of the state.
#include "core/memory.h"
#include "run/recorder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Every field of the recorder: X(name, type, member, count).
#define RECORDER_FIELD_LIST(X)                                                                     \
    X("checking", INT64, is_checking, 1)                                                           \
    X("next frame", INT64, next_frame, 1)                                                          \
    X("chain", UINT64, chain, 1)                                                                   \
    X("checked", INT64, checked, 1)                                                                \
    X("held", INT64, held, 1)                                                                      \
    X("worst", DOUBLE, worst, THUD_CERT_COUNT)                                                     \
    X("concave step", INT64, concave_step, 1)                                                      \
    X("concave key", UINT64, concave_key, 1)                                                       \
    X("tally.steps", INT64, tally.steps, 1)                                                        \
    X("tally.min_lin", DOUBLE, tally.min_lin, 1)                                                   \
    X("tally.min_gap", DOUBLE, tally.min_gap, 1)                                                   \
    X("tally.violation", DOUBLE, tally.violation, 1)                                               \
    X("tally.violation_ulps", DOUBLE, tally.violation_ulps, 1)                                     \
    X("tally.forward", DOUBLE, tally.forward, 1)                                                   \
    X("tally.backward", DOUBLE, tally.backward, 1)                                                 \
    X("tally.kkt", DOUBLE, tally.kkt, 1)                                                           \
    X("tally.between", DOUBLE, tally.between, 1)                                                   \
    X("tally.defect", DOUBLE, tally.defect, 1)                                                     \
    X("tally.news", UINT32, tally.news, 1)                                                         \
    X("tally.news_steps", INT64, tally.news_steps, 1)                                              \
    X("tally.first_news", INT64, tally.first_news, 1)                                              \
    X("tally.added", INT64, tally.added, 1)                                                        \
    X("tally.dropped", INT64, tally.dropped, 1)                                                    \
    X("tally.polished", INT64, tally.polished, 1)                                                  \
    X("tally.sweeps", INT64, tally.sweeps, 1)                                                      \
    X("tally.rounds", INT64, tally.rounds, 1)                                                      \
    X("tally.enclosed", INT64, tally.enclosed, 1)                                                  \
    X("tally.enclosure", DOUBLE, tally.enclosure, 1)                                               \
    X("tally.shifted", DOUBLE, tally.shifted, 1)                                                   \
    X("tally.weak", DOUBLE, tally.weak, 1)

void thudi_recorder_own_fields(thudi_recorder *recorder, thud_field fields[THUDI_RECORDER_FIELDS])
{
    const thud_field own[] = {
#define FIELD(name, type, member, count) {name, THUD_FIELD_##type, count, &recorder->member},
        RECORDER_FIELD_LIST(FIELD)
#undef FIELD
    };
    _Static_assert(sizeof own == THUDI_RECORDER_FIELDS * sizeof *own, "count the fields");
    memcpy(fields, own, sizeof own);
}

void thudi_recorder_fields(thudi_recorder *recorder, thud_field fields[THUDI_RUN_FIELDS])
{
    thud_state_fields(thud_model_state(recorder->model), fields);
    thud_model_fields(recorder->model, fields + THUD_STATE_FIELDS);
    thudi_recorder_own_fields(recorder, fields + THUD_STATE_FIELDS + THUD_MODEL_FIELDS);
}

const char *thudi_state_trouble(const thud_state *state, const thud_scene *scene)
{
    if (state->t0 != scene->start || state->h != scene->step || state->n < 0 ||
        state->n >= INT64_C(1) << 53)
        return "its time is not a time of this scene";
    for (int k = 0; k < state->dim; k++)
        if (!isfinite(state->q[k]) || !isfinite(state->u[k]))
            return "a number is not finite";
    for (int i = 0; i < state->multiplier_count; i++)
    {
        const thud_multiplier *one = &state->multipliers[i];
        if (!isfinite(one->impulse) || !isfinite(one->memory) ||
            (i > 0 && !thud_key_before(one[-1].key, one->key)))
            return "its multipliers are not in order";
    }
    return NULL;
}

// A checksum keeps out accidents, not malice: ranges are checked all the same.
static const char *what_is_wrong(thudi_recorder *recorder)
{
    thud_field fields[THUD_MODEL_FIELDS];
    const char *wrong = thudi_state_trouble(thud_model_state(recorder->model), recorder->scene);
    if (wrong)
        return wrong;
    if (recorder->next_frame < 0 || recorder->next_frame > recorder->scene->frames ||
        recorder->checked < 0 || recorder->held < 0 || recorder->held > recorder->checked ||
        recorder->is_checking < 0 || recorder->is_checking > 1 ||
        (recorder->first >= 0 &&
         recorder->tally.steps != thud_model_state(recorder->model)->n - recorder->first))
        return "its counts contradict each other";
    thud_model_fields(recorder->model, fields);
    const signed char *sides = fields[0].data;
    for (int64_t i = 0; i < fields[0].count; i++)
        if (sides[i] < -1 || sides[i] > 1)
            return "a body is on neither side of a plane";
    return NULL;
}

thud_status thudi_recorder_restore(thudi_recorder *recorder, const thud_checkpoint *checkpoint,
                                   thud_fault *fault)
{
    thud_field fields[THUDI_RUN_FIELDS];
    thud_state *state = thud_model_state(recorder->model);
    int64_t count = thud_checkpoint_count(checkpoint, "multipliers");
    *fault = (thud_fault){0};
    if (count >= 0 && count <= INT32_MAX / 4)
    {
        THUD_TRY(thud_state_reserve(state, (int)count));
        state->multiplier_count = (int)count;
    }
    thudi_recorder_fields(recorder, fields);
    // checkpoints from before there were enclosures have none, so that they cannot be counted
    bool is_new = thud_checkpoint_count(checkpoint, "tally.enclosed") >= 0;
    THUD_TRY(thud_checkpoint_restore(checkpoint, fields,
                                     THUDI_RUN_FIELDS - (is_new ? 0 : THUDI_LATE_FIELDS), fault));
    if (!is_new)
        recorder->tally.enclosed = -1;
    const char *wrong = what_is_wrong(recorder);
    if (wrong)
    {
        (void)snprintf(fault->text, sizeof fault->text, "the checkpoint cannot be used: %s", wrong);
        return THUD_ERR_RECORD;
    }
    if (recorder->concave_step > 0)
        thud_model_describe(recorder->model, recorder->concave_key, recorder->concave,
                            sizeof recorder->concave);
    recorder->is_resumed = true;
    return thud_state_copy(recorder->before, state);
}
