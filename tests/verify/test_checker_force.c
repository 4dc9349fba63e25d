// The checker's own mean force against closed forms: smooth, oscillating, singular at a node,
// with declared and undeclared jumps and kinks, and steps far from t = 0.
#include "thud/verify.h"
#include "thud_test.h"

#include <string.h>

static int evaluations;

// Forces and their integrals from 0.

static double wave(double t)
{
    return cos(5 * t);
}

static double wave_sum(double t)
{
    return sin(5 * t) / 5;
}

static double root(double t)
{
    return 1 / (2 * sqrt(t));
}

static double root_sum(double t)
{
    return sqrt(t);
}

static double steep(double t)
{
    return 0.1 * pow(t, -0.9);
}

static double steep_sum(double t)
{
    return pow(t, 0.1);
}

static double logarithm(double t)
{
    return log(t);
}

static double logarithm_sum(double t)
{
    return t > 0 ? t * log(t) - t : 0;
}

static double jump(double t)
{
    return t < 0.3 ? 1 : -2;
}

static double jump_sum(double t)
{
    return t < 0.3 ? t : 0.3 - 2 * (t - 0.3);
}

static double kink(double t)
{
    return fabs(t - 0.7);
}

static double kink_sum(double t)
{
    return t < 0.7 ? (0.49 - (0.7 - t) * (0.7 - t)) / 2 : (0.49 + (t - 0.7) * (t - 0.7)) / 2;
}

static double late_start(double t)
{
    return t < 0.625 ? 0 : t - 0.625;
}

static double late_start_sum(double t)
{
    return t < 0.625 ? 0 : (t - 0.625) * (t - 0.625) / 2;
}

static double cancelling(double t)
{
    return cos(6.283185307179586 * t);
}

static double cancelling_sum(double t)
{
    return sin(6.283185307179586 * t) / 6.283185307179586;
}

typedef struct force_case
{
    const char *name;
    double (*force)(double t);
    double (*sum)(double t);
    double t0, h;
    int64_t n;
    double breaks[2];
    int break_count;
    double error; // allowed, relative to the mean of |f|
} force_case;

static const force_case force_cases[] = {
    {"cos 5t", wave, wave_sum, 0, 0.1, 3, {0}, 0, 1e-13},
    {"cos 5t, long step", wave, wave_sum, 0, 8, 0, {0}, 0, 1e-13},
    {"cos 5t, far away", wave, wave_sum, 1000, 0.01, 77, {0}, 0, 1e-11},
    {"1/(2 sqrt t)", root, root_sum, 0, 0.01, 0, {0}, 0, 1e-13},
    {"1/(2 sqrt t), later", root, root_sum, 0, 0.01, 5, {0}, 0, 1e-12},
    {"1/(2 sqrt t), from -1", root, root_sum, 0, 1, 0, {0, 0.5}, 2, 1e-13},
    {"t^-0.9 / 10", steep, steep_sum, 0, 0.25, 0, {0}, 0, 1e-13},
    {"log t", logarithm, logarithm_sum, 0, 0.5, 0, {0}, 0, 1e-13},
    {"jump, declared", jump, jump_sum, 0, 1, 0, {0.3}, 1, 1e-13},
    {"jump, undeclared", jump, jump_sum, 0, 1, 0, {0}, 0, 1e-12},
    {"jump elsewhere, declared", jump, jump_sum, 0, 0.125, 3, {0.3, 0.9}, 2, 1e-13},
    {"kink, declared", kink, kink_sum, 0, 1, 0, {0.7}, 1, 1e-13},
    {"kink, undeclared", kink, kink_sum, 0, 1, 0, {0}, 0, 1e-12},
    {"late start, undeclared", late_start, late_start_sum, 0, 1, 0, {0}, 0, 1e-12},
    {"mean zero", cancelling, cancelling_sum, 0, 1, 0, {0}, 0, 1e-13},
};

static int call_case(double t, const double *q, double *f, void *user)
{
    const force_case *of = user;
    (void)q;
    evaluations++;
    f[0] = of->force(t);
    return 0;
}

