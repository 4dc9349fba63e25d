// The bound between nodes, sampled: turning walls, growing and passing discs, fixed curved rows.
#include "unit_rig.h"

enum
{
    SAMPLES = 100
};

// What is looked at: g of the one row, at any time and place.
typedef struct scene
{
    double (*gap)(const struct scene *s, double t, const double *q);
    void (*slope)(const struct scene *s, double t, const double *q, double *slope);
    int blocks; // of two coordinates
    double rate, size, phase;
    double steady[4];
} scene;

static int scene_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const scene *s = user;
    double slope[4];
    s->slope(s, at->t, at->q, slope);
    thud_row row = {.key = {1}, .gap = s->gap(s, at->t, at->q), .width = 2, .count = s->blocks};
    row.index = (int[]){0, 2};
    row.slope = slope;
    return thud_rows_push(rows, &row);
}

static int scene_force(double t, const double *q, double *f, void *user)
{
    const scene *s = user;
    (void)t;
    (void)q;
    for (int k = 0; k < 2 * s->blocks; k++)
        f[k] = s->steady[k];
    return 0;
}

// A wall through the origin that turns at `rate`.
static double turning_gap(const scene *s, double t, const double *q)
{
    double angle = s->rate * t + s->phase;
    return cos(angle) * q[0] + sin(angle) * q[1] + s->size;
}

static void turning_slope(const scene *s, double t, const double *q, double *slope)
{
    (void)q;
    slope[0] = cos(s->rate * t + s->phase);
    slope[1] = sin(s->rate * t + s->phase);
}

// Two discs whose radii grow and shrink.
static double radii(const scene *s, double t)
{
    return 2 + s->size * sin(s->rate * t + s->phase);
}

static double discs_gap(const scene *s, double t, const double *q)
{
    return hypot(q[2] - q[0], q[3] - q[1]) - radii(s, t);
}

static void discs_slope(const scene *s, double t, const double *q, double *slope)
{
    double length = hypot(q[2] - q[0], q[3] - q[1]);
    (void)s;
    (void)t;
    slope[2] = (q[2] - q[0]) / length;
    slope[3] = (q[3] - q[1]) / length;
    slope[0] = -slope[2];
    slope[1] = -slope[3];
}

// The deepest g below `floor` anywhere in the step from `before`.
static double depth_between(const scene *s, const thud_state *before, const thud_state *after,
                            double floor)
{
    double start = thud_state_time(before), end = thud_state_time(after), deepest = 0;
    for (int i = 1; i < SAMPLES; i++)
    {
        double part = (double)i / SAMPLES, q[4];
        for (int k = 0; k < after->dim; k++)
            q[k] = before->q[k] + part * (after->q[k] - before->q[k]);
        deepest = fmax(deepest, floor - s->gap(s, start + part * (end - start), q));
    }
    return deepest;
}

// g >= min(g_n, lin) - between. For rows affine in q lin is g at the new node, and the bound is the
// one between both nodes; for curved ones g may dip below both nodes on a chord that passes by.
static double worst_ratio(const scene *s, thud_smoothness smooth, rig *r, int steps)
{
    thud_inclusion problem = {.dim = 2 * s->blocks,
                              .force = scene_force,
                              .force_is_steady = true,
                              .gaps = scene_gaps,
                              .smooth = &smooth};
    scene own = *s;
    double worst = 0;
    problem.user = &own;
    for (int n = 0; n < steps; n++)
    {
        // a wall that turns: |g_tt| = rate^2 |q . n|, with room for what it may throw in the step
        const double *q = r->state->q, *u = r->state->u;
        double reach = 1.5 * hypot(q[0], q[1]) + r->state->h * hypot(u[0], u[1]) + 1;
        if (smooth.gap_tq > 0)
            smooth.gap_tt = s->rate * s->rate * reach;
        thud_state *before = state_twin(r->state);
        thud_status status = thud_step(&problem, r->state, r->work);
        CHECK(status == THUD_OK); // no false alarm of convexity, too
        if (status < 0)
        {
            thud_state_destroy(before);
            return INFINITY;
        }
        const thud_report *report = thud_work_report(r->work);
        double floor = fmin(s->gap(s, thud_state_time(before), before->q), report->answer.lin[0]);
        double depth = depth_between(s, before, r->state, floor);
        worst = fmax(worst, depth / (report->between + 1e-14));
        CHECK(report->between < INFINITY && floor >= -1e-14);
        CHECK(smooth.gap_tq == 0 || hypot(r->state->q[0], r->state->q[1]) < reach);
        thud_state_destroy(before);
    }
    return worst;
}

