// Every kind of solid: distances against a search over its surface, gradients, convexity and
// concavity at random points, and what cannot be made.
#include "solid_rig.h"

#include <string.h>

static void sum(const double a[3], double s, const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] + s * b[k];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void check_facing(const thud_solid_def *def, const double x[3], const thud_facing *facing)
{
    long double at[3] = {x[0], x[1], x[2]};
    double back[3], wanted = (double)solid_rig_distance(def, facing->facet, at);
    if (!(fabs(facing->distance - wanted) <= 1e-12))
        test_fail(__FILE__, __LINE__, "%s, facet %d: distance %.17g, wanted %.17g",
                  thud_solid_name(def->kind), facing->facet, facing->distance, wanted);
    CHECK_NEAR(dot(facing->normal, facing->normal), 1, 1e-14);
    sum(x, -facing->distance, facing->normal, back);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(back[k], facing->point[k], 1e-13);
}

static void distances(void)
{
    uint64_t seed = test_seed(20);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int kind = 0; kind < THUD_SOLID_KINDS; kind++)
        for (int trial = 0; trial < 10 && kind != THUD_MESH; trial++)
        {
            thud_solid_def def = solid_rig_def(&random, (thud_solid_kind)kind);
            thud_solid *solid = solid_rig_make(&def);
            REQUIRE(solid);
            for (int i = 0; i < 6; i++)
            {
                double x[3];
                solid_rig_point(&random, &def, x);
                for (int facet = 0; facet < thud_solid_facets(solid); facet++)
                {
                    thud_facing facing = thud_solid_facing(solid, facet, x);
                    check_facing(&def, x, &facing);
                }
            }
            thud_solid_destroy(solid);
        }
}

// g(y) >= g(x) + n(x) . (y - x) for a convex g, <= for a concave one, both for a plane.
static void check_curving(const thud_solid *solid, int facet, const double x[3], const double y[3])
{
    thud_facing at = thud_solid_facing(solid, facet, x), other = thud_solid_facing(solid, facet, y);
    double way[3];
    sum(y, -1, x, way);
    double over = other.distance - at.distance - dot(at.normal, way);
    bool concave = thud_solid_curving(solid, facet) == THUD_CONCAVE;
    bool plane = !concave && thud_solid_facets(solid) > 1;
    CHECK(concave || over >= -1e-13);
    CHECK(!(concave || plane) || over <= 1e-13);
}

static void curving(void)
{
    uint64_t seed = test_seed(21);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int kind = 0; kind < THUD_SOLID_KINDS; kind++)
        for (int trial = 0; trial < 300 && kind != THUD_MESH; trial++)
        {
            thud_solid_def def = solid_rig_def(&random, (thud_solid_kind)kind);
            thud_solid *solid = solid_rig_make(&def);
            REQUIRE(solid);
            for (int i = 0; i < 100; i++)
            {
                double x[3], y[3], near = i % 2 ? 2 : 1e-2;
                for (int k = 0; k < 3; k++)
                {
                    x[k] = def.points[0][k] + test_random_uniform(&random, -2, 3);
                    y[k] = x[k] + near * test_random_normal(&random);
                }
                for (int facet = 0; facet < thud_solid_facets(solid); facet++)
                    check_curving(solid, facet, x, y);
            }
            thud_solid_destroy(solid);
        }
}

// The subgradient inequality above leaves open a wrong gradient at a smooth point of a plane only;
// differences leave nothing open.
static void gradients(void)
{
    uint64_t seed = test_seed(22);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int kind = 0; kind < THUD_SOLID_KINDS; kind++)
        for (int trial = 0; trial < 4 && kind != THUD_MESH; trial++)
        {
            thud_solid_def def = solid_rig_def(&random, (thud_solid_kind)kind);
            thud_solid *solid = solid_rig_make(&def);
            REQUIRE(solid);
            double x[3];
            solid_rig_point(&random, &def, x);
            thud_facing facing = thud_solid_nearest(solid, x);
            for (int k = 0; k < 3 && fabs(facing.distance) > 0.02; k++)
            {
                long double step = 1e-5L, up[3] = {x[0], x[1], x[2]}, down[3] = {x[0], x[1], x[2]};
                up[k] += step;
                down[k] -= step;
                long double slope = (solid_rig_distance(&def, facing.facet, up) -
                                     solid_rig_distance(&def, facing.facet, down)) /
                                    (2 * step);
                CHECK_NEAR(facing.normal[k], (double)slope, 1e-6);
            }
            thud_solid_destroy(solid);
        }
}

