// The mean force: exact where it can be, and never worse than it says.
#include "unit_force.h"
#include "unit_rig.h"

#include <float.h>

static double monomial_value(const force_case *f, double t)
{
    return (f->power + 1) * pow(t, f->power);
}

static double monomial_primitive(const force_case *f, double t)
{
    return pow(t, f->power + 1);
}

// Kronrod's 15 points are exact up to degree 22, Gauss's 7 up to 13: one rule, no bisection.
static void polynomials(void)
{
    for (int degree = 0; degree <= 13; degree++)
    {
        force_case f = {.value = monomial_value, .primitive = monomial_primitive, .power = degree};
        force_result r = force_mean(&f, 0.25, 1, NULL, 0);
        CHECK(r.status == THUD_OK && r.evaluations <= 20);
        CHECK_AT_MOST(r.error, 8 * DBL_EPSILON);
        CHECK_AT_MOST(r.reported, 1e-12);
    }
    for (int degree = 14; degree <= 40; degree++)
    {
        force_case f = {.value = monomial_value, .primitive = monomial_primitive, .power = degree};
        force_result r = force_mean(&f, 0.25, 1, NULL, 0);
        CHECK(r.status == THUD_OK);
        CHECK_AT_MOST(r.error, 1e-13);
    }
}

// At t = 0 the doubles are as fine as one likes: no singularity is too strong for its spacing.
static void singular_at_zero(void)
{
    static const double powers[] = {-0.5, -0.25, -1.0 / 3, -0.6, -0.7, 0};
    static const double ends[] = {1, 0.1, 1e-3, 1e-9, 1e3};
    for (int p = 0; p < 6; p++)
        for (int e = 0; e < 5; e++)
        {
            force_case f = force_singular(0, powers[p]);
            force_result r = force_mean(&f, 0, ends[e], NULL, 0);
            CHECK(r.status == THUD_OK);
            CHECK_NEAR(r.mean, r.exact, 1e-12 * fabs(r.exact));
        }
}

// A declared singularity inside the step: right to within what is reported.
static void singular_inside(void)
{
    static const double places[] = {0.3, 0.5, 0.7, 1e-3, 0.999, 1.0 / 3};
    static const double powers[] = {-0.5, -0.25, 0};
    for (int p = 0; p < 3; p++)
        for (int a = 0; a < 6; a++)
        {
            force_case f = force_singular(places[a], powers[p]);
            force_result r = force_mean(&f, 0, 1, &places[a], 1);
            CHECK(r.status == THUD_OK);
            CHECK_NEAR(r.mean, r.exact, (r.reported + 1e-15) * fabs(r.exact));
            // the square root of the spacing of the doubles over the shortest piece, 1e-3
            CHECK_NEAR(r.mean, r.exact, 1e-9 * fabs(r.exact));
        }
}

// A tenth of the integral of |t - a|^-0.9 lies within a few ulps of a: refuse, or own up to it.
static void too_singular(void)
{
    static const double powers[] = {-0.75, -0.8, -0.9, -0.95};
    uint64_t seed = test_seed(20260104);
    test_random random = test_random_start(seed);
    double worst = 0;
    for (int trial = 0; trial < 400; trial++)
    {
        double at = trial < 4 ? 0.0 : test_random_uniform(&random, 0, 1);
        force_case f = force_singular(at, powers[trial % 4]);
        force_result r = force_mean(&f, 0, 1, &at, 1);
        double error = fabs(r.mean - r.exact) / r.exact;
        CHECK(r.status == THUD_OK || r.status == THUD_ERR_QUADRATURE);
        if (r.status == THUD_OK)
            worst = fmax(worst, error / (r.reported + 1e-15));
    }
    CHECK_AT_MOST(worst, 1);
    printf("  worst true error over reported %.3g (seed %llu)\n", worst, (unsigned long long)seed);
}

