// How a world starts: coincident centres, overlaps refused or removed, touching bodies opened.
#include "sphere_rig.h"

#include <stdlib.h>
#include <string.h>

static bool start_with(sphere_rig *rig, const thud_sphere *spheres, int count)
{
    thud_world_def def = {.h = 0.05, .gravity = {0, 0, -1}};
    if (!rig_open(rig, &def))
        return false;
    rig_plane(rig, 0, 0, 1, 0);
    CHECK(thud_world_add(rig->world, spheres, count, NULL) == THUD_OK);
    return true;
}

static bool is_at(const sphere_rig *rig, const thud_sphere *spheres, int count)
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    bool same = bodies.count == count;
    for (int i = 0; i < count && same; i++)
        same = memcmp(bodies.q + 3 * i, spheres[i].center, sizeof spheres[i].center) == 0 &&
               memcmp(bodies.u + 3 * i, spheres[i].velocity, sizeof spheres[i].velocity) == 0;
    return same;
}

static void coincident(void)
{
    sphere_rig rig;
    thud_sphere balls[3] = {
        {{0, 0, 2}, {1}, 0.5, 1}, {{5, 0, 2}, {2}, 0.5, 1}, {{5, 0, 2}, {3}, 0.25, 1}};
    if (!start_with(&rig, balls, 3))
        return;
    for (int rule = 0; rule < 2; rule++)
    {
        CHECK(rig_prepare(&rig, (thud_overlap_rule)rule, NULL) == THUD_ERR_OVERLAP);
        CHECK(strstr(thud_world_message(rig.world), "1 and 2"));
        CHECK(is_at(&rig, balls, 3));
    }
    balls[2].center[0] = 7;
    CHECK(thud_world_set(rig.world, 2, &balls[2]) == THUD_OK);
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    rig_steps(&rig, 5);
    rig_close(&rig);
}

// Three overlaps of known depth, one with the floor.
static const thud_sphere deep[4] = {{{0, 0, 1}, {0}, 0.5, 1},
                                    {{0.75, 0, 1}, {0}, 0.5, 2},
                                    {{1.625, 0, 1}, {0.5}, 0.5, 1},
                                    {{9, 0, 0.4375}, {0}, 0.5, 1}};

static void refused(void)
{
    sphere_rig rig;
    thud_start start;
    if (!start_with(&rig, deep, 4))
        return;
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, &start) == THUD_ERR_OVERLAP);
    CHECK(strstr(thud_world_message(rig.world), "3 overlaps"));
    CHECK(is_at(&rig, deep, 4));
    if (start.overlap_count == 3)
    {
        const thud_overlap *o = start.overlaps;
        CHECK(o[0].a == 0 && o[0].b == 1 && o[0].depth == 0.25);
        CHECK(o[1].a == 1 && o[1].b == 2 && o[1].depth == 0.125);
        CHECK(o[2].a == 3 && o[2].b == -1 && o[2].depth == 0.0625);
    }
    CHECK(start.overlap_count == 3);
    thud_work *work;
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    thud_inclusion problem = thud_world_inclusion(rig.world);
    CHECK(thud_step(&problem, thud_world_state(rig.world), work) < 0); // not without prepare
    CHECK(strstr(thud_world_message(rig.world), "prepare"));
    CHECK(is_at(&rig, deep, 4));
    thud_work_destroy(work);
    rig_close(&rig);
}

// The nearest positions: 0 moves by a, 2 by c, with a + b = .25, c - b = .125, least in mass.
static void projected(void)
{
    sphere_rig rig;
    thud_start start;
    if (!start_with(&rig, deep, 4))
        return;
    CHECK(rig_prepare(&rig, THUD_PROJECT_OVERLAP, &start) == THUD_OK);
    CHECK(start.overlap_count == 3);
    thud_bodies bodies = thud_world_bodies(rig.world);
    double middle = (0.25 - 0.125) / 4; // of body 1: -(.25 - b) + 2 b + (.125 + b) = 0
    CHECK_NEAR(bodies.q[3] - 0.75, middle, 1e-4);
    CHECK_NEAR(bodies.q[0], middle - 0.25, 1e-4);
    CHECK_NEAR(bodies.q[6] - 1.625, middle + 0.125, 1e-4);
    CHECK_NEAR(bodies.q[11], 0.5, 1e-4);
    CHECK_NEAR(start.largest_shift, 0.25 - middle, 1e-4);
    CHECK(start.min_gap >= 2e-5 * 0.5 * (1 - 1e-9));
    CHECK(bodies.u[6] == 0.5 && bodies.u[0] == 0 && bodies.u[3] == 0 && bodies.u[11] == 0);
    CHECK_NEAR(start.min_gap, rig_smallest_gap(&rig, 0, bodies.q), 1e-14);
    rig_steps(&rig, 100);
    rig_close(&rig);
}