// On centres, axes and surfaces, and very near to them, normals are unit vectors all the same.
static void awkward_points(void)
{
    uint64_t seed = test_seed(23);
    test_random random = test_random_start(seed);
    for (int kind = 0; kind < THUD_SOLID_KINDS; kind++)
        for (int trial = 0; trial < 200 && kind != THUD_MESH; trial++)
        {
            thud_solid_def def = solid_rig_def(&random, (thud_solid_kind)kind);
            thud_solid *solid = solid_rig_make(&def);
            REQUIRE(solid);
            double x[3], part = trial % 4 == 0 ? 0 : test_random_uniform(&random, -0.2, 1.2);
            double off = trial % 3 == 0 ? 0 : trial % 3 == 1 ? 1e-300 : 1e-17;
            for (int k = 0; k < 3; k++)
                x[k] = def.points[0][k] + part * (def.points[1][k] - def.points[0][k]) + off;
            for (int facet = 0; facet < thud_solid_facets(solid); facet++)
            {
                thud_facing facing = thud_solid_facing(solid, facet, x);
                double square = dot(facing.normal, facing.normal);
                CHECK(isfinite(facing.distance));
                CHECK(facing.distance == 0 ? square < 1.1 : fabs(square - 1) < 1e-14);
            }
            thud_solid_destroy(solid);
        }
}

static void exact_values(void)
{
    static const struct
    {
        thud_solid_def def;
        double x[3];
        int facet;
        double distance, normal[3];
    } cases[] = {
        {{.kind = THUD_BOX, .points = {{-1, -1, -1}, {1, 1, 1}}}, {2, 0, 0}, 0, 1, {1, 0, 0}},
        {{.kind = THUD_BOX, .points = {{-1, -1, -1}, {1, 1, 1}}}, {0, -.5, 0}, 0, -.5, {0, -1, 0}},
        {{.kind = THUD_BOX, .points = {{-1, -1, -1}, {1, 1, 1}}}, {4, 5, 0}, 0, 5, {.6, .8, 0}},
        {{.kind = THUD_BOX, .points = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, 1, INFINITY}}},
         {7, 3, 8},
         0,
         2,
         {0, 1, 0}},
        {{.kind = THUD_BALL, .radius = 1}, {0, 0, -3}, 0, 2, {0, 0, -1}},
        {{.kind = THUD_INSIDE_BALL, .radius = 5}, {0, 3, 0}, 0, 2, {0, -1, 0}},
        {{.kind = THUD_CAPSULE, .points = {{0}, {0, 0, 4}}, .radius = 1},
         {3, 0, 8},
         0,
         4,
         {.6, 0, .8}},
        {{.kind = THUD_CYLINDER, .points = {{0}, {0, 0, 4}}, .radius = 1},
         {4, 0, 8},
         0,
         5,
         {.6, 0, .8}},
        {{.kind = THUD_CYLINDER, .points = {{0}, {0, 0, 4}}, .radius = 3},
         {1, 0, 3},
         0,
         -1,
         {0, 0, 1}},
        {{.kind = THUD_TRIANGLE, .points = {{0}, {1, 0, 0}, {0, 1, 0}}},
         {.1, .1, -2},
         0,
         2,
         {0, 0, -1}},
        {{.kind = THUD_TRIANGLE, .points = {{0}, {1, 0, 0}, {0, 1, 0}}},
         {1, -1, 0},
         0,
         1,
         {0, -1, 0}},
        {{.kind = THUD_INSIDE_DRUM, .points = {{0}, {0, 0, 2}}, .radius = 1},
         {.5, 0, 9},
         0,
         .5,
         {-1, 0, 0}},
        {{.kind = THUD_INSIDE_DRUM, .points = {{0}, {0, 0, 2}}, .radius = 1},
         {.5, 0, .1},
         1,
         .1,
         {0, 0, 1}},
        {{.kind = THUD_INSIDE_DRUM, .points = {{0}, {0, 0, 2}}, .radius = 1},
         {.5, 0, 3},
         2,
         -1,
         {0, 0, -1}},
        {{.kind = THUD_INSIDE_CONE, .points = {{0}, {0, 0, 4}}, .radius = 3},
         {0, 0, 5},
         0,
         3,
         {-.8, 0, .6}},
        {{.kind = THUD_INSIDE_CONE, .points = {{0}, {0, 0, 4}}, .radius = 3},
         {0, 0, 3},
         1,
         1,
         {0, 0, -1}},
        {{.kind = THUD_INSIDE_BOX, .points = {{0}, {1, 2, INFINITY}}},
         {.1, .2, 3},
         3,
         1.8,
         {0, -1, 0}},
        {{.kind = THUD_INSIDE_BOX, .points = {{0}, {1, 2, INFINITY}}},
         {.1, .2, 3},
         4,
         3,
         {0, 0, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        thud_solid *solid = solid_rig_make(&cases[i].def);
        REQUIRE(solid);
        thud_facing facing = thud_solid_facing(solid, cases[i].facet, cases[i].x);
        CHECK_NEAR(facing.distance, cases[i].distance, 4e-16 * (1 + fabs(cases[i].distance)));
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(facing.normal[k], cases[i].normal[k], 4e-16);
        thud_solid_destroy(solid);
    }
}

