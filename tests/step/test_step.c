// Steps that must fail: the state keeps its bits, the status is right, the message says where.
#include "unit_rig.h"

#include <stdlib.h>
#include <string.h>

// One body over a floor, with everything that can go wrong chosen by the test.
typedef struct floor_scene
{
    double gap, slope, shift; // added to what is right, from the third step on
    double check_gap;         // pushed in CHECK when not 0
    double probe_gap;         // added when g is looked at after the step
    double force;             // returned as it is
    int calls;
} floor_scene;

static int floor_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    floor_scene *s = user;
    bool probe = at->phase == THUD_LINEARISE && at->t > 0 && s->calls++ % 2;
    thud_row row = {.key = {3}, .gap = at->q[0] + s->gap, .shift = s->shift, .count = 1};
    row.index = (int[]){0};
    row.slope = (double[]){1 + s->slope};
    if (probe)
        row.gap += s->probe_gap;
    if (at->phase == THUD_FIND_MISSING && s->check_gap == 0)
        return 0;
    if (at->phase == THUD_FIND_MISSING)
        row.gap = s->check_gap;
    (void)thud_rows_push(rows, &row);
    return 0;
}

static int floor_force(double t, const double *q, double *f, void *user)
{
    const floor_scene *s = user;
    (void)t;
    (void)q;
    f[0] = s->force;
    f[1] = 0;
    return 0;
}

static thud_inclusion floor_problem(floor_scene *s)
{
    return (thud_inclusion){.dim = 2, .force = floor_force, .gaps = floor_gaps, .user = s};
}

// Three good steps, so that there are a step number, a time and multipliers to keep.
static rig floor_start(floor_scene *s)
{
    rig r = rig_start(&(thud_state_def){.dim = 2, .h = 0.5, .q = (double[]){0, 1}}, NULL);
    thud_inclusion problem = floor_problem(s);
    for (int n = 0; n < 3; n++)
        CHECK(r.state && r.work && thud_step(&problem, r.state, r.work) == THUD_OK);
    CHECK(r.state && r.state->multiplier_count == 1 && r.state->multipliers[0].impulse == 0.5);
    return r;
}

static void fail_and_recover(thud_inclusion *bad, floor_scene *s, thud_status wanted)
{
    floor_scene good = {.force = -1};
    thud_inclusion problem = floor_problem(&good);
    rig r = floor_start(&good);
    bad->user = s;
    s->calls = 0;
    check_failed_step(bad, &r, wanted);
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK); // the work space is fit for use
    CHECK(r.state->n == 4 && thud_work_message(r.work)[0] == '\0');
    rig_end(&r);
}

static void bad_problems(void)
{
    static const double swapped[] = {1, 3, 2}, equal[] = {1, 1}, unknown[] = {1, NAN, 2};
    static const double lone[] = {NAN};
    floor_scene s = {.force = -1};
    const thud_inclusion good = floor_problem(&s);
    thud_inclusion bad[12];
    int count = 0;
    bad[count] = good, bad[count++].dim = 3;
    bad[count] = good, bad[count++].dim = 1;
    bad[count] = good, bad[count++].dim = 0;
    bad[count] = good, bad[count++].order = (thud_order)2;
    bad[count] = good, bad[count++].break_count = -1;
    bad[count] = good, bad[count++].break_count = 1;
    bad[count] = good, bad[count].breaks = swapped, bad[count++].break_count = 3;
    bad[count] = good, bad[count].breaks = equal, bad[count++].break_count = 2;
    bad[count] = good, bad[count].breaks = unknown, bad[count++].break_count = 3;
    bad[count] = good, bad[count].breaks = lone, bad[count++].break_count = 1;
    for (int i = 0; i < count; i++)
    {
        fail_and_recover(&bad[i], &s, THUD_ERR_ARGUMENT);
    }
}

static void bad_smoothness(void)
{
    static const thud_smoothness wrong[] = {{-1, 0}, {0, -1}, {NAN, 0}, {0, NAN}};
    floor_scene s = {.force = -1};
    for (int i = 0; i < 4; i++)
    {
        thud_inclusion bad = floor_problem(&s);
        bad.smooth = &wrong[i];
        fail_and_recover(&bad, &s, THUD_ERR_ARGUMENT);
    }
}

static void bad_masses(void)
{
    static const double bad[] = {0, -0.0, -1, NAN, INFINITY};
    floor_scene s = {.force = -1};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 2; k++)
        {
            double mass[2] = {1, 1};
            thud_inclusion problem = floor_problem(&s);
            mass[k] = bad[i];
            problem.mass = mass;
            fail_and_recover(&problem, &s, i < 4 ? THUD_ERR_ARGUMENT : THUD_ERR_NOT_FINITE);
        }
}

// What state creation refuses as not finite, a step must refuse by the same name.
static void bad_states(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++)
        for (int which = 0; which < 2; which++)
        {
            floor_scene s = {.force = -1};
            thud_inclusion problem = floor_problem(&s);
            rig r = floor_start(&s);
            double *place = which ? &r.state->u[1] : &r.state->q[1], kept = *place;
            *place = bad[i];
            check_failed_step(&problem, &r, THUD_ERR_NOT_FINITE);
            *place = kept;
            CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
            rig_end(&r);
        }
}

static void not_finite_rows(void)
{
    floor_scene bad[] = {
        {.gap = NAN},       {.gap = INFINITY},       {.slope = NAN},     {.slope = -INFINITY},
        {.shift = NAN},     {.shift = INFINITY},     {.check_gap = NAN}, {.check_gap = -INFINITY},
        {.probe_gap = NAN}, {.probe_gap = INFINITY},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
        thud_inclusion problem = floor_problem(&bad[i]);
        bad[i].force = -1;
        fail_and_recover(&problem, &bad[i], THUD_ERR_NOT_FINITE);
    }
}

