// Small projections whose answers are known in closed form, and the edges of what is promised.
#include "thud/project.h"

#include "thud_test.h"

#include <stdlib.h>

/// A projection in the plane, of at most four rows.
typedef struct plane
{
    thud_rows *rows;
    thud_projector *projector;
    double w[2], mass[2];
    thud_answer answer;
} plane;

static plane plane_create(double w0, double w1)
{
    plane p = {.w = {w0, w1}, .mass = {1, 1}};
    if (thud_rows_create(2, NULL, &p.rows) != THUD_OK ||
        thud_projector_create(NULL, &p.projector) != THUD_OK)
        abort();
    return p;
}

static void plane_destroy(plane *p)
{
    thud_rows_destroy(p->rows);
    thud_projector_destroy(p->projector);
}

static void push(plane *p, double gap, double s0, double s1, double shift)
{
    thud_row row = {.key = thud_key_number(thud_rows_count(p->rows) + 1),
                    .gap = gap,
                    .shift = shift,
                    .count = 2,
                    .index = (int[]){0, 1},
                    .slope = (double[]){s0, s1}};
    CHECK(thud_rows_push(p->rows, &row) == THUD_OK);
}

static thud_status solve(plane *p, double h, const double *warm, double shift_scale)
{
    thud_projection projection = {.dim = 2,
                                  .h = h,
                                  .mass = p->mass,
                                  .w = p->w,
                                  .rows = p->rows,
                                  .warm = warm,
                                  .shift_scale = shift_scale};
    return thud_project(&projection, p->projector, &p->answer);
}

static void run_free(void)
{
    plane p = plane_create(1.5, -.25);
    thud_projection bare = {.dim = 2, .h = .1, .w = p.w};
    CHECK(thud_project(&bare, p.projector, &p.answer) == THUD_OK);
    CHECK(p.answer.u[0] == 1.5 && p.answer.u[1] == -.25);
    CHECK(p.answer.certificate.forward <= 1e-28 && p.answer.certificate.backward == 0);
    push(&p, 1, 0, 1, 0);
    CHECK(solve(&p, .125, NULL, 0) == THUD_OK);
    CHECK(p.answer.u[0] == 1.5 && p.answer.u[1] == -.25 && p.answer.mu[0] == 0);
    CHECK(p.answer.lin[0] == 1 - .125 * .25 && p.answer.tight == 0 && p.answer.unique);
    plane_destroy(&p);
}

// One wall, hit: the speed that just closes the gap, and the impulse m times the change.
static void run_wall(void)
{
    plane p = plane_create(0, -10);
    p.mass[1] = 4;
    push(&p, .25, 0, 2, 0);
    CHECK(solve(&p, .125, NULL, 0) == THUD_OK);
    CHECK(p.answer.u[0] == 0 && p.answer.u[1] == -1 && p.answer.mu[0] == 18);
    CHECK(p.answer.lin[0] == 0 && p.answer.tight == 1 && p.answer.unique);
    CHECK(p.answer.certificate.violation == 0 && p.answer.certificate.kkt <= 1e-16);
    plane_destroy(&p);
}

// The same wall three times, at three scales: u is unique, the impulses add up.
static void run_repeated(void)
{
    plane p = plane_create(0, -10);
    push(&p, .25, 0, 2, 0);
    push(&p, .25, 0, 2, 0);
    push(&p, .125e9, 0, 1e9, 0);
    CHECK(solve(&p, .125, NULL, 0) == THUD_OK);
    CHECK_NEAR(p.answer.u[1], -1, 1e-15);
    CHECK_NEAR(2 * p.answer.mu[0] + 2 * p.answer.mu[1] + 1e9 * p.answer.mu[2], 9, 1e-14);
    CHECK(!p.answer.unique && p.answer.tight == 3);
    plane_destroy(&p);
}

// A slot of no width moving at speed 3: no interior, and the answer is exact all the same.
static void run_slot(void)
{
    plane p = plane_create(7, -10);
    push(&p, -.375, 0, 1, 0);
    push(&p, .375, 0, -1, 0);
    CHECK(solve(&p, .125, NULL, 0) == THUD_OK);
    CHECK(p.answer.u[0] == 7 && p.answer.u[1] == 3);
    CHECK(p.answer.certificate.violation == 0 && !p.answer.unique);
    plane_destroy(&p);
}

