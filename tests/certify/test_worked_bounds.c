// The worked example of docs/certificates.md: the certificate of an answer after three sweeps and
// of the finished one, beside the formulas of that page, written here once more.
#include "three_disks.h"
#include "thud_test.h"

enum
{
    ROWS = THREE_DISKS_ROWS,
    DIM = THREE_DISKS_DIM
};

// u = w + M^-1 G^T mu and G, in plain doubles.
static void find_velocity(const three_disks *disks, const double *mu, double slope[ROWS][DIM],
                          double *u)
{
    const thud_projection *p = &disks->problem;
    for (int k = 0; k < DIM; k++)
        u[k] = p->w[k];
    for (int i = 0; i < ROWS; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(disks->rows, i, &room);
        for (int e = 0; e < row.count; e++)
        {
            slope[i][row.index[e]] = row.slope[e];
            u[row.index[e]] += row.slope[e] * mu[i] / p->mass[row.index[e]];
        }
    }
}

// The formulas of the page.
static void bound(const three_disks *disks, const double *mu, double lin[ROWS], double *forward,
                  double *backward)
{
    double slope[ROWS][DIM] = {{0}}, u[DIM], sum = 0;
    find_velocity(disks, mu, slope, u);
    *backward = 0;
    for (int i = 0; i < ROWS; i++)
    {
        lin[i] = thud_rows_get(disks->rows, i, NULL).gap;
        for (int k = 0; k < DIM; k++)
            lin[i] += disks->problem.h * slope[i][k] * u[k];
        sum += mu[i] * fmax(lin[i], 0) / disks->problem.h;
        *backward = fmax(*backward, mu[i] > 0 ? fabs(lin[i]) : fmax(-lin[i], 0));
    }
    *forward = sqrt(sum);
}

static double distance(const double *mass, const double *u, const double *v)
{
    double sum = 0;
    for (int k = 0; k < DIM; k++)
        sum += mass[k] * (u[k] - v[k]) * (u[k] - v[k]);
    return sqrt(sum);
}

static void print_answer(const thud_answer *answer)
{
    const thud_certificate *c = &answer->certificate;
    printf("sweeps %d\n", answer->effort.sweeps);
    printf("row      mu                   lin\n");
    for (int i = 0; i < ROWS; i++)
        printf("%-8s %-20.17f %.9e\n", three_disks_names[i], answer->mu[i], answer->lin[i]);
    printf("u       ");
    for (int k = 0; k < DIM; k++)
        printf(" %.9f", answer->u[k]);
    printf("\nforward %.9e  backward %.9e  violation %.9e\n", c->forward, c->backward,
           c->violation);
}

// K itself: no shifts.
static void solve_without_shifts(three_disks *disks, thud_projector **projector,
                                 thud_answer *answer)
{
    disks->problem.shift_scale = 0;
    CHECK(three_disks_solve(disks, 0, true, projector, answer) == THUD_OK);
    disks->problem.shift_scale = 1;
}

static void run_sweeps(int limit)
{
    three_disks disks;
    thud_projector *projector = NULL, *other = NULL;
    thud_answer answer, truth;
    double lin[ROWS], forward, backward;
    REQUIRE(three_disks_begin(&disks, false));
    thud_status status = three_disks_solve(&disks, limit, false, &projector, &answer);
    CHECK(status == (limit > 0 ? THUD_ERR_NOT_CONVERGED : THUD_OK));
    print_answer(&answer);
    const thud_certificate *c = &answer.certificate;
    bound(&disks, answer.mu, lin, &forward, &backward);
    for (int i = 0; i < ROWS; i++)
        CHECK_NEAR(answer.lin[i], lin[i], 1e-17);
    CHECK_NEAR(c->forward, forward, 1e-12 * forward);
    CHECK_NEAR(c->backward, backward, 1e-12 * backward);
    CHECK_AT_MOST(c->stationarity, 1e-15);
    solve_without_shifts(&disks, &other, &truth);
    double apart = distance(disks.problem.mass, answer.u, truth.u);
    printf("|u - P_K w| = %.9e\n", apart);
    CHECK_AT_MOST(apart, c->forward);
    thud_projector_destroy(projector);
    thud_projector_destroy(other);
    three_disks_end(&disks);
}

static void run_three(void)
{
    run_sweeps(3);
}

static void run_finished(void)
{
    run_sweeps(0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"three-sweeps", run_three},
        {"finished", run_finished},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