// A step without constraints: u' = u + h f / m with the closed form, which the checker must find
// right to what it says of its own error, and wrong when altered.
static void check_case(const force_case *of)
{
    force_case copy = *of;
    double q0 = 1, u0 = 2, mass = 4, t = fma((double)of->n, of->h, of->t0);
    double t_next = fma((double)(of->n + 1), of->h, of->t0);
    double mean = (of->sum(t_next) - of->sum(t)) / (t_next - t);
    double u1 = u0 + of->h * mean / mass, q1 = q0 + of->h * u1;
    thud_inclusion problem = {.dim = 1,
                              .mass = &mass,
                              .force = call_case,
                              .breaks = copy.breaks,
                              .break_count = of->break_count,
                              .user = &copy};
    thud_state before = {.dim = 1, .t0 = of->t0, .n = of->n, .h = of->h, .q = &q0, .u = &u0};
    thud_state after = {.dim = 1, .t0 = of->t0, .n = of->n + 1, .h = of->h, .q = &q1, .u = &u1};
    thud_verdict verdict = {0};
    evaluations = 0;
    CHECK(thud_verify_step(&problem, &before, &after, NULL, &verdict) == THUD_OK);
    printf("  %-26s %6d evaluations, error %.1e, value %.2g\n", of->name, evaluations,
           verdict.force_error, verdict.checks[THUD_CERT_STATIONARITY].value);
    CHECK(verdict.holds);
    CHECK_AT_MOST(verdict.force_error, of->error);
    CHECK(verdict.rows == 0);
    CHECK(verdict.min_gap == (double)INFINITY);
    // the force altered, as seen in the velocity
    u1 += 1e-6 * of->h * (fabs(mean) + 1e-3) / mass;
    q1 = q0 + of->h * u1;
    CHECK(thud_verify_step(&problem, &before, &after, NULL, &verdict) == THUD_OK);
    CHECK(!verdict.checks[THUD_CERT_STATIONARITY].holds);
    CHECK(!verdict.checks[THUD_CERT_ENERGY].holds);
    CHECK(!verdict.checks[THUD_CERT_MOMENTUM].holds);
}

static void closed_forms(void)
{
    for (size_t i = 0; i < sizeof force_cases / sizeof *force_cases; i++)
        check_case(&force_cases[i]);
}

// With f_n on record the force is not called; a wrong record is found out.
static void on_record(void)
{
    force_case of = force_cases[0];
    double q0 = 0, u0 = 1, u1 = 1.5, q1 = 1.5, mean = 0.5;
    thud_inclusion problem = {.dim = 1, .force = call_case, .user = &of};
    thud_state before = {.dim = 1, .h = 1, .q = &q0, .u = &u0};
    thud_state after = {.dim = 1, .h = 1, .n = 1, .q = &q1, .u = &u1};
    thud_verify_def def = {.mean_force = &mean};
    thud_verdict verdict = {0};
    evaluations = 0;
    CHECK(thud_verify_step(&problem, &before, &after, &def, &verdict) == THUD_OK);
    CHECK(verdict.holds && evaluations == 0 && verdict.force_error == 0);
    mean *= 1 + 1e-6;
    CHECK(thud_verify_step(&problem, &before, &after, &def, &verdict) == THUD_OK);
    CHECK(!verdict.holds);
}

// What cannot be integrated to a useful accuracy gives no verdict, and no end of evaluations.
static int rough_force(double t, const double *q, double *f, void *user)
{
    (void)q, (void)user;
    uint64_t bits;
    memcpy(&bits, &t, sizeof bits);
    evaluations++;
    f[0] = (double)((bits * 0x9e3779b97f4a7c15u) >> 40);
    return 0;
}

static int not_integrable(double t, const double *q, double *f, void *user)
{
    (void)q, (void)user;
    evaluations++;
    f[0] = 1 / t;
    return 0;
}

static thud_status check_rest(thud_force_fn *force, thud_verdict *verdict)
{
    double q = 1, u = 0;
    thud_inclusion problem = {.dim = 1, .force = force};
    thud_state before = {.dim = 1, .h = 1, .q = &q, .u = &u};
    thud_state after = {.dim = 1, .h = 1, .n = 1, .q = &q, .u = &u};
    evaluations = 0;
    thud_status status = thud_verify_step(&problem, &before, &after, NULL, verdict);
    printf("  %d evaluations, %s\n", evaluations, thud_status_name(status));
    CHECK_AT_MOST(evaluations, 200000);
    return status;
}

static void no_verdict(void)
{
    thud_verdict verdict = {.rows = 12345};
    CHECK(check_rest(rough_force, &verdict) == THUD_ERR_QUADRATURE);
    CHECK(verdict.rows == 12345);
    // 1/t ends in an infinite value, with which nothing holds
    CHECK(check_rest(not_integrable, &verdict) == THUD_OK);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        CHECK(!verdict.checks[i].holds);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"closed_forms", closed_forms},
        {"on_record", on_record},
        {"no_verdict", no_verdict},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
