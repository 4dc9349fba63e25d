// A run: who sees what and when, where it ends, how it stops, and what the tally holds.
#include "unit_rig.h"

#include <string.h>

enum
{
    LOG = 400
};

// What an observer saw, and when it wants to stop (at its stop_at-th call; 0: never).
typedef struct record
{
    int count, stop_at;
    double t[LOG], q[LOG], u[LOG];
    bool had_report[LOG];
} record;

static int observe(const thud_view *view, void *user)
{
    record *r = user;
    if (r->count < LOG)
    {
        r->t[r->count] = view->t;
        r->q[r->count] = view->q[0];
        r->u[r->count] = view->u[0];
        r->had_report[r->count] = view->report != NULL;
    }
    CHECK(view->state && view->problem && view->t <= thud_state_time(view->state) + 1e-9);
    r->count++;
    return r->count == r->stop_at ? 5 : 0;
}

// One body in free flight, u = 2.
static const thud_inclusion free_flight = {.dim = 1};

static rig flight(double t0, double h)
{
    thud_state_def def = {.dim = 1, .t0 = t0, .h = h, .q = (double[]){1}, .u = (double[]){2}};
    return rig_start(&def, NULL);
}

static void every_step(void)
{
    record seen = {0};
    thud_observer observer = {observe, THUD_EVERY_STEP, &seen};
    thud_run_def def = {.end = 2, .observers = &observer, .observer_count = 1};
    thud_tally tally;
    rig r = flight(1, 0.25);
    REQUIRE(r.state && r.work);
    CHECK(thud_run(&free_flight, r.state, r.work, &def, &tally) == THUD_OK);
    CHECK(seen.count == 5 && tally.steps == 4 && r.state->n == 4);
    for (int i = 0; i < 5; i++)
        CHECK(seen.t[i] == 1 + 0.25 * i && seen.q[i] == 1 + 0.5 * i && seen.u[i] == 2 &&
              seen.had_report[i] == (i > 0));
    CHECK(thud_run(&free_flight, r.state, r.work, &def, &tally) == THUD_OK); // over already
    CHECK(seen.count == 6 && tally.steps == 0);
    rig_end(&r);
}

// Output times before the start, at it, inside steps, at nodes, at the end, after it.
static void output_times(void)
{
    static const double outputs[] = {-3, 0.99, 1, 1.0625, 1.125, 1.25, 1.75, 1.875, 2, 2.1, 1e9};
    static const double wanted[] = {1, 1.0625, 1.125, 1.25, 1.75, 1.875, 2};
    record seen = {0};
    thud_observer observer = {observe, THUD_OUTPUT_TIMES, &seen};
    thud_run_def def = {.end = 2,
                        .outputs = outputs,
                        .output_count = 11,
                        .observers = &observer,
                        .observer_count = 1};
    rig r = flight(1, 0.25);
    REQUIRE(r.state && r.work);
    CHECK(thud_run(&free_flight, r.state, r.work, &def, NULL) == THUD_OK);
    CHECK(seen.count == 7);
    for (int i = 0; i < 7 && i < seen.count; i++)
        CHECK(seen.t[i] == wanted[i] && seen.q[i] == 1 + 2 * (wanted[i] - 1) && seen.u[i] == 2);
    rig_end(&r);
}

static int fall(double t, const double *q, double *f, void *user)
{
    (void)t;
    (void)q;
    (void)user;
    f[0] = -1;
    return 0;
}

static int ground(const thud_moment *at, thud_rows *rows, void *user)
{
    thud_row row = {.key = 1, .gap = at->q[0], .count = 1};
    (void)user;
    row.index = (int[]){0};
    row.slope = (double[]){1};
    return thud_rows_push(rows, &row);
}

static const thud_inclusion drop = {
    .dim = 1, .force = fall, .force_is_steady = true, .gaps = ground};