// A slot with room for the rows but not for their shifts: what comes back must not claim that K
// is empty, for it is not.
static void run_no_room(void)
{
    plane p = plane_create(0, -10);
    push(&p, .25, 0, 1, 1);
    push(&p, .25, 0, -1, 1);
    CHECK(solve(&p, 1, NULL, 0) == THUD_OK);
    CHECK(p.answer.u[1] == -.25);
    CHECK(solve(&p, 1, NULL, .125) == THUD_OK);
    CHECK(p.answer.u[1] == -.125);
    CHECK(p.answer.certificate.min_lin == .125 && p.answer.certificate.violation == 0);
    CHECK(solve(&p, 1, NULL, 1) == THUD_ERR_INFEASIBLE);
    CHECK(!(p.answer.farkas.radius > .25)); // (0, .25) and everything between is in K
    plane_destroy(&p);
}

static void run_closed(void)
{
    plane p = plane_create(0, 0);
    push(&p, -.25, 0, 2, 0);
    push(&p, 1, 1, 0, 0);
    push(&p, -.25, 0, -1, 0);
    CHECK(solve(&p, 1, NULL, 0) == THUD_ERR_INFEASIBLE);
    const thud_farkas *f = &p.answer.farkas;
    REQUIRE(f->y != NULL);
    CHECK_NEAR(f->y[0], .25, 1e-15);
    CHECK(f->y[1] == 0);
    CHECK_NEAR(f->y[2], .5, 1e-15);
    CHECK_NEAR(f->sum, -.1875, 1e-15);
    CHECK(f->radius > 1e12);
    plane_destroy(&p);
}

// A row without slope holds or does not, whatever v is.
static void run_zero_row(void)
{
    plane p = plane_create(3, 4);
    push(&p, 0, 0, 0, 0);
    push(&p, 1, 0, 0, 0);
    CHECK(solve(&p, 1, NULL, 0) == THUD_OK);
    CHECK(p.answer.u[0] == 3 && p.answer.u[1] == 4);
    push(&p, -1e-3, 0, 0, 0);
    CHECK(solve(&p, 1, NULL, 0) == THUD_ERR_INFEASIBLE);
    REQUIRE(p.answer.farkas.y != NULL);
    CHECK(p.answer.farkas.y[2] > 0 && p.answer.farkas.y[0] == 0 && p.answer.farkas.y[1] == 0);
    CHECK(p.answer.farkas.residual == 0 && isinf(p.answer.farkas.radius));
    CHECK(p.answer.farkas.sum < 0);
    plane_destroy(&p);
}

// Rows that are opposite but for 1e-6: K begins two million away, and is found.
static void run_far(void)
{
    plane p = plane_create(0, 0);
    push(&p, -1, 0, 1, 0);
    push(&p, -1, 1e-6, -1, 0);
    CHECK(solve(&p, 1, NULL, 0) == THUD_OK);
    CHECK_NEAR(p.answer.u[0], 2e6, 1e-3);
    CHECK_NEAR(p.answer.u[1], 1, 1e-9);
    // lin is off by rounding, mu is 2e12: the root of their product is the bound
    CHECK_AT_MOST(p.answer.certificate.forward, .1);
    plane_destroy(&p);
}

// A first guess, however bad, changes the work and not the answer.
static void run_guess(void)
{
    static const double guesses[][2] = {{0, 0}, {9, 0},        {0, 9},  {-1, 1e300},
                                        {4, 4}, {INFINITY, 1}, {NAN, 0}};
    plane p = plane_create(-3, -5);
    push(&p, 1, 1, 0, 0);
    push(&p, 1, 0, 1, 0);
    for (int j = 0; j < 7; j++)
    {
        CHECK(solve(&p, 1, guesses[j], 0) == THUD_OK);
        CHECK(p.answer.u[0] == -1 && p.answer.u[1] == -1);
        CHECK(p.answer.mu[0] == 2 && p.answer.mu[1] == 4);
    }
    CHECK(solve(&p, 1, (double[]){2, 4}, 0) == THUD_OK);
    CHECK(p.answer.effort.added == 0 && p.answer.effort.dropped == 0);
    CHECK(p.answer.effort.warmed == 2);
    p.w[1] = INFINITY;
    CHECK(solve(&p, 1, NULL, 0) == THUD_ERR_NOT_FINITE);
    p.w[1] = 0;
    CHECK(solve(&p, 0, NULL, 0) == THUD_ERR_ARGUMENT);
    CHECK(solve(&p, -1, NULL, 0) == THUD_ERR_ARGUMENT);
    plane_destroy(&p);
}