// The message names the component, its value and the time, however the mean is found.
static void not_finite_force(void)
{
    static const double values[] = {NAN, INFINITY, -INFINITY};
    static const char *const words[] = {"nan", "inf", "-inf"};
    for (int i = 0; i < 6; i++)
    {
        floor_scene good = {.force = -1}, bad = {.force = values[i / 2]};
        thud_inclusion problem = floor_problem(&bad);
        rig r = floor_start(&good);
        char wanted[120];
        problem.force_is_steady = i % 2;
        check_failed_step(&problem, &r, THUD_ERR_NOT_FINITE);
        (void)snprintf(wanted, sizeof wanted,
                       "step 4 (t = 1.5): component 0 of the force is %s at t = ", words[i / 2]);
        const char *message = thud_work_message(r.work);
        CHECK(strncmp(message, wanted, strlen(wanted)) == 0);
        double t = strtod(message + strlen(wanted), NULL);
        CHECK(t >= 1.5 && t <= 2);
        rig_end(&r);
    }
}

// Finite numbers whose products are not.
static void overflows(void)
{
    double light[2] = {1e-300, 1e-300};
    floor_scene s = {.force = 1e300};
    thud_inclusion problem = floor_problem(&s);
    problem.mass = light;
    fail_and_recover(&problem, &s, THUD_ERR_NOT_FINITE);
    problem.force_is_steady = true;
    fail_and_recover(&problem, &s, THUD_ERR_NOT_FINITE);

    thud_inclusion free_flight = {.dim = 1};
    thud_state_def def = {.dim = 1, .h = 1e200, .q = (double[]){0}, .u = (double[]){1e150}};
    rig r = rig_start(&def, NULL);
    REQUIRE(r.state && r.work);
    check_failed_step(&free_flight, &r, THUD_ERR_NOT_FINITE);
    rig_end(&r);
}

static void time_overflows(void)
{
    thud_inclusion free_flight = {.dim = 1};
    rig r =
        rig_start(&(thud_state_def){.dim = 1, .t0 = 1e308, .h = 1e308, .q = (double[]){1}}, NULL);
    REQUIRE(r.state && r.work);
    check_failed_step(&free_flight, &r, THUD_ERR_NOT_FINITE);
    CHECK(isfinite(thud_state_time(r.state)));
    rig_end(&r);
}

static int wide_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const thud_row *row = user;
    (void)at;
    (void)thud_rows_push(rows, row);
    return 0;
}

static void two_masses_in_a_block(void)
{
    double mass[5] = {1, 2, 2, 3, 3}, slope[4] = {1, 1, -1, -1};
    for (int first = 0; first < 4; first++)
        for (int second = 0; second < 4; second++)
        {
            int index[2] = {first, second};
            thud_row row = {.gap = 1, .width = 2, .count = 2, .index = index, .slope = slope};
            thud_inclusion problem = {.dim = 5, .mass = mass, .gaps = wide_gaps, .user = &row};
            bool valid = (first == 1 && second == 3) || (first == 3 && second == 1);
            bool overlap = abs(first - second) < 2;
            double q[5] = {0};
            rig r = rig_start(&(thud_state_def){.dim = 5, .h = 1, .q = q}, NULL);
            REQUIRE(r.state && r.work);
            if (valid && !overlap)
                CHECK(thud_step(&problem, r.state, r.work) >= 0);
            else
                check_failed_step(&problem, &r, THUD_ERR_ARGUMENT);
            rig_end(&r);
        }
}

// A floor that rises with every look: CHECK always finds one more row missing.
static int endless_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    int *looks = user;
    *looks += at->phase == THUD_FIND_MISSING;
    thud_row row = {.key = {3}, .gap = at->q[0] - *looks, .count = 1};
    row.index = (int[]){0};
    row.slope = (double[]){1};
    (void)thud_rows_push(rows, &row);
    return 0;
}

static void round_limit(void)
{
    for (int limit = 1; limit <= 5; limit++)
    {
        int looks = 0;
        thud_inclusion problem = {.dim = 1, .gaps = endless_gaps, .user = &looks};
        thud_work_def def = {.round_limit = limit};
        rig r = rig_start(&(thud_state_def){.dim = 1, .h = 1, .q = (double[]){0}}, &def);
        REQUIRE(r.state && r.work);
        check_failed_step(&problem, &r, THUD_ERR_NOT_CONVERGED);
        CHECK(looks == limit && thud_work_report(r.work)->rounds == limit);
        rig_end(&r);
    }
}

static void step_count_limit(void)
{
    thud_inclusion free_flight = {.dim = 1};
    rig r = rig_start(&(thud_state_def){.dim = 1, .h = 1, .q = (double[]){1}}, NULL);
    REQUIRE(r.state && r.work);
    r.state->n = INT64_C(1) << 53; // from here on n h is not exact
    check_failed_step(&free_flight, &r, THUD_ERR_ARGUMENT);
    r.state->n = -1;
    check_failed_step(&free_flight, &r, THUD_ERR_ARGUMENT);
    rig_end(&r);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"bad-problems", bad_problems},
        {"bad-smoothness", bad_smoothness},
        {"bad-masses", bad_masses},
        {"bad-states", bad_states},
        {"not-finite-rows", not_finite_rows},
        {"not-finite-force", not_finite_force},
        {"overflows", overflows},
        {"time-overflows", time_overflows},
        {"two-masses-in-a-block", two_masses_in_a_block},
        {"round-limit", round_limit},
        {"step-count-limit", step_count_limit},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