// Watching must not change the steps, and what is seen is the affine interpolation of the nodes.
static void outputs_do_not_steer(void)
{
    uint64_t seed = test_seed(20260120);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 100; trial++)
    {
        record nodes = {0}, between = {0};
        thud_observer observers[2] = {{observe, THUD_EVERY_STEP, &nodes},
                                      {observe, THUD_OUTPUT_TIMES, &between}};
        double outputs[100], t = -0.5;
        for (int i = 0; i < 100; i++)
            outputs[i] = t += test_random_uniform(&random, 1e-9, 0.1);
        thud_run_def plain = {.end = 3}, watched = plain;
        watched.outputs = outputs;
        watched.output_count = 100;
        watched.observers = observers;
        watched.observer_count = 2;
        rig a = flight(0, 0.0625), b = flight(0, 0.0625);
        REQUIRE(a.state && b.state);
        CHECK(thud_run(&drop, a.state, a.work, &plain, NULL) == THUD_OK);
        CHECK(thud_run(&drop, b.state, b.work, &watched, NULL) == THUD_OK);
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
    record seen = {0};
    thud_observer observer = {observe, THUD_OUTPUT_TIMES, &seen};
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
        rig r = flight(0, 0.25);
        REQUIRE(r.state && r.work);
        thud_state *before = state_twin(r.state);
        thud_status status = thud_run(&free_flight, r.state, r.work, &bad[i], NULL);
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
    rig r = flight(0, 0.25);
    REQUIRE(r.state && r.work);
    CHECK(thud_run(&free_flight, r.state, r.work, &no_outputs, NULL) == THUD_ERR_ARGUMENT);
    CHECK(thud_run(&free_flight, r.state, r.work, &no_observers, NULL) == THUD_ERR_ARGUMENT);
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
        rig r = flight(0, 0.5);
        REQUIRE(r.state && r.work);
        thud_run_def def = {.end = wanted[i].end};
        CHECK(thud_run(&free_flight, r.state, r.work, &def, &tally) == THUD_OK);
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
        record seen = {0};
        thud_tally tally;
        thud_observer observer = {observe, THUD_OUTPUT_TIMES, &seen};
        thud_run_def def = {.end = end,
                            .outputs = &end,
                            .output_count = 1,
                            .observers = &observer,
                            .observer_count = 1};
        rig r = flight(0, h);
        REQUIRE(r.state && r.work);
        CHECK(thud_run(&free_flight, r.state, r.work, &def, &tally) == THUD_OK);
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
        rig r = flight(0, wanted[i].h);
        REQUIRE(r.state && r.work);
        thud_run_def def = {.end = wanted[i].end};
        CHECK(thud_run(&free_flight, r.state, r.work, &def, &tally) == THUD_OK);
        CHECK(tally.steps == wanted[i].steps);
        CHECK(thud_state_time(r.state) == fma((double)wanted[i].steps, wanted[i].h, 0));
        rig_end(&r);
    }
}

static volatile int stop_flag;

static int raise_flag(const thud_view *view, void *user)
{
    stop_flag = view->t >= *(const double *)user;
    return 0;
}

static void stop_by_flag(void)
{
    double when = 1;
    thud_observer observer = {raise_flag, THUD_EVERY_STEP, &when};
    thud_run_def def = {.end = 5, .observers = &observer, .observer_count = 1, .stop = &stop_flag};
    thud_tally tally;
    rig r = flight(0, 0.25);
    REQUIRE(r.state && r.work);
    stop_flag = 0;
    CHECK(thud_run(&free_flight, r.state, r.work, &def, &tally) == THUD_STOPPED);
    CHECK(tally.steps == 4 && thud_state_time(r.state) == 1);
    stop_flag = 1; // raised before: no step
    def.observer_count = 0;
    CHECK(thud_run(&free_flight, r.state, r.work, &def, &tally) == THUD_STOPPED);
    CHECK(tally.steps == 0);
    stop_flag = 0;
    CHECK(thud_run(&free_flight, r.state, r.work, &def, &tally) == THUD_OK);
    CHECK(thud_state_time(r.state) == 5);
    rig_end(&r);
}

// Whoever stops, and whenever, all observers have seen that node and the status says so.
static void stop_by_observer(void)
{
    for (int when = 0; when < 2; when++)
        for (int at = 1; at <= 5; at++)
        {
            static const double outputs[] = {0, 0.25, 0.5, 0.75, 1};
            record stopper = {.stop_at = at}, other = {0};
            thud_when kind = when ? THUD_OUTPUT_TIMES : THUD_EVERY_STEP;
            thud_observer observers[2] = {{observe, kind, &stopper}, {observe, kind, &other}};
            thud_run_def def = {.end = 1,
                                .outputs = outputs,
                                .output_count = 5,
                                .observers = observers,
                                .observer_count = 2};
            thud_tally tally;
            rig r = flight(0, 0.25);
            REQUIRE(r.state && r.work);
            thud_status status = thud_run(&free_flight, r.state, r.work, &def, &tally);
            if (status != THUD_STOPPED)
                test_fail(__FILE__, __LINE__, "stopped at call %d of 5: %s", at,
                          thud_status_name(status));
            CHECK(stopper.count == at && other.count == at && tally.steps == at - 1);
            rig_end(&r);
        }
}