// Up to 1e-12 of the radius is rounding.
static void rounding(void)
{
    sphere_rig rig;
    thud_start start;
    for (int k = 0; k < 2; k++)
    {
        thud_sphere balls[2] = {{{0, 0, 3}, {0}, 1, 1}, {{2, 0, 3}, {0}, 1, 1}};
        balls[1].center[0] -= k ? 1.5e-12 : 0.5e-12;
        if (!start_with(&rig, balls, 2))
            return;
        thud_status status = rig_prepare(&rig, THUD_REFUSE_OVERLAP, &start);
        CHECK(status == (k ? THUD_ERR_OVERLAP : THUD_OK));
        CHECK(start.overlap_count == k);
        rig_close(&rig);
    }
}

// A column and a row that touch exactly are opened, and no speed is left.
static void touching(void)
{
    sphere_rig rig;
    thud_start start;
    thud_world_def def = {.h = 0.05};
    thud_sphere balls[40] = {0};
    if (!rig_open(&rig, &def))
        return;
    rig_plane(&rig, 0, 0, 1, 0);
    for (int i = 0; i < 40; i++)
    {
        balls[i] = (thud_sphere){.radius = 0.5, .mass = 1 + i % 3};
        balls[i].center[0] = i < 20 ? 0 : i - 18;
        balls[i].center[2] = i < 20 ? 0.5 + i : 0.5;
    }
    CHECK(thud_world_add(rig.world, balls, 40, NULL) == THUD_OK);
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, &start) == THUD_OK);
    thud_bodies bodies = thud_world_bodies(rig.world);
    CHECK(start.overlap_count == 0);
    CHECK(start.min_gap >= 1e-5 * (1 - 1e-9));
    CHECK_AT_MOST(start.largest_shift, 20 * 4e-5);
    for (int i = 0; i < 120; i++)
        CHECK(bodies.u[i] == 0);
    rig_steps(&rig, 10);
    for (int i = 0; i < 120; i++)
        CHECK(bodies.u[i] == 0);
    printf("  opened by %.3g, smallest gap %.3g\n", start.largest_shift, start.min_gap);
    rig_close(&rig);
}

// Free bodies beside a resting pile keep the parabola of the scheme.
static void parabola(void)
{
    sphere_rig rig;
    double h = 0.05, worst = 0;
    thud_world_def def = {.h = h, .gravity = {0, 0, -1}};
    if (!rig_open(&rig, &def))
        return;
    rig_box(&rig, 0, 20, INFINITY);
    rig_pour(&rig, 40, 0.4, 0.5, 4, 0, test_seed(37));
    thud_sphere flyer = {{12, 12, 40}, {0.25, -0.125, 1}, 0.5, 1};
    CHECK(thud_world_add(rig.world, &flyer, 1, NULL) == THUD_OK);
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    for (int n = 1; n <= 150 && rig_steps(&rig, 1); n++)
    {
        const double *q = thud_world_bodies(rig.world).q + 120;
        double height = 40 + n * h - h * h * n * (n + 1) / 2;
        worst = fmax(worst, fabs(q[0] - 12 - 0.25 * n * h));
        worst = fmax(worst, fabs(q[1] - 12 + 0.125 * n * h));
        worst = fmax(worst, fabs(q[2] - height));
    }
    CHECK_AT_MOST(worst, 150 * 0x1p-47);
    printf("  off the parabola by %.2g of 40\n", worst);
    rig_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"coincident", coincident}, {"refused", refused},   {"projected", projected},
        {"rounding", rounding},     {"touching", touching}, {"parabola", parabola},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
