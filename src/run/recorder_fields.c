// The table of everything that a run must keep, and how it is brought back. Checkpoints hold these
// fields and no others; hashes and comparisons of states use those of the state.
#include "core/fault.h"
#include "core/memory.h"
#include "run/recorder.h"

#include <math.h>
#include <string.h>

// Every field of the recorder but its tally: X(name, type, member, count).
#define RECORDER_FIELD_LIST(X)                                                                     \
    X("checking", INT64, is_checking, 1)                                                           \
    X("next frame", INT64, next_frame, 1)                                                          \
    X("chain", UINT64, chain, 1)                                                                   \
    X("checked", INT64, checked, 1)                                                                \
    X("held", INT64, held, 1)                                                                      \
    X("worst", DOUBLE, worst, THUD_CERT_COUNT)                                                     \
    X("concave step", INT64, concave_step, 1)                                                      \
    X("concave key", KEY, concave_key, 1)

void thudi_recorder_own_fields(thudi_recorder *recorder, thud_field fields[THUDI_RECORDER_FIELDS])
{
    const thud_field own[] = {
#define FIELD(name, type, member, count) {name, THUD_FIELD_##type, count, &recorder->member},
        RECORDER_FIELD_LIST(FIELD)
#undef FIELD
#define THUD_FIELD_WHOLE THUD_FIELD_INT64
#define THUD_FIELD_REAL THUD_FIELD_DOUBLE
#define THUD_FIELD_BITS THUD_FIELD_UINT32
#define FIGURE(name, type, fold, source, key, column, show, sentence)                              \
    {"tally." #name, THUD_FIELD_##type, 1, &recorder->tally.name},
            THUD_TALLY_LIST(FIGURE)
#undef FIGURE
    };
#define FIELD(name, type, member, count)                                                           \
    _Static_assert(sizeof(name) <= THUD_FIELD_NAME, "the name is too long");
    RECORDER_FIELD_LIST(FIELD)
#undef FIELD
#define FIGURE(name, type, fold, source, key, column, show, sentence)                              \
    _Static_assert(sizeof "tally." #name <= THUD_FIELD_NAME, "the name is too long");
    THUD_TALLY_LIST(FIGURE)
#undef FIGURE
    _Static_assert(sizeof own == THUDI_RECORDER_FIELDS * sizeof *own, "count the fields");
    memcpy(fields, own, sizeof own);
}

int thudi_recorder_known_fields(thudi_recorder *recorder, const thud_checkpoint *checkpoint,
                                thud_field fields[THUDI_RECORDER_FIELDS])
{
    int count = THUDI_RECORDER_FIELDS - THUD_TALLY_COUNT;
    thudi_recorder_own_fields(recorder, fields);
    for (int i = count; i < THUDI_RECORDER_FIELDS; i++)
        if (thud_checkpoint_count(checkpoint, fields[i].name) >= 0)
            fields[count++] = fields[i];
        else if (fields[i].type == THUD_FIELD_INT64) // it cannot be counted any more
            *(int64_t *)fields[i].data = -1;
    return count;
}

bool thudi_is_uncounted(const thud_tally *tally, int figure)
{
    return thud_tally_figures()[figure].type == THUD_FIGURE_WHOLE &&
           thud_tally_value(tally, figure) == -1;
}

void thudi_recorder_read_tally(const thud_checkpoint *checkpoint, thud_tally *tally)
{
    thudi_recorder recorder = {.tally = *tally};
    thud_field fields[THUDI_RECORDER_FIELDS];
    thud_fault fault;
    thudi_recorder_own_fields(&recorder, fields);
    for (int i = THUDI_RECORDER_FIELDS - THUD_TALLY_COUNT; i < THUDI_RECORDER_FIELDS; i++)
        (void)thud_checkpoint_restore(checkpoint, &fields[i], 1, &fault);
    *tally = recorder.tally;
}

int thudi_recorder_fields(thudi_recorder *recorder, thud_field fields[THUDI_RUN_FIELDS])
{
    int count = thud_state_fields(thud_model_state(recorder->model), fields);
    thud_model_fields(recorder->model, fields + count);
    thudi_recorder_own_fields(recorder, fields + count + THUD_MODEL_FIELDS);
    return count + THUD_MODEL_FIELDS + THUDI_RECORDER_FIELDS;
}

const char *thudi_state_fault(const thud_state *state, const thud_scene *scene)
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
    size_t more = (size_t)state->multiplier_count * (size_t)state->more_width;
    for (size_t i = 0; i < more; i++)
        if (!isfinite(state->more[i]))
            return "a number is not finite";
    return NULL;
}

thud_status thudi_state_fit(const thud_checkpoint *checkpoint, thud_law law, thud_state *state)
{
    int64_t count = thud_checkpoint_count(checkpoint, "multipliers");
    int kept = thud_law_find((int)law)->kept;
    if (count < 0 || count > INT32_MAX / 4)
        return THUD_OK;
    THUD_TRY(thud_state_widen(state, kept > 1 ? kept - 1 : 0));
    THUD_TRY(thud_state_reserve(state, (int)count));
    state->multiplier_count = (int)count;
    return THUD_OK;
}

// A checksum keeps out accidents, not malice: ranges are checked all the same.
static const char *fields_fault(thudi_recorder *recorder)
{
    thud_field fields[THUD_MODEL_FIELDS];
    const char *wrong = thudi_state_fault(thud_model_state(recorder->model), recorder->scene);
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
    *fault = thudi_fault_none();
    THUD_TRY(thudi_state_fit(checkpoint, recorder->scene->law, state));
    int all = thud_state_fields(state, fields);
    thud_model_fields(recorder->model, fields + all);
    all += THUD_MODEL_FIELDS;
    all += thudi_recorder_known_fields(recorder, checkpoint, fields + all);
    THUD_TRY(thud_checkpoint_restore(checkpoint, fields, all, fault));
    const char *wrong = fields_fault(recorder);
    if (wrong)
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_NOWHERE, "",
                          "the checkpoint cannot be used: %s", wrong);
    if (recorder->concave_step > 0)
        thud_model_describe(recorder->model, recorder->concave_key, recorder->concave,
                            sizeof recorder->concave);
    recorder->is_resumed = true;
    return thud_state_copy(recorder->before, state);
}
