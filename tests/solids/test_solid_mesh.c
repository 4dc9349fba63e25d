// Meshes: the tree finds what a look at all triangles finds; triangles that say nothing new are
// left out, and only those.
#include "solid_rig.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MANY = 3000
};

static thud_solid *mesh_of(const double *triangles, int count)
{
    thud_solid_def def = {.kind = THUD_MESH, .triangles = triangles, .triangle_count = count};
    return solid_rig_make(&def);
}

static bool same(const thud_facing *a, const thud_facing *b)
{
    return a->facet == b->facet && a->distance == b->distance &&
           memcmp(a->normal, b->normal, sizeof a->normal) == 0 &&
           memcmp(a->point, b->point, sizeof a->point) == 0;
}

static void compare_with_all(const thud_solid *solid, const double x[3], double reach)
{
    thud_facings list = {0};
    thud_facing best = {.distance = INFINITY}, nearest = thud_solid_nearest(solid, x);
    int within = 0;
    CHECK(thud_solid_find(solid, x, reach, -1, NULL, &list) == THUD_OK);
    for (int i = 0; i < thud_solid_facets(solid); i++)
    {
        thud_facing facing = thud_solid_facing(solid, i, x);
        best = facing.distance < best.distance ? facing : best;
        within += facing.distance <= reach;
    }
    CHECK(same(&best, &nearest));
    CHECK(list.count == within);
    for (int i = 0; i < list.count; i++)
    {
        thud_facing facing = thud_solid_facing(solid, list.items[i].facet, x);
        CHECK(same(&facing, &list.items[i]));
        CHECK(i == 0 || list.items[i - 1].distance < facing.distance ||
              (list.items[i - 1].distance == facing.distance &&
               list.items[i - 1].facet < facing.facet));
    }
    thud_facings_free(&list);
}

static void as_without_tree(void)
{
    uint64_t seed = test_seed(40);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    static const int counts[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 100, MANY};
    double *triangles = malloc(9 * MANY * sizeof *triangles);
    REQUIRE(triangles);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int trial = 0; trial < 4; trial++)
        {
            solid_rig_triangles(&random, counts[c], trial % 2 ? 0.02 : 0.7, triangles);
            if (trial == 3) // many in one place
                for (int i = 0; i < counts[c] / 2; i++)
                    memcpy(triangles + 9 * (size_t)i, triangles, 9 * sizeof *triangles);
            thud_solid *solid = mesh_of(triangles, counts[c]);
            for (int i = 0; i < 20 && solid; i++)
            {
                double x[3];
                for (int k = 0; k < 3; k++)
                    x[k] = test_random_uniform(&random, -1.5, 1.5);
                compare_with_all(solid, x, i == 0 ? INFINITY : test_random_uniform(&random, 0, 1));
            }
            thud_solid_destroy(solid);
        }
    free(triangles);
}

// Triangles without area: a point, a needle; the nearest point is still the nearest.
static void degenerate(void)
{
    static const double triangles[][9] = {{1, 2, 3, 1, 2, 3, 1, 2, 3},
                                          {0, 0, 0, 1, 0, 0, 2, 0, 0},
                                          {0, 0, 0, 2, 0, 0, 1, 0, 0},
                                          {0, 0, 0, 0, 0, 0, 2, 0, 0},
                                          {0, 0, 0, 2, 0, 0, 1, 1e-17, 0}};
    static const double points[][3] = {{1, 2, 4}, {1, 1, 0}, {3, 0, 0}, {1.5, 0, -2}};
    for (int i = 0; i < 5; i++)
    {
        thud_solid *solid = mesh_of(triangles[i], 1);
        REQUIRE(solid);
        for (int j = 0; j < 4; j++)
        {
            const double *x = points[j];
            double beyond = i == 0 ? x[0] - 1 : x[0] > 2 ? x[0] - 2 : 0;
            double y = i == 0 ? x[1] - 2 : x[1], z = i == 0 ? x[2] - 3 : x[2];
            thud_facing facing = thud_solid_nearest(solid, x);
            CHECK_NEAR(facing.distance, sqrt(beyond * beyond + y * y + z * z), 1e-15);
        }
        thud_solid_destroy(solid);
    }
    thud_solid *flat = mesh_of((double[]){0, 0, 0, 1, 0, 0, 0, 1, 0}, 1);
    REQUIRE(flat);
    thud_facing on = thud_solid_nearest(flat, (double[]){.25, .25, 0});
    CHECK(on.distance == 0 && on.normal[0] == 0 && on.normal[1] == 0 && on.normal[2] == 0);
    thud_solid_destroy(flat);
}

