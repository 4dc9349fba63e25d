// A projection or a step that is stopped in the midst: it is dropped at once, the state is as it
// was bit for bit, and taken again everything is as if nothing had happened.
#include "sweep_graph.h"

#include "core/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <thud/fields.h>
#include <thud/run.h>
#include <thud/spheres.h>

enum
{
    BODIES = 24,
    STEPS = 20
};

static volatile int flag;

// Raise the flag some milliseconds from now, in another thread.
static void *raise_later(void *milliseconds)
{
    long wait = *(const int *)milliseconds;
    (void)nanosleep(&(struct timespec){wait / 1000, wait % 1000 * 1000000}, NULL);
    flag = 1;
    return NULL;
}

static thud_status project_until_raised(const thud_projection *problem, thud_projector *projector,
                                        int milliseconds, thud_answer *answer)
{
    pthread_t thread;
    flag = 0;
    CHECK(pthread_create(&thread, NULL, raise_later, &milliseconds) == 0);
    thud_status status = thud_project(problem, projector, answer);
    (void)pthread_join(thread, NULL);
    flag = 0;
    return status;
}

static bool same_answer(const thud_answer *a, const thud_answer *b, const thud_projection *problem)
{
    return memcmp(a->u, b->u, (size_t)problem->dim * sizeof *a->u) == 0 &&
           memcmp(a->mu, b->mu, (size_t)problem->rows->count * sizeof *a->mu) == 0;
}

// Iterative methods, on shifts below rounding, which they never come to: they end by the flag, or
// by the time, or not for hours. Then, on the problem as it is, they answer as one that never was
// stopped.
static void sweeps(void)
{
    static const thud_method methods[] = {THUD_METHOD_AUTO, THUD_METHOD_AGS, THUD_METHOD_PGS,
                                          THUD_METHOD_APGD};
    test_random random = test_random_start(test_seed(30));
    sweep_graph g = sweep_graph_make(&random, 3, 700, 0, true);
    thud_projection problem = *sweep_graph_problem(&g, &random), endless = problem;
    endless.shift_scale = 1e-14;
    for (int m = 0; m < 4; m++)
    {
        thud_projector *stopped = NULL, *late = NULL, *other = NULL;
        thud_answer a, b;
        thud_projector_def def = {.method = methods[m], .sweep_limit = 2000000000, .stop = &flag};
        CHECK(thud_projector_create(&def, &stopped) == THUD_OK);
        def.stop = NULL;
        CHECK(thud_projector_create(&def, &other) == THUD_OK);
        def.deadline = thudi_seconds() + 0.05;
        CHECK(thud_projector_create(&def, &late) == THUD_OK);
        REQUIRE(stopped && other && late);
        CHECK(project_until_raised(&endless, stopped, 20, &a) == THUD_ERR_STOPPED);
        CHECK(thud_project(&endless, late, &a) == THUD_ERR_STOPPED);
        CHECK(thud_project(&problem, late, &a) == THUD_ERR_STOPPED); // it is over for good
        CHECK(thud_project(&problem, stopped, &a) == THUD_OK);
        CHECK(thud_project(&problem, other, &b) == THUD_OK);
        CHECK(same_answer(&a, &b, &problem));
        flag = 1;
        CHECK(thud_project(&problem, stopped, &a) == THUD_ERR_STOPPED);
        flag = 0;
        thud_projector_destroy(stopped);
        thud_projector_destroy(late);
        thud_projector_destroy(other);
    }
    sweep_graph_free(&g);
}

// The exact method, stopped ever later until it is not: with a first guess and without.
static void exact(void)
{
    test_random random = test_random_start(test_seed(31));
    sweep_graph g = sweep_graph_make(&random, 3, 300, 0, true);
    int stops = 0;
    for (int warm = 0; warm < 2; warm++)
    {
        thud_projection problem = *sweep_graph_problem(&g, &random);
        thud_projector *projector = NULL, *other = NULL;
        thud_projector_def def = {.method = THUD_METHOD_ACTIVE_SET};
        thud_answer a, b;
        thud_status status = THUD_ERR_STOPPED;
        problem.warm = warm ? problem.warm : NULL;
        CHECK(thud_projector_create(&def, &other) == THUD_OK);
        def.stop = &flag;
        CHECK(thud_projector_create(&def, &projector) == THUD_OK);
        REQUIRE(projector && other);
        for (int wait = 0; status == THUD_ERR_STOPPED; wait = 2 * wait + 1)
        {
            status = project_until_raised(&problem, projector, wait, &a);
            stops += status == THUD_ERR_STOPPED;
        }
        CHECK(status == thud_project(&problem, other, &b) && status == THUD_OK);
        CHECK(same_answer(&a, &b, &problem));
        thud_projector_destroy(projector);
        thud_projector_destroy(other);
    }
    printf("  stopped %d times\n", stops);
    CHECK(stops > 1);
    sweep_graph_free(&g);
}

// A world whose callbacks raise the flag: in their `at`-th call of a step.
typedef struct rig
{
    thud_world *world;
    thud_work *work;
    thud_inclusion inner, problem;
    int calls, at;
} rig;

static void count_call(rig *r)
{
    if (++r->calls == r->at)
        flag = 1;
}

static int gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    rig *r = user;
    count_call(r);
    return r->inner.gaps(at, rows, r->inner.user);
}

static int force(double t, const double *q, double *f, void *user)
{
    rig *r = user;
    count_call(r);
    for (int k = 0; k < r->inner.dim; k++)
        f[k] = k % 2 == 1 ? -10 - 30 * (t > 0.031) : -q[k];
    return 0;
}

