// The checker on the library's own steps: random problems, every step checked, and random
// corruptions of them caught.
#include "checker_lottery.h"
#include "thud/verify.h"

#include <string.h>

enum
{
    PROBLEMS = 400,
    STEPS = 12
};

// One problem with its states and work space.
typedef struct stand
{
    lottery of;
    thud_state *before, *after;
    thud_work *work;
    int missed; // steps that the library itself says missed their tolerance
} stand;

static bool open_stand(stand *at, test_random *random)
{
    lottery_draw(&at->of, random);
    thud_state_def def = {
        .dim = at->of.problem.dim, .t0 = at->of.t0, .h = at->of.h, .q = at->of.q, .u = at->of.u};
    return thud_state_create(&def, &at->before) == THUD_OK &&
           thud_state_create(&def, &at->after) == THUD_OK &&
           thud_work_create(NULL, &at->work) == THUD_OK;
}

static void close_stand(stand *at)
{
    thud_state_destroy(at->before);
    thud_state_destroy(at->after);
    thud_work_destroy(at->work);
}

// before <- after, after <- its successor. False when there is none: no velocity is admissible
// any more, or the projection refuses to vouch for its answer.
static bool advance(stand *at)
{
    thud_status status = thud_state_copy(at->before, at->after);
    if (status == THUD_OK)
        status = thud_step(&at->of.problem, at->after, at->work);
    at->missed += status == THUD_ERR_NOT_CONVERGED;
    if (status < 0 && status != THUD_ERR_INFEASIBLE && status != THUD_ERR_NOT_CONVERGED)
        test_fail(__FILE__, __LINE__, "step: %s", thud_work_message(at->work));
    return status >= 0;
}

static bool check(const stand *at, thud_verdict *verdict)
{
    thud_status status = thud_verify_step(&at->of.problem, at->before, at->after, NULL, verdict);
    if (status != THUD_OK)
        test_fail(__FILE__, __LINE__, "checker: %s", thud_status_name(status));
    return status == THUD_OK && verdict->holds;
}

static void every_step(void)
{
    uint64_t seed = test_seed(20240601);
    test_random random = test_random_start(seed);
    double worst[THUD_CERT_COUNT] = {0};
    int steps = 0, held = 0, rows = 0, pushed = 0, missed = 0;
    for (int p = 0; p < PROBLEMS; p++)
    {
        stand at = {0};
        REQUIRE(open_stand(&at, &random));
        for (int n = 0; n < STEPS && advance(&at); n++)
        {
            thud_verdict verdict = {0};
            bool holds = check(&at, &verdict);
            steps++;
            held += holds;
            rows += verdict.rows;
            pushed += at.after->multiplier_count;
            for (int i = 0; i < THUD_CERT_COUNT; i++)
            {
                worst[i] = fmax(worst[i], verdict.checks[i].value);
                if (!verdict.checks[i].holds)
                    test_fail(__FILE__, __LINE__, "problem %d, step %d: %s, value %g, at %lld", p,
                              n, thud_certificate_title((thud_certificate_name)i),
                              verdict.checks[i].value, (long long)verdict.checks[i].where);
            }
        }
        missed += at.missed;
        close_stand(&at);
    }
    printf("  seed %llu: %d steps, %d rows, %d multipliers; all nine hold for %d of %d\n",
           (unsigned long long)seed, steps, rows, pushed, held, steps);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        printf("    %-16s worst value %.3g of 1\n",
               thud_certificate_title((thud_certificate_name)i), worst[i]);
    printf("    steps that were refused as not converged: %d\n", missed);
    CHECK(steps > PROBLEMS && pushed > PROBLEMS && missed < PROBLEMS / 50);
}

// A number of the step that matters, or NULL: positions and velocities at both ends, impulses.
static double *pick(const stand *at, int what, test_random *random)
{
    int k = test_random_int(random, 0, at->of.problem.dim - 1);
    bool first = at->of.problem.order == THUD_FIRST_ORDER;
    switch (what)
    {
    case 0:
        return &at->before->q[k];
    case 1:
        return &at->after->q[k];
    case 2:
        return first ? NULL : &at->before->u[k]; // of no effect in the first order
    case 3:
        return &at->after->u[k];
    default:
        k = at->after->multiplier_count;
        return k == 0 ? NULL : &at->after->multipliers[test_random_int(random, 0, k - 1)].impulse;
    }
}

static void corruption(void)
{
    static const char *const names[5] = {"position before", "position after", "velocity before",
                                         "velocity after", "multiplier"};
    uint64_t seed = test_seed(20240602);
    test_random random = test_random_start(seed);
    int tried[5] = {0}, caught[5] = {0};
    for (int p = 0; p < PROBLEMS; p++)
    {
        stand at = {0};
        REQUIRE(open_stand(&at, &random));
        for (int n = 0; n < STEPS && advance(&at); n++)
        {
            int what = test_random_int(&random, 0, 4);
            double *x = pick(&at, what, &random);
            if (!x || fabs(*x) < 1e-4) // small against what it is added to
                continue;
            double kept = *x;
            thud_verdict verdict = {0};
            *x *= 1 + 1e-6;
            tried[what]++;
            caught[what] += !check(&at, &verdict);
            *x = kept;
        }
        close_stand(&at);
    }
    printf("  seed %llu, altered by 1e-6:\n", (unsigned long long)seed);
    for (int what = 0; what < 5; what++)
    {
        printf("    %-16s caught %d of %d\n", names[what], caught[what], tried[what]);
        CHECK(tried[what] > 0 && caught[what] == tried[what]);
    }
}