// A force without an integral is refused on whichever side of a node its pole lies, also where the
// spacing of the doubles hides how steep it is.
static void divergent(void)
{
    static const double poles[] = {0, 1e-3, 0.3, 3, -7, 1e6}, powers[] = {-1, -1.5, -2, -4};
    static const double lengths[] = {0x1p-7, 1, 0.01};
    for (int trial = 0; trial < 6 * 4 * 3; trial++)
    {
        double pole = poles[trial % 6], h = lengths[trial / 24];
        force_case f = force_singular(pole, powers[trial / 6 % 4]);
        const double ends[3][2] = {{pole - h, pole}, {pole, pole + h}, {pole - h, pole + h}};
        for (int side = 0; side < 3; side++)
        {
            force_result r = force_mean(&f, ends[side][0], ends[side][1], &pole, 1);
            if (r.status >= 0)
                test_fail(__FILE__, __LINE__, "pole %g, power %g, h %g, side %d: accepted", pole,
                          f.power, h, side);
        }
    }
}

static void pulse_with_breaks(void)
{
    uint64_t seed = test_seed(20260105);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 1000; trial++)
    {
        double at = test_random_uniform(&random, -0.2, 1.2);
        force_case f = force_jump(at, test_random_normal(&random));
        double breaks[3] = {-5, at, 7}; // those outside the step do not matter
        force_result r = force_mean(&f, 0, 1, breaks, 3);
        CHECK(r.status == THUD_OK && r.evaluations <= (at > 0 && at < 1 ? 40 : 20));
        CHECK_AT_MOST(r.error * r.size, 8 * DBL_EPSILON * (1 + 2 * fabs(f.power)));
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

static void jump_undeclared(void)
{
    uint64_t seed = test_seed(20260106);
    test_random random = test_random_start(seed);
    double worst = 0;
    int silent = 0, refused = 0, trials = 3000;
    for (int trial = 0; trial < trials; trial++)
    {
        force_case f = force_jump(test_random_uniform(&random, 0, 1), 1);
        force_result r = force_mean(&f, 0, 1, NULL, 0);
        refused += r.status == THUD_ERR_QUADRATURE;
        if (r.status == THUD_OK && r.error > r.reported + 8 * DBL_EPSILON)
        {
            silent++;
            worst = fmax(worst, r.error);
        }
    }
    printf("  %d jumps: %d refused, %d worse than reported, the worst by %.2g (seed %llu)\n",
           trials, refused, silent, worst, (unsigned long long)seed);
    CHECK(silent == 0);
}

// The worst ratio of true to reported error over random smooth functions, up to 3 waves a step.
static void smooth_random(void)
{
    uint64_t seed = test_seed(20260107);
    test_random random = test_random_start(seed);
    double worst = 0;
    int refused = 0;
    for (int trial = 0; trial < 500; trial++)
    {
        force_case f = force_smooth(&random);
        double start = test_random_uniform(&random, -3, 3);
        double end = start + exp(test_random_uniform(&random, -5, 0));
        force_result r = force_mean(&f, start, end, NULL, 0);
        double rounding = 16 * DBL_EPSILON * force_noise(&f, start, end) / r.size;
        refused += r.status != THUD_OK;
        worst = fmax(worst, r.error / (r.reported + rounding));
    }
    CHECK(refused == 0);
    CHECK_AT_MOST(worst, 1);
    printf("  worst true error over reported %.3g (seed %llu)\n", worst, (unsigned long long)seed);
}

// Smooth pieces with up to six jumps, declared and not: the worst ratio of true to reported error.
static void jumps_random(void)
{
    uint64_t seed = test_seed(20260108);
    test_random random = test_random_start(seed);
    double worst[2] = {0, 0};
    int refused[2] = {0, 0};
    for (int trial = 0; trial < 600; trial++)
    {
        double start = test_random_uniform(&random, -3, 3);
        double end = start + exp(test_random_uniform(&random, -5, 0));
        force_case f = force_jumpy(&random, start, end, test_random_int(&random, 1, 6));
        double rounding = 16 * DBL_EPSILON * force_noise(&f, start, end);
        for (int declared = 0; declared < 2; declared++)
        {
            force_result r = force_mean(&f, start, end, f.jumps, declared ? f.jump_count : 0);
            refused[declared] += r.status != THUD_OK;
            if (r.status == THUD_OK)
                worst[declared] = fmax(worst[declared], r.error / (r.reported + rounding / r.size));
        }
    }
    printf("  undeclared: %d refused, worst true error over reported %.3g; declared: %d, %.3g "
           "(seed %llu)\n",
           refused[0], worst[0], refused[1], worst[1], (unsigned long long)seed);
    CHECK(refused[1] == 0);
    CHECK_AT_MOST(worst[1], 1);
    CHECK_AT_MOST(worst[0], 1);
}

// Many waves in one step: slow, but no reason to fail.
static void oscillating(void)
{
    static const double rates[] = {50, 200, 500, 1000, 3000};
    for (int i = 0; i < 5; i++)
    {
        force_case f = {.terms = 1, .amplitude = {1}, .rate = {rates[i]}, .phase = {0.3}};
        test_random random = test_random_start(1);
        force_case shape = force_smooth(&random);
        f.value = shape.value;
        f.primitive = shape.primitive;
        force_result r = force_mean(&f, 0, 1, NULL, 0);
        printf("  %g radians: %s, %d evaluations, error %.2g, reported %.2g\n", rates[i],
               thud_status_name(r.status), r.evaluations, r.error, r.reported);
        CHECK(r.status == THUD_OK);
        CHECK_AT_MOST(r.error, 1e-12);
    }
}

// Through a step: w, mean_force and the counters of the report.
static void steady_is_evaluated_once(void)
{
    force_case f = force_jump(10, 0);
    thud_inclusion problem = {
        .dim = 1, .force = force_callback, .force_is_steady = true, .user = &f};
    rig r = rig_start(&(thud_state_def){.dim = 1, .h = 0.5, .q = (double[]){0}}, NULL);
    REQUIRE(r.state && r.work);
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
    const thud_report *report = thud_work_report(r.work);
    CHECK(f.calls == 1 && report->force_evaluations == 1 && report->quadrature_error == 0);
    CHECK(report->mean_force[0] == 1 && report->w[0] == 0.5 && r.state->u[0] == 0.5);
    rig_end(&r);
}

static int impulse_callback(double t, double t_next, const double *q, double *impulse, void *user)
{
    const double *limits = user;
    CHECK(t == limits[0] && t_next == limits[1] && q[0] == 2);
    impulse[0] = 3;
    return 0;
}

static int forbidden_force(double t, const double *q, double *f, void *user)
{
    (void)t;
    (void)q;
    (void)user;
    f[0] = 0;
    test_fail(__FILE__, __LINE__, "the force was called though its integral is given");
    return 0;
}

static void impulse_replaces_force(void)
{
    double limits[2] = {1, 1.5};
    thud_inclusion problem = {
        .dim = 1, .force = forbidden_force, .impulse = impulse_callback, .user = limits};
    rig r = rig_start(&(thud_state_def){.dim = 1, .t0 = 1, .h = 0.5, .q = (double[]){2}}, NULL);
    REQUIRE(r.state && r.work);
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
    const thud_report *report = thud_work_report(r.work);
    CHECK(report->mean_force[0] == 6 && r.state->u[0] == 3 && report->force_evaluations == 0);
    rig_end(&r);
}

// Far from t = 0 the step's ends are rounded; the impulse is a number and must not feel it.
static void impulse_far_from_zero(void)
{
    double start = 1e9, limits[2] = {start, fma(1, 0.1, start)};
    thud_inclusion problem = {.dim = 1, .impulse = impulse_callback, .user = limits};
    rig r = rig_start(&(thud_state_def){.dim = 1, .t0 = start, .h = 0.1, .q = (double[]){2}}, NULL);
    REQUIRE(r.state && r.work);
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
    CHECK_NEAR(r.state->u[0], 3, 4 * DBL_EPSILON);
    rig_end(&r);
}

static void first_order_mean(void)
{
    force_case f = {.value = monomial_value, .primitive = monomial_primitive, .power = 3};
    double mass = 5; // must not matter
    thud_inclusion problem = {
        .dim = 1, .order = THUD_FIRST_ORDER, .mass = &mass, .force = force_callback, .user = &f};
    rig r = rig_start(&(thud_state_def){.dim = 1, .h = 0.5, .q = (double[]){1}, .u = (double[]){9}},
                      NULL);
    REQUIRE(r.state && r.work);
    CHECK(thud_step(&problem, r.state, r.work) == THUD_OK);
    CHECK_NEAR(r.state->u[0], 0.125, 1e-16); // (1/h) [t^4] from 0 to 1/2, whatever u was
    CHECK_NEAR(r.state->q[0], 1.0625, 1e-15);
    rig_end(&r);
}

static void limit_reached(void)
{
    force_case f = force_jump(0.3, 1);
    thud_inclusion problem = {.dim = 1, .force = force_callback, .user = &f};
    for (int limit = 1; limit <= 200; limit += 7)
    {
        thud_work_def def = {.quadrature_limit = limit};
        rig r = rig_start(&(thud_state_def){.dim = 1, .h = 1, .q = (double[]){0}}, &def);
        REQUIRE(r.state && r.work);
        f.calls = 0;
        check_failed_step(&problem, &r, THUD_ERR_QUADRATURE);
        const thud_report *report = thud_work_report(r.work);
        CHECK(f.calls == limit && report->force_evaluations == limit);
        // nothing is known when the evaluations run out; it must not read as "no error"
        CHECK(report->quadrature_error > 1e-12);
        rig_end(&r);
    }
}

static double spoilt_value(const force_case *f, double t)
{
    return t < f->at ? 1 : f->power;
}

static void not_finite(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++)
        for (int steady = 0; steady < 2; steady++)
        {
            force_case f = {.value = spoilt_value, .at = steady ? -1 : 0.9, .power = bad[i]};
            thud_inclusion problem = {
                .dim = 1, .force = force_callback, .force_is_steady = steady, .user = &f};
            rig r = rig_start(&(thud_state_def){.dim = 1, .h = 1, .q = (double[]){0}}, NULL);
            REQUIRE(r.state && r.work);
            check_failed_step(&problem, &r, THUD_ERR_NOT_FINITE);
            rig_end(&r);
        }
}