static void sizes_and_depths(void)
{
    thud_solid_def def = {.kind = THUD_BOX, .points = {{-1, -2, 0}, {1, 2, .5}}};
    thud_solid *solid = solid_rig_make(&def);
    REQUIRE(solid);
    CHECK_NEAR(thud_solid_size(solid), sqrt(5.25), 1e-15);
    CHECK(thud_solid_depth(solid) == .25);
    thud_solid_destroy(solid);
    def = (thud_solid_def){.kind = THUD_CYLINDER, .points = {{0}, {0, 0, 4}}, .radius = 1.5};
    solid = solid_rig_make(&def);
    REQUIRE(solid);
    CHECK(thud_solid_depth(solid) == 1.5 && thud_solid_size(solid) >= sqrt(16 + 2.25));
    thud_solid_destroy(solid);
    def = (thud_solid_def){.kind = THUD_INSIDE_DRUM, .points = {{0}, {0, 0, 4}}, .radius = 1.5};
    def.is_open = true;
    solid = solid_rig_make(&def);
    REQUIRE(solid);
    CHECK(isinf(thud_solid_depth(solid)) && isinf(thud_solid_size(solid)));
    CHECK(thud_solid_facets(solid) == 1);
    CHECK(thud_solid_kind_of(solid) == THUD_INSIDE_DRUM);
    thud_solid_destroy(solid);
    CHECK(strcmp(thud_solid_name(THUD_INSIDE_DRUM), "inside of a drum") == 0);
    CHECK(strcmp(thud_solid_name(THUD_SOLID_KINDS), "") == 0);
}

static void refused(void)
{
    static const struct
    {
        thud_solid_def def;
        thud_status status;
    } cases[] = {
        {{.kind = THUD_SOLID_KINDS}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_BOX, .points = {{0, 0, 0}, {1, -1, 1}}}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_BOX, .points = {{0, 0, NAN}, {1, 1, 1}}}, THUD_ERR_NOT_FINITE},
        {{.kind = THUD_BOX, .points = {{0, 0, INFINITY}, {1, 1, INFINITY}}}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_INSIDE_BOX, .points = {{0, 0, 0}, {1, 1, 0}}}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_INSIDE_BOX,
          .points = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}},
         THUD_ERR_ARGUMENT},
        {{.kind = THUD_BALL}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_BALL, .radius = NAN}, THUD_ERR_NOT_FINITE},
        {{.kind = THUD_BALL, .radius = 1, .points = {{INFINITY}}}, THUD_ERR_NOT_FINITE},
        {{.kind = THUD_INSIDE_BALL, .radius = -1}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_CAPSULE, .radius = -1}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_CYLINDER, .radius = 1}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_CYLINDER, .points = {{0}, {1}}}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_INSIDE_DRUM, .radius = 1}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_INSIDE_CONE, .radius = 1}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_INSIDE_CONE, .points = {{0}, {1}}}, THUD_ERR_ARGUMENT},
        {{.kind = THUD_TRIANGLE, .points = {{1e200}}}, THUD_ERR_NOT_FINITE},
        {{.kind = THUD_MESH}, THUD_ERR_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        thud_solid *solid;
        const char *why = NULL;
        CHECK(thud_solid_create(&cases[i].def, &solid, &why) == cases[i].status);
        CHECK(!solid && why && why[0]);
        CHECK(thud_solid_create(&cases[i].def, &solid, NULL) == cases[i].status);
    }
    thud_solid_destroy(NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"distances", distances},       {"curving", curving},
        {"gradients", gradients},       {"awkward-points", awkward_points},
        {"exact-values", exact_values}, {"sizes-and-depths", sizes_and_depths},
        {"refused", refused},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
