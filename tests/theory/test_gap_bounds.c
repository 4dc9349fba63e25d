// A1 to A5, convexity, the force and the start, against derivatives known in closed form.
#include "thud/hypotheses.h"
#include "thud/spheres.h"

#include "thud_test.h"

#include <stdlib.h>

/// Three constraints in the plane: a disc of radius 1 around (c t^2, 0), a half plane that turns,
/// and, on demand, the inside of a circle.
typedef struct plane
{
    double c, turn, inside;
} plane;

static int push_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    static const int index[] = {0, 1};
    const plane *p = user;
    double x = at->q[0] - p->c * at->t * at->t, y = at->q[1], r = sqrt(x * x + y * y);
    double angle = p->turn * at->t;
    thud_rows_push(rows, &(thud_row){.key = {1},
                                     .gap = r - 1,
                                     .count = 2,
                                     .index = index,
                                     .slope = (double[]){x / r, y / r}});
    thud_rows_push(rows, &(thud_row){.key = {2},
                                     .gap = 5 + at->q[0] * cos(angle) + at->q[1] * sin(angle),
                                     .count = 2,
                                     .index = index,
                                     .slope = (double[]){cos(angle), sin(angle)}});
    if (p->inside > 0)
        thud_rows_push(rows, &(thud_row){.key = {3},
                                         .gap = p->inside * p->inside - at->q[0] * at->q[0] - y * y,
                                         .count = 2,
                                         .index = index,
                                         .slope = (double[]){-2 * at->q[0], -2 * y}});
    return 0;
}

static void run_inclusion(void)
{
    plane p = {.c = .5, .turn = 2};
    thud_inclusion problem = {.dim = 2, .gaps = push_gaps, .user = &p};
    double q[] = {2.5, 1}, t = 1, x = 2, r = sqrt(5);
    thud_site site = {.t = t, .h = 1e-3, .q = q, .reach = 2, .length = 1};
    thud_bounds bounds;
    REQUIRE(thud_bounds_measure(&problem, &site, &bounds) == THUD_OK);
    CHECK(bounds.rows == 2 && bounds.unknown == 0);
    CHECK_NEAR(bounds.alpha.value, 1, 1e-12);
    CHECK_NEAR(bounds.beta.value, 1, 1e-12);
    CHECK_NEAR(bounds.curvature.value, 1 / r, 1e-7);
    CHECK(thud_key_same(bounds.curvature.key, thud_key_number(1)));
    CHECK(bounds.concavity.value == 0);
    // of the turning half plane: g = 5 + 2.5 cos 2t + sin 2t
    double gap_t = fabs(-2 * 2.5 * sin(2) + 2 * cos(2));
    double gap_tt = fabs(4 * (2.5 * cos(2) + sin(2)));
    CHECK_NEAR(bounds.gap_t.value, gap_t, 1e-5);
    CHECK_NEAR(bounds.slope_t.value, 2, 1e-5);
    // of the disc: g' = -x v / r, v = 2 c t; g'' = (v^2 - x a) / r - x^2 v^2 / r^3, a = 2 c
    double disc_tt = fabs((1 - x) / r - x * x / (r * r * r));
    CHECK(disc_tt > gap_tt);
    CHECK_NEAR(bounds.gap_tt.value, disc_tt, 1e-2);
    CHECK(thud_key_same(bounds.gap_t.key, thud_key_number(2)) &&
          thud_key_same(bounds.slope_t.key, thud_key_number(2)) &&
          thud_key_same(bounds.gap_tt.key, thud_key_number(1)));
    p.turn = 0;
    REQUIRE(thud_bounds_measure(&problem, &site, &bounds) == THUD_OK);
    CHECK_NEAR(bounds.gap_t.value, x / r, 1e-5);
    CHECK_NEAR(bounds.gap_tt.value, disc_tt, 1e-2);
    CHECK_NEAR(bounds.slope_t.value, 1 / (r * r), 1e-5); // |d n/dt| = v y / r^2
    p.c = 0;
    REQUIRE(thud_bounds_measure(&problem, &site, &bounds) == THUD_OK);
    CHECK(bounds.gap_t.value == 0 && bounds.gap_tt.value == 0 && bounds.slope_t.value == 0);
}