// A floor of n x n squares in the plane z = tilt x, each of two triangles.
static void fill_floor(int n, double tilt, double *triangles)
{
    static const int corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 1}, {1, 0}};
    for (int i = 0; i < n * n; i++)
        for (int j = 0; j < 6; j++)
        {
            double *at = triangles + 18 * (size_t)i + 3 * (size_t)j;
            at[0] = (i / n + corner[j][0]) / 3.0;
            at[1] = (i % n + corner[j][1]) / 7.0;
            at[2] = tilt * at[0];
        }
}

// Wherever the point is over a floor, one row is left, and it is that of the plane.
static void floor_is_a_plane(void)
{
    enum
    {
        SIDE = 12
    };
    uint64_t seed = test_seed(41);
    test_random random = test_random_start(seed);
    double triangles[18 * SIDE * SIDE], tilt = 0.3, scale = sqrt(1 + tilt * tilt);
    fill_floor(SIDE, tilt, triangles);
    thud_solid *solid = mesh_of(triangles, 2 * SIDE * SIDE);
    REQUIRE(solid);
    thud_facings list = {0};
    for (int i = 0; i < 500; i++)
    {
        double x[3] = {test_random_uniform(&random, 1, 3), test_random_uniform(&random, 0.5, 1.2)};
        if (i % 5 == 0) // over an edge, over a corner
            x[0] = test_random_int(&random, 3, 9) / 3.0;
        if (i % 10 == 0)
            x[1] = test_random_int(&random, 3, 8) / 7.0;
        x[2] = tilt * x[0] + 0.1;
        CHECK(thud_solid_find(solid, x, 1, 1e-12, NULL, &list) == THUD_OK);
        REQUIRE(list.count == 1);
        CHECK_NEAR(list.items[0].distance, 0.1 / scale, 1e-14);
        CHECK_NEAR(list.items[0].normal[2], 1 / scale, 1e-13);
        CHECK_NEAR(list.items[0].normal[1], 0, 1e-13);
    }
    thud_facings_free(&list);
    thud_solid_destroy(solid);
}

// The twelve triangles of a box: seen from outside one row is left, that of the solid box.
static void fill_box(double *triangles)
{
    for (int face = 0; face < 6; face++)
        for (int j = 0; j < 6; j++)
        {
            static const int corner[6][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 1}, {1, 0}};
            double *at = triangles + 18 * (size_t)face + 3 * (size_t)j;
            at[face / 2] = face % 2 ? 1 : -1;
            at[(face / 2 + 1) % 3] = corner[j][0] ? 1 : -1;
            at[(face / 2 + 2) % 3] = corner[j][1] ? 1 : -1;
        }
}

static void box_is_a_box(void)
{
    uint64_t seed = test_seed(42);
    test_random random = test_random_start(seed);
    double triangles[108];
    thud_solid_def def = {.kind = THUD_BOX, .points = {{-1, -1, -1}, {1, 1, 1}}};
    fill_box(triangles);
    thud_solid *mesh = mesh_of(triangles, 12), *box = solid_rig_make(&def);
    REQUIRE(mesh && box);
    thud_facings list = {0};
    for (int i = 0; i < 1000; i++)
    {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = test_random_uniform(&random, -2, 2);
        thud_facing wanted = thud_solid_facing(box, 0, x);
        CHECK(thud_solid_find(mesh, x, 4, 1e-12, NULL, &list) == THUD_OK);
        if (wanted.distance > 0)
        {
            REQUIRE(list.count == 1);
            CHECK_NEAR(list.items[0].distance, wanted.distance, 1e-15);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(list.items[0].normal[k], wanted.normal[k], 1e-14);
        }
        else // from inside: six walls
            CHECK(list.count == 6);
    }
    thud_facings_free(&list);
    thud_solid_destroy(mesh);
    thud_solid_destroy(box);
}

