// The hash of a state: its parts in any order give the same; any other word, or place of a word,
// gives another.
#include "rows/state_hash.h"
#include "thud/fields.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    BODIES = 40,
    AXES = 3,
    DIM = AXES * BODIES,
    MULTIPLIERS = 60,
    WIDTH = 2
};

static thud_state *make_state(test_random *random)
{
    double q[DIM], u[DIM], more[WIDTH * MULTIPLIERS];
    thud_multiplier multipliers[MULTIPLIERS];
    thud_state *state = NULL;
    for (int k = 0; k < DIM; k++)
    {
        q[k] = test_random_normal(random);
        u[k] = test_random_normal(random);
    }
    for (int i = 0; i < MULTIPLIERS; i++)
        multipliers[i] = (thud_multiplier){.key = thud_key_number(i),
                                           .impulse = test_random_uniform(random, 0, 1),
                                           .memory = test_random_uniform(random, -1, 0)};
    for (int k = 0; k < WIDTH * MULTIPLIERS; k++)
        more[k] = test_random_normal(random);
    CHECK(thud_state_create(&(thud_state_def){.dim = DIM, .t0 = 0.25, .h = 0.5, .q = q, .u = u},
                            &state) == THUD_OK);
    CHECK(thud_state_set_multipliers(state, multipliers, more, MULTIPLIERS, WIDTH) == THUD_OK);
    state->n = 7;
    return state;
}

// 0 .. count - 1 in a random order.
static void permute(test_random *random, int *order, int count)
{
    for (int i = 0; i < count; i++)
    {
        int k = test_random_int(random, 0, i);
        order[i] = order[k];
        order[k] = i;
    }
}

// Bodies are stored in any order, with their ids, and so are multipliers.
static void order(void)
{
    test_random random = test_random_begin(20264);
    thud_state *state = make_state(&random);
    uint64_t hash = thud_state_hash(state, 11);
    int ids[BODIES], places[MULTIPLIERS];
    for (int trial = 0; trial < 100; trial++)
    {
        uint64_t sum = 0;
        permute(&random, ids, BODIES);
        permute(&random, places, MULTIPLIERS);
        for (int b = 0; b < BODIES; b++)
            for (int k = AXES * ids[b]; k < AXES * ids[b] + AXES; k++)
                sum += thudi_hash_coordinate((uint64_t)k, state->q[k], state->u[k]);
        for (int i = 0; i < MULTIPLIERS; i++)
            sum += thudi_hash_multiplier(&state->multipliers[places[i]],
                                         state->more + WIDTH * places[i], WIDTH);
        CHECK(thudi_hash_of_sum(state, sum, 11) == hash);
    }
    thud_state_destroy(state);
}

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

// Words that change places.
static void words(void)
{
    test_random random = test_random_begin(20265);
    thud_state *state = make_state(&random);
    double *q = state->q, *u = state->u;
    uint64_t hash = thud_state_hash(state, 0);
    int same = 0, swaps = 0;
    for (int a = 0; a < DIM; a++)
    {
        swap(&q[a], &u[a]); // of one body
        same += thud_state_hash(state, 0) == hash;
        swap(&q[a], &u[a]);
        for (int b = 0; b < a; b++, swaps++)
        {
            swap(&q[a], &q[b]);
            same += thud_state_hash(state, 0) == hash;
            swap(&u[a], &u[b]); // all words of two coordinates
            same += thud_state_hash(state, 0) == hash;
            swap(&q[a], &q[b]);
            same += thud_state_hash(state, 0) == hash;
            swap(&u[a], &u[b]);
        }
    }
    for (int a = 1; a < MULTIPLIERS; a++)
    {
        thud_multiplier *one = &state->multipliers[a], *other = &state->multipliers[a - 1];
        swap(&one->impulse, &other->impulse);
        same += thud_state_hash(state, 0) == hash;
        swap(&one->impulse, &other->impulse);
        swap(&one->impulse, &one->memory);
        same += thud_state_hash(state, 0) == hash;
        swap(&one->impulse, &one->memory);
    }
    CHECK(thud_state_hash(state, 0) == hash);
    printf("%d pairs of coordinates: %d with the same hash\n", swaps, same);
    CHECK(same == 0);
    thud_state_destroy(state);
}

