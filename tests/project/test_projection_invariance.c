// What must not change the projection: order, scale of g, rotation, units, repetition, memory.
#include "generate.h"
#include "judge.h"
#include "outcome.h"

#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

#ifndef PROJECTIONS_PER_INVARIANCE
#define PROJECTIONS_PER_INVARIANCE 500
#endif

/// What a case does to one problem.
typedef void invariance_fn(problem *p, test_random *random);

static void over_seeds(invariance_fn *check, uint64_t first, bool unit_mass)
{
    uint64_t count = PROJECTIONS_PER_INVARIANCE;
    if (test_seed(first) != first)
    {
        first = test_seed(first);
        count = 1;
    }
    printf("  seeds %llu to %llu\n", (unsigned long long)first,
           (unsigned long long)(first + count - 1));
    for (uint64_t seed = first; seed < first + count; seed++)
    {
        char text[200];
        int before = test_failures();
        test_random random = test_random_start(seed + 1000000);
        problem *p = generate_feasible(seed, unit_mass);
        check(p, &random);
        if (test_failures() > before)
            printf("  seed %llu (%s): rerun with THUD_SEED=%llu\n", (unsigned long long)seed,
                   generate_describe(p, text), (unsigned long long)seed);
        problem_destroy(p);
    }
}

static int *shuffle(int count, test_random *random)
{
    int *order = calloc((size_t)count + 1, sizeof *order);
    if (!order)
        abort();
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--)
    {
        int j = test_random_int(random, 0, i), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    return order;
}

// Two answers to p: as far apart as their residuals explain, and where both are feasible
// exactly, as their certificates say.
static void check_equal(const problem *p, const outcome *a, const double *u, const double *mu,
                        const thud_certificate *other)
{
    quad distance = 0, bound = judge_pair_bound(p, a->u, a->mu, u, mu, &distance);
    const thud_certificate *own = &a->answer.certificate;
    double rounding = 1e-15 * (judge_norm(p, p->w) + judge_norm(p, u));
    CHECK(distance <= bound);
    if (own->violation == 0 && other && other->violation == 0)
        CHECK(distance <= own->forward + other->forward + rounding);
}

static void check_permutation(problem *p, test_random *random)
{
    int *order = shuffle(p->count, random);
    p->is_warm = false;
    outcome *a = outcome_solve(p, NULL, NULL), *b = outcome_solve(p, order, NULL);
    CHECK(a->status == THUD_OK && b->status == THUD_OK);
    if (a->status == THUD_OK && b->status == THUD_OK)
        check_equal(p, a, b->u, b->mu, &b->answer.certificate);
    outcome_destroy(a);
    outcome_destroy(b);
    free(order);
}

// Unique keys and a sort: the order of pushing leaves no trace at all.
static void check_sorted(problem *p, test_random *random)
{
    int *order = shuffle(p->count, random);
    thud_projector *projector = NULL;
    p->is_warm = false;
    outcome *a = outcome_solve(p, NULL, NULL);
    thud_rows *rows = problem_rows(p, order);
    thud_rows_sort(rows);
    thud_projection projection = problem_projection(p, rows);
    thud_answer answer;
    CHECK(thud_projector_create(NULL, &projector) == THUD_OK);
    CHECK(thud_project(&projection, projector, &answer) == a->status);
    if (a->status == THUD_OK)
        CHECK(memcmp(answer.u, a->u, (size_t)p->dim * sizeof *a->u) == 0);
    thud_projector_destroy(projector);
    thud_rows_destroy(rows);
    outcome_destroy(a);
    free(order);
}

// Reflect in the plane orthogonal to v: two of them make a rotation.
static void reflect(const double *v, double *x, int dim)
{
    double along = 0, square = 0;
    for (int k = 0; k < dim; k++)
    {
        along += v[k] * x[k];
        square += v[k] * v[k];
    }
    for (int k = 0; k < dim; k++)
        x[k] -= 2 * along / square * v[k];
}

static void turn_problem(problem *p, const double *v)
{
    reflect(v, p->w, p->dim);
    reflect(v, p->inside, p->dim);
    reflect(v, p->origin, p->dim);
    for (int i = 0; i < p->count; i++)
        reflect(v, problem_slope(p, i), p->dim);
}

// A problem turned or scaled differs by rounding, so its answer, taken back, is an answer to p
// with residuals of a few ulps; those must explain the distance, and must be small.
static void compare_rounded(const problem *p, const outcome *a, const outcome *b)
{
    judge_exact *e = judge_exact_create(p, b->u, b->mu);
    quad worst = 0;
    for (int i = 0; i < p->count; i++)
    {
        quad lin = e->lin[i] - (quad)p->shift_scale * p->shift[i];
        quad miss = b->mu[i] > 0 ? quad_abs(lin) : -lin;
        // The length bounds what a rotation does to a row, the sum of moduli does not.
        quad row = 0, size = 0;
        for (int k = 0; k < p->dim; k++)
        {
            row += (quad)problem_slope(p, i)[k] * problem_slope(p, i)[k];
            size += (quad_abs(p->w[k]) + e->effect[k]) * (quad_abs(p->w[k]) + e->effect[k]);
        }
        quad scale = fabs(p->gap[i]) + p->h * quad_sqrt(row) * quad_sqrt(size);
        if (miss > 0 && miss / scale > worst)
            worst = miss / scale;
    }
    CHECK_AT_MOST((double)worst, 1e-12);
    check_equal(p, a, b->u, b->mu, NULL);
    judge_exact_destroy(e);
}