// What is left out is implied: a move that satisfies the rows kept with r keeps r - slack from
// every triangle, at its end and on its way.
static void nothing_is_lost(void)
{
    enum
    {
        COUNT = 60
    };
    uint64_t seed = test_seed(43);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    double triangles[9 * COUNT];
    int moves = 0, left_out = 0, turned = 0;
    thud_facings list = {0};
    for (int trial = 0; trial < 200; trial++)
    {
        solid_rig_triangles(&random, COUNT, 0.4, triangles);
        thud_solid *solid = mesh_of(triangles, COUNT);
        REQUIRE(solid);
        double x[3] = {0, 0, 0}, slack = 1e-3;
        double r = thud_solid_nearest(solid, x).distance * 0.9;
        thud_aim aim = {.keep = trial % 4 == 1 ? r : 1.05 * r};
        for (int k = 0; k < 3; k++)
            aim.at[k] = 0.3 * test_random_normal(&random);
        CHECK(thud_solid_find(solid, x, INFINITY, slack, trial % 2 ? &aim : NULL, &list) ==
              THUD_OK);
        left_out += COUNT - list.count;
        for (int j = 0; j < list.count; j++)
        {
            const thud_facing *row = &list.items[j];
            double distance = thud_solid_facing(solid, row->facet, x).distance;
            bool is_turned = row->distance != distance;
            turned += is_turned;
            CHECK(row->distance <= distance + 1e-15);
            CHECK(!is_turned || (trial % 2 && j > 0 && row->distance >= aim.keep * (1 - 1e-11)));
        }
        for (int i = 0; i < 200; i++)
        {
            double move[3], y[3];
            bool allowed = true;
            for (int k = 0; k < 3; k++)
                move[k] = 0.3 * test_random_normal(&random);
            for (int j = 0; j < list.count; j++)
            {
                const thud_facing *row = &list.items[j];
                double lin = row->distance - r + row->normal[0] * move[0] +
                             row->normal[1] * move[1] + row->normal[2] * move[2];
                allowed = allowed && lin >= 0;
            }
            for (int s = 1; s <= 8 && allowed; s++)
            {
                for (int k = 0; k < 3; k++)
                    y[k] = x[k] + move[k] * s / 8;
                CHECK(thud_solid_nearest(solid, y).distance >= r - slack - 1e-13);
            }
            moves += allowed;
        }
        thud_solid_destroy(solid);
    }
    thud_facings_free(&list);
    printf("%d moves, %d left out, %d turned\n", moves, left_out, turned);
    CHECK(moves > 500 && left_out > 1000 && turned > 500);
}

static void allocations(void)
{
    test_meter meter = {0};
    thud_allocator allocator = {test_meter_resize, &meter};
    double triangles[108];
    fill_box(triangles);
    thud_solid_def def = {
        .kind = THUD_MESH, .triangles = triangles, .triangle_count = 12, .allocator = &allocator};
    thud_solid *solid;
    long fail = 0;
    thud_status status = THUD_ERR_MEMORY;
    while (status == THUD_ERR_MEMORY && fail < 20)
    {
        meter = (test_meter){.fail_at = ++fail};
        status = thud_solid_create(&def, &solid, NULL);
        CHECK(status == THUD_OK || (meter.blocks == 0 && !solid));
    }
    CHECK(fail == 4 && status == THUD_OK);
    REQUIRE(solid);
    thud_facings list = {.allocator = &allocator};
    meter.calls = 0;
    meter.fail_at = 1;
    CHECK(thud_solid_find(solid, (double[]){0, 0, 0}, 2, 0, NULL, &list) == THUD_ERR_MEMORY);
    meter.fail_at = 0;
    CHECK(thud_solid_find(solid, (double[]){0, 0, 0}, 2, 0, NULL, &list) == THUD_OK &&
          list.count == 6);
    thud_facings_free(&list);
    thud_solid_destroy(solid);
    CHECK(meter.blocks == 0);
}

// What a large tree costs, in triangles looked at, cannot be seen from here; that it is built and
// answers can.
static void hundred_thousand(void)
{
    enum
    {
        SIDE = 224
    };
    size_t count = (size_t)2 * SIDE * SIDE;
    double *triangles = malloc(9 * count * sizeof *triangles);
    REQUIRE(triangles);
    fill_floor(SIDE, 0, triangles);
    thud_solid *solid = mesh_of(triangles, (int)count);
    test_random random = test_random_start(44);
    thud_facings list = {0};
    for (int i = 0; i < 10000 && solid; i++)
    {
        double x[3] = {test_random_uniform(&random, 1, 70), test_random_uniform(&random, 1, 30),
                       .3};
        CHECK(thud_solid_find(solid, x, 0.5, 1e-9, NULL, &list) == THUD_OK && list.count == 1);
        CHECK(list.count != 1 || list.items[0].distance == 0.3);
    }
    thud_facings_free(&list);
    thud_solid_destroy(solid);
    free(triangles);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"as-without-tree", as_without_tree},   {"degenerate", degenerate},
        {"floor-is-a-plane", floor_is_a_plane}, {"box-is-a-box", box_is_a_box},
        {"nothing-is-lost", nothing_is_lost},   {"allocations", allocations},
        {"hundred-thousand", hundred_thousand},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
