// The persistent fields of a state.
#include "thud/fields.h"

#include <string.h>

size_t thud_field_size(thud_field_type type)
{
    switch (type)
    {
    case THUD_FIELD_DOUBLE:
    case THUD_FIELD_INT64:
    case THUD_FIELD_UINT64:
    case THUD_FIELD_KEY:
        return 8;
    case THUD_FIELD_INT8:
        return 1;
    case THUD_FIELD_UINT32:
        return 4;
    case THUD_FIELD_MULTIPLIER:
        return sizeof(thud_multiplier);
    }
    return 0;
}

int thud_state_fields(thud_state *state, thud_field fields[THUD_STATE_FIELDS])
{
    int64_t more = (int64_t)state->multiplier_count * state->more_width;
    const thud_field table[THUD_STATE_FIELDS] = {
        {"t0", THUD_FIELD_DOUBLE, 1, &state->t0},
        {"n", THUD_FIELD_INT64, 1, &state->n},
        {"h", THUD_FIELD_DOUBLE, 1, &state->h},
        {"q", THUD_FIELD_DOUBLE, state->dim, state->q},
        {"u", THUD_FIELD_DOUBLE, state->dim, state->u},
        {"multipliers", THUD_FIELD_MULTIPLIER, state->multiplier_count, state->multipliers},
        {"more", THUD_FIELD_DOUBLE, more, state->more},
    };
    memcpy(fields, table, sizeof table);
    // Without numbers there is no such field: what a state has depends on its multipliers alone,
    // not on whether a law has already set their width.
    return more > 0 ? THUD_STATE_FIELDS : THUD_STATE_FIELDS - 1;
}