static void check_rotation(problem *p, test_random *random)
{
    problem *turned = problem_copy(p);
    double *v = calloc(2 * (size_t)p->dim, sizeof *v);
    if (!v)
        abort();
    for (int k = 0; k < 2 * p->dim; k++)
        v[k] = test_random_normal(random);
    p->is_warm = turned->is_warm = false;
    turned->width = 0;
    turn_problem(turned, v);
    turn_problem(turned, v + p->dim);
    outcome *a = outcome_solve(p, NULL, NULL), *b = outcome_solve(turned, NULL, NULL);
    CHECK(a->status == THUD_OK && b->status == THUD_OK);
    reflect(v + p->dim, b->u, p->dim);
    reflect(v, b->u, p->dim);
    if (a->status == THUD_OK && b->status == THUD_OK)
        compare_rounded(p, a, b);
    outcome_destroy(a);
    outcome_destroy(b);
    problem_destroy(turned);
    free(v);
}

// Powers of two change no bit of the problem: then the answers are to one problem.
static void check_scaling(problem *p, test_random *random)
{
    problem *scaled = problem_copy(p);
    bool is_exact = p->seed % 2 == 0;
    p->is_warm = scaled->is_warm = false;
    double *factor = calloc((size_t)p->count + 1, sizeof *factor);
    if (!factor)
        abort();
    for (int i = 0; i < p->count; i++)
    {
        factor[i] = is_exact ? ldexp(1, test_random_int(random, -40, 40))
                             : pow(10, test_random_uniform(random, -12, 12));
        scaled->gap[i] *= factor[i];
        scaled->shift[i] *= factor[i];
        for (int k = 0; k < p->dim; k++)
            problem_slope(scaled, i)[k] *= factor[i];
    }
    outcome *a = outcome_solve(p, NULL, NULL), *b = outcome_solve(scaled, NULL, NULL);
    CHECK(a->status == THUD_OK && b->status == THUD_OK);
    for (int i = 0; i < p->count; i++)
        b->mu[i] *= factor[i];
    if (a->status == THUD_OK && b->status == THUD_OK)
        compare_rounded(p, a, b);
    if (a->status == THUD_OK && b->status == THUD_OK && is_exact)
        check_equal(p, a, b->u, b->mu, &b->answer.certificate);
    outcome_destroy(a);
    outcome_destroy(b);
    problem_destroy(scaled);
    free(factor);
}

static void check_bits(const double *a, const double *b, int count, double factor)
{
    for (int k = 0; k < count; k++)
        if (!(a[k] * factor == b[k]))
        {
            test_fail(__FILE__, __LINE__, "number %d: %a times %g is not %a", k, a[k], factor,
                      b[k]);
            return;
        }
}

/// Units of length, time, mass and of g, as powers of two.
typedef struct units
{
    int length, time, mass, gap;
} units;

static problem *in_units(const problem *p, units by)
{
    problem *q = problem_copy(p);
    q->h = ldexp(p->h, by.time);
    q->traits |= by.mass ? TRAIT_MASS : 0;
    for (int k = 0; k < p->dim; k++)
    {
        q->w[k] = ldexp(p->w[k], by.length - by.time);
        q->mass[k] = ldexp(p->mass[k], by.mass);
        q->origin[k] = ldexp(p->origin[k], by.length);
    }
    for (int i = 0; i < p->count; i++)
    {
        q->gap[i] = ldexp(p->gap[i], by.gap);
        q->shift[i] = ldexp(p->shift[i], by.gap);
        q->warm[i] = ldexp(p->warm[i], by.mass + 2 * by.length - by.time - by.gap);
        for (int k = 0; k < p->dim; k++)
            problem_slope(q, i)[k] = ldexp(problem_slope(p, i)[k], by.gap - by.length);
    }
    return q;
}

