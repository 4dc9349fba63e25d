// A run: who sees what and when, and where it ends.
#include "run_rig.h"

static void every_step(void)
{
    run_log seen = {0};
    thud_observer observer = {run_observe, THUD_EVERY_STEP, &seen};
    thud_run_def def = {.end = 2, .observers = &observer, .observer_count = 1};
    thud_tally tally;
    rig r = run_flight(1, 0.25);
    REQUIRE(r.state && r.work);
    CHECK(thud_run(&run_free_flight, r.state, r.work, &def, &tally) == THUD_OK);
    CHECK(seen.count == 5 && tally.steps == 4 && r.state->n == 4);
    for (int i = 0; i < 5; i++)
        CHECK(seen.t[i] == 1 + 0.25 * i && seen.q[i] == 1 + 0.5 * i && seen.u[i] == 2 &&
              seen.had_report[i] == (i > 0));
    CHECK(thud_run(&run_free_flight, r.state, r.work, &def, &tally) == THUD_OK); // over already
    CHECK(seen.count == 6 && tally.steps == 0);
    rig_end(&r);
}

// Output times before the start, at it, inside steps, at nodes, at the end, after it.
static void output_times(void)
{
    static const double outputs[] = {-3, 0.99, 1, 1.0625, 1.125, 1.25, 1.75, 1.875, 2, 2.1, 1e9};
    static const double wanted[] = {1, 1.0625, 1.125, 1.25, 1.75, 1.875, 2};
    run_log seen = {0};
    thud_observer observer = {run_observe, THUD_OUTPUT_TIMES, &seen};
    thud_run_def def = {.end = 2,
                        .outputs = outputs,
                        .output_count = 11,
                        .observers = &observer,
                        .observer_count = 1};
    rig r = run_flight(1, 0.25);
    REQUIRE(r.state && r.work);
    CHECK(thud_run(&run_free_flight, r.state, r.work, &def, NULL) == THUD_OK);
    CHECK(seen.count == 7);
    for (int i = 0; i < 7 && i < seen.count; i++)
        CHECK(seen.t[i] == wanted[i] && seen.q[i] == 1 + 2 * (wanted[i] - 1) && seen.u[i] == 2);
    rig_end(&r);
}

