// Failure at every allocation and every callback of a step: the state is untouched, the status is
// the right one, nothing leaks; a warm step allocates nothing; states run side by side.
#include "thud_test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <thud/thud.h>

// A column of balls falling on a doubled floor that rises (so that uniqueness is examined too),
// whose uppermost rows are found only in the phase CHECK, with a force that needs quadrature.
enum
{
    BALLS = 6
};

typedef struct column
{
    long gap_calls, gap_fail_at;
    long force_calls, force_fail_at;
} column;

static int push_row(const thud_moment *at, thud_rows *rows, int i)
{
    int index[2] = {i - 1, i};
    double slope[2] = {-1, 1}, floor_slope = i == -1 ? 2 : 1;
    if (i < 1)
    {
        double gap = floor_slope * (at->q[0] - 0.5 * at->t);
        return thud_rows_push(rows, &(thud_row){.key = thud_key_number(i + 1),
                                                .gap = gap,
                                                .shift = 1e-9,
                                                .count = 1,
                                                .index = (int[]){0},
                                                .slope = &floor_slope});
    }
    return thud_rows_push(rows, &(thud_row){.key = thud_key_number(i + 1),
                                            .gap = at->q[i] - at->q[i - 1] - 1,
                                            .shift = 1e-9,
                                            .count = 2,
                                            .index = index,
                                            .slope = slope});
}

static int column_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    column *c = user;
    if (++c->gap_calls == c->gap_fail_at)
        return 7;
    int rare = BALLS - 2;
    for (int i = -1; i < rare && at->phase == THUD_LINEARISE; i++)
        push_row(at, rows, i);
    for (int i = rare; i < BALLS && at->phase == THUD_FIND_MISSING; i++)
        if (at->trial[i] - at->trial[i - 1] < 1)
            push_row(at, rows, i);
    return 0; // errors of push must not get lost
}

static int column_force(double t, const double *q, double *f, void *user)
{
    column *c = user;
    (void)q;
    if (++c->force_calls == c->force_fail_at)
        return 3;
    for (int i = 0; i < BALLS; i++)
        f[i] = -1 - 0.1 / sqrt(t);
    return 0;
}

static thud_inclusion column_problem(column *c)
{
    return (thud_inclusion){.dim = BALLS, .force = column_force, .gaps = column_gaps, .user = c};
}

static thud_status create(thud_allocator *allocator, thud_state **state, thud_work **work)
{
    double q[BALLS], u[BALLS];
    *state = NULL;
    *work = NULL;
    for (int i = 0; i < BALLS; i++)
    {
        q[i] = 1.02 * i + 0.01;
        u[i] = -0.2 * i;
    }
    thud_state_def def = {.dim = BALLS, .h = 0.05, .q = q, .u = u, .allocator = allocator};
    thud_status status = thud_state_create(&def, state);
    if (status >= 0)
        status = thud_work_create(&(thud_work_def){.allocator = allocator}, work);
    return status;
}

static bool same_state(const thud_state *a, const thud_state *b)
{
    size_t size = (size_t)a->dim * sizeof(double);
    return a->n == b->n && a->t0 == b->t0 && a->h == b->h && memcmp(a->q, b->q, size) == 0 &&
           memcmp(a->u, b->u, size) == 0 && a->multiplier_count == b->multiplier_count &&
           (a->multiplier_count == 0 ||
            memcmp(a->multipliers, b->multipliers,
                   (size_t)a->multiplier_count * sizeof *a->multipliers) == 0);
}

// Take steps until one fails or `steps` are done; a failed one must leave the state as it was.
static thud_status steps_or_failure(const thud_inclusion *problem, thud_state *state,
                                    thud_work *work, int steps)
{
    thud_state *copy;
    thud_state_def def = {.dim = state->dim, .h = state->h, .q = state->q};
    if (thud_state_create(&def, &copy) < 0)
        return THUD_ERR_ARGUMENT;
    thud_status status = THUD_OK;
    for (int n = 0; n < steps && status >= 0; n++)
    {
        CHECK(thud_state_copy(copy, state) == THUD_OK);
        status = thud_step(problem, state, work);
        if (status < 0)
        {
            CHECK(same_state(copy, state));
            CHECK(thud_work_message(work)[0] != '\0');
        }
    }
    thud_state_destroy(copy);
    return status;
}

