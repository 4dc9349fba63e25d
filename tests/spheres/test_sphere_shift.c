// Gaps that the step may enlarge: sigma = 2 max(tol r, min(step_tol, r / 100)). Every row of every
// step keeps sigma / 2, every row that pushes ends below 3 sigma / 2, and the checker knows sigma.
#include "thud_test.h"

#include <thud/spheres.h>
#include <thud/verify.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOL = 1e-5, TOL_A = 1e-3, GRAVITY = 9.81, RADIUS = 0.01, DENSITY = 2500;

// A box of spheres with radii from `least` to 1, in parts of RADIUS.
typedef struct mixture
{
    thud_world *world;
    thud_work *work;
    thud_state *before;
    double box, step_tol;
    double *radius; // by id
    int count;
    double lowest, highest; // lin / (sigma / 2): of all rows, of rows that push
    int pushing;
} mixture;

// What the head says, with other operations than the library's.
static double sigma_of(double step_tol, double r)
{
    double raised = step_tol < r / 100 ? step_tol : r / 100;
    return 2 * (TOL * r > raised ? TOL * r : raised);
}

static bool fill(mixture *m, double least, uint64_t seed)
{
    test_random random = test_random_start(seed);
    double pitch = 2.05 * RADIUS;
    int side = (int)(m->box / pitch);
    for (int i = 0; i < m->count; i++)
    {
        int at[3] = {i % side, i / side % side, i / (side * side)};
        m->radius[i] = RADIUS * test_random_uniform(&random, least, 1);
        thud_sphere s = {.radius = m->radius[i],
                         .mass = thud_sphere_mass(3, m->radius[i], DENSITY)};
        for (int k = 0; k < 3; k++)
            s.center[k] =
                (at[k] + 0.5) * pitch + 0.01 * RADIUS * test_random_uniform(&random, -1, 1);
        if (thud_world_add(m->world, &s, 1, NULL) < 0)
            return false;
    }
    return true;
}

