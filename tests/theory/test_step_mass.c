// The multipliers of a step are bounded by gamma |u' - w|, at every step of every run.
#include "thud/hypotheses.h"
#include "thud/spheres.h"

#include "thud_test.h"

#include <stdlib.h>

/// A run that is looked at step by step.
typedef struct run
{
    thud_inclusion problem;
    thud_state *state, *before;
    thud_work *work;
    thud_site site;
} run;

static void run_begin(run *r, const thud_inclusion *problem, thud_state *state,
                      const thud_work_def *def, double length)
{
    r->problem = *problem;
    r->state = state;
    r->site = (thud_site){.reach = .1 * length, .length = length};
    if (thud_work_create(def, &r->work) != THUD_OK ||
        thud_state_create(
            &(thud_state_def){.dim = state->dim, .h = state->h, .q = state->q, .u = state->u},
            &r->before) != THUD_OK)
        abort();
}

static void run_end(run *r)
{
    thud_work_destroy(r->work);
    thud_state_destroy(r->before);
}

static thud_mass run_step(run *r)
{
    thud_mass mass = {.holds = false};
    CHECK(thud_state_copy(r->before, r->state) == THUD_OK);
    thud_status status = thud_step(&r->problem, r->state, r->work);
    if (status < 0)
        test_fail(__FILE__, __LINE__, "%s", thud_work_message(r->work));
    else
        CHECK(thud_mass_measure(&r->problem, r->before, r->state,
                                thud_work_report(r->work)->mean_force, NULL, &r->site,
                                &mass) == THUD_OK);
    // the rows of the step itself, which may be more, tell the same
    thud_mass again = {.holds = false};
    if (status >= 0)
        CHECK(thud_mass_measure(&r->problem, r->before, r->state,
                                thud_work_report(r->work)->mean_force,
                                thud_work_report(r->work)->rows, &r->site, &again) == THUD_OK);
    CHECK(again.loaded == mass.loaded && again.unknown == 0 && again.holds == mass.holds);
    CHECK_NEAR(again.mass, mass.mass, 1e-12 * mass.mass);
    CHECK_NEAR(again.independence.gamma, mass.independence.gamma, 1e-3 * mass.independence.gamma);
    return mass;
}

static int push_floor(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    thud_rows_push(rows, &(thud_row){.key = {7},
                                     .gap = 2 * at->q[0],
                                     .count = 1,
                                     .index = (int[]){0},
                                     .slope = (double[]){2}});
    return 0;
}

static int weigh(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    f[0] = -3;
    return 0;
}

// One constraint: gamma = 1 and the bound is reached.
static void run_single(void)
{
    double mass = 4;
    thud_inclusion problem = {.dim = 1, .mass = &mass, .force = weigh, .gaps = push_floor};
    thud_state *state = NULL;
    run r;
    REQUIRE(thud_state_create(&(thud_state_def){.dim = 1, .h = .1, .q = (double[]){1}}, &state) ==
            THUD_OK);
    run_begin(&r, &problem, state, NULL, 1);
    int loaded = 0;
    for (int n = 0; n < 30; n++)
    {
        thud_mass found = run_step(&r);
        CHECK(found.holds && found.unknown == 0 && !found.pulls);
        if (found.loaded == 0)
            continue;
        loaded++;
        CHECK_NEAR(found.mass, found.bound, 1e-13 * found.bound);
        CHECK_NEAR(found.independence.gamma, 1, 1e-12);
        CHECK(thud_key_same(found.support.key, thud_key_number(7)));
        CHECK_NEAR(found.support.value, 0, 1e-15);
        if (loaded > 2) // at rest: mu |grad g| / sqrt m is the weight of a step
            CHECK_NEAR(found.mass, .1 * 3 / 2, 1e-12);
    }
    CHECK(loaded > 10);
    run_end(&r);
    thud_state_destroy(state);
}