// Masses: a gradient is measured by M^-1, a Hessian by M^-1/2 on both sides.
static void run_metric(void)
{
    plane p = {.c = 0, .turn = 0};
    double mass[] = {4, 9}, q[] = {3, 0};
    thud_inclusion problem = {.dim = 2, .mass = mass, .gaps = push_gaps, .user = &p};
    thud_site site = {.t = 0, .h = 1e-3, .q = q, .reach = 1, .length = 1};
    thud_bounds bounds;
    REQUIRE(thud_bounds_measure(&problem, &site, &bounds) == THUD_OK);
    CHECK(isinf(bounds.alpha.value)); // none is near
    site.reach = 2;
    REQUIRE(thud_bounds_measure(&problem, &site, &bounds) == THUD_OK);
    CHECK_NEAR(bounds.alpha.value, .5, 1e-12);
    CHECK_NEAR(bounds.beta.value, .5, 1e-12);
    CHECK_NEAR(bounds.curvature.value, 1. / 3 / 9, 1e-8);
}

static void run_concave(void)
{
    plane p = {.inside = 4};
    thud_inclusion problem = {.dim = 2, .gaps = push_gaps, .user = &p};
    thud_site site = {.t = 0, .h = 1e-3, .q = (double[]){2, 1}, .reach = 1, .length = 1};
    thud_bounds bounds;
    REQUIRE(thud_bounds_measure(&problem, &site, &bounds) == THUD_OK);
    CHECK_NEAR(bounds.concavity.value, -2, 1e-6);
    CHECK(thud_key_same(bounds.concavity.key, thud_key_number(3)) &&
          thud_key_same(bounds.curvature.key, thud_key_number(3)));
    CHECK_NEAR(bounds.curvature.value, 2, 1e-6);
}

/// Random spheres in a box, some of them near each other.
typedef struct crowd
{
    thud_world *world;
    thud_inclusion problem;
    int count;
    double r[200], mass[200], wall;
} crowd;

static bool is_free(const crowd *c, const thud_sphere *spheres, int i)
{
    for (int j = 0; j < i; j++)
    {
        double sum = 0;
        for (int k = 0; k < 3; k++)
            sum += (spheres[i].center[k] - spheres[j].center[k]) *
                   (spheres[i].center[k] - spheres[j].center[k]);
        if (sqrt(sum) < c->r[i] + c->r[j] + 1e-3)
            return false;
    }
    return true;
}

static void crowd_create(crowd *c, uint64_t seed)
{
    thud_sphere spheres[200];
    test_random random = test_random_start(seed);
    thud_world_def def = {.dim = 3, .h = 1e-2, .gravity = {0, 0, -1}};
    c->count = 200;
    c->wall = 7.5;
    if (thud_world_create(&def, &c->world) != THUD_OK)
        abort();
    for (int i = 0; i < c->count; i++)
    {
        c->r[i] = test_random_uniform(&random, .3, .6);
        c->mass[i] = test_random_uniform(&random, 1, 5);
        do
        {
            spheres[i] = (thud_sphere){.radius = c->r[i], .mass = c->mass[i]};
            for (int k = 0; k < 3; k++)
                spheres[i].center[k] = test_random_uniform(&random, c->r[i], c->wall - c->r[i]);
        } while (!is_free(c, spheres, i));
    }
    double low[] = {0, 0, 0}, high[] = {c->wall, c->wall, c->wall};
    thud_start start;
    if (thud_world_add(c->world, spheres, c->count, NULL) != THUD_OK ||
        thud_world_add_box(c->world, low, high, NULL) != THUD_OK ||
        thud_world_prepare(c->world, THUD_REFUSE_OVERLAP, &start) < 0)
        abort();
    c->problem = thud_world_inclusion(c->world);
}

static double pair_gap(const crowd *c, const double *q, int a, int b, double *d)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (q[3 * a + k] - q[3 * b + k]) * (q[3 * a + k] - q[3 * b + k]);
    *d = sqrt(sum);
    return *d - c->r[a] - c->r[b];
}