// across: bodies beside each other, in the first layer.
static bool open_pile(mixture *m, int count, int across, double least, double h, uint64_t seed)
{
    double box = across * 2.05 * RADIUS;
    *m = (mixture){.count = count, .box = box, .lowest = INFINITY};
    m->radius = calloc((size_t)count, sizeof *m->radius);
    m->step_tol = thud_step_tol(TOL, TOL_A, h, GRAVITY, least * RADIUS);
    thud_world_def def = {
        .h = h, .gravity = {0, 0, -GRAVITY}, .tol = TOL, .tol_a = TOL_A, .step_tol = m->step_tol};
    double low[3] = {0, 0, 0}, high[3] = {box, box, INFINITY};
    bool is_open = m->radius && thud_world_create(&def, &m->world) == THUD_OK &&
                   fill(m, least, seed) &&
                   thud_world_add_box(m->world, low, high, NULL) == THUD_OK &&
                   thud_world_prepare(m->world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK;
    if (is_open)
    {
        thud_work_def work = thud_world_work(m->world);
        thud_state_def state = {.dim = 3 * count, .h = h, .q = thud_world_state(m->world)->q};
        is_open = thud_work_create(&work, &m->work) == THUD_OK &&
                  thud_state_create(&state, &m->before) == THUD_OK;
    }
    CHECK(is_open);
    return is_open;
}

static bool open_mixture(mixture *m, int count, double least, double h, uint64_t seed)
{
    return open_pile(m, count, (int)ceil(cbrt(count / 2.0)), least, h, seed);
}

static void close_mixture(mixture *m)
{
    thud_work_destroy(m->work);
    thud_world_destroy(m->world);
    thud_state_destroy(m->before);
    free(m->radius);
}

// lin of every row beside sigma. A row pushes if its multiplier is above its tolerance, which is at
// most sigma / (2 h).
static void look_at_rows(mixture *m, double h)
{
    thud_contacts contacts;
    thud_bodies bodies = thud_world_bodies(m->world);
    REQUIRE(thud_world_contacts(m->world, thud_work_report(m->work), &contacts) == THUD_OK);
    for (int i = 0; i < contacts.count; i++)
    {
        int a = contacts.a[i], b = contacts.b[i];
        double r = b < 0 ? m->radius[a] : fmin(m->radius[a], m->radius[b]);
        double sigma = sigma_of(m->step_tol, r), ratio = contacts.lin[i] / (sigma / 2);
        double diagonal = 1 / bodies.mass[3 * (size_t)a];
        if (b >= 0)
            diagonal += 1 / bodies.mass[3 * (size_t)b];
        m->lowest = fmin(m->lowest, ratio);
        if (diagonal * contacts.impulse[i] <= sigma / (2 * h))
            continue;
        m->highest = fmax(m->highest, ratio);
        m->pushing++;
    }
}

// The walls of the box and the radii, for the checker.
static int shapes(double t, double *radius, double *normal, double *offset, void *user)
{
    const mixture *m = user;
    (void)t;
    memcpy(radius, m->radius, (size_t)m->count * sizeof *radius);
    for (int w = 0; w < 5; w++)
    {
        int axis = w / 2;
        for (int k = 0; k < 3; k++)
            normal[3 * w + k] = k != axis ? 0 : w % 2 ? -1 : 1;
        offset[w] = w % 2 ? -m->box : 0;
    }
    return 0;
}

// Does the checker accept the last step if it is told this step_shift?
static bool is_accepted(mixture *m, double step_shift)
{
    thud_inclusion problem = thud_world_inclusion(m->world);
    thud_verify_spheres_def spheres = {.dim = 3,
                                       .count = m->count,
                                       .wall_count = 5,
                                       .shapes = shapes,
                                       .user = m,
                                       .shift = 2 * TOL,
                                       .step_shift = step_shift,
                                       .most_shift = 2 * THUD_MOST_TOL};
    thud_verify_def def = {.strict = true, .accuracy = TOL_A, .exact_limit = 90};
    thud_verdict verdict;
    thud_status status = thud_verify_spheres(&problem, &spheres, m->before,
                                             thud_world_state(m->world), &def, &verdict);
    CHECK(status == THUD_OK);
    bool holds = status == THUD_OK;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        holds = holds && verdict.checks[i].holds;
    return holds;
}

static bool step(mixture *m)
{
    thud_inclusion problem = thud_world_inclusion(m->world);
    thud_state *state = thud_world_state(m->world);
    CHECK(thud_state_copy(m->before, state) == THUD_OK);
    thud_status status = thud_step(&problem, state, m->work);
    CHECK(status >= 0);
    return status >= 0;
}

// Radii over 1 : 20 and 1 : 5, falling and at rest.
static void run_mixture(double least, double h, int steps)
{
    mixture m;
    uint64_t seed = test_seed(31);
    if (!open_mixture(&m, 1000, least, h, seed))
        return;
    CHECK(m.step_tol > 0);
    int accepted = 0, looked = 0;
    for (int n = 0; n < steps && step(&m); n++)
    {
        look_at_rows(&m, h);
        if (n % 20 != 19)
            continue;
        accepted += is_accepted(&m, 2 * m.step_tol);
        looked++;
    }
    CHECK(accepted == looked && looked > 0);
    CHECK(!is_accepted(&m, 0)); // sigma is not 2 tol r
    CHECK(!is_accepted(&m, 4 * m.step_tol));
    CHECK(m.lowest >= 1);
    CHECK_AT_MOST(m.highest, 3);
    CHECK(m.pushing > 1000);
    printf("  radii %g : 1, h = %g: lin / (sigma / 2) from %.6g, of %d that push to %.6g\n", least,
           h, m.lowest, m.pushing, m.highest);
    close_mixture(&m);
}

// A run with another sigma is no step without room for the right one. A push must travel through
// many layers until the checker knows.
static void tower(void)
{
    mixture m;
    if (!open_pile(&m, 400, 2, 0.9, 0.005, test_seed(47)))
        return;
    for (int n = 0; n < 60 && step(&m); n++)
        look_at_rows(&m, 0.005);
    CHECK(is_accepted(&m, 2 * m.step_tol));
    CHECK(!is_accepted(&m, 2 * 16 * m.step_tol)); // these gaps would be right without room
    CHECK(!is_accepted(&m, 2 * 100 * m.step_tol));
    CHECK(m.lowest >= 1 && m.highest <= 3 && m.pushing > 1000);
    close_mixture(&m);
}

static void sizes_1_to_20(void)
{
    run_mixture(0.05, 0.005, 200);
}

static void sizes_1_to_5(void)
{
    run_mixture(0.2, 0.012, 100);
}

// It counts from a millionth above tol r on, so that no rounding of a step decides.
static void where_it_begins(void)
{
    test_random random = test_random_start(test_seed(37));
    for (int trial = 0; trial < 10000; trial++)
    {
        double r = exp(test_random_uniform(&random, -20, 20));
        double g = exp(test_random_uniform(&random, -20, 20));
        double h = 0.1 * sqrt(r / g); // where tol_a h^2 g = tol r
        CHECK(thud_step_tol(TOL, TOL_A, h, g, r) == 0);
        CHECK(thud_step_tol(TOL, TOL_A, 0.9 * h, g, r) == 0);
        CHECK(thud_step_tol(TOL, TOL_A, h * (1 + 0x1p-22), g, r) == 0);
        double above = h * (1 + 0x1p-20);
        CHECK_NEAR(thud_step_tol(TOL, TOL_A, above, g, r), TOL_A * above * above * g,
                   1e-14 * TOL * r);
    }
    CHECK(thud_step_tol(TOL, TOL_A, 1, 0, RADIUS) == 0);
}

// Where it does not count the bits are those without it. Where h is long, r / 100 bounds it.
static void ends(void)
{
    mixture m[2];
    for (int k = 0; k < 2; k++)
    {
        REQUIRE(open_mixture(&m[k], 200, 1, k == 0 ? 0.1 * sqrt(RADIUS / GRAVITY) : 0.12,
                             test_seed(41)));
        for (int n = 0; n < 20 && step(&m[k]); n++)
            look_at_rows(&m[k], thud_world_state(m[k].world)->h);
        CHECK(m[k].lowest >= 1 && m[k].highest <= 3);
    }
    CHECK(m[0].step_tol == 0);
    CHECK(m[1].step_tol > RADIUS / 100);
    const thud_rows *rows = thud_work_report(m[1].work)->rows;
    int bounded = 0;
    for (int i = 0; i < thud_rows_count(rows); i++)
        bounded += fabs(thud_rows_get(rows, i, NULL).shift - RADIUS / 50) <= 1e-15 * RADIUS;
    CHECK(bounded == thud_rows_count(rows) && bounded > 0);
    close_mixture(&m[0]);
    close_mixture(&m[1]);
}

static double fastest(const mixture *m)
{
    const thud_state *state = thud_world_state(m->world);
    double most = 0;
    for (int k = 0; k < state->dim; k++)
        most = fmax(most, fabs(state->u[k]));
    return most;
}

// Another step changes no shift: bodies at rest stay at rest.
static void another_step(void)
{
    static const double factors[] = {0.01, 0.1, 4};
    for (int k = 0; k < 3; k++)
    {
        mixture m;
        if (!open_mixture(&m, 8, 1, 0.005, test_seed(43)))
            return;
        for (int n = 0; n < 400 && step(&m); n++)
            continue;
        double before = fastest(&m), h = factors[k] * 0.005;
        CHECK(thud_state_set_step(thud_world_state(m.world), h) == THUD_OK);
        CHECK(step(&m));
        const thud_rows *rows = thud_work_report(m.work)->rows;
        for (int i = 0; i < thud_rows_count(rows); i++)
            CHECK_NEAR(thud_rows_get(rows, i, NULL).shift, sigma_of(m.step_tol, RADIUS), 1e-20);
        // a shift that follows h would shoot them apart with (sigma' - sigma) / h
        CHECK_AT_MOST(fastest(&m), before + 2 * GRAVITY * h);
        close_mixture(&m);
    }
}

static void refused(void)
{
    static const double bad[] = {-1e-9, NAN, -INFINITY};
    thud_world *world;
    for (int i = 0; i < 3; i++)
        CHECK(thud_world_create(&(thud_world_def){.h = 0.1, .step_tol = bad[i]}, &world) ==
                  THUD_ERR_ARGUMENT &&
              !world);
    CHECK(thud_world_create(&(thud_world_def){.h = 0.1, .step_tol = INFINITY}, &world) == THUD_OK);
    thud_world_destroy(world); // then r / 100 alone counts
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"sizes-1-to-20", sizes_1_to_20},
                                      {"sizes-1-to-5", sizes_1_to_5},
                                      {"where-it-begins", where_it_begins},
                                      {"ends", ends},
                                      {"another-step", another_step},
                                      {"tower", tower},
                                      {"refused", refused}};
    return test_main(argc, argv, cases, 7);
}
