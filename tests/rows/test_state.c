// The state: creation, copies, room, and a time that is rounded once however many steps it took.
#include "unit_rig.h"

#include <limits.h>

__extension__ typedef __int128 wide;

static void create(void)
{
    double q[3] = {1, -0.0, 1e-310}, u[3] = {4, 5, 6};
    thud_state *state = NULL;
    thud_state_def def = {.dim = 3, .t0 = -2.5, .h = 0.25, .q = q, .u = u};
    REQUIRE(thud_state_create(&def, &state) == THUD_OK);
    CHECK(same_bits(state->q, q, 3) && same_bits(state->u, u, 3));
    q[0] = u[0] = 99; // copied, not borrowed
    CHECK(state->q[0] == 1 && state->u[0] == 4);
    CHECK(state->dim == 3 && state->n == 0 && state->h == 0.25 && state->t0 == -2.5);
    CHECK(state->multiplier_count == 0 && thud_state_time(state) == -2.5);
    thud_state_destroy(state);
    def.u = NULL;
    REQUIRE(thud_state_create(&def, &state) == THUD_OK);
    CHECK(state->u[0] == 0 && state->u[1] == 0 && state->u[2] == 0);
    thud_state_destroy(state);
    thud_state_destroy(NULL);
}

static void refuse(const char *what, thud_state_def def, thud_status wanted)
{
    thud_state *state = (thud_state *)&def;
    thud_status status = thud_state_create(&def, &state);
    if (status != wanted)
        test_fail(__FILE__, __LINE__, "%s: %s", what, thud_status_name(status));
    CHECK(state == NULL);
}

static void rejected(void)
{
    static const double fine[2] = {1, 2}, bad[2] = {1, NAN}, far[2] = {-INFINITY, 1};
    const thud_state_def def = {.dim = 2, .h = 1, .q = fine, .u = fine};
    thud_state_def d = def;
    refuse("dim 0", (d.dim = 0, d), THUD_ERR_ARGUMENT);
    refuse("dim -1", (d.dim = -1, d), THUD_ERR_ARGUMENT);
    d = def;
    refuse("no q", (d.q = NULL, d), THUD_ERR_ARGUMENT);
    d = def;
    refuse("h 0", (d.h = 0, d), THUD_ERR_ARGUMENT);
    refuse("h < 0", (d.h = -1, d), THUD_ERR_ARGUMENT);
    refuse("h NaN", (d.h = NAN, d), THUD_ERR_ARGUMENT);
    refuse("h infinite", (d.h = INFINITY, d), THUD_ERR_NOT_FINITE);
    d = def;
    refuse("t0 NaN", (d.t0 = NAN, d), THUD_ERR_NOT_FINITE);
    refuse("t0 infinite", (d.t0 = INFINITY, d), THUD_ERR_NOT_FINITE);
    d = def;
    refuse("q NaN", (d.q = bad, d), THUD_ERR_NOT_FINITE);
    refuse("q infinite", (d.q = far, d), THUD_ERR_NOT_FINITE);
    d = def;
    refuse("u NaN", (d.u = bad, d), THUD_ERR_NOT_FINITE);
    refuse("u infinite", (d.u = far, d), THUD_ERR_NOT_FINITE);
}

// The time is one rounding of t0 + n h; a sum of steps would be off by 10^9 ulps.
static void time_is_rounded_once(void)
{
    thud_inclusion free_flight = {.dim = 1};
    rig r = rig_start(&(thud_state_def){.dim = 1, .h = 0.1, .q = (double[]){0}}, NULL);
    REQUIRE(r.state && r.work);
    double sum = 0;
    for (int n = 0; n < 1000000; n++)
    {
        sum += 0.1;
        REQUIRE(thud_step(&free_flight, r.state, r.work) == THUD_OK);
    }
    // 10^6 times the double nearest to 0.1 is 100000 + 5.55e-12, which rounds to 100000
    CHECK(r.state->n == 1000000 && r.state->t0 == 0 && r.state->h == 0.1);
    CHECK(thud_state_time(r.state) == 100000.0);
    CHECK(fabs(sum - 100000.0) > 1e-7); // what accumulation would have given
    rig_end(&r);
}

static void time_random(void)
{
    uint64_t seed = test_seed(20260103);
    test_random random = test_random_start(seed);
    thud_state *state = NULL;
    REQUIRE(thud_state_create(&(thud_state_def){.dim = 1, .h = 1, .q = (double[]){0}}, &state) ==
            THUD_OK);
    for (int trial = 0; trial < 100000; trial++)
    {
        // 40-bit t0 and h and 40-bit n: t0 + n h fits 120 bits, so that an integer decides
        int64_t start = (int64_t)(test_random_bits(&random) >> 24) - (INT64_C(1) << 39);
        int64_t step = (int64_t)(test_random_bits(&random) >> 24) + 1;
        state->n = (int64_t)(test_random_bits(&random) >> (24 + trial % 39));
        state->t0 = (double)start;
        state->h = (double)step;
        double wanted = (double)((wide)state->n * step + start);
        CHECK(thud_state_time(state) == wanted);
    }
    thud_state_destroy(state);
    printf("  seed %llu\n", (unsigned long long)seed);
}

