// The rows of a world against those of a search over all pairs, by the criteria as documented; and
// that they depend on the moment alone: not on the list that the world happens to hold, nor on the
// number of threads.
#include "near_rig.h"

#include <omp.h>

// One way of moving from moment to moment.
typedef struct motion
{
    const char *name;
    double off, along, speed; // off: of the grid; along: all together, per moment
} motion;

static const motion motions[] = {
    {"still", 1e-3, 0, 1e-3}, {"slow", 0.02, 0, 0.1},  {"fast", 0.3, 0, 3},
    {"carried", 0.02, 50, 1}, {"far", 0.02, 1e7, 0.2},
};

static void all_pairs(int dim, double span)
{
    uint64_t seed = test_seed(601);
    test_random random = test_random_start(seed);
    near_rig rig;
    long pushed = 0;
    near_rig_make(&rig, &random, dim, 250, span);
    thud_world *world = near_rig_world(&rig, NULL);
    thud_rows *rows = NULL, *wanted = NULL;
    CHECK(thud_rows_create(dim * rig.count, NULL, &rows) == THUD_OK);
    CHECK(thud_rows_create(dim * rig.count, NULL, &wanted) == THUD_OK);
    for (size_t m = 0; m < sizeof motions / sizeof *motions; m++)
        for (int round = 0; round < 8; round++)
        {
            const motion *way = &motions[m];
            near_rig_draw(&rig, &random, way->off, way->along * round, way->speed);
            for (int phase = THUD_LINEARISE; phase <= THUD_FIND_MISSING; phase++)
            {
                near_rig_ask(world, &rig, (thud_phase)phase, rows);
                near_brute_ask(&rig, (thud_phase)phase, wanted);
                near_rig_compare(rows, wanted, way->name, round);
                pushed += thud_rows_count(wanted);
            }
        }
    printf("  seed %llu, %ld rows\n", (unsigned long long)seed, pushed);
    CHECK(pushed > 1000);
    thud_rows_destroy(rows);
    thud_rows_destroy(wanted);
    thud_world_destroy(world);
    near_rig_drop(&rig);
}

static void equal_sizes(void)
{
    all_pairs(3, 1.2);
    all_pairs(2, 1.2);
}

static void many_sizes(void)
{
    all_pairs(3, 1e4);
    all_pairs(2, 1e4);
}

// Neighbours that come closer at a steady pace, until the list covers them no more.
static void drifting(void)
{
    uint64_t seed = test_seed(606);
    test_random random = test_random_start(seed);
    near_rig rig;
    int side = 7;
    near_rig_make(&rig, &random, 3, side * side * side, 1.2);
    thud_world *world = near_rig_world(&rig, NULL);
    thud_rows *rows = NULL, *wanted = NULL;
    CHECK(thud_rows_create(3 * rig.count, NULL, &rows) == THUD_OK);
    CHECK(thud_rows_create(3 * rig.count, NULL, &wanted) == THUD_OK);
    for (int round = 0; round < 40; round++)
    {
        for (int i = 0; i < 3 * rig.count; i++)
        {
            int place = (int)rig.spheres[i / 3].center[i % 3];
            double pace = i % 3 > 0 ? 0 : place % 2 == 0 ? 0.003 : -0.003;
            rig.q[i] = place + round * pace;
            rig.u[i] = rig.w[i] = pace / rig.h;
            rig.trial[i] = rig.q[i] + pace;
        }
        for (int phase = THUD_LINEARISE; phase <= THUD_FIND_MISSING; phase++)
        {
            near_rig_ask(world, &rig, (thud_phase)phase, rows);
            near_brute_ask(&rig, (thud_phase)phase, wanted);
            near_rig_compare(rows, wanted, "drifting", round);
        }
    }
    CHECK(thud_rows_count(wanted) > rig.count / 4);
    thud_rows_destroy(rows);
    thud_rows_destroy(wanted);
    thud_world_destroy(world);
    near_rig_drop(&rig);
}