// Whole numbers with ties: a partial and a full step of the same length. The multiplier gathered on
// the way must not be thrown away, or the same moves come again for ever.
static void run_ties(void)
{
    static const double slopes[3][3] = {{-2, -1, 1}, {1, 1, -2}, {2, 2, -2}}, gaps[3] = {-2, 0, 2};
    thud_rows *rows = NULL;
    thud_projector *projector = NULL;
    thud_answer answer;
    REQUIRE(thud_rows_create(3, NULL, &rows) == THUD_OK);
    REQUIRE(thud_projector_create(NULL, &projector) == THUD_OK);
    for (int i = 0; i < 3; i++)
        CHECK(thud_rows_push(rows, &(thud_row){.key = thud_key_number(i),
                                               .gap = gaps[i],
                                               .count = 3,
                                               .index = (int[]){0, 1, 2},
                                               .slope = slopes[i]}) == THUD_OK);
    thud_projection problem = {.dim = 3, .h = 1, .w = (double[]){3, -3, 1}, .rows = rows};
    CHECK(thud_project(&problem, projector, &answer) == THUD_OK);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(answer.u[k], -1, 1e-14);
    thud_rows_destroy(rows);
    thud_projector_destroy(projector);
}

// Numbers whose squares overflow prove nothing: never THUD_OK with a violated row.
static void run_overflow(void)
{
    plane p = plane_create(-1e160, 0);
    push(&p, -1e160, 1, 0, 0);
    push(&p, -1e160, -1, 0, 0);
    CHECK(solve(&p, 1, NULL, 0) < 0);
    plane_destroy(&p);
    p = plane_create(-1e-200, 0);
    push(&p, 0, 1e200, 0, 0);
    CHECK(solve(&p, 1e200, NULL, 0) < 0);
    plane_destroy(&p);
}

// One number of w, the origin or the masses that is not allowed, in every place.
static void run_numbers(void)
{
    enum
    {
        DIM = 7
    };
    plane p = plane_create(0, 0);
    double w[DIM] = {0}, origin[DIM] = {0}, mass[DIM];
    for (int k = 0; k < DIM; k++)
        mass[k] = 1;
    thud_projection bare = {.dim = DIM, .h = .1, .w = w, .origin = origin, .mass = mass};
    CHECK(thud_project(&bare, p.projector, &p.answer) == THUD_OK);
    for (int k = 0; k < DIM; k++)
    {
        w[k] = NAN;
        CHECK(thud_project(&bare, p.projector, &p.answer) == THUD_ERR_NOT_FINITE);
        w[k] = 0;
        origin[k] = -INFINITY;
        CHECK(thud_project(&bare, p.projector, &p.answer) == THUD_ERR_NOT_FINITE);
        origin[k] = 0;
        mass[k] = INFINITY;
        CHECK(thud_project(&bare, p.projector, &p.answer) == THUD_ERR_NOT_FINITE);
        mass[k] = NAN;
        CHECK(thud_project(&bare, p.projector, &p.answer) == THUD_ERR_ARGUMENT);
        mass[k] = 0;
        CHECK(thud_project(&bare, p.projector, &p.answer) == THUD_ERR_ARGUMENT);
        mass[k] = 1;
    }
    plane_destroy(&p);
}

// A block of a pair row has one mass; a body without rows may have several.
static void run_masses(void)
{
    double w[9] = {0}, mass[9];
    for (int width = 2; width <= 3; width++)
    {
        plane p = plane_create(0, 0);
        thud_rows *rows = NULL;
        REQUIRE(thud_rows_create(3 * width, NULL, &rows) == THUD_OK);
        thud_row row = {.gap = 1,
                        .width = width,
                        .count = 2,
                        .index = (int[]){0, 2 * width},
                        .slope = (double[]){1, 0, -1, 0, 0, 0}};
        CHECK(thud_rows_push(rows, &row) == THUD_OK);
        thud_projection pair = {.dim = 3 * width, .h = 1, .w = w, .mass = mass, .rows = rows};
        for (int k = 0; k < 3 * width; k++)
            mass[k] = 1 + k / width;
        CHECK(thud_project(&pair, p.projector, &p.answer) == THUD_OK);
        for (int k = 0; k < 3 * width; k++)
        {
            mass[k] += 1;
            CHECK(thud_project(&pair, p.projector, &p.answer) ==
                  (k / width == 1 ? THUD_OK : THUD_ERR_ARGUMENT));
            mass[k] -= 1;
        }
        thud_rows_destroy(rows);
        plane_destroy(&p);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"free", run_free},         {"wall", run_wall},         {"repeated", run_repeated},
        {"slot", run_slot},         {"no-room", run_no_room},   {"closed", run_closed},
        {"zero-row", run_zero_row}, {"far", run_far},           {"guess", run_guess},
        {"ties", run_ties},         {"overflow", run_overflow}, {"numbers", run_numbers},
        {"masses", run_masses},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
