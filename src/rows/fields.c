// The persistent fields of a state, and their hash.
//
//     lane <- mix((lane xor word) * odd),  words dealt out to four lanes,  hash = lanes folded
//
// Every step is one-to-one in the word and in the lane, so that no change of a single word is lost.
#include "thud/fields.h"

#include <string.h>

enum
{
    LANES = 4
};

static const uint64_t ODD = UINT64_C(0x9e3779b97f4a7c15);

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

static uint64_t mix(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * ODD;
    return lane ^ lane >> 29;
}

// Add a field of whole words, and its length, to the hash.
static uint64_t add_words(uint64_t hash, const unsigned char *bytes, size_t count)
{
    uint64_t lanes[LANES] = {hash, ODD, ~hash, 1}, word;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t k = 0; k < LANES; k++)
        {
            memcpy(&word, bytes + 8 * (i + k), 8);
            lanes[k] = mix(lanes[k], word);
        }
    for (; i < count; i++)
    {
        memcpy(&word, bytes + 8 * i, 8);
        lanes[i % LANES] = mix(lanes[i % LANES], word);
    }
    hash = mix(hash, count);
    for (size_t k = 0; k < LANES; k++)
        hash = mix(hash, lanes[k]);
    return hash;
}

uint64_t thud_state_hash(const thud_state *state, uint64_t before)
{
    thud_field fields[THUD_STATE_FIELDS];
    thud_state view = *state;
    int count = thud_state_fields(&view, fields);
    for (int i = 0; i < count; i++)
        before = add_words(before, fields[i].data,
                           (size_t)fields[i].count * thud_field_size(fields[i].type) / 8);
    return before;
}
