// The iterative methods against the exact one on the projections of dropping spheres.
#include "pack_scene.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

static const struct
{
    thud_method method;
    const char *name;
} iterative[] = {{THUD_METHOD_AGS, "AGS"}, {THUD_METHOD_PGS, "PGS"}, {THUD_METHOD_APGD, "APGD"}};

enum
{
    METHODS = sizeof iterative / sizeof *iterative
};

// The projection of the last step of a pack, cold, gaps taken as exact.
static thud_projection projection_of(const pack *p)
{
    const thud_report *report = thud_work_report(p->work);
    return (thud_projection){.dim = p->problem.dim,
                             .h = thud_world_state(p->world)->h,
                             .mass = p->problem.mass,
                             .w = report->w,
                             .rows = report->rows,
                             .accuracy = 1e-3,
                             .force = report->mean_force,
                             .shift_scale = 1};
}

typedef struct solved
{
    thud_projector *projector;
    thud_answer answer;
    thud_status status;
} solved;

static solved solve(const thud_projection *problem, thud_method method, int sweep_limit)
{
    solved s = {0};
    thud_projector_def def = {.method = method, .sweep_limit = sweep_limit};
    s.status = thud_projector_create(&def, &s.projector);
    if (s.status >= 0)
        s.status = thud_project(problem, s.projector, &s.answer);
    return s;
}

static double mass_of(const thud_projection *p, int k)
{
    return p->mass ? p->mass[k] : 1;
}

static double distance(const thud_projection *p, const double *u, const double *v)
{
    double sum = 0;
    for (int k = 0; k < p->dim; k++)
        sum += mass_of(p, k) * (u[k] - v[k]) * (u[k] - v[k]);
    return sqrt(sum);
}

// |u - u*|_M <= sqrt(mu . s + mu* . (-s)+), s = (lin - shift) / h, u* exact for the same shifts.
static double shifted_bound(const thud_projection *p, const thud_answer *a, const thud_answer *best)
{
    double sum = 0;
    for (int i = 0; i < thud_rows_count(p->rows); i++)
    {
        double s = (a->lin[i] - p->shift_scale * thud_rows_get(p->rows, i, NULL).shift) / p->h;
        sum += a->mu[i] * s + best->mu[i] * fmax(0, -s);
    }
    return sqrt(fmax(0, sum));
}

static double smallest_of_shift(const thud_projection *p, const thud_answer *a)
{
    double smallest = INFINITY;
    for (int i = 0; i < thud_rows_count(p->rows); i++)
        smallest = fmin(smallest, a->lin[i] / thud_rows_get(p->rows, i, NULL).shift);
    return smallest;
}