// A world that has gone through other moments against one that has not.
static void old_list(void)
{
    uint64_t seed = test_seed(602);
    test_random random = test_random_start(seed);
    near_rig rig;
    near_rig_make(&rig, &random, 3, 3000, 3);
    thud_world *world = near_rig_world(&rig, NULL);
    thud_rows *rows = NULL, *wanted = NULL;
    CHECK(thud_rows_create(3 * rig.count, NULL, &rows) == THUD_OK);
    CHECK(thud_rows_create(3 * rig.count, NULL, &wanted) == THUD_OK);
    for (int round = 0; round < 40; round++)
    {
        const motion *way = &motions[round / 4 % 5];
        near_rig_draw(&rig, &random, way->off, way->along * round, way->speed);
        for (int phase = THUD_LINEARISE; phase <= THUD_FIND_MISSING; phase++)
        {
            thud_world *fresh = near_rig_world(&rig, NULL);
            near_rig_ask(world, &rig, (thud_phase)phase, rows);
            near_rig_ask(fresh, &rig, (thud_phase)phase, wanted);
            near_rig_compare(rows, wanted, way->name, round);
            thud_world_destroy(fresh);
        }
    }
    printf("  seed %llu\n", (unsigned long long)seed);
    thud_rows_destroy(rows);
    thud_rows_destroy(wanted);
    thud_world_destroy(world);
    near_rig_drop(&rig);
}

static void threads(void)
{
    static const int counts[] = {2, 3, 4, 8};
    uint64_t seed = test_seed(603);
    test_random random = test_random_start(seed);
    for (int dim = 2; dim <= 3; dim++)
    {
        near_rig rig;
        near_rig_make(&rig, &random, dim, 9000, dim == 2 ? 1e3 : 1.5);
        thud_world *world = near_rig_world(&rig, NULL), *other = near_rig_world(&rig, NULL);
        thud_rows *rows = NULL, *wanted = NULL;
        CHECK(thud_rows_create(dim * rig.count, NULL, &rows) == THUD_OK);
        CHECK(thud_rows_create(dim * rig.count, NULL, &wanted) == THUD_OK);
        for (int round = 0; round < 10; round++)
        {
            const motion *way = &motions[round / 2];
            near_rig_draw(&rig, &random, way->off, way->along * round, way->speed);
            for (int phase = THUD_LINEARISE; phase <= THUD_FIND_MISSING; phase++)
                for (int t = 0; t < 4; t++)
                {
                    omp_set_num_threads(1);
                    near_rig_ask(world, &rig, (thud_phase)phase, wanted);
                    omp_set_num_threads(counts[(round + t) % 4]);
                    near_rig_ask(other, &rig, (thud_phase)phase, rows);
                    near_rig_compare(rows, wanted, way->name, round);
                }
        }
        thud_rows_destroy(rows);
        thud_rows_destroy(wanted);
        thud_world_destroy(world);
        thud_world_destroy(other);
        near_rig_drop(&rig);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

// Once all moments have been gone through, they need no more memory.
static void warm(void)
{
    near_rig rig;
    test_meter meter = {0};
    thud_allocator allocator = {test_meter_resize, &meter};
    long calls = 0;
    test_random start = test_random_start(604);
    near_rig_make(&rig, &start, 3, 5000, 2);
    thud_world *world = near_rig_world(&rig, &allocator);
    thud_rows *rows = NULL;
    CHECK(thud_rows_create(3 * rig.count, &allocator, &rows) == THUD_OK);
    for (int pass = 0; pass < 2; pass++)
    {
        test_random random = test_random_start(605);
        calls = meter.calls;
        for (int round = 0; round < 10; round++)
        {
            const motion *way = &motions[round / 2];
            near_rig_draw(&rig, &random, way->off, way->along * round, way->speed);
            near_rig_ask(world, &rig, THUD_LINEARISE, rows);
            near_rig_ask(world, &rig, THUD_FIND_MISSING, rows);
        }
    }
    CHECK(calls > 20 && meter.calls == calls);
    thud_rows_destroy(rows);
    thud_world_destroy(world);
    CHECK(meter.blocks == 0);
    near_rig_drop(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"equal-sizes", equal_sizes}, {"many-sizes", many_sizes}, {"drifting", drifting},
        {"old-list", old_list},       {"threads", threads},       {"warm", warm},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
