// Rows that join while sweeps go on: see thudi_look.
#include "late_grid.h"
#include "unit_rig.h"

#include <math.h>
#include <string.h>

static rig start(const late_grid *g)
{
    thud_state_def def = {.dim = 3 * g->bodies, .h = 0.01, .q = g->q, .u = g->u};
    // so accurate that a step takes more sweeps than there are before an early look
    return rig_start(&def, &(thud_work_def){.accuracy = 1e-9});
}

static thud_key key_of(const thud_rows *rows, int i)
{
    thud_row_room room;
    return thud_rows_get(rows, i, &room).key;
}

// What must hold of every step: rows in order, each once, no pair closer than half of its shift.
static void check_step(const late_grid *g, const rig *r)
{
    const thud_report *report = thud_work_report(r->work);
    double normal[3];
    for (int i = 1; i < thud_rows_count(report->rows); i++)
        CHECK(thud_key_before(key_of(report->rows, i - 1), key_of(report->rows, i)));
    for (int i = 0; i < thud_rows_count(report->rows); i++)
        CHECK(report->impulse[i] >= 0 && report->lin[i] > 0);
    for (int p = 0; p < g->pairs; p++)
        CHECK(late_grid_distance(r->state->q, g->pair[p], normal) > 1);
    CHECK(report->answer.certificate.violation == 0);
}

// The largest difference of a velocity, in multiples of the largest that a tolerance allows a row.
static double difference(const rig *x, const rig *y, double shift)
{
    double largest = 0;
    for (int k = 0; k < x->state->dim; k++)
        largest = fmax(largest, fabs(x->state->u[k] - y->state->u[k]));
    return largest * x->state->h / shift;
}

// Take one step, and the same with all rows from the beginning. Returns how many rounds it took.
static int compare(late_grid *g)
{
    late_grid all = *g;
    all.pushes_all = true;
    rig late = start(g), full = start(&all);
    if (!late.state || !late.work || !full.state || !full.work)
    {
        CHECK(!"no memory");
        return 0;
    }
    thud_inclusion problem = late_grid_problem(g), whole = late_grid_problem(&all);
    CHECK(thud_step(&whole, full.state, full.work) == THUD_OK);
    CHECK(thud_step(&problem, late.state, late.work) == THUD_OK);
    check_step(g, &late);
    check_step(&all, &full);
    const thud_report *report = thud_work_report(late.work);
    int rounds = report->rounds;
    CHECK(report->rows_missed > 0);
    printf("  %d rows missed, %d rounds, %d searches, %d sweeps (%d with all rows)\n",
           report->rows_missed, rounds, g->searches, report->effort.sweeps,
           thud_work_report(full.work)->effort.sweeps);
    CHECK_AT_MOST(difference(&late, &full, g->shift), 50);
    rig_end(&late);
    rig_end(&full);
    return rounds;
}

// Nearly a third of the upright rows is late: they join, in floats and in doubles. A second round
// is needed only where the early look came too early.
static void rows_join(void)
{
    static const double shifts[] = {1e-4, 1e-6, 1e-9};
    uint64_t seed = test_seed(20261119);
    test_random random = test_random_start(seed);
    int rounds = 0, trials = 0;
    for (int i = 0; i < 3; i++)
        for (int trial = 0; trial < 8; trial++, trials++)
        {
            late_grid g = late_grid_random(&random, shifts[i], 0.3);
            rounds += compare(&g);
        }
    CHECK_AT_MOST(rounds, 1.5 * trials); // without looks each would take two or more
    printf("  %d rounds in %d trials (seed %llu)\n", rounds, trials, (unsigned long long)seed);
}

// More rows are late than there is room for: the rest comes in another round.
static void too_many(void)
{
    uint64_t seed = test_seed(20261120);
    test_random random = test_random_start(seed);
    late_grid g = late_grid_random(&random, 1e-6, 1);
    CHECK(compare(&g) > 1);
    printf("  seed %llu\n", (unsigned long long)seed);
}

// Rows of the general shape do not fit into packs: they come in a second round.
static void other_shape(void)
{
    uint64_t seed = test_seed(20261121);
    test_random random = test_random_start(seed);
    late_grid g = late_grid_random(&random, 1e-4, 0.3);
    g.is_general = true;
    CHECK(compare(&g) > 1);
    printf("  seed %llu\n", (unsigned long long)seed);
}

// Rows in units of their own, so small or so large that packs cannot hold their slopes: they come
// in a second round, too.
static void other_units(void)
{
    static const double scales[] = {0x1p-22, 0x1p22};
    uint64_t seed = test_seed(20261125);
    test_random random = test_random_start(seed);
    for (int i = 0; i < 2; i++)
    {
        late_grid g = late_grid_random(&random, 1e-4, 0.3);
        g.scale = scales[i];
        CHECK(compare(&g) > 1);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

// A body that falls on the grid from above, fast, and is in no row at first.
static void stranger(void)
{
    uint64_t seed = test_seed(20261122);
    test_random random = test_random_start(seed);
    late_grid g = late_grid_random(&random, 1e-4, 0.05);
    double *q = g.q + 3 * (size_t)g.bodies;
    const double *below = g.q + 3 * (size_t)(g.bodies - 1);
    late_grid_add(&g, g.bodies - 1, g.bodies, true);
    memcpy(q, below, 3 * sizeof *q);
    q[2] += 1.05;
    g.u[3 * g.bodies + 2] = -20;
    for (int k = 0; k < 3; k++)
        g.mass[3 * g.bodies + k] = 1;
    g.bodies++;
    CHECK(compare(&g) > 1);
    printf("  seed %llu\n", (unsigned long long)seed);
}

// An error in a search during the sweeps is the error of the step, which can be taken again.
static void failing_search(void)
{
    uint64_t seed = test_seed(20261123);
    test_random random = test_random_start(seed);
    int during = 0;
    for (int trial = 0; trial < 10; trial++)
    {
        late_grid g = late_grid_random(&random, 1e-6, 0.3);
        rig r = start(&g);
        REQUIRE(r.state && r.work);
        thud_inclusion problem = late_grid_problem(&g);
        g.failing_search = 1;
        check_failed_step(&problem, &r, THUD_ERR_CALLBACK);
        CHECK(strstr(thud_work_message(r.work), "the constraints (check)"));
        during += thud_work_report(r.work)->answer.certificate.forward == 0; // there is no answer
        g.failing_search = 0;
        CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
        check_step(&g, &r);
        rig_end(&r);
    }
    CHECK(during > 2); // the others took too few sweeps for an early look
    printf("  %d of 10 during the sweeps (seed %llu)\n", during, (unsigned long long)seed);
}

// Further steps: multipliers of rows that joined are known to the next step, which misses none.
static void next_step(void)
{
    uint64_t seed = test_seed(20261124);
    test_random random = test_random_start(seed);
    late_grid g = late_grid_random(&random, 1e-4, 0.3);
    rig r = start(&g);
    REQUIRE(r.state && r.work);
    thud_inclusion problem = late_grid_problem(&g);
    for (int n = 0; n < 5; n++)
    {
        CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
        check_step(&g, &r);
        for (int i = 1; i < r.state->multiplier_count; i++)
            CHECK(thud_key_before(r.state->multipliers[i - 1].key, r.state->multipliers[i].key));
    }
    rig_end(&r);
    printf("  seed %llu\n", (unsigned long long)seed);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"rows-join", rows_join},     {"too-many", too_many}, {"other-shape", other_shape},
        {"other-units", other_units}, {"stranger", stranger}, {"failing-search", failing_search},
        {"next-step", next_step},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
