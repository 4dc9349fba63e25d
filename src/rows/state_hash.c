// The hash of a state, from sums over its coordinates and multipliers.
#include "rows/state_hash.h"

#include "thud/fields.h"

#include <string.h>

static const uint64_t ODD = UINT64_C(0x9e3779b97f4a7c15);

// What a chain begins with.
enum
{
    OF_STATE = 1,
    OF_COORDINATE = 2,
    OF_MULTIPLIER = 3
};

static inline uint64_t take(uint64_t x, uint64_t word)
{
    uint64_t z = x ^ word;
    return (z ^ z >> 32) * ODD;
}

static inline uint64_t take_double(uint64_t x, double number)
{
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    return take(x, word);
}

static inline uint64_t end(uint64_t x)
{
    x = take(x, 0);
    return x ^ x >> 29;
}

uint64_t thudi_hash_coordinate(uint64_t number, double q, double u)
{
    return end(take_double(take_double(take(OF_COORDINATE, number), q), u));
}

uint64_t thudi_hash_multiplier(const thud_multiplier *multiplier, const double *more, int width)
{
    uint64_t words[3], x = OF_MULTIPLIER;
    _Static_assert(sizeof words == sizeof *multiplier, "key, impulse and memory");
    memcpy(words, multiplier, sizeof words);
    for (int k = 0; k < 3; k++)
        x = take(x, words[k]);
    for (int k = 0; k < width; k++)
        x = take_double(x, more[k]);
    return end(x);
}

uint64_t thudi_hash_of_sum(const thud_state *state, uint64_t sum, uint64_t before)
{
    // What a state has depends on its multipliers alone, not on whether a law has already set how
    // many numbers it keeps.
    uint64_t count = (uint64_t)state->multiplier_count, x = take(OF_STATE, before);
    x = take_double(take(take_double(x, state->t0), (uint64_t)state->n), state->h);
    x = take(take(x, (uint64_t)state->dim), count);
    return end(take(take(x, count * (uint64_t)state->more_width), sum));
}

uint64_t thud_state_hash(const thud_state *state, uint64_t before)
{
    uint64_t sum = 0;
    size_t width = (size_t)state->more_width;
    for (int k = 0; k < state->dim; k++)
        sum += thudi_hash_coordinate((uint64_t)k, state->q[k], state->u[k]);
    for (int i = 0; i < state->multiplier_count; i++)
        sum += thudi_hash_multiplier(&state->multipliers[i],
                                     width > 0 ? state->more + width * (size_t)i : NULL,
                                     state->more_width);
    return thudi_hash_of_sum(state, sum, before);
}