static void work_def_is_checked(void)
{
    thud_work_def bad[] = {
        {.quadrature_tolerance = -1},   {.quadrature_tolerance = NAN},
        {.quadrature_limit = -1},       {.round_limit = -1},
        {.projector.tolerance = -1},    {.projector.tolerance = NAN},
        {.projector.change_limit = -1}, {.projector.method = (thud_method)99},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
        thud_work *work = (thud_work *)&bad[i];
        CHECK(thud_work_create(&bad[i], &work) == THUD_ERR_ARGUMENT);
        CHECK(work == NULL);
    }
    thud_work_destroy(NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"polynomials", polynomials},
        {"singular-at-zero", singular_at_zero},
        {"singular-inside", singular_inside},
        {"too-singular", too_singular},
        {"divergent", divergent},
        {"pulse-with-breaks", pulse_with_breaks},
        {"jump-undeclared", jump_undeclared},
        {"smooth-random", smooth_random},
        {"jumps-random", jumps_random},
        {"oscillating", oscillating},
        {"steady-is-evaluated-once", steady_is_evaluated_once},
        {"impulse-replaces-force", impulse_replaces_force},
        {"impulse-far-from-zero", impulse_far_from_zero},
        {"first-order-mean", first_order_mean},
        {"limit-reached", limit_reached},
        {"not-finite", not_finite},
        {"work-def-is-checked", work_def_is_checked},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