static rig scene_start(test_random *random, const scene *s, double h)
{
    double q[4], u[4];
    for (int k = 0; k < 4; k++)
    {
        q[k] = (k < 2 ? -2 : 2) + test_random_uniform(random, -0.5, 0.5);
        u[k] = test_random_normal(random) - (k < 2 ? -1 : 1);
    }
    return rig_start(&(thud_state_def){.dim = 2 * s->blocks, .h = h, .q = q, .u = u}, NULL);
}

static void turning_wall(void)
{
    uint64_t seed = test_seed(20260115);
    test_random random = test_random_start(seed);
    double worst = 0;
    for (int trial = 0; trial < 60; trial++)
    {
        scene s = {turning_gap, turning_slope, 1, test_random_uniform(&random, -2, 2), 6, 0, {0}};
        for (int k = 0; k < 2; k++)
            s.steady[k] = test_random_uniform(&random, -0.1, 0.1);
        rig r = scene_start(&random, &s, 0.1);
        REQUIRE(r.state && r.work);
        worst = fmax(worst, worst_ratio(&s, (thud_smoothness){0, fabs(s.rate)}, &r, 60));
        rig_end(&r);
    }
    CHECK_AT_MOST(worst, 1);
    CHECK(worst > 0.05); // the bound was put to the test
    printf("  deepest over its bound %.3g (seed %llu)\n", worst, (unsigned long long)seed);
}

static void growing_discs(void)
{
    uint64_t seed = test_seed(20260116);
    test_random random = test_random_start(seed);
    double worst = 0;
    for (int trial = 0; trial < 100; trial++)
    {
        scene s = {discs_gap, discs_slope, 2, test_random_uniform(&random, 0, 6), 0.3, 0, {0}};
        for (int k = 0; k < 4; k++) // together
            s.steady[k] = (k < 2 ? 1 : -1) + test_random_uniform(&random, -0.2, 0.2);
        thud_smoothness smooth = {s.size * s.rate * s.rate, 0};
        rig r = scene_start(&random, &s, 0.1);
        REQUIRE(r.state && r.work);
        worst = fmax(worst, worst_ratio(&s, smooth, &r, 100));
        rig_end(&r);
    }
    CHECK_AT_MOST(worst, 1);
    CHECK(worst > 0.3);
    printf("  deepest over its bound %.3g (seed %llu)\n", worst, (unsigned long long)seed);
}

// Fixed discs that pass each other: nothing at all between nodes below min(g_n, lin).
static void passing_discs(void)
{
    uint64_t seed = test_seed(20260117);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 100; trial++)
    {
        scene s = {discs_gap, discs_slope, 2, 0, 0, 0, {0}};
        rig r = scene_start(&random, &s, 0.5);
        REQUIRE(r.state && r.work);
        CHECK_AT_MOST(worst_ratio(&s, (thud_smoothness){0, 0}, &r, 20), 1);
        CHECK(thud_work_report(r.work)->between == 0);
        rig_end(&r);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

static void exact_figure(void)
{
    thud_smoothness smooth = {3, 5};
    thud_inclusion problem = {.dim = 2};
    thud_state_def def = {.dim = 2, .h = 0.5, .q = (double[]){0, 0}, .u = (double[]){3, 4}};
    rig r = rig_start(&def, NULL);
    REQUIRE(r.state && r.work);
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
    CHECK(thud_work_report(r.work)->between == INFINITY); // nothing said: nothing known
    problem.smooth = &smooth;
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
    CHECK_NEAR(thud_work_report(r.work)->between, 0.25 / 8 * (3 + 2 * 5 * 5), 1e-14);
    rig_end(&r);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"turning-wall", turning_wall},
        {"growing-discs", growing_discs},
        {"passing-discs", passing_discs},
        {"exact-figure", exact_figure},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
