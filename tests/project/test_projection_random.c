// Random projections against two oracles: 113-bit arithmetic and Siconos.
//
// Every seed is one problem. THUD_SEED=n runs that one alone, whatever the case.
#include "generate.h"
#include "judge.h"
#include "siconos_oracle.h"

#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

#ifndef PROJECTIONS_PER_CASE
#define PROJECTIONS_PER_CASE 2000
#endif

static bool is_expected(const problem *p, thud_status status)
{
    return status == (p->traits & TRAIT_INFEASIBLE ? THUD_ERR_INFEASIBLE : THUD_OK);
}

// Siconos' word counts when its own residuals are small: then its answer and Thud's may be apart
// by no more than the residuals of both explain, and in all but a few cases agree closely.
static void compare_lcp(const problem *p, const double *own_u, const double *own_mu,
                        judge_tally *tally)
{
    double *u = calloc((size_t)p->dim + (size_t)p->count, sizeof *u);
    if (!u)
        abort();
    double *mu = u + p->dim, size = judge_norm(p, p->w);
    quad distance = 0;
    oracle_result result = oracle_solve(p, u, mu);
    if (result == ORACLE_SOLVED)
    {
        quad bound = judge_pair_bound(p, own_u, own_mu, u, mu, &distance);
        double relative = size > 0 ? (double)distance / size : (double)distance;
        if (!(bound <= 1e-3 * size))
            tally->lcp_rough++;
        else
        {
            CHECK(distance <= bound);
            tally->lcp_agreed++;
            tally->lcp_close += relative <= 1e-9;
            tally->lcp_distance = fmax(tally->lcp_distance, relative);
        }
    }
    tally->lcp_failed += result == ORACLE_FAILED;
    free(u);
}

// Lemke's method ends without an answer, or with one that violates a row by far more than rounding.
static void lcp_of_infeasible(const problem *p, judge_tally *tally)
{
    double *u = calloc((size_t)p->dim + (size_t)p->count, sizeof *u);
    if (!u)
        abort();
    oracle_result result = oracle_solve(p, u, u + p->dim);
    bool is_violated = false;
    judge_exact *e = judge_exact_create(p, u, u + p->dim);
    for (int i = 0; i < p->count && result == ORACLE_SOLVED; i++)
    {
        quad size = fabs(p->gap[i]);
        for (int k = 0; k < p->dim; k++)
            size += p->h * fabs(problem_slope(p, i)[k] * p->w[k]);
        is_violated = is_violated || e->lin[i] < -1e-9 * size;
    }
    tally->lcp_infeasible += result == ORACLE_FAILED || is_violated;
    judge_exact_destroy(e);
    free(u);
}

// The answer as first guess: nothing is left to add, and the answer is as good.
static void restart(problem *p, thud_projector *projector, judge_tally *tally, const double *u,
                    const double *mu)
{
    thud_answer answer;
    thud_rows *rows = problem_rows(p, NULL);
    memcpy(p->warm, mu, (size_t)p->count * sizeof *mu);
    p->is_warm = true;
    thud_projection projection = problem_projection(p, rows);
    thud_status status = thud_project(&projection, projector, &answer);
    CHECK(status == THUD_OK);
    if (status == THUD_OK)
    {
        quad distance = 0;
        judge_answer(p, &answer, tally);
        tally->solved--;
        tally->restarts++;
        tally->restarts_that_added += answer.effort.added > 0;
        CHECK(judge_pair_bound(p, u, mu, answer.u, answer.mu, &distance) >= distance);
    }
    thud_rows_destroy(rows);
}

static void judge_solved(problem *p, thud_projector *projector, const thud_answer *answer,
                         judge_tally *tally)
{
    double *u = calloc((size_t)p->dim + (size_t)p->count, sizeof *u);
    if (!u)
        abort();
    double *mu = u + p->dim;
    memcpy(u, answer->u, (size_t)p->dim * sizeof *u);
    if (p->count > 0)
        memcpy(mu, answer->mu, (size_t)p->count * sizeof *mu);
    judge_answer(p, answer, tally);
    judge_forward(p, answer, tally);
    compare_lcp(p, u, mu, tally);
    if (p->seed % 2 == 1)
        restart(p, projector, tally, u, mu);
    free(u);
}

// A proof that only the shifts have no room says so by its sum and radius; without the shifts K is
// empty all the same, and then the proof must be one.
static void judge_infeasible(problem *p, thud_projector *projector, thud_answer *answer,
                             judge_tally *tally)
{
    if (p->traits & TRAIT_SHIFT && p->shift_scale > 0 && answer->farkas.sum >= 0)
    {
        thud_rows *rows = problem_rows(p, NULL);
        CHECK(answer->farkas.radius == 0);
        p->shift_scale = 0;
        thud_projection projection = problem_projection(p, rows);
        CHECK(thud_project(&projection, projector, answer) == THUD_ERR_INFEASIBLE);
        thud_rows_destroy(rows);
    }
    judge_farkas(p, answer, tally);
    lcp_of_infeasible(p, tally);
}

static void run_seed(uint64_t seed, thud_projector *projector, judge_tally *tally)
{
    char text[200];
    int before = test_failures();
    problem *p = generate_problem(seed);
    thud_rows *rows = problem_rows(p, NULL);
    thud_projection projection = problem_projection(p, rows);
    thud_answer answer;
    generate_describe(p, text);
    thud_status status = thud_project(&projection, projector, &answer);
    if (!is_expected(p, status))
        test_fail(__FILE__, __LINE__, "status %s", thud_status_name(status));
    else if (status == THUD_OK)
        judge_solved(p, projector, &answer, tally);
    else
        judge_infeasible(p, projector, &answer, tally);
    if (test_failures() > before)
        printf("  seed %llu (%s): rerun with THUD_SEED=%llu\n", (unsigned long long)seed, text,
               (unsigned long long)seed);
    thud_rows_destroy(rows);
    problem_destroy(p);
}

static void run_seeds(int group)
{
    uint64_t first = 1 + 2000 * (uint64_t)group, count = PROJECTIONS_PER_CASE;
    judge_tally tally = {0};
    thud_projector *projector = NULL;
    if (test_seed(first) != first)
    {
        first = test_seed(first);
        count = 1;
    }
    printf("  seeds %llu to %llu\n", (unsigned long long)first,
           (unsigned long long)(first + count - 1));
    REQUIRE(thud_projector_create(NULL, &projector) == THUD_OK);
    for (uint64_t seed = first; seed < first + count; seed++)
        run_seed(seed, projector, &tally);
    thud_projector_destroy(projector);
    judge_report(&tally);
    printf("  restarts from the answer: %d, of which %d needed a further row\n", tally.restarts,
           tally.restarts_that_added);
    // only where rows are degenerate or nearly parallel
    CHECK(tally.restarts_that_added <= 1 + tally.restarts / 100);
}

#define GROUP(n)                                                                                   \
    static void group_##n(void)                                                                    \
    {                                                                                              \
        run_seeds(n);                                                                              \
    }
GROUP(0)
GROUP(1)
GROUP(2)
GROUP(3)
GROUP(4)
GROUP(5)
GROUP(6)
GROUP(7)
GROUP(8)
GROUP(9)

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"seeds-0", group_0}, {"seeds-1", group_1}, {"seeds-2", group_2}, {"seeds-3", group_3},
        {"seeds-4", group_4}, {"seeds-5", group_5}, {"seeds-6", group_6}, {"seeds-7", group_7},
        {"seeds-8", group_8}, {"seeds-9", group_9},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
