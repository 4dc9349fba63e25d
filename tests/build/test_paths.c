// The paths to doors: distances against exact ones, directions, who gets out and who does not.
#include "build/paths.h"
#include "thud_test.h"

// The quadrant x > 0, y < 0 is in the way; its corner is the origin.
static double corner_clearance(const double x[2], void *user)
{
    (void)user;
    return x[0] > 0 && x[1] < 0 ? -1 : 1;
}

static const double door[4] = {2, 0.5, 2, 1.5};

// To the door, straight or round the corner; only before the door.
static double exact_distance(const double x[2])
{
    double crossing = x[1] + (0.5 - x[1]) * -x[0] / (2 - x[0]);
    if (x[0] <= 0 && x[1] < 0 && crossing < 0) // the straight line would go below the corner
        return hypot(x[0], x[1]) + hypot(2, 0.5);
    double aside = x[1] < 0.5 ? 0.5 - x[1] : x[1] > 1.5 ? x[1] - 1.5 : 0;
    return hypot(2 - x[0], aside);
}

static bool make_corner(double cell, thudi_paths *paths)
{
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    int narrow;
    thudi_paths_def def = {.low = {-2, -2},
                           .high = {3, 2},
                           .cell = cell,
                           .doors = door,
                           .door_count = 1,
                           .clearance = corner_clearance};
    return thudi_paths_make(&def, &allocator, paths, &narrow) == THUD_OK;
}

static void position_of(const thudi_paths *paths, int node, double x[2])
{
    int row = node / paths->count[0];
    x[0] = paths->low[0] + paths->cell * (node % paths->count[0]);
    x[1] = paths->low[1] + paths->cell * row;
}

static void around_a_corner(void)
{
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    double before = 0;
    for (int k = 0; k < 4; k++)
    {
        thudi_paths paths;
        double cell = 0.1 / (1 << k), worst = 0, turned = 0;
        REQUIRE(make_corner(cell, &paths));
        for (int node = 0; node < paths.count[0] * paths.count[1]; node++)
        {
            double x[2];
            position_of(&paths, node, x);
            if (x[0] > 1.9 || corner_clearance(x, NULL) < 0)
                continue;
            double exact = exact_distance(x);
            worst = fmax(worst, fabs(paths.distance[node] - exact));
            CHECK(paths.distance[node] >= exact - 1e-12); // never shorter than the shortest
            // behind the corner everybody walks towards it
            if (x[0] < -0.5 && x[1] < -0.5 && exact > hypot(2, 0.5) + 0.7)
            {
                const double *d = paths.direction + 2 * (size_t)node;
                turned = fmax(turned, 1 + (d[0] * x[0] + d[1] * x[1]) / hypot(x[0], x[1]));
            }
        }
        printf("  cell %g: distances off by %.3g (factor %.2f), 1 - cos of directions %.2g\n", cell,
               worst, before / worst, turned);
        CHECK_AT_MOST(worst, 3 * cell); // and a logarithm

        if (k > 0)
            CHECK(before / worst > 1.6 && before / worst < 2.1);
        before = worst;
        thudi_paths_free(&allocator, &paths);
    }
}

// Along its direction every node has a nearer neighbour; behind the door one goes straight on.
static void downhill(void)
{
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_paths paths;
    int inside = 0, outside = 0;
    REQUIRE(make_corner(0.05, &paths));
    for (int node = 0; node < paths.count[0] * paths.count[1]; node++)
    {
        double x[2], d[2], next[2];
        position_of(&paths, node, x);
        if (corner_clearance(x, NULL) < 0)
            continue;
        thudi_paths_direction(&paths, x, d);
        CHECK_NEAR(hypot(d[0], d[1]), 1, 1e-12);
        if (paths.kind[node] == THUDI_OUTSIDE)
        {
            outside++;
            CHECK(x[0] >= 2 - 1e-9 && d[0] == 1 && d[1] == 0);
            continue;
        }
        REQUIRE(paths.kind[node] == THUDI_INSIDE);
        inside++;
        double step = fmin(0.05, paths.distance[node]);
        for (int k = 0; k < 2; k++)
            next[k] = x[k] + step * d[k];
        CHECK(x[0] > 2 || exact_distance(next) < exact_distance(x));
    }
    CHECK(inside > 3000 && outside > 300);
    thudi_paths_free(&allocator, &paths);
}

// A wall across, with a gap of width *user in it at the origin.
static double gap_clearance(const double x[2], void *user)
{
    double half = *(const double *)user / 2, beside = fabs(x[1]) - half;
    return beside > 0 ? fabs(x[0]) : hypot(x[0], beside);
}

// Who is wider than the gap cannot get to the door, who is narrower can.
static void gaps(void)
{
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    static const double exit[4] = {2, -1, 2, 1}, left[2] = {-2, 0.5}, right[2] = {1, 0.5};
    for (int k = 0; k < 2; k++)
    {
        thudi_paths paths;
        int narrow;
        double gap = k == 0 ? 0.5 : 0.7;
        thudi_paths_def def = {.low = {-3, -3},
                               .high = {3, 3},
                               .cell = 0.05,
                               .doors = exit,
                               .door_count = 1,
                               .radius = 0.3,
                               .clearance = gap_clearance,
                               .user = &gap};
        REQUIRE(thudi_paths_make(&def, &allocator, &paths, &narrow) == THUD_OK);
        CHECK(thudi_paths_place(&paths, right) == THUDI_INSIDE);
        CHECK(thudi_paths_place(&paths, left) == (k == 0 ? THUDI_NOWHERE : THUDI_INSIDE));
        thudi_paths_free(&allocator, &paths);
    }
    thudi_paths paths;
    int narrow;
    double gap = 0.5;
    static const double in_gap[4] = {0, -0.25, 0, 0.25};
    thudi_paths_def def = {.low = {-3, -3},
                           .high = {3, 3},
                           .cell = 0.05,
                           .doors = in_gap,
                           .door_count = 1,
                           .radius = 0.3,
                           .clearance = gap_clearance,
                           .user = &gap};
    CHECK(thudi_paths_make(&def, &allocator, &paths, &narrow) == THUD_ERR_ARGUMENT && narrow == 0);
    def.cell = 1e-4;
    CHECK(thudi_paths_make(&def, &allocator, &paths, &narrow) == THUD_ERR_LIMIT);
}

static void lack_of_memory(void)
{
    test_meter meter = {.fail_at = 1};
    thud_allocator allocator = {.resize = test_meter_resize, .user = &meter};
    double gap = 1;
    thudi_paths_def def = {.low = {-1, -1},
                           .high = {1, 1},
                           .cell = 0.1,
                           .doors = door,
                           .door_count = 1,
                           .clearance = gap_clearance,
                           .user = &gap};
    thud_status status = THUD_ERR_MEMORY;
    while (status == THUD_ERR_MEMORY && meter.fail_at < 100)
    {
        thudi_paths paths;
        int narrow;
        meter.calls = 0;
        status = thudi_paths_make(&def, &allocator, &paths, &narrow);
        if (status >= 0)
            thudi_paths_free(&allocator, &paths);
        CHECK(meter.blocks == 0);
        meter.fail_at++;
    }
    CHECK(status == THUD_OK && meter.fail_at > 5);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"around-a-corner", around_a_corner},
        {"downhill", downhill},
        {"gaps", gaps},
        {"lack-of-memory", lack_of_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