static thud_world *make_world(int count, double tol, uint64_t seed)
{
    thud_world *world = NULL;
    thud_world_def def = {.dim = 3, .h = 2e-2, .gravity = {0, 0, -1}, .tol = tol};
    test_random random = test_random_start(seed);
    double low[] = {0, 0, 0}, high[] = {4, 4, INFINITY};
    thud_start start;
    if (thud_world_create(&def, &world) != THUD_OK)
        abort();
    for (int i = 0; i < count; i++)
    {
        thud_sphere sphere = {.radius = test_random_uniform(&random, .35, .45), .mass = 1};
        sphere.center[0] = .6 + i % 4 * .92 + test_random_uniform(&random, -.01, .01);
        sphere.center[1] = .6 + i / 4 % 4 * .92 + test_random_uniform(&random, -.01, .01);
        sphere.center[2] = .5 + i / 16 * .95;
        if (thud_world_add(world, &sphere, 1, NULL) != THUD_OK)
            abort();
    }
    if (thud_world_add_box(world, low, high, NULL) != THUD_OK ||
        thud_world_prepare(world, THUD_REFUSE_OVERLAP, &start) < 0)
        abort();
    return world;
}

// Spheres fall into a box: the bound holds at every step, impacts and all.
static void run_drop(void)
{
    uint64_t seed = test_seed(1);
    thud_world *world = make_world(64, 0, seed);
    thud_inclusion problem = thud_world_inclusion(world);
    thud_work_def def = thud_world_work(world);
    double part = 0, support = 0;
    int loaded = 0;
    run r;
    run_begin(&r, &problem, thud_world_state(world), &def, .35);
    for (int n = 0; n < 120; n++)
    {
        thud_mass found = run_step(&r);
        CHECK(found.holds && found.unknown == 0);
        if (found.loaded == 0)
            continue;
        loaded++;
        part = fmax(part, found.mass / found.bound);
        support = fmax(support, found.support.value);
    }
    printf("  seed %llu: %d steps with load, mass at most %.4f of its bound, support %g\n",
           (unsigned long long)seed, loaded, part, support);
    CHECK(loaded > 60);
    CHECK_AT_MOST(part, 1 + 1e-9);
    CHECK(part > .5);
    // the linearised gap is kept at sigma; the gap itself is larger by the turning of a pair
    CHECK_AT_MOST(support, .05);
    run_end(&r);
    thud_world_destroy(world);
}

static int push_corner(const thud_moment *at, thud_rows *rows, void *user)
{
    const double *half = user;
    for (int i = 0; i < 2; i++)
    {
        double slope[] = {(i == 0 ? 1 : -1) * cos(*half), sin(*half)};
        thud_rows_push(rows, &(thud_row){.key = thud_key_number(i),
                                         .gap = slope[0] * at->q[0] + slope[1] * at->q[1],
                                         .count = 2,
                                         .index = (int[]){0, 1},
                                         .slope = slope});
    }
    return 0;
}

// A body in the plane that falls into the corner from this height.
static thud_state *falling_at(double height)
{
    thud_state_def def = {.dim = 2, .h = .1, .q = (double[]){0, height}, .u = (double[]){0, -1}};
    thud_state *state = NULL;
    if (thud_state_create(&def, &state) != THUD_OK)
        abort();
    return state;
}

// A point thrown straight into a corner: both rows push, and the bound is reached again.
static void run_corner(void)
{
    double half = 20 * 3.14159265358979323846 / 180;
    thud_inclusion problem = {.dim = 2, .gaps = push_corner, .user = &half};
    thud_state *state = falling_at(.53);
    run r;
    run_begin(&r, &problem, state, NULL, 1);
    int loaded = 0;
    for (int n = 0; n < 10; n++)
    {
        thud_mass found = run_step(&r);
        CHECK(found.holds);
        if (found.loaded < 2 || found.mass < 1e-9) // rounding may be projected again
            continue;
        loaded++;
        CHECK_NEAR(found.independence.gamma, 1 / sin(half), 1e-8);
        CHECK_NEAR(found.mass, found.bound, 1e-8 * found.bound);
    }
    CHECK(loaded == 2); // an impact takes two steps
    run_end(&r);
    thud_state_destroy(state);
}

