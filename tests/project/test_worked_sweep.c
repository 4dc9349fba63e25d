// The worked example of docs/solvers.md: what the library finds after each of the first sweeps,
// beside the equations of that page, written here once more.
#include "three_disks.h"
#include "thud_test.h"

enum
{
    ROWS = THREE_DISKS_ROWS,
    DIM = THREE_DISKS_DIM
};

// The state of the page's method.
typedef struct iteration
{
    const three_disks *disks;
    double slope[ROWS][DIM], level[ROWS], diagonal[ROWS], stop[ROWS];
    double x[ROWS], before[ROWS], u[DIM], u_before[DIM];
    double theta, beta, turn, worst;
} iteration;

static void read_row(iteration *it, int i)
{
    const thud_projection *p = &it->disks->problem;
    thud_row_room room;
    thud_row row = thud_rows_get(it->disks->rows, i, &room);
    int width = row.width > 1 ? row.width : 1;
    for (int e = 0; e < row.count * width; e++)
    {
        int k = row.index[e / width] + e % width;
        it->slope[i][k] = row.slope[e];
        it->diagonal[i] += row.slope[e] * row.slope[e] / p->mass[k];
        it->u[k] += row.slope[e] * p->warm[i] / p->mass[k];
    }
    double half = row.shift / 2, pull = p->accuracy * p->h * p->h * 9.81;
    it->level[i] = (row.gap - row.shift) / p->h;
    it->stop[i] = (half < pull ? half : pull) / p->h;
    it->x[i] = it->before[i] = p->warm[i];
}

static void begin(iteration *it, const three_disks *disks)
{
    *it = (iteration){.disks = disks, .theta = 1};
    for (int k = 0; k < DIM; k++)
        it->u[k] = disks->problem.w[k];
    for (int i = 0; i < ROWS; i++)
        read_row(it, i);
    for (int k = 0; k < DIM; k++)
        it->u_before[k] = it->u[k];
}

static double gradient(const iteration *it, int i)
{
    double v = it->level[i];
    for (int k = 0; k < DIM; k++)
        v += it->slope[i][k] * it->u[k];
    return v;
}

static void sweep_row(iteration *it, int i)
{
    double x = it->x[i], y = x + it->beta * (x - it->before[i]), a = it->diagonal[i];
    double next = fmax(0, y - gradient(it, i) / a), change = next - y;
    it->turn -= a * change * (next - x);
    it->worst = fmax(it->worst, fabs(change) * a / it->stop[i]);
    it->before[i] = x;
    it->x[i] = next;
    for (int k = 0; k < DIM; k++)
        it->u[k] += change * it->slope[i][k] / it->disks->problem.mass[k];
}

static void sweep(iteration *it, const int order[ROWS])
{
    it->turn = it->worst = 0;
    for (int k = 0; k < DIM; k++)
    {
        double u = it->u[k];
        it->u[k] += it->beta * (u - it->u_before[k]);
        it->u_before[k] = u;
    }
    for (int n = 0; n < ROWS; n++)
        sweep_row(it, order[n]);
}

static void choose_beta(iteration *it)
{
    if (it->turn > 0 && it->beta > 0)
    {
        it->theta = fmax(1, 0.8 * it->theta);
        it->beta = 0;
        return;
    }
    double next = (1 + sqrt(1 + 4 * it->theta * it->theta)) / 2;
    it->beta = (it->theta - 1) / next;
    it->theta = next;
}

static double residual(const iteration *it)
{
    double worst = 0;
    for (int i = 0; i < ROWS; i++)
        worst = fmax(worst, fabs(fmin(it->diagonal[i] * it->x[i], gradient(it, i))) / it->stop[i]);
    return worst;
}

// beta: of the sweep that was made last.
static void print_line(const char *name, const char *beta, const double mu[ROWS])
{
    printf("%-8s%-9s", name, beta);
    for (int i = 0; i < ROWS; i++)
        printf(" %-11.7f", mu[i]);
    printf("\n");
}

static void print_head(void)
{
    printf("sweeps  its beta");
    for (int i = 0; i < ROWS; i++)
        printf("  %-10s", three_disks_names[i]);
    printf("\n");
}

// The rule to stop, which spares evaluations: k sweeps were made, the last evaluation after
// *evaluated.
static bool is_done(const iteration *it, int k, int *evaluated)
{
    if (it->worst > 1.5 || k < *evaluated + 4)
        return false;
    *evaluated = k;
    return residual(it) <= 1;
}

// The library with at most so many sweeps, beside the iteration.
static void compare(const iteration *it, int sweeps, bool done, double tolerance)
{
    thud_projector *projector = NULL;
    thud_answer answer;
    char name[16], beta[16];
    (void)snprintf(name, sizeof name, "%d", sweeps);
    (void)snprintf(beta, sizeof beta, "%.4f", it->beta);
    thud_status status = three_disks_solve(it->disks, sweeps, false, &projector, &answer);
    CHECK(status == (done ? THUD_OK : THUD_ERR_NOT_CONVERGED));
    CHECK(answer.effort.sweeps == sweeps);
    print_line(name, beta, answer.mu);
    for (int i = 0; i < ROWS; i++)
        CHECK_NEAR(it->x[i], answer.mu[i], tolerance);
    for (int k = 0; k < DIM; k++)
        CHECK_NEAR(it->u[k], answer.u[k], tolerance);
    thud_projector_destroy(projector);
}

static void run(bool pairs, const int order[ROWS], int wanted, double tolerance)
{
    three_disks disks;
    iteration it;
    int k = 0, evaluated = 0;
    REQUIRE(three_disks_begin(&disks, pairs));
    begin(&it, &disks);
    CHECK(residual(&it) > 1);
    print_head();
    print_line("0", "-", it.x);
    for (bool done = false; !done && k < 2 * wanted;)
    {
        if (k > 0)
            choose_beta(&it);
        sweep(&it, order);
        done = is_done(&it, ++k, &evaluated);
        compare(&it, k, done, tolerance);
    }
    CHECK(k == wanted);
    three_disks_end(&disks);
}

// Rows of general shape: in the order of the list, in doubles.
static void run_rows(void)
{
    run(false, (const int[]){0, 1, 2, 3, 4}, 5, 1e-13);
}

// Pair rows: { A-C, floor-B }, { A-B }, { floor-A, B-C }, in floats.
static void run_packs(void)
{
    run(true, (const int[]){0, 4, 2, 3, 1}, 6, 1e-6);
}

// What all of it comes to.
static void run_exact(void)
{
    three_disks disks;
    thud_projector *projector = NULL;
    thud_answer answer;
    REQUIRE(three_disks_begin(&disks, true));
    CHECK(three_disks_solve(&disks, 0, true, &projector, &answer) == THUD_OK);
    CHECK(answer.effort.sweeps == 0 && answer.unique);
    print_head();
    print_line("exact", "-", answer.mu);
    thud_projector_destroy(projector);
    three_disks_end(&disks);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"rows", run_rows},
        {"packs", run_packs},
        {"exact", run_exact},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