static void compare_units(const problem *p, units by)
{
    problem *q = in_units(p, by);
    outcome *a = outcome_solve(p, NULL, NULL), *b = outcome_solve(q, NULL, NULL);
    const thud_certificate *s = &a->answer.certificate, *t = &b->answer.certificate;
    double speed = ldexp(1, by.length - by.time);
    double impulse = ldexp(1, by.mass + 2 * by.length - by.time - by.gap);
    double norm = ldexp(1, by.length - by.time + by.mass / 2);
    CHECK(a->status == THUD_OK && b->status == THUD_OK);
    check_bits(a->u, b->u, p->dim, speed);
    check_bits(a->mu, b->mu, p->count, impulse);
    check_bits(a->lin, b->lin, p->count, ldexp(1, by.gap));
    CHECK(s->kkt == t->kkt && s->violation_ulps == t->violation_ulps);
    CHECK(s->backward * ldexp(1, by.gap) == t->backward);
    CHECK(s->forward * norm == t->forward && s->stationarity * norm == t->stationarity);
    CHECK(memcmp(&a->answer.effort, &b->answer.effort, sizeof a->answer.effort) == 0);
    outcome_destroy(a);
    outcome_destroy(b);
    problem_destroy(q);
}

// Garbage of 1e300 as first guess would leave the range of doubles when scaled.
static void tame(problem *p)
{
    for (int i = 0; i < p->count; i++)
        if (!(fabs(p->warm[i]) < 1e30 && fabs(p->warm[i]) > 1e-30))
            p->warm[i] = 0;
}

static void check_lengths(problem *p, test_random *random)
{
    int k = test_random_int(random, -60, 60);
    tame(p);
    compare_units(p, (units){.length = k, .gap = k});
}

static void check_times(problem *p, test_random *random)
{
    tame(p);
    compare_units(p, (units){.time = test_random_int(random, -60, 60)});
}

static void check_masses(problem *p, test_random *random)
{
    tame(p);
    compare_units(p, (units){.mass = 2 * test_random_int(random, -30, 30)});
}

static void check_gap_units(problem *p, test_random *random)
{
    tame(p);
    compare_units(p, (units){.length = test_random_int(random, -30, 30),
                             .time = test_random_int(random, -30, 30),
                             .mass = 2 * test_random_int(random, -15, 15),
                             .gap = test_random_int(random, -30, 30)});
}

// Same problem, same bits: again, in a fresh projector, and after another problem.
static void check_again(problem *p, test_random *random)
{
    thud_projector *projector = NULL;
    REQUIRE(thud_projector_create(NULL, &projector) == THUD_OK);
    problem *other = generate_feasible(test_random_bits(random), false);
    outcome *runs[4] = {outcome_solve(p, NULL, NULL), outcome_solve(p, NULL, projector),
                        outcome_solve(p, NULL, projector), NULL};
    outcome_destroy(outcome_solve(other, NULL, projector));
    runs[3] = outcome_solve(p, NULL, projector);
    for (int j = 1; j < 4; j++)
    {
        CHECK(runs[j]->status == runs[0]->status);
        check_bits(runs[0]->u, runs[j]->u, p->dim + 2 * p->count, 1);
        CHECK(memcmp(&runs[0]->answer.certificate, &runs[j]->answer.certificate,
                     sizeof(thud_certificate)) == 0);
    }
    for (int j = 0; j < 4; j++)
        outcome_destroy(runs[j]);
    problem_destroy(other);
    thud_projector_destroy(projector);
}

static void *counting_resize(void *block, size_t old_size, size_t new_size, void *user)
{
    (void)old_size;
    ++*(int *)user;
    if (new_size > 0)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

// The second solve of a problem, cold or warm, asks for no memory.
static void check_memory(problem *p, test_random *random)
{
    (void)random;
    int calls = 0;
    thud_allocator allocator = {counting_resize, &calls};
    thud_projector_def def = {.allocator = &allocator};
    thud_projector *projector = NULL;
    REQUIRE(thud_projector_create(&def, &projector) == THUD_OK);
    outcome_destroy(outcome_solve(p, NULL, projector));
    calls = 0;
    outcome *o = outcome_solve(p, NULL, projector);
    CHECK(calls == 0);
    memcpy(p->warm, o->mu, (size_t)p->count * sizeof *p->warm);
    p->is_warm = true;
    outcome_destroy(outcome_solve(p, NULL, projector));
    CHECK(calls == 0);
    outcome_destroy(o);
    thud_projector_destroy(projector);
}

#define CASE(name, seed, unit_mass)                                                                \
    static void run_##name(void)                                                                   \
    {                                                                                              \
        over_seeds(check_##name, seed, unit_mass);                                                 \
    }
CASE(permutation, 100001, false)
CASE(sorted, 110001, false)
CASE(scaling, 120001, false)
CASE(rotation, 130001, true)
CASE(lengths, 140001, false)
CASE(times, 150001, false)
CASE(masses, 160001, false)
CASE(gap_units, 170001, false)
CASE(again, 180001, false)
CASE(memory, 190001, false)

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"permutation", run_permutation}, {"sorted", run_sorted},   {"scaling", run_scaling},
        {"rotation", run_rotation},       {"lengths", run_lengths}, {"times", run_times},
        {"masses", run_masses},           {"units", run_gap_units}, {"again", run_again},
        {"memory", run_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