// Multipliers that are not those of the step are found out.
static void run_forged(void)
{
    double half = .4;
    thud_inclusion problem = {.dim = 2, .gaps = push_corner, .user = &half};
    thud_state *state = falling_at(.05);
    run r;
    run_begin(&r, &problem, state, NULL, 1);
    thud_mass found = run_step(&r);
    REQUIRE(found.holds && found.loaded == 2 && state->multiplier_count == 2);
    const double *force = thud_work_report(r.work)->mean_force;
    state->multipliers[0].impulse *= 1.01;
    CHECK(thud_mass_measure(&problem, r.before, state, force, NULL, &r.site, &found) == THUD_OK);
    CHECK(!found.holds && found.mass > found.bound);
    state->multipliers[0].impulse *= -1; // glue may pull: no bound then
    CHECK(thud_mass_measure(&problem, r.before, state, force, NULL, &r.site, &found) == THUD_OK);
    CHECK(found.holds && found.pulls);
    state->multipliers[0].impulse *= -1;
    state->multipliers[1].key = thud_key_number(99); // no such constraint
    CHECK(thud_mass_measure(&problem, r.before, state, force, NULL, &r.site, &found) == THUD_OK);
    CHECK(found.unknown == 1 && found.loaded == 1);
    run_end(&r);
    thud_state_destroy(state);
}

// gamma grows with the set of rows; a settled pack has it finite as long as it can expand upwards.
static void run_settled(void)
{
    thud_world *world = make_world(96, 0, test_seed(3));
    thud_inclusion problem = thud_world_inclusion(world);
    thud_work_def def = thud_world_work(world);
    thud_state *state = thud_world_state(world);
    thud_rows *rows = NULL;
    run r;
    run_begin(&r, &problem, state, &def, .35);
    for (int n = 0; n < 400; n++)
        if (thud_step(&problem, state, r.work) < 0)
            test_fail(__FILE__, __LINE__, "%s", thud_work_message(r.work));
    REQUIRE(thud_rows_create(state->dim, NULL, &rows) == THUD_OK);
    r.site.t = thud_state_time(state);
    r.site.h = state->h;
    r.site.q = state->q;
    REQUIRE(thud_site_rows(&problem, &r.site, rows) == THUD_OK);
    double last = 1, reach[] = {0, .01 * .7, .05 * .7};
    bool *use = calloc((size_t)thud_rows_count(rows), sizeof *use);
    if (!use)
        abort();
    for (int j = 0; j < 3; j++)
    {
        thud_independence found;
        for (int i = 0; i < thud_rows_count(rows); i++)
        {
            thud_row_room room;
            thud_row row = thud_rows_get(rows, i, &room);
            use[i] = j == 0 ? thud_row_touches(&row, .35) : row.gap <= reach[j];
        }
        REQUIRE(thud_independence_measure(
                    rows, &(thud_independence_def){.mass = problem.mass, .use = use}, &found, NULL,
                    NULL) == THUD_OK);
        printf("  %s: gamma = %.6g (at least %.6g) over %d constraints in %d clusters\n",
               j == 0   ? "touching"
               : j == 1 ? "within 0.01 d"
                        : "within 0.05 d",
               found.gamma, found.least, found.rows, found.clusters);
        CHECK(isfinite(found.gamma) && found.rows > 150);
        CHECK_AT_MOST(last, found.gamma * (1 + 1e-9));
        last = found.least;
    }
    free(use);
    thud_rows_destroy(rows);
    run_end(&r);
    thud_world_destroy(world);
}

static void run_memory(void)
{
    double half = .4;
    thud_inclusion problem = {.dim = 2, .gaps = push_corner, .user = &half};
    thud_state *state = falling_at(.05);
    run r;
    run_begin(&r, &problem, state, NULL, 1);
    (void)run_step(&r);
    for (long at = 1;; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_mass found;
        r.site.allocator = &allocator;
        thud_status status =
            thud_mass_measure(&problem, r.before, state, NULL, NULL, &r.site, &found);
        CHECK(meter.blocks == 0);
        CHECK(status == (meter.calls < at ? THUD_OK : THUD_ERR_MEMORY));
        if (meter.calls < at)
            break;
    }
    run_end(&r);
    thud_state_destroy(state);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"single", run_single},   {"drop", run_drop},
                                      {"corner", run_corner},   {"forged", run_forged},
                                      {"settled", run_settled}, {"memory", run_memory}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