// The tally against the worst over the reports, seen one by one.
static int gather(const thud_view *view, void *user)
{
    thud_tally *t = user;
    const thud_report *report = view->report;
    if (!report)
        return 0;
    const thud_certificate *c = &report->answer.certificate;
    t->steps++;
    t->min_lin = c->min_lin < t->min_lin ? c->min_lin : t->min_lin;
    t->min_gap = report->min_gap < t->min_gap ? report->min_gap : t->min_gap;
    t->violation = c->violation > t->violation ? c->violation : t->violation;
    t->violation_ulps =
        c->violation_ulps > t->violation_ulps ? c->violation_ulps : t->violation_ulps;
    t->forward = c->forward > t->forward ? c->forward : t->forward;
    t->backward = c->backward > t->backward ? c->backward : t->backward;
    t->kkt = c->kkt > t->kkt ? c->kkt : t->kkt;
    t->between = report->between > t->between ? report->between : t->between;
    t->defect = report->defect > t->defect ? report->defect : t->defect;
    t->news |= report->news;
    t->news_steps += report->news != 0;
    if (report->news && !t->first_news)
        t->first_news = t->steps;
    t->added += report->effort.added;
    t->dropped += report->effort.dropped;
    t->polished += report->effort.polished;
    t->rounds += report->rounds;
    return 0;
}

static bool same_tally(const thud_tally *a, const thud_tally *b)
{
    return a->steps == b->steps && a->min_lin == b->min_lin && a->min_gap == b->min_gap &&
           a->violation == b->violation && a->violation_ulps == b->violation_ulps &&
           a->forward == b->forward && a->backward == b->backward && a->kkt == b->kkt &&
           a->between == b->between && a->defect == b->defect && a->news == b->news &&
           a->news_steps == b->news_steps && a->first_news == b->first_news &&
           a->added == b->added && a->dropped == b->dropped && a->polished == b->polished &&
           a->rounds == b->rounds;
}

static void tally_is_the_worst(void)
{
    uint64_t seed = test_seed(20260122);
    test_random random = test_random_start(seed);
    int64_t added = 0;
    for (int trial = 0; trial < 50; trial++)
    {
        double mass[WALL_DIM];
        walls w = walls_random(&random, 0.2);
        thud_inclusion problem = walls_problem(&w, mass);
        thud_smoothness smooth = {0.5, 0.25};
        thud_tally tally, wanted = {.min_lin = INFINITY, .min_gap = INFINITY};
        thud_observer observer = {gather, THUD_EVERY_STEP, &wanted};
        thud_run_def def = {.end = 4, .observers = &observer, .observer_count = 1};
        problem.smooth = trial % 2 ? &smooth : NULL;
        rig r = walls_start(&w);
        REQUIRE(r.state && r.work);
        thud_status status = thud_run(&problem, r.state, r.work, &def, &tally);
        CHECK(status == (tally.news ? THUD_NEWS : THUD_OK));
        CHECK(same_tally(&tally, &wanted) && tally.steps == 64);
        added += tally.added;
        CHECK(isinf(tally.between) == (trial % 2 == 0));
        rig_end(&r);
    }
    CHECK(added > 100);
    printf("  seed %llu\n", (unsigned long long)seed);
}

static int failing_ground(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    return at->t > 1.1 ? 9 : ground(at, rows, NULL);
}

static void tally_after_failure(void)
{
    thud_inclusion problem = drop;
    thud_tally tally;
    thud_run_def def = {.end = 3};
    problem.gaps = failing_ground;
    rig r = flight(0, 0.25);
    REQUIRE(r.state && r.work);
    r.state->q[0] = r.state->u[0] = 0;
    CHECK(thud_run(&problem, r.state, r.work, &def, &tally) == THUD_ERR_CALLBACK);
    CHECK(tally.steps == 4 && r.state->n == 4 && tally.rounds == 4 && tally.min_lin == 0);
    CHECK(strstr(thud_work_message(r.work), "step 5 "));
    rig_end(&r);
}

// In one go, in pieces, with a new work space in each: the same bits.
static void continuation(void)
{
    uint64_t seed = test_seed(20260123);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 50; trial++)
    {
        double mass[WALL_DIM], end = 0;
        walls w = walls_random(&random, 0.2);
        thud_inclusion problem = walls_problem(&w, mass);
        rig a = walls_start(&w), b = walls_start(&w);
        REQUIRE(a.state && b.state);
        thud_run_def def = {.end = 5};
        CHECK(thud_run(&problem, a.state, a.work, &def, NULL) >= 0);
        while (end < 5)
        {
            end = fmin(5, end + test_random_uniform(&random, 0.01, 1));
            thud_run_def piece = {.end = end};
            CHECK(thud_run(&problem, b.state, b.work, &piece, NULL) >= 0);
            thud_work_destroy(b.work);
            REQUIRE(thud_work_create(NULL, &b.work) == THUD_OK);
        }
        CHECK(same_state(a.state, b.state));
        rig_end(&a);
        rig_end(&b);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
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
        {"stop-by-flag", stop_by_flag},
        {"stop-by-observer", stop_by_observer},
        {"tally-is-the-worst", tally_is_the_worst},
        {"tally-after-failure", tally_after_failure},
        {"continuation", continuation},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
