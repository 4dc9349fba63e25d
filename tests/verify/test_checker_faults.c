// The checker when things fail: every allocation, every callback, every argument.
#include "checker_scenes.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

// An allocator that fails at one call, counts what is alive, and checks the sizes it is told.

typedef struct accountant
{
    int calls, fail_at; // fail_at < 0: never
    int blocks;
    size_t bytes;
    bool lied_to;
} accountant;

static void *account(void *block, size_t old_size, size_t new_size, void *user)
{
    accountant *books = user;
    size_t *head = block ? (size_t *)block - 2 : NULL; // two words keep the alignment
    if (old_size != (head ? *head : 0))
        books->lied_to = true;
    if (new_size > 0 && books->calls++ == books->fail_at)
        return NULL;
    if (head)
    {
        books->blocks--;
        books->bytes -= *head;
    }
    if (new_size == 0)
    {
        free(head);
        return NULL;
    }
    head = realloc(head, new_size + 2 * sizeof *head);
    if (!head)
        abort();
    *head = new_size;
    books->blocks++;
    books->bytes += new_size;
    return head + 2;
}

static bool is_untouched(const thud_verdict *verdict)
{
    static const unsigned char pattern = 0xa5;
    const unsigned char *bytes = (const unsigned char *)verdict;
    for (size_t i = 0; i < sizeof *verdict; i++)
        if (bytes[i] != pattern)
            return false;
    return true;
}

static thud_status check_with(const thud_inclusion *problem, const scene_step *step,
                              accountant *books, thud_verdict *verdict)
{
    thud_allocator allocator = {account, books};
    thud_verify_def def = {.allocator = &allocator};
    memset(verdict, 0xa5, sizeof *verdict);
    return thud_verify_step(problem, &step->before, &step->after, &def, verdict);
}

static void every_allocation(void)
{
    int total = 0, right = 0;
    for (int s = 0; s < scene_count; s++)
    {
        scene_step step;
        thud_verdict verdict;
        accountant all = {.fail_at = -1};
        scene_take_step(&scenes[s], 0, &step);
        CHECK(check_with(&scenes[s].problem, &step, &all, &verdict) == THUD_OK);
        CHECK(verdict.holds);
        CHECK(all.blocks == 0 && all.bytes == 0 && !all.lied_to);
        for (int k = 0; k < all.calls; k++)
        {
            accountant books = {.fail_at = k};
            thud_status status = check_with(&scenes[s].problem, &step, &books, &verdict);
            bool good = status == THUD_ERR_MEMORY && books.blocks == 0 && books.bytes == 0 &&
                        !books.lied_to && is_untouched(&verdict);
            total++;
            right += good;
            if (!good)
                test_fail(__FILE__, __LINE__, "%s, allocation %d: %s, %d blocks left",
                          scenes[s].name, k, thud_status_name(status), books.blocks);
        }
    }
    printf("  allocations failed: %d, reported without a leak: %d\n", total, right);
    CHECK(total > 10 * scene_count / 2);
}

// A problem whose callbacks fail at one call.

typedef struct saboteur
{
    const thud_inclusion *inner;
    int calls, fail_at;
} saboteur;

static bool is_time_to_fail(saboteur *of)
{
    return of->calls++ == of->fail_at;
}

static int faulty_force(double t, const double *q, double *f, void *user)
{
    saboteur *of = user;
    return is_time_to_fail(of) ? 7 : of->inner->force(t, q, f, of->inner->user);
}

static int faulty_impulse(double t, double t_next, const double *q, double *impulse, void *user)
{
    saboteur *of = user;
    return is_time_to_fail(of) ? -7 : of->inner->impulse(t, t_next, q, impulse, of->inner->user);
}

static int faulty_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    saboteur *of = user;
    int failed = of->inner->gaps(at, rows, of->inner->user);
    return is_time_to_fail(of) ? 1 : failed;
}

static thud_inclusion sabotage(saboteur *of)
{
    thud_inclusion problem = *of->inner;
    problem.force = problem.force ? faulty_force : NULL;
    problem.impulse = problem.impulse ? faulty_impulse : NULL;
    problem.gaps = problem.gaps ? faulty_gaps : NULL;
    problem.user = of;
    return problem;
}

static void every_callback(void)
{
    int total = 0, right = 0;
    for (int s = 0; s < scene_count; s++)
    {
        scene_step step;
        thud_verdict verdict;
        scene_take_step(&scenes[s], 0, &step);
        saboteur none = {.inner = &scenes[s].problem, .fail_at = -1};
        thud_inclusion problem = sabotage(&none);
        accountant all = {.fail_at = -1};
        CHECK(check_with(&problem, &step, &all, &verdict) == THUD_OK);
        CHECK(verdict.holds);
        for (int k = 0; k < none.calls; k++)
        {
            saboteur of = {.inner = &scenes[s].problem, .fail_at = k};
            accountant books = {.fail_at = -1};
            problem = sabotage(&of);
            thud_status status = check_with(&problem, &step, &books, &verdict);
            bool good = status == THUD_ERR_CALLBACK && books.blocks == 0 &&
                        is_untouched(&verdict) && of.calls == k + 1;
            total++;
            right += good;
            if (!good)
                test_fail(__FILE__, __LINE__, "%s, callback %d: %s", scenes[s].name, k,
                          thud_status_name(status));
        }
    }
    printf("  callbacks failed: %d, reported without a leak: %d\n", total, right);
    CHECK(total > scene_count);
}