// One life of state and work with the k-th allocation failing; returns whether any did. An
// allocation that could be spared, as that of a larger block for the rooms of later steps, leaves
// the same state as if it had not failed: `wanted`, written if k is 0.
static bool live_with_failure(long k, thud_state *wanted, thud_status *status)
{
    test_meter m = {.fail_at = k};
    thud_allocator allocator = {test_meter_resize, &m};
    column c = {0};
    thud_inclusion problem = column_problem(&c);
    thud_state *state;
    thud_work *work;
    *status = create(&allocator, &state, &work);
    if (*status >= 0)
        *status = steps_or_failure(&problem, state, work, 12);
    bool failed = k > 0 && m.calls >= k;
    if (k == 0)
        CHECK(thud_state_copy(wanted, state) == THUD_OK);
    else if (*status >= 0)
        CHECK(same_state(wanted, state));
    if (*status == THUD_ERR_MEMORY && state && work)
    {
        // memory is back: the same work space must go on from the same state
        CHECK(steps_or_failure(&problem, state, work, 12) >= 0);
    }
    thud_work_destroy(work);
    thud_state_destroy(state);
    CHECK(m.blocks == 0);
    return failed;
}

static void allocations(void)
{
    thud_status status;
    long failures = 0, spared = 0;
    thud_state *wanted;
    thud_work *work;
    REQUIRE(create(NULL, &wanted, &work) == THUD_OK);
    CHECK(!live_with_failure(0, wanted, &status));
    CHECK(status >= 0);
    while (live_with_failure(failures + spared + 1, wanted, &status))
    {
        CHECK(status == THUD_ERR_MEMORY || status >= 0);
        failures += status < 0;
        spared += status >= 0;
    }
    CHECK(status >= 0);
    CHECK(failures > 30 && spared < 5);
    printf("  %ld allocations made to fail: state untouched, no leak; %ld could be spared\n",
           failures, spared);
    thud_work_destroy(work);
    thud_state_destroy(wanted);
}

static void callbacks(void)
{
    long gaps = 0, forces = 0;
    for (int which = 0; which < 2; which++)
        for (long k = 1;; k++)
        {
            column c = {0};
            *(which ? &c.force_fail_at : &c.gap_fail_at) = k;
            thud_inclusion problem = column_problem(&c);
            thud_state *state;
            thud_work *work;
            REQUIRE(create(NULL, &state, &work) == THUD_OK);
            thud_status status = steps_or_failure(&problem, state, work, 12);
            bool failed = (which ? c.force_calls : c.gap_calls) >= k;
            CHECK(failed ? status == THUD_ERR_CALLBACK : status >= 0);
            if (failed)
                CHECK(steps_or_failure(&problem, state, work, 3) >= 0);
            thud_work_destroy(work);
            thud_state_destroy(state);
            if (!failed)
                break;
            ++*(which ? &forces : &gaps);
        }
    CHECK(gaps > 30 && forces > 30);
    printf("  %ld calls of gaps and %ld of force, each made to fail: state untouched\n", gaps,
           forces);
}

static void warm_step_allocates_nothing(void)
{
    test_meter m = {0};
    thud_allocator allocator = {test_meter_resize, &m};
    column c = {0};
    thud_inclusion problem = column_problem(&c);
    thud_state *state;
    thud_work *work;
    REQUIRE(create(&allocator, &state, &work) == THUD_OK);
    CHECK(steps_or_failure(&problem, state, work, 60) >= 0);
    long before = m.calls;
    CHECK(steps_or_failure(&problem, state, work, 100) >= 0);
    CHECK(m.calls == before);
    printf("  %ld allocations in 60 steps, %ld in the next 100\n", before, m.calls - before);
    thud_work_destroy(work);
    thud_state_destroy(state);
}

// Many states of one problem may run side by side: each thread its own state and work.
static void *run_one(void *result)
{
    column c = {0};
    thud_inclusion problem = column_problem(&c);
    thud_state *state;
    thud_work *work;
    if (create(NULL, &state, &work) >= 0 && steps_or_failure(&problem, state, work, 50) >= 0)
        memcpy(result, state->q, BALLS * sizeof(double));
    thud_work_destroy(work);
    thud_state_destroy(state);
    return NULL;
}

static void side_by_side(void)
{
    enum
    {
        THREADS = 4
    };
    static double q[THREADS + 1][BALLS];
    pthread_t thread[THREADS];
    run_one(q[THREADS]);
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&thread[i], NULL, run_one, q[i]) == 0);
    for (int i = 0; i < THREADS; i++)
    {
        pthread_join(thread[i], NULL);
        CHECK(memcmp(q[i], q[THREADS], sizeof q[i]) == 0);
    }
    CHECK(q[THREADS][0] != 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"allocations", allocations},
        {"callbacks", callbacks},
        {"warm-step-allocates-nothing", warm_step_allocates_nothing},
        {"side-by-side", side_by_side},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