// Every bit of every field, then two bits in two words.
static void bits(void)
{
    test_random random = test_random_begin(20266);
    thud_state *state = make_state(&random);
    uint64_t hash = thud_state_hash(state, 0);
    thud_field fields[THUD_STATE_FIELDS];
    int count = thud_state_fields(state, fields), same = 0, flips = 0;
    for (int f = 0; f < count; f++)
        for (size_t bit = 0; bit < 8 * (size_t)fields[f].count * thud_field_size(fields[f].type);
             bit++, flips++)
        {
            unsigned char *byte = (unsigned char *)fields[f].data + bit / 8;
            *byte ^= (unsigned char)(1u << bit % 8);
            same += thud_state_hash(state, 0) == hash;
            *byte ^= (unsigned char)(1u << bit % 8);
        }
    uint64_t *word[2] = {(uint64_t *)(void *)state->q, (uint64_t *)(void *)state->u};
    for (int trial = 0; trial < 50000; trial++, flips++)
    {
        uint64_t *a = word[trial % 2] + test_random_int(&random, 0, DIM - 1);
        uint64_t *b = word[trial / 2 % 2] + test_random_int(&random, 0, DIM - 1);
        uint64_t x = UINT64_C(1) << test_random_int(&random, 0, 63);
        uint64_t y = trial % 3 ? x : UINT64_C(1) << test_random_int(&random, 0, 63);
        if (a == b)
            continue;
        *a ^= x;
        *b ^= y;
        same += thud_state_hash(state, 0) == hash;
        *a ^= x;
        *b ^= y;
    }
    CHECK(thud_state_hash(state, 0) == hash);
    CHECK(thud_state_hash(state, 1) != hash);
    printf("%d flips: %d with the same hash\n", flips, same);
    CHECK(same == 0);
    thud_state_destroy(state);
}

static void counts(void)
{
    test_random random = test_random_begin(20267);
    thud_state *state = make_state(&random);
    uint64_t hash = thud_state_hash(state, 0);
    state->multiplier_count--;
    CHECK(thud_state_hash(state, 0) != hash);
    state->multiplier_count++;
    state->q[0] = 0;
    hash = thud_state_hash(state, 0);
    state->q[0] = -0.0;
    CHECK(thud_state_hash(state, 0) != hash);
    state->multiplier_count = 0; // how many numbers a law keeps does not count without multipliers
    hash = thud_state_hash(state, 0);
    CHECK(thud_state_widen(state, 0) == THUD_OK && thud_state_hash(state, 0) == hash);
    thud_state_destroy(state);
}

// The definition of docs/formats.md, word by word.
static uint64_t take(uint64_t x, uint64_t word)
{
    uint64_t z = x ^ word;
    return (z ^ z >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint64_t chain(uint64_t x, const void *words, int count)
{
    const unsigned char *at = words;
    for (int i = 0; i < count; i++)
    {
        uint64_t word;
        memcpy(&word, at + 8 * (size_t)i, 8);
        x = take(x, word);
    }
    x = take(x, 0);
    return x ^ x >> 29;
}

static void known(void)
{
    double q[1] = {0.5}, u[1] = {-2};
    thud_state *state = NULL;
    REQUIRE(thud_state_create(&(thud_state_def){.dim = 1, .h = 0.125, .q = q, .u = u}, &state) ==
            THUD_OK);
    const double coordinate[] = {0, 0.5, -2}, h = 0.125; // the bits of 0.0 are the number 0
    uint64_t words[] = {42, 0, 0, 0, 1, 0, 0, chain(2, coordinate, 3)};
    memcpy(&words[3], &h, sizeof h);
    CHECK(thud_state_hash(state, 42) == chain(1, words, 8));
    printf("one coordinate: %016llx\n", (unsigned long long)thud_state_hash(state, 42));
    CHECK(thud_state_hash(state, 42) == UINT64_C(0x6b5125b6253e89e7));
    thud_state_destroy(state);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"order", order}, {"words", words}, {"bits", bits}, {"counts", counts}, {"known", known},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