// Rows that are no rows.

static int bad_rows(const thud_moment *at, thud_rows *rows, void *user)
{
    int kind = *(const int *)user, index = 0;
    double slope = kind == 3 ? (double)INFINITY : 1;
    if (kind < 2)
        index = kind == 0 ? 1 : -1;
    thud_row row = {.key = {1},
                    .gap = kind == 2 ? (double)NAN : at->q[0],
                    .count = 1,
                    .index = &index,
                    .slope = &slope};
    thud_rows_push(rows, &row);
    return 0;
}

static void bad_row(void)
{
    scene_step step;
    scene_take_step(&scenes[0], 0, &step);
    for (int kind = 0; kind < 5; kind++)
    {
        thud_inclusion problem = scenes[0].problem;
        thud_verdict verdict = {0};
        accountant books = {.fail_at = -1};
        problem.gaps = bad_rows;
        problem.force_is_steady = true;
        problem.user = &kind;
        thud_status status = check_with(&problem, &step, &books, &verdict);
        CHECK(status == (kind < 2 ? THUD_ERR_ARGUMENT : THUD_OK));
        CHECK(books.blocks == 0);
        if (kind >= 2)
            CHECK(verdict.holds == (kind == 4));
    }
}

// A force or velocity that is not finite fails every certificate, and reaches no other callback.

static int infinite_force(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    f[0] = INFINITY;
    return 0;
}

static int no_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)at, (void)rows;
    ++*(int *)user;
    return 0;
}

static void bad_force(void)
{
    scene_step step;
    scene_take_step(&scenes[0], 0, &step);
    for (int steady = 0; steady < 2; steady++)
    {
        int called = 0;
        thud_inclusion problem = {.dim = 1, .force = infinite_force, .gaps = no_gaps};
        problem.force_is_steady = steady;
        problem.user = &called;
        thud_verdict verdict = {0};
        CHECK(thud_verify_step(&problem, &step.before, &step.after, NULL, &verdict) == THUD_OK);
        CHECK(called == 0);
        for (int i = 0; i < THUD_CERT_COUNT; i++)
            CHECK(!verdict.checks[i].holds);
    }
}

typedef struct question
{
    thud_inclusion problem;
    scene_step step;
    thud_verify_def def;
} question;

static void spoil(question *of, int how)
{
    static const double no_mass[1] = {0}, mass_nan[1] = {NAN};
    switch (how)
    {
    case 0:
        of->problem.dim = 0;
        break;
    case 1:
        of->problem.dim = 2;
        break;
    case 2:
        of->step.before.dim = 2;
        break;
    case 3:
        of->step.after.dim = 2;
        break;
    case 4:
        of->step.after.q = NULL;
        break;
    case 5:
        of->step.after.multipliers = NULL;
        break;
    case 6:
        of->step.after.multiplier_count = -1;
        break;
    case 7:
        of->problem.mass = no_mass;
        break;
    case 8:
        of->problem.mass = mass_nan;
        break;
    case 9:
        of->problem.order = (thud_order)5;
        break;
    case 10:
        of->problem.break_count = 1;
        break;
    case 11:
        of->def.tolerance = -1;
        break;
    case 12:
        of->def.backward = NAN;
        break;
    case 13:
        of->def.feasibility = INFINITY;
        break;
    default:
        of->step.before.u = NULL;
    }
}

static void bad_arguments(void)
{
    int right = 0;
    enum
    {
        WAYS = 15
    };
    for (int how = 0; how < WAYS; how++)
    {
        question of = {.problem = scenes[0].problem};
        scene_take_step(&scenes[0], 0, &of.step);
        spoil(&of, how);
        thud_verdict verdict;
        memset(&verdict, 0xa5, sizeof verdict);
        thud_status status =
            thud_verify_step(&of.problem, &of.step.before, &of.step.after, &of.def, &verdict);
        bool good = status == THUD_ERR_ARGUMENT && is_untouched(&verdict);
        right += good;
        if (!good)
            test_fail(__FILE__, __LINE__, "argument %d: %s", how, thud_status_name(status));
    }
    scene_step step;
    thud_verdict verdict;
    const thud_inclusion *problem = &scenes[0].problem;
    scene_take_step(&scenes[0], 0, &step);
    CHECK(thud_verify_step(NULL, &step.before, &step.after, NULL, &verdict) == THUD_ERR_ARGUMENT);
    CHECK(thud_verify_step(problem, NULL, &step.after, NULL, &verdict) == THUD_ERR_ARGUMENT);
    CHECK(thud_verify_step(problem, &step.before, NULL, NULL, &verdict) == THUD_ERR_ARGUMENT);
    CHECK(thud_verify_step(problem, &step.before, &step.after, NULL, NULL) == THUD_ERR_ARGUMENT);
    printf("  bad arguments refused: %d of %d\n", right, WAYS);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"every_allocation", every_allocation},
        {"every_callback", every_callback},
        {"bad_row", bad_row},
        {"bad_force", bad_force},
        {"bad_arguments", bad_arguments},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