// The certificate told apart from the library: lin, sign and the backward figure.
static void check_certificate(const thud_projection *p, const thud_answer *a)
{
    double smallest = INFINITY, backward = 0, scale = 1;
    for (int i = 0; i < thud_rows_count(p->rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(p->rows, i, &room);
        int width = row.width > 1 ? row.width : 1;
        double lin = row.gap;
        for (int b = 0; b < row.count; b++)
            for (int k = 0; k < width; k++)
                lin += p->h * row.slope[b * width + k] * a->u[row.index[b] + k];
        scale = fmax(scale, fabs(row.gap));
        CHECK(a->mu[i] >= 0);
        CHECK_NEAR(a->lin[i], lin, 1e-13 * scale);
        smallest = fmin(smallest, lin);
        backward = fmax(backward, a->mu[i] > 0 ? fabs(lin) : fmax(0, -lin));
    }
    CHECK_NEAR(a->certificate.min_lin, smallest, 1e-13 * scale);
    CHECK_NEAR(a->certificate.violation, fmax(0, -smallest), 1e-13 * scale);
    CHECK_NEAR(a->certificate.backward, backward, 1e-13 * scale);
    CHECK(a->certificate.min_impulse >= 0);
}

// One method against the projection on K (no shifts) and on the shifted K.
static void judge(const thud_projection *p, int which, const solved *bare, const solved *shifted)
{
    solved s = solve(p, iterative[which].method, 0);
    CHECK(s.status == THUD_OK);
    double error = distance(p, s.answer.u, bare->answer.u);
    double off = distance(p, s.answer.u, shifted->answer.u);
    double bound = shifted_bound(p, &s.answer, &shifted->answer);
    printf("  %-4s %6d sweeps, |u - exact| %.2e of %.2e certified, from the shifted %.2e of %.2e\n",
           iterative[which].name, s.answer.effort.sweeps, error, s.answer.certificate.forward, off,
           bound);
    CHECK(s.answer.effort.sweeps > 0);
    CHECK_AT_MOST(error, s.answer.certificate.forward + bare->answer.certificate.forward);
    CHECK_AT_MOST(off, bound * (1 + 1e-9) + 1e-12);
    CHECK(smallest_of_shift(p, &s.answer) >= 0.5);
    check_certificate(p, &s.answer);
    thud_projector_destroy(s.projector);
}

// Every method on one projection, with and without shifts solved exactly first.
static void judge_all(const thud_projection *p)
{
    thud_projection without = *p;
    without.shift_scale = 0;
    solved bare = solve(&without, THUD_METHOD_ACTIVE_SET, 0);
    solved shifted = solve(p, THUD_METHOD_ACTIVE_SET, 0);
    CHECK(bare.status == THUD_OK && shifted.status == THUD_OK);
    for (int k = 0; k < METHODS && test_failures() == 0; k++)
        judge(p, k, &bare, &shifted);
    thud_projector_destroy(bare.projector);
    thud_projector_destroy(shifted.projector);
}

static bool start_drop(int count, int columns, uint64_t seed, int steps, pack *p)
{
    pack_def def = {.dim = seed % 2 ? 3 : 2,
                    .count = count,
                    .columns = columns,
                    .seed = seed,
                    .h = 0.05,
                    .method = THUD_METHOD_ACTIVE_SET};
    bool good = pack_start(&def, p);
    for (int n = 0; n < steps && good; n++)
        good = pack_step(p) >= 0;
    return good && thud_rows_count(thud_work_report(p->work)->rows) > 0;
}

static void agree(void)
{
    for (uint64_t seed = 1; seed <= 8; seed++)
    {
        test_random random = test_random_start(test_seed(100) + seed);
        int count = test_random_int(&random, 30, 100), steps = test_random_int(&random, 20, 200);
        pack p;
        bool good = start_drop(count, seed % 2 ? 4 : 8, test_seed(0) + seed, steps, &p);
        CHECK(good);
        if (good)
        {
            thud_projection problem = projection_of(&p);
            printf("seed %d: %d bodies after %d steps, %d rows\n", (int)seed, count, steps,
                   thud_rows_count(problem.rows));
            judge_all(&problem);
        }
        pack_free(&p);
    }
}

// Five sweeps are not enough: said so, and the certificate is that of what there is.
static void limited(void)
{
    pack p;
    bool good = start_drop(80, 4, 1, 200, &p);
    CHECK(good);
    for (int k = 0; k < METHODS && good; k++)
    {
        thud_projection problem = projection_of(&p);
        solved best = solve(&problem, THUD_METHOD_ACTIVE_SET, 0);
        solved s = solve(&problem, iterative[k].method, 5);
        CHECK(best.status == THUD_OK);
        CHECK(s.status == THUD_ERR_NOT_CONVERGED);
        CHECK(s.answer.effort.sweeps >= 5);
        CHECK(s.answer.certificate.kkt > 1e-12);
        check_certificate(&problem, &s.answer);
        CHECK_AT_MOST(distance(&problem, s.answer.u, best.answer.u),
                      shifted_bound(&problem, &s.answer, &best.answer) * (1 + 1e-9));
        printf("%s: violation %.2e, backward %.2e\n", iterative[k].name,
               s.answer.certificate.violation, s.answer.certificate.backward);
        thud_projector_destroy(best.projector);
        thud_projector_destroy(s.projector);
    }
    pack_free(&p);
}

// Started from its own answer a method has nothing to do.
static void warm(void)
{
    pack p;
    bool good = start_drop(80, 4, 3, 200, &p);
    CHECK(good);
    for (int k = 0; k < METHODS && good; k++)
    {
        thud_projection problem = projection_of(&p);
        solved first = solve(&problem, iterative[k].method, 0);
        problem.warm = first.answer.mu;
        solved again = solve(&problem, iterative[k].method, 0);
        CHECK(first.status == THUD_OK && again.status == THUD_OK);
        CHECK(first.answer.effort.sweeps > 0 && again.answer.effort.sweeps == 0);
        CHECK(memcmp(first.answer.u, again.answer.u, (size_t)problem.dim * sizeof(double)) == 0);
        thud_projector_destroy(first.projector);
        thud_projector_destroy(again.projector);
    }
    pack_free(&p);
}

// The same pack with general rows beside the pair rows: sums over three bodies kept from sinking.
static void mixed(void)
{
    pack p;
    bool good = start_drop(60, 4, 5, 200, &p);
    CHECK(good);
    thud_projection problem = projection_of(&p);
    thud_rows *rows = NULL;
    good = good && thud_rows_create(problem.dim, NULL, &rows) >= 0;
    for (int i = 0; good && i < thud_rows_count(problem.rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(problem.rows, i, &room);
        thud_rows_push(rows, &row);
    }
    for (int i = 0; good && i < 20; i++)
    {
        int index[3] = {9 * i + 1, 9 * i + 5, 9 * i + 8};
        const double slope[3] = {0.3, 1, -0.7};
        thud_rows_push(rows, &(thud_row){.key = thud_key_pair(0xff00, i, 0),
                                         .gap = 0.002,
                                         .shift = 2e-5,
                                         .count = 3,
                                         .index = index,
                                         .slope = slope});
    }
    CHECK(good && thud_rows_status(rows) >= 0);
    problem.rows = rows;
    if (good)
        judge_all(&problem);
    thud_rows_destroy(rows);
    pack_free(&p);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {
        {"agree", agree},
        {"limited", limited},
        {"warm", warm},
        {"mixed", mixed},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