// How far two velocities are apart, relative to them and to the one wanted.
static double distance(const double *u, const double *v, const double *wanted, int dim)
{
    double most = 0, size = 0;
    for (int k = 0; k < dim; k++)
    {
        most = fmax(most, fabs(u[k] - v[k]));
        size = fmax(size, fmax(fabs(wanted[k]), fmax(fabs(u[k]), fabs(v[k]))));
    }
    return size > 0 ? most / size : 0;
}

// Does the difference show in the positions at all? Below some 100 ulps of them no gap is known.
static bool shows(const double *u, const double *v, const thud_state *state)
{
    double most = 0, size = 0;
    for (int k = 0; k < state->dim; k++)
    {
        most = fmax(most, state->h * fabs(u[k] - v[k]));
        size = fmax(size, fabs(state->q[k]));
    }
    return most > 1e-12 * size;
}

// Take the step again without one of the rows that pushed. Where that makes a difference it must
// be seen that the row is violated.
static void dropped(void)
{
    uint64_t seed = test_seed(20240603);
    test_random random = test_random_start(seed);
    int tried = 0, caught = 0;
    for (int p = 0; p < PROBLEMS; p++)
    {
        stand at = {0};
        double u[LOTTERY_DIM];
        REQUIRE(open_stand(&at, &random));
        for (int n = 0; n < STEPS && advance(&at); n++)
        {
            int dim = at.of.problem.dim, count = at.after->multiplier_count;
            if (count == 0)
                continue;
            at.of.dropped = at.after->multipliers[test_random_int(&random, 0, count - 1)].key;
            memcpy(u, at.after->u, (size_t)dim * sizeof *u);
            CHECK(thud_state_copy(at.after, at.before) == THUD_OK);
            thud_status status = thud_step(&at.of.problem, at.after, at.work);
            at.of.dropped = thud_key_number(0);
            const double *w = thud_work_report(at.work)->w;
            if (status >= 0 && distance(u, at.after->u, w, dim) > 1e-6 &&
                shows(u, at.after->u, at.before))
            {
                thud_verdict verdict = {0};
                tried++;
                caught += !check(&at, &verdict) && !verdict.checks[THUD_CERT_FEASIBLE].holds;
            }
            CHECK(thud_state_copy(at.after, at.before) == THUD_OK);
            if (!advance(&at))
                break;
        }
        close_stand(&at);
    }
    printf("  seed %llu: dropped constraints caught %d of %d\n", (unsigned long long)seed, caught,
           tried);
    CHECK(tried > PROBLEMS && caught == tried);
}

// A body between two walls that get enormous impulses, nearly equal: they must not vouch for a step
// through a wall.
static int slot_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    static const double slopes[2] = {1, -1};
    (void)user;
    for (int i = 0; i < 2; i++)
        thud_rows_push(rows, &(thud_row){.key = thud_key_number(i),
                                         .gap = i == 0 ? at->q[0] : 0.01 - at->q[0],
                                         .count = 1,
                                         .index = (int[]){0},
                                         .slope = &slopes[i]});
    return 0;
}

static void forged_impulses(void)
{
    static const double velocities[] = {0.7, 1.4, -9, 0.51, -0.51};
    thud_inclusion problem = {.dim = 1, .gaps = slot_gaps};
    thud_state_def def = {.dim = 1, .h = 0.01, .q = (double[]){0.005}, .u = (double[]){-1}};
    thud_state *before = NULL, *after = NULL;
    REQUIRE(thud_state_create(&def, &before) == THUD_OK);
    REQUIRE(thud_state_create(&def, &after) == THUD_OK);
    REQUIRE(thud_state_reserve(after, 2) == THUD_OK);
    for (int i = 0; i < 5; i++)
        for (double size = 1; size < 1e14; size *= 10)
        {
            thud_verdict verdict;
            double push = velocities[i] - -1;
            after->u[0] = velocities[i];
            after->q[0] = fma(def.h, velocities[i], 0.005);
            after->n = 1;
            after->multipliers[0] = (thud_multiplier){.key = {0}, .impulse = size + fmax(push, 0)};
            after->multipliers[1] = (thud_multiplier){.key = {1}, .impulse = size + fmax(-push, 0)};
            after->multiplier_count = 2;
            CHECK(thud_verify_step(&problem, before, after, NULL, &verdict) == THUD_OK);
            CHECK(!verdict.holds);
        }
    thud_state_destroy(before);
    thud_state_destroy(after);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"every_step", every_step},
        {"corruption", corruption},
        {"dropped", dropped},
        {"forged_impulses", forged_impulses},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