static void set_step(void)
{
    rig r = rig_start(&(thud_state_def){.dim = 1, .t0 = 1, .h = 0.5, .q = (double[]){0}}, NULL);
    REQUIRE(r.state && thud_state_reserve(r.state, 2) == THUD_OK);
    r.state->n = 3;
    r.state->multipliers[0] = (thud_multiplier){{4}, 8, 0.75};
    r.state->multipliers[1] = (thud_multiplier){{6}, 0, -2};
    r.state->multiplier_count = 2;
    CHECK(thud_state_set_step(r.state, 0.125) == THUD_OK);
    CHECK(r.state->t0 == 2.5 && r.state->n == 0 && r.state->h == 0.125);
    CHECK(thud_state_time(r.state) == 2.5);
    CHECK(r.state->multipliers[0].impulse == 2 && r.state->multipliers[0].memory == 0.75);
    CHECK(r.state->multipliers[1].impulse == 0 && r.state->multipliers[1].memory == -2);
    static const double bad[] = {0, -0.0, -1, NAN, -INFINITY, INFINITY};
    thud_state *before = state_twin(r.state);
    for (int i = 0; i < 6; i++)
    {
        thud_status wanted = i < 5 ? THUD_ERR_ARGUMENT : THUD_ERR_NOT_FINITE;
        CHECK(thud_state_set_step(r.state, bad[i]) == wanted);
        CHECK(same_state(before, r.state));
    }
    thud_state_destroy(before);
    rig_end(&r);
}

static void copy(void)
{
    double q[2] = {1, 2}, other[3] = {7, 8, 9};
    thud_state *from = NULL, *to = NULL, *odd = NULL;
    thud_state_def def = {.dim = 2, .t0 = 3, .h = 0.5, .q = q, .u = q};
    REQUIRE(thud_state_create(&def, &from) == THUD_OK);
    REQUIRE(thud_state_create(&(thud_state_def){.dim = 2, .h = 9, .q = other}, &to) == THUD_OK);
    REQUIRE(thud_state_create(&(thud_state_def){.dim = 3, .h = 9, .q = other}, &odd) == THUD_OK);
    from->n = 12;
    REQUIRE(thud_state_reserve(from, 100) == THUD_OK);
    for (int i = 0; i < 100; i++)
        from->multipliers[i] = (thud_multiplier){thud_key_number(i), i, -i};
    from->multiplier_count = 100;
    CHECK(thud_state_copy(to, from) == THUD_OK && same_state(to, from));
    CHECK(to->q != from->q && to->multipliers != from->multipliers);
    from->multiplier_count = 0; // to fewer multipliers, and to none
    CHECK(thud_state_copy(to, from) == THUD_OK && same_state(to, from));
    thud_state *before = state_twin(odd);
    CHECK(thud_state_copy(odd, from) == THUD_ERR_ARGUMENT && same_state(odd, before));
    thud_state_destroy(before);
    thud_state_destroy(odd);
    thud_state_destroy(to);
    thud_state_destroy(from);
}

static void reserve(void)
{
    rig r = rig_start(&(thud_state_def){.dim = 1, .h = 1, .q = (double[]){0}}, NULL);
    REQUIRE(r.state);
    CHECK(thud_state_reserve(r.state, 0) == THUD_OK && r.state->multiplier_count == 0);
    CHECK(thud_state_reserve(r.state, 3) == THUD_OK && r.state->multiplier_capacity >= 3);
    r.state->multipliers[2] = (thud_multiplier){{1}, 2, 3};
    CHECK(thud_state_reserve(r.state, 5000) == THUD_OK && r.state->multiplier_capacity >= 5000);
    CHECK(r.state->multipliers[2].memory == 3);
    int room = r.state->multiplier_capacity;
    const thud_multiplier *place = r.state->multipliers;
    CHECK(thud_state_reserve(r.state, 10) == THUD_OK && r.state->multipliers == place);
    CHECK(thud_state_reserve(r.state, -1) == THUD_ERR_ARGUMENT);
    CHECK(thud_state_reserve(r.state, INT_MAX) == THUD_ERR_LIMIT);
    CHECK(r.state->multiplier_capacity == room && r.state->multipliers == place);
    rig_end(&r);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"create", create},
        {"rejected", rejected},
        {"time-is-rounded-once", time_is_rounded_once},
        {"time-random", time_random},
        {"set-step", set_step},
        {"copy", copy},
        {"reserve", reserve},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