// Watching must not change the steps, and what is seen is the affine interpolation of the nodes.
static void outputs_do_not_steer(void)
{
    uint64_t seed = test_seed(20260120);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 100; trial++)
    {
        run_log nodes = {0}, between = {0};
        thud_observer observers[2] = {{run_observe, THUD_EVERY_STEP, &nodes},
                                      {run_observe, THUD_OUTPUT_TIMES, &between}};
        double outputs[100], t = -0.5;
        for (int i = 0; i < 100; i++)
            outputs[i] = t += test_random_uniform(&random, 1e-9, 0.1);
        thud_run_def plain = {.end = 3}, watched = plain;
        watched.outputs = outputs;
        watched.output_count = 100;
        watched.observers = observers;
        watched.observer_count = 2;
        rig a = run_flight(0, 0.0625), b = run_flight(0, 0.0625);
        REQUIRE(a.state && b.state);
        CHECK(thud_run(&run_drop, a.state, a.work, &plain, NULL) == THUD_OK);
        CHECK(thud_run(&run_drop, b.state, b.work, &watched, NULL) == THUD_OK);
        CHECK(same_state(a.state, b.state) && nodes.count == 49);
        for (int i = 0; i < between.count; i++)
        {
            int n = (int)ceil(between.t[i] / 0.0625);
            double part = between.t[i] / 0.0625 - (n - 1);
            double q = n == 0 ? 1 : nodes.q[n - 1] + part * (nodes.q[n] - nodes.q[n - 1]);
            CHECK_NEAR(between.q[i], q, 1e-15);
            CHECK(between.u[i] == nodes.u[n]);
            CHECK(between.t[i] >= 0 && between.t[i] <= 3);
        }
        CHECK(between.count > 10);
        rig_end(&a);
        rig_end(&b);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

static void bad_defs(void)
{
    static const double swapped[] = {0.5, 0.25}, equal[] = {0.5, 0.5}, odd[] = {0, NAN, 1};
    static const double lone[] = {NAN};
    run_log seen = {0};
    thud_observer observer = {run_observe, THUD_OUTPUT_TIMES, &seen};
    const thud_run_def good = {.end = 1, .observers = &observer, .observer_count = 1};
    thud_run_def bad[10];
    int count = 0;
    bad[count] = good, bad[count].outputs = swapped, bad[count++].output_count = 2;
    bad[count] = good, bad[count].outputs = equal, bad[count++].output_count = 2;
    bad[count] = good, bad[count].outputs = odd, bad[count++].output_count = 3;
    bad[count] = good, bad[count].outputs = lone, bad[count++].output_count = 1;
    bad[count] = good, bad[count++].output_count = -1;
    bad[count] = good, bad[count++].observer_count = -1;
    bad[count] = good, bad[count++].end = NAN;
    bad[count] = good, bad[count++].end = INFINITY;
    for (int i = 0; i < count; i++)
    {
        rig r = run_flight(0, 0.25);
        REQUIRE(r.state && r.work);
        thud_state *before = state_twin(r.state);
        thud_status status = thud_run(&run_free_flight, r.state, r.work, &bad[i], NULL);
        if (status != THUD_ERR_ARGUMENT)
            test_fail(__FILE__, __LINE__, "definition %d: %s", i, thud_status_name(status));
        CHECK(same_state(before, r.state) && seen.count == 0);
        seen.count = 0;
        thud_state_destroy(before);
        rig_end(&r);
    }
}

// A list that is announced and not there: refused, not read.
static void missing_lists(void)
{
    thud_run_def no_outputs = {.end = 1, .output_count = 1};
    thud_run_def no_observers = {.end = 1, .observer_count = 1};
    rig r = run_flight(0, 0.25);
    REQUIRE(r.state && r.work);
    CHECK(thud_run(&run_free_flight, r.state, r.work, &no_outputs, NULL) == THUD_ERR_ARGUMENT);
    CHECK(thud_run(&run_free_flight, r.state, r.work, &no_observers, NULL) == THUD_ERR_ARGUMENT);
    rig_end(&r);
}

static void end_between_nodes(void)
{
    static const struct
    {
        double end;
        int64_t steps;
    } wanted[] = {{0.9, 2}, {1, 2}, {1.0001, 3}, {1.4999, 3}, {1.5, 3}, {0, 0}, {-5, 0}, {1e-3, 1}};
    for (int i = 0; i < 8; i++)
    {
        thud_tally tally;
        rig r = run_flight(0, 0.5);
        REQUIRE(r.state && r.work);
        thud_run_def def = {.end = wanted[i].end};
        CHECK(thud_run(&run_free_flight, r.state, r.work, &def, &tally) == THUD_OK);
        CHECK(tally.steps == wanted[i].steps && r.state->n == wanted[i].steps);
        rig_end(&r);
    }
}

// Decimal steps to decimal ends: n steps, not n + 1, and the end is among the output times.
static void decimal_ends(void)
{
    uint64_t seed = test_seed(20260121);
    test_random random = test_random_start(seed);
    int unseen = 0, trials = 3000;
    for (int trial = 0; trial < trials; trial++)
    {
        int k = trial == 0 ? 300 : test_random_int(&random, 1, 2000);
        int n = trial == 0 ? 3 : test_random_int(&random, 1, 300);
        double h = k / 1000.0, end = (double)n * k / 1000.0;
        run_log seen = {0};
        thud_tally tally;
        thud_observer observer = {run_observe, THUD_OUTPUT_TIMES, &seen};
        thud_run_def def = {.end = end,
                            .outputs = &end,
                            .output_count = 1,
                            .observers = &observer,
                            .observer_count = 1};
        rig r = run_flight(0, h);
        REQUIRE(r.state && r.work);
        CHECK(thud_run(&run_free_flight, r.state, r.work, &def, &tally) == THUD_OK);
        CHECK(tally.steps == n);
        unseen += seen.count == 0;
        CHECK(seen.count == 0 || (seen.count == 1 && seen.t[0] == end &&
                                  fabs(seen.q[0] - 1 - 2 * end) <= 1e-12 * end));
        rig_end(&r);
    }
    printf("  %d of %d runs never showed the output at their end (seed %llu)\n", unseen, trials,
           (unsigned long long)seed);
    CHECK(unseen == 0);
}

static void many_decimal_steps(void)
{
    static const struct
    {
        double h, end;
        int64_t steps;
    } wanted[] = {{0.1, 0.3, 3}, {0.1, 10000, 100000}, {0.01, 1000, 100000}, {1e-3, 100, 100000}};
    for (int i = 0; i < 4; i++)
    {
        thud_tally tally;
        rig r = run_flight(0, wanted[i].h);
        REQUIRE(r.state && r.work);
        thud_run_def def = {.end = wanted[i].end};
        CHECK(thud_run(&run_free_flight, r.state, r.work, &def, &tally) == THUD_OK);
        CHECK(tally.steps == wanted[i].steps);
        CHECK(thud_state_time(r.state) == fma((double)wanted[i].steps, wanted[i].h, 0));
        rig_end(&r);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"every-step", every_step},
        {"output-times", output_times},
        {"outputs-do-not-steer", outputs_do_not_steer},
        {"bad-defs", bad_defs},
        {"missing-lists", missing_lists},
        {"end-between-nodes", end_between_nodes},
        {"decimal-ends", decimal_ends},
        {"many-decimal-steps", many_decimal_steps},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