// The Hessian of a distance d between masses m, n has the norm (1/m + 1/n) / d.
static void run_spheres(void)
{
    crowd c;
    crowd_create(&c, test_seed(1));
    const double *q = thud_world_state(c.world)->q;
    double reach = .3, wanted = 0, alpha = INFINITY, beta = 0;
    thud_site site = {.t = 0, .h = 1e-2, .q = q, .reach = reach, .length = .3};
    thud_rows *rows = NULL;
    thud_bounds bounds;
    REQUIRE(thud_rows_create(3 * c.count, NULL, &rows) == THUD_OK);
    REQUIRE(thud_site_rows(&c.problem, &site, rows) == THUD_OK);
    for (int i = 0; i < thud_rows_count(rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        int a = row.index[0] / 3, b = row.count > 1 ? row.index[1] / 3 : -1;
        double d, weight = 1 / c.mass[a] + (b >= 0 ? 1 / c.mass[b] : 0);
        if (row.gap <= reach)
            alpha = fmin(alpha, sqrt(weight));
        beta = fmax(beta, sqrt(weight));
        if (b >= 0)
        {
            (void)pair_gap(&c, q, a, b, &d);
            wanted = fmax(wanted, weight / d);
        }
    }
    REQUIRE(thud_bounds_measure(&c.problem, &site, &bounds) == THUD_OK);
    printf("  %d rows, %d unknown: M = %.9g, wanted %.9g\n", bounds.rows, bounds.unknown,
           bounds.curvature.value, wanted);
    CHECK(bounds.rows == thud_rows_count(rows) && bounds.rows > 200);
    CHECK(bounds.unknown < bounds.rows / 50);
    CHECK_NEAR(bounds.curvature.value, wanted, 1e-6 * wanted);
    CHECK_NEAR(bounds.alpha.value, alpha, 1e-12);
    CHECK_NEAR(bounds.beta.value, beta, 1e-12);
    CHECK(bounds.concavity.value == 0);
    thud_rows_destroy(rows);
    thud_world_destroy(c.world);
}

// Every pair and wall within reach is found, and its gap is right.
static void run_near(void)
{
    crowd c;
    crowd_create(&c, test_seed(2));
    const double *q = thud_world_state(c.world)->q;
    thud_rows *rows = NULL;
    REQUIRE(thud_rows_create(3 * c.count, NULL, &rows) == THUD_OK);
    for (double reach = .01; reach < .55; reach *= 2)
    {
        thud_site site = {.t = 0, .h = 1e-2, .q = q, .reach = reach, .length = .3};
        int found = 0, wanted = 0;
        REQUIRE(thud_site_rows(&c.problem, &site, rows) == THUD_OK);
        for (int i = 0; i < thud_rows_count(rows); i++)
            found += thud_rows_get(rows, i, NULL).gap <= reach;
        for (int a = 0; a < c.count; a++)
        {
            double d;
            for (int b = a + 1; b < c.count; b++)
                wanted += pair_gap(&c, q, a, b, &d) <= reach;
            for (int k = 0; k < 3; k++)
            {
                wanted += q[3 * a + k] - c.r[a] <= reach;
                wanted += c.wall - q[3 * a + k] - c.r[a] <= reach;
            }
        }
        printf("  reach %g: %d constraints\n", reach, wanted);
        CHECK(found == wanted && wanted > 0);
    }
    thud_rows_destroy(rows);
    thud_world_destroy(c.world);
}

static int linear_force(double t, const double *q, double *f, void *user)
{
    int dim = *(const int *)user;
    for (int k = 0; k < dim; k++)
        f[k] = t - (k + 1) * q[k] + (k > 0 ? 3 * q[k - 1] : 0);
    return 0;
}

static void run_force(void)
{
    int dim = 2;
    double q[100] = {0}, mass[] = {4, 1};
    thud_inclusion problem = {.dim = 2, .mass = mass, .force = linear_force, .user = &dim};
    thud_site site = {.t = 1, .h = .5, .q = q, .reach = 1, .length = 1};
    thud_force_bounds bounds;
    REQUIRE(thud_force_measure(&problem, &site, &bounds) == THUD_OK);
    CHECK_NEAR(bounds.size, 1.25 * sqrt(1. / 4 + 1), 1e-12);
    // M^-1/2 J M^-1/2 = (-1/4 0; 3/2 -2): the norm from trace and determinant of its square
    double trace = 1. / 16 + 9. / 4 + 4, product = .5;
    double wanted = sqrt((trace + sqrt(trace * trace - 4 * product * product)) / 2);
    CHECK_NEAR(bounds.lipschitz, wanted, 1e-8);
    CHECK(!bounds.is_lower);
    dim = problem.dim = 100;
    problem.mass = NULL;
    REQUIRE(thud_force_measure(&problem, &site, &bounds) == THUD_OK);
    CHECK(bounds.is_lower);
    CHECK_AT_MOST(bounds.lipschitz, 103);
    CHECK(bounds.lipschitz > 90);
    problem.force = NULL;
    REQUIRE(thud_force_measure(&problem, &site, &bounds) == THUD_OK);
    CHECK(bounds.size == 0 && bounds.lipschitz == 0);
}

// On the disc: admissible or not by the velocity and by how the disc moves.
static void run_boundary(void)
{
    plane p = {.c = 0};
    thud_inclusion problem = {.dim = 2, .gaps = push_gaps, .user = &p};
    thud_site site = {.t = 0, .h = 1e-3, .q = (double[]){1, 0}, .reach = 1, .length = 1};
    thud_boundary found;
    REQUIRE(thud_boundary_measure(&problem, &site, (double[]){-2, 5}, &found) == THUD_OK);
    CHECK(found.touching == 1 && thud_key_same(found.gap.key, thud_key_number(1)) &&
          thud_key_same(found.approach.key, thud_key_number(1)));
    CHECK_NEAR(found.gap.value, 0, 1e-15);
    CHECK_NEAR(found.approach.value, 2, 1e-12);
    REQUIRE(thud_boundary_measure(&problem, &site, (double[]){0, 5}, &found) == THUD_OK);
    CHECK_AT_MOST(found.approach.value, 0);
    p.c = 1;
    site.t = 1;
    site.q = (double[]){2, 0};
    REQUIRE(thud_boundary_measure(&problem, &site, (double[]){0, 0}, &found) == THUD_OK);
    CHECK_NEAR(found.approach.value, 2, 1e-2); // the disc comes at 2 c t
    site.q = (double[]){2 + 1e-3, 0};
    REQUIRE(thud_boundary_measure(&problem, &site, (double[]){0, 0}, &found) == THUD_OK);
    CHECK(found.touching == 0 && isinf(found.approach.value));
    CHECK_NEAR(found.gap.value, 1e-3, 1e-12);
    problem.gaps = NULL;
    REQUIRE(thud_boundary_measure(&problem, &site, (double[]){0, 0}, &found) == THUD_OK);
    CHECK(found.touching == 0 && isinf(found.gap.value));
}

static void run_step(void)
{
    thud_bounds bounds = {.alpha = {.value = .5}, .beta = {.value = 2}, .gap_t = {.value = 3}};
    CHECK_NEAR(thud_safe_step(&bounds, .12, 4), .12 * .5 / (2 * 3 * 4), 1e-15);
    CHECK(thud_safe_step(&bounds, .12, INFINITY) == 0);
    bounds.gap_t.value = 0;
    CHECK(isinf(thud_safe_step(&bounds, .12, 4)));
    // a site that is none
    plane p = {.c = 0};
    thud_inclusion problem = {.dim = 2, .gaps = push_gaps, .user = &p};
    thud_force_bounds force;
    CHECK(thud_bounds_measure(&problem, &(thud_site){.h = 1, .q = (double[]){2, 0}, .reach = 1},
                              &bounds) == THUD_ERR_ARGUMENT);
    CHECK(thud_bounds_measure(&problem, &(thud_site){.h = 1, .q = (double[]){2, 0}, .length = 1},
                              &bounds) == THUD_ERR_ARGUMENT);
    CHECK(thud_force_measure(&problem, &(thud_site){.h = 1, .q = (double[]){2, 0}}, &force) ==
          THUD_ERR_ARGUMENT);
}

static void run_memory(void)
{
    plane p = {.c = 1, .inside = 9};
    int dim = 2;
    thud_inclusion problem = {.dim = 2, .gaps = push_gaps, .user = &p};
    thud_inclusion pushed = {.dim = 2, .force = linear_force, .user = &dim};
    for (long at = 1;; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_site site = {
            .h = 1e-3, .q = (double[]){2, 0}, .reach = 1, .length = 1, .allocator = &allocator};
        thud_bounds bounds;
        thud_boundary boundary;
        thud_force_bounds force;
        thud_status status = thud_bounds_measure(&problem, &site, &bounds);
        if (status >= 0)
            status = thud_boundary_measure(&problem, &site, (double[]){0, 0}, &boundary);
        if (status >= 0)
            status = thud_force_measure(&pushed, &site, &force);
        CHECK(meter.blocks == 0);
        CHECK(status == (meter.calls < at ? THUD_OK : THUD_ERR_MEMORY));
        if (meter.calls < at)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"inclusion", run_inclusion}, {"metric", run_metric}, {"concave", run_concave},
        {"spheres", run_spheres},     {"near", run_near},     {"force", run_force},
        {"boundary", run_boundary},   {"step", run_step},     {"memory", run_memory}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
