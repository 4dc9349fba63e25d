// Rows that join while the members of a team sweep their parts: the bits of steps alone, and an
// error of one member's search is that of all.
#include "late_grid.h"
#include "team_threads.h"
#include "unit_rig.h"

#include <string.h>

enum
{
    MOST = 4,        // members
    BRICK_LIMIT = 50 // bodies
};

typedef struct common
{
    const late_grid *start;
    uint64_t seed; // of the cuts
    int steps;
    int failing;               // member whose first search fails; -1: none
    thud_state *states[MOST];  // at the end
    thud_report reports[MOST]; // of the last step
    thud_status failed[MOST];  // of the step that fails
    char messages[MOST][300];  // likewise
    thud_team_counts counts[MOST];
} common;

static void take_steps(common *c, int rank, thud_team *team)
{
    late_grid g = *c->start;
    thud_bricks bricks = {.side = 4};
    thud_state_def def = {.dim = 3 * g.bodies, .h = 0.01, .q = g.q, .u = g.u};
    rig r = rig_start(
        &def, &(thud_work_def){.accuracy = 1e-9, .projector = {.brick_limit = BRICK_LIMIT}});
    CHECK(r.state && r.work);
    thud_inclusion problem = late_grid_problem(&g);
    problem.bricks = &bricks;
    thud_work_set_team(r.work, team);
    if (c->failing >= 0)
    {
        g.failing_search = rank == c->failing;
        c->failed[rank] = thud_step(&problem, r.state, r.work);
        (void)snprintf(c->messages[rank], sizeof c->messages[rank], "%s",
                       thud_work_message(r.work));
        g.failing_search = 0;
        if (team)
            thud_team_begin(team);
    }
    for (int n = 0; n < c->steps; n++)
        CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
    c->states[rank] = state_twin(r.state);
    c->reports[rank] = *thud_work_report(r.work);
    rig_end(&r);
}

static void run_as_member(thud_team *team, void *user)
{
    common *c = user;
    team->cut_seed = c->seed;
    take_steps(c, team->rank, team);
    c->counts[team->rank] = team->counts;
}

static void free_states(common *c)
{
    for (int r = 0; r < MOST; r++)
        thud_state_destroy(c->states[r]);
}

// Returns how many rows were missed in the last step.
static int compare(const late_grid *g, int size, uint64_t seed, int failing)
{
    common alone = {.start = g, .steps = 1, .failing = -1};
    common c = {.start = g, .steps = 1, .failing = failing, .seed = seed};
    take_steps(&alone, 0, NULL);
    CHECK(team_threads_run(size, 1, run_as_member, &c));
    for (int r = 0; r < size; r++)
    {
        CHECK(same_state(c.states[r], alone.states[0]));
        CHECK(c.reports[r].rows_missed == alone.reports[0].rows_missed);
        CHECK(c.reports[r].effort.sweeps == alone.reports[0].effort.sweeps);
        CHECK(c.counts[r].reductions > 20);
        if (failing < 0)
            continue;
        CHECK(c.failed[r] == THUD_ERR_CALLBACK);
        if (r != failing)
            CHECK(strstr(c.messages[r], "member ") && strstr(c.messages[r], "of "));
    }
    int missed = alone.reports[0].rows_missed;
    free_states(&alone);
    free_states(&c);
    return missed;
}

// In floats and in doubles; about equal parts, and random cuts with empty parts.
static void rows_join(void)
{
    static const double shifts[] = {1e-4, 1e-6, 1e-9};
    uint64_t seed = test_seed(20261119);
    test_random random = test_random_start(seed);
    int missed = 0;
    for (int i = 0; i < 3; i++)
        for (int size = 2; size <= MOST; size++)
            for (uint64_t cuts = 0; cuts < 3; cuts++)
            {
                late_grid g = late_grid_random(&random, shifts[i], 0.3);
                missed += compare(&g, size, cuts, -1);
            }
    printf("  %d rows missed in the last steps (seed %llu)\n", missed, (unsigned long long)seed);
}

// The search of one member fails: no member's state changes, and all can go on.
static void failing_search(void)
{
    uint64_t seed = test_seed(20261120);
    test_random random = test_random_start(seed);
    for (int failing = 0; failing < 3; failing++)
    {
        late_grid g = late_grid_random(&random, 1e-6, 0.3);
        (void)compare(&g, 3, 1 + (uint64_t)failing, failing);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

static void fall_apart(thud_team *team, void *user)
{
    common *c = user;
    late_grid g = *c->start;
    thud_bricks bricks = {.side = 4};
    if (team->rank == 1)
        g.u[2] = nextafter(g.u[2], 0); // a bit of one number
    thud_state_def def = {.dim = 3 * g.bodies, .h = 0.01, .q = g.q, .u = g.u};
    rig r = rig_start(&def, &(thud_work_def){.projector = {.brick_limit = BRICK_LIMIT}});
    CHECK(r.state && r.work);
    thud_state *before = state_twin(r.state);
    thud_inclusion problem = late_grid_problem(&g);
    problem.bricks = &bricks;
    thud_work_set_team(r.work, team);
    CHECK(thud_step(&problem, r.state, r.work) == THUD_ERR_FLOAT);
    CHECK(strstr(thud_work_message(r.work), "have come to different numbers"));
    CHECK(same_state(r.state, before));
    CHECK(thud_step(&problem, r.state, r.work) == THUD_ERR_FLOAT); // until thud_team_begin
    thud_state_destroy(before);
    rig_end(&r);
}

// Members whose states differ do not go on.
static void different_numbers(void)
{
    uint64_t seed = test_seed(20261121);
    test_random random = test_random_start(seed);
    late_grid g = late_grid_random(&random, 1e-4, 0);
    common c = {.start = &g};
    CHECK(team_threads_run(3, 1, fall_apart, &c));
    printf("  seed %llu\n", (unsigned long long)seed);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"rows-join", rows_join},
                                      {"failing-search", failing_search},
                                      {"different-numbers", different_numbers}};
    return test_main(argc, argv, cases, 3);
}