static bool rig_make(rig *r, thud_law law)
{
    static const double some[] = {0.7}, weak[] = {-0.02};
    thud_world_def def = {.dim = 2, .h = 0.004, .tol = 1e-3};
    def.material_count = law == THUD_LAW_INELASTIC ? 0 : 1;
    def.law = law;
    def.numbers = law == THUD_LAW_RESTITUTION ? some : law == THUD_LAW_GLUE ? weak : NULL;
    thud_sphere bodies[BODIES];
    *r = (rig){0};
    for (int i = 0; i < BODIES; i++)
        bodies[i] =
            (thud_sphere){.center = {0.24 * (i % 4) + 0.01 * (i % 3), 0.12 + 0.21 * (i / 4)},
                          .velocity = {0.1 * (i % 5), -1},
                          .radius = 0.1,
                          .mass = 1 + 0.1 * i};
    thud_wall_def walls[] = {{.plane = {{0, 1, 0}, 0}}, {.plane = {{1, 0.1, 0}, -0.3}}};
    if (thud_world_create(&def, &r->world) != THUD_OK ||
        thud_world_add(r->world, bodies, BODIES, NULL) != THUD_OK ||
        thud_world_add_wall(r->world, &walls[0], NULL) != THUD_OK ||
        thud_world_add_wall(r->world, &walls[1], NULL) != THUD_OK ||
        thud_world_prepare(r->world, THUD_REFUSE_OVERLAP, NULL) < 0)
        return false;
    thud_work_def work = thud_world_work(r->world);
    work.projector.exact_limit = 12; // so that both methods have a part in it
    work.projector.stop = &flag;
    r->inner = r->problem = thud_world_inclusion(r->world);
    r->problem.gaps = gaps;
    r->problem.force = force;
    r->problem.force_is_steady = false;
    r->problem.impulse = NULL;
    r->problem.user = r;
    return thud_work_create(&work, &r->work) == THUD_OK;
}

static void rig_free(rig *r)
{
    thud_work_destroy(r->work);
    thud_world_destroy(r->world);
}

// Every call of every callback of a step raises the flag in turn, then the step is taken.
static int stop_everywhere(rig *r)
{
    thud_state *state = thud_world_state(r->world);
    uint64_t before = thud_state_hash(state, 0);
    int stops = 0;
    thud_status status = THUD_ERR_STOPPED;
    for (r->at = 1; status == THUD_ERR_STOPPED; r->at++)
    {
        r->calls = 0;
        flag = 0;
        status = thud_step(&r->problem, state, r->work);
        if (status != THUD_ERR_STOPPED)
            break;
        stops++;
        CHECK(thud_state_hash(state, 0) == before);
        CHECK(strstr(thud_work_message(r->work), "stopped"));
    }
    CHECK(status >= 0 && r->calls <= r->at); // the last one was too late, or there was none
    flag = 0;
    return stops;
}

static void steps(void)
{
    static const thud_law laws[] = {THUD_LAW_INELASTIC, THUD_LAW_RESTITUTION, THUD_LAW_GLUE};
    for (int l = 0; l < 3; l++)
    {
        rig a, b;
        int stops = 0;
        flag = 0;
        REQUIRE(rig_make(&a, laws[l]) && rig_make(&b, laws[l]));
        for (int n = 0; n < STEPS; n++)
        {
            stops += stop_everywhere(&a);
            CHECK(thud_step(&b.problem, thud_world_state(b.world), b.work) >= 0);
            CHECK(thud_state_hash(thud_world_state(a.world), 0) ==
                  thud_state_hash(thud_world_state(b.world), 0));
        }
        printf("  law %d: %d steps, stopped %d times\n", l, STEPS, stops);
        CHECK(stops > 10 * STEPS);
        rig_free(&a);
        rig_free(&b);
    }
}

// A run that is stopped within a step ends at the node before it, and goes on from there.
static void run(void)
{
    rig a, b;
    thud_tally tally;
    flag = 0;
    REQUIRE(rig_make(&a, THUD_LAW_INELASTIC) && rig_make(&b, THUD_LAW_INELASTIC));
    thud_state *state = thud_world_state(a.world), *other = thud_world_state(b.world);
    thud_run_def def = {.end = 0.1, .stop = &flag};
    thud_work_set_stop(a.work, NULL, 0); // what the run says counts
    a.at = 170;
    CHECK(thud_run(&a.problem, state, a.work, &def, &tally) == THUD_STOPPED);
    CHECK(a.calls >= 170 && a.calls < 190 && state->n > 0 && tally.steps == state->n);
    flag = 0;
    while (other->n < state->n)
        REQUIRE(thud_step(&b.problem, other, b.work) >= 0);
    CHECK(thud_state_hash(state, 0) == thud_state_hash(other, 0));
    thud_run_def past = {.end = 0.1, .deadline = thudi_seconds() - 1};
    CHECK(thud_run(&a.problem, state, a.work, &past, &tally) == THUD_STOPPED && tally.steps == 0);
    past.deadline = thudi_seconds() + 1e6;
    CHECK(thud_run(&a.problem, state, a.work, &past, NULL) >= 0);
    CHECK(thud_run(&b.problem, other, b.work, &(thud_run_def){.end = 0.1}, NULL) >= 0);
    CHECK(state->n == 25 && thud_state_hash(state, 0) == thud_state_hash(other, 0));
    // and the work's own count again
    thud_work_set_stop(a.work, NULL, thudi_seconds());
    CHECK(thud_step(&a.problem, state, a.work) == THUD_ERR_STOPPED && state->n == 25);
    rig_free(&a);
    rig_free(&b);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"sweeps", sweeps}, {"exact", exact}, {"steps", steps}, {"run", run}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
