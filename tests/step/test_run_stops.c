// A run that stops before its end, what its tally holds, and how it goes on.
#include "run_rig.h"

#include <string.h>

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
    rig r = run_flight(0, 0.25);
    REQUIRE(r.state && r.work);
    stop_flag = 0;
    CHECK(thud_run(&run_free_flight, r.state, r.work, &def, &tally) == THUD_STOPPED);
    CHECK(tally.steps == 4 && thud_state_time(r.state) == 1);
    stop_flag = 1; // raised before: no step
    def.observer_count = 0;
    CHECK(thud_run(&run_free_flight, r.state, r.work, &def, &tally) == THUD_STOPPED);
    CHECK(tally.steps == 0);
    stop_flag = 0;
    CHECK(thud_run(&run_free_flight, r.state, r.work, &def, &tally) == THUD_OK);
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
            run_log stopper = {.stop_at = at}, other = {0};
            thud_when kind = when ? THUD_OUTPUT_TIMES : THUD_EVERY_STEP;
            thud_observer observers[2] = {{run_observe, kind, &stopper},
                                          {run_observe, kind, &other}};
            thud_run_def def = {.end = 1,
                                .outputs = outputs,
                                .output_count = 5,
                                .observers = observers,
                                .observer_count = 2};
            thud_tally tally;
            rig r = run_flight(0, 0.25);
            REQUIRE(r.state && r.work);
            thud_status status = thud_run(&run_free_flight, r.state, r.work, &def, &tally);
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
    t->min_gap = report->start_gap < t->min_gap ? report->start_gap : t->min_gap;
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
    return at->t > 1.1 ? 9 : run_ground(at, rows, NULL);
}

// The smallest of no step is beyond every value; all others begin with nothing.
static void tally_begins(void)
{
    thud_tally tally = thud_tally_begin();
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
    {
        const thud_figure *figure = &thud_tally_figures()[i];
        double least = figure->type == THUD_FIGURE_REAL ? INFINITY : (double)INT64_MAX;
        CHECK(thud_tally_value(&tally, i) == (figure->fold == THUD_FIGURE_MIN ? least : 0));
    }
}

static void tally_after_failure(void)
{
    thud_inclusion problem = run_drop;
    thud_tally tally;
    thud_run_def def = {.end = 3};
    problem.gaps = failing_ground;
    rig r = run_flight(0, 0.25);
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
        {"stop-by-flag", stop_by_flag},
        {"stop-by-observer", stop_by_observer},
        {"tally-is-the-worst", tally_is_the_worst},
        {"tally-begins", tally_begins},
        {"tally-after-failure", tally_after_failure},
        {"continuation", continuation},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
