// The kernels give the same bits, and what they compute is what row_pack.h says.
#include "sweep_graph.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {"plain", "vector", "avx2"};

enum
{
    SWEEPS = 7,
    NAME_COUNT = sizeof NAMES / sizeof *NAMES
};

static void chosen(void)
{
    const thudi_kernel *kernel = thudi_kernel_choose();
    REQUIRE(kernel && kernel->is_supported());
    CHECK(thudi_kernel_find(kernel->name) == kernel);
    CHECK(thudi_kernel_find("plain") && !thudi_kernel_find("abacus"));
    for (int k = 0; k < NAME_COUNT; k++)
        printf("  %s: %s\n", NAMES[k], thudi_kernel_find(NAMES[k]) ? "yes" : "not here");
}

typedef struct trace
{
    thudi_sweep seen[SWEEPS];
    double residual, length;
    size_t count, numbers; // of x, of velocity
    double *x, *velocity;
} trace;

// Some sweeps with one kernel; the momentum is 0 at times, as after a restart.
static trace follow(const thud_projection *problem, const thudi_kernel *kernel, bool is_small)
{
    thud_rooms rooms = {0};
    thudi_packs packs = {0};
    trace t = {.count = (size_t)problem->rows->count};
    CHECK(sweep_graph_pack(problem, &rooms, &packs) == THUD_OK);
    packs.kernel = kernel;
    if (!is_small)
        CHECK(thudi_packs_widen(problem, &packs) == THUD_OK);
    CHECK(packs.is_small == is_small);
    for (int k = 0; k < SWEEPS; k++)
        t.seen[k] = thudi_packs_sweep(&packs, k % 4 == 0 ? 0 : 0.3 * k);
    t.residual = thudi_packs_evaluate(problem, &packs);
    t.length = thudi_packs_length(&packs);
    t.x = calloc(t.count, sizeof *t.x);
    t.numbers = 4 * (size_t)packs.bodies;
    t.velocity = calloc(t.numbers, sizeof *t.velocity);
    if (t.x && t.velocity)
    {
        thudi_packs_collect(problem, &packs, t.x);
        memcpy(t.velocity, packs.velocity, t.numbers * sizeof *t.velocity);
    }
    thudi_rooms_free(&rooms);
    return t;
}

static void check_bits(const thud_projection *problem, bool is_small)
{
    trace one = follow(problem, thudi_kernel_find("plain"), is_small);
    for (int k = 1; k < NAME_COUNT; k++)
    {
        const thudi_kernel *kernel = thudi_kernel_find(NAMES[k]);
        if (!kernel)
            continue;
        trace other = follow(problem, kernel, is_small);
        CHECK(memcmp(one.seen, other.seen, sizeof one.seen) == 0);
        CHECK(one.residual == other.residual && one.length == other.length);
        CHECK(memcmp(one.x, other.x, one.count * sizeof *one.x) == 0);
        CHECK(memcmp(one.velocity, other.velocity, one.numbers * sizeof *one.velocity) == 0);
        free(other.x);
        free(other.velocity);
    }
    free(one.x);
    free(one.velocity);
}

static void equal_bits(void)
{
    test_random random = test_random_begin(20261116);
    for (int trial = 0; trial < 24; trial++)
    {
        int width = 2 + trial % 2, bodies = trial < 22 ? test_random_int(&random, 2, 900) : 6000;
        sweep_graph g = sweep_graph_make(&random, width, bodies, trial % 3 == 0 ? 20 % bodies : 0,
                                         trial % 2 == 0);
        thud_projection problem = *sweep_graph_problem(&g, &random);
        check_bits(&problem, false);
        problem.accuracy = 0; // stops that floats are good enough for
        problem.shift_scale = 8;
        check_bits(&problem, true);
        sweep_graph_free(&g);
    }
}

// f(x) = |U|^2 / 2 + level . x in the M norm, U = w + M^-1 G^T x.
static double objective(const thud_projection *p, const double *x, double *u)
{
    const thud_rows *rows = p->rows;
    double sum = 0;
    memcpy(u, p->w, (size_t)p->dim * sizeof *u);
    for (int i = 0; i < rows->count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        for (int j = 0; j < row.count * row.width; j++)
        {
            int at = row.index[j / row.width] + j % row.width;
            u[at] += row.slope[j] * x[i] / p->mass[at];
        }
        sum += (row.gap - row.shift) / p->h * x[i];
    }
    for (int k = 0; k < p->dim; k++)
        sum += 0.5 * p->mass[k] * u[k] * u[k];
    return sum;
}

// What a sweep says of itself, against the definition; and the largest residual.
static void reference(void)
{
    test_random random = test_random_start(test_seed(7));
    sweep_graph g = sweep_graph_make(&random, 3, 300, 0, true);
    const thud_projection *problem = sweep_graph_problem(&g, &random);
    thud_rooms rooms = {0};
    thudi_packs packs = {0};
    size_t rows = (size_t)problem->rows->count;
    double *x = calloc(3 * rows + (size_t)problem->dim, sizeof *x), *before = x + rows;
    REQUIRE(x);
    double *y = before + rows, *u = y + rows;
    CHECK(sweep_graph_pack(problem, &rooms, &packs) == THUD_OK);
    CHECK(thudi_packs_widen(problem, &packs) == THUD_OK);
    double unit = packs.per_impulse * packs.per_velocity; // of the objective
    thudi_packs_collect(problem, &packs, x);
    memcpy(before, x, rows * sizeof *x);
    for (int k = 0; k < SWEEPS; k++)
    {
        double beta = k % 3 * 0.4, turn = 0;
        for (size_t i = 0; i < rows; i++)
            y[i] = x[i] + beta * (x[i] - before[i]);
        memcpy(before, x, rows * sizeof *x);
        thudi_sweep seen = thudi_packs_sweep(&packs, beta);
        thudi_packs_collect(problem, &packs, x);
        for (size_t i = 0; i < rows; i++)
        {
            double norm = thudi_row_norm(problem, (int)i);
            turn += norm * norm * (y[i] - x[i]) * (x[i] - before[i]);
            CHECK(x[i] >= 0);
        }
        double fall = objective(problem, x, u) - objective(problem, y, u);
        CHECK(fall <= 0);
        CHECK_NEAR(seen.decrease / unit, fall, 1e-9 * fabs(fall));
        CHECK_NEAR(seen.turn / unit, turn, 1e-9 * (1 + fabs(turn)));
    }
    double worst = 0, stop = 0;
    (void)objective(problem, x, u);
    for (size_t i = 0; i < rows; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(problem->rows, (int)i, &room);
        double v = (row.gap - row.shift) / problem->h, norm = thudi_row_norm(problem, (int)i);
        for (int j = 0; j < row.count * row.width; j++)
            v += row.slope[j] * u[row.index[j / row.width] + j % row.width];
        stop = fmin(row.shift / 2, 1e-3 * problem->h * problem->h) / problem->h;
        worst = fmax(worst, fabs(fmin(norm * norm * x[i], v)) / stop);
    }
    CHECK_NEAR(thudi_packs_evaluate(problem, &packs), worst, 1e-5 * worst);
    thudi_rooms_free(&rooms);
    free(x);
    sweep_graph_free(&g);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"chosen", chosen}, {"equal-bits", equal_bits}, {"reference", reference}};
    return test_main(argc, argv, cases, 3);
}
