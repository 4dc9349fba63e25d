// Random fills: nothing overlaps, all is inside, and the cells change no bit of the result.
#include "fill_rig.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 400
};

static thud_sphere spheres[MOST], slow[MOST];

static bool same(const thud_sphere *a, const thud_sphere *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

// One fill: made, checked pair by pair, and compared with the slow one.
static void try_fill(const thudi_fill *fill, const thud_sphere *there, int there_count)
{
    int placed = -1;
    thud_status status = thudi_fill_make(fill, there, there_count, NULL, spheres, &placed);
    int wanted = fill_rig_slow(fill, there, there_count, slow);
    CHECK(status == (wanted == fill->count ? THUD_OK : THUD_ERR_LIMIT));
    CHECK(placed == wanted);
    if (status < 0)
        return;
    fill_rig_check(fill, there, there_count, spheres);
    CHECK(same(spheres, slow, fill->count));
}

static void as_without_cells(void)
{
    uint64_t seed = test_seed(20261101);
    test_random random = test_random_start(seed);
    for (int dim = 2; dim <= 3; dim++)
        for (int ball = 0; ball < 2; ball++)
            for (int law = 0; law < 5; law++)
                for (int trial = 0; trial < 8; trial++)
                {
                    int count = test_random_int(&random, 1, trial < 4 ? 30 : MOST);
                    thudi_fill fill =
                        fill_rig_make(dim, ball, law, count, test_random_bits(&random));
                    if (trial % 2)
                        fill.gap = fill.radius.a * test_random_uniform(&random, 0, 0.3);
                    try_fill(&fill, NULL, 0);
                }
    printf("  seed %llu\n", (unsigned long long)seed);
}

// Bodies that are there already: inside, across the border, far away, much larger, much smaller.
static void around_others(void)
{
    uint64_t seed = test_seed(20261102);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 60; trial++)
    {
        thud_sphere there[100] = {{.radius = 0}};
        thudi_fill fill = fill_rig_make(2 + trial % 2, trial % 4 > 1, trial % 5,
                                        test_random_int(&random, 1, 200), (uint64_t)trial);
        int count = test_random_int(&random, 1, 100);
        const double *middle = fill.region.is_ball ? fill.region.center : fill.region.low;
        for (int i = 0; i < count; i++)
        {
            double spread = i % 10 == 0 ? 100 : 3;
            for (int k = 0; k < 3; k++)
                there[i].center[k] = middle[k] + test_random_uniform(&random, -spread, spread);
            there[i].radius = 0.1 * pow(10, test_random_uniform(&random, -4, 0));
        }
        fill.radius = fill_rig_law(trial % 5, 0.04);
        fill.gap = trial % 3 == 0 ? 0.01 : 0;
        fill.attempts = 1000;
        try_fill(&fill, there, count);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

// One body as large as the whole scene, next to the region, leaves a corner free.
static void around_a_giant(void)
{
    thudi_fill fill = fill_rig_make(3, false, 1, 50, 5);
    thud_sphere giant = {.center = {1e6, 2.5, 1}, .radius = 1e6};
    fill.radius = fill_rig_law(1, 0.1);
    try_fill(&fill, &giant, 1);
    for (int i = 0; i < fill.count; i++)
        CHECK(spheres[i].center[0] < 0);
    giant.center[0] = 0;
    int placed = -1;
    CHECK(thudi_fill_make(&fill, &giant, 1, NULL, spheres, &placed) == THUD_ERR_LIMIT);
    CHECK(placed == 0);
}

// Boxes just as high as the bodies: all meet along one axis, where cells have their borders.
static void in_a_row(void)
{
    for (int trial = 0; trial < 60; trial++)
    {
        thudi_fill fill = fill_rig_make(2 + trial % 2, false, 0, 150, (uint64_t)trial);
        int along = trial % fill.dim;
        double radius = 0.25 + trial / 256.0;
        fill.radius = fill_rig_law(0, radius);
        for (int k = 0; k < 3; k++)
        {
            fill.region.low[k] = 8;
            fill.region.high[k] = 8 + (k == along ? 500 : 2) * radius;
        }
        try_fill(&fill, NULL, 0);
    }
}

// A body with one possible place, touching another as nearly as numbers allow: it is taken just
// when the world finds no overlap, in whichever order it has the two.
static void touching(void)
{
    uint64_t seed = test_seed(20261105);
    test_random random = test_random_start(seed);
    int taken = 0, disputed = 0;
    for (int trial = 0; trial < 20000; trial++)
    {
        // all bits in use: a product, and none far from the other
        double r = test_random_uniform(&random, 0.1, 1);
        double other = r * test_random_uniform(&random, 0.1, trial % 4 < 2 ? 1 : 9);
        double d = r + other;
        int axis = trial % 3, side = trial % 2 ? 1 : -1, placed;
        thud_sphere there = {.radius = other};
        thudi_fill fill = {.dim = 3,
                           .region = {.low = {-r, -r, -r}, .high = {r, r, r}},
                           .count = 1,
                           .attempts = 1,
                           .radius = fill_rig_law(0, r)};
        for (int step = test_random_int(&random, -2, 2); step != 0; step -= step > 0 ? 1 : -1)
            d = nextafter(d, step > 0 ? 100 : 0);
        there.center[axis] = side * d;
        bool is_free = d - r - other >= 0 && d - other - r >= 0;
        disputed += is_free != (d - r - other >= 0 || d - other - r >= 0);
        thud_status status = thudi_fill_make(&fill, &there, 1, NULL, spheres, &placed);
        CHECK(status == (is_free ? THUD_OK : THUD_ERR_LIMIT) && placed == is_free);
        taken += is_free;
    }
    CHECK(taken > 1000 && taken < 19000 && disputed > 100);
    printf("  seed %llu: %d taken, %d refused in one order alone\n", (unsigned long long)seed,
           taken, disputed);
}

// The numbers may be large or small, and far from the origin: nothing is absolute.
static void scales(void)
{
    for (int dim = 2; dim <= 3; dim++)
        for (int power = -120; power <= 120; power += 60)
        {
            double unit = ldexp(1, power);
            thudi_fill fill = fill_rig_make(dim, false, 1, 100, 9);
            int placed;
            CHECK(thudi_fill_make(&fill, NULL, 0, NULL, slow, &placed) == THUD_OK);
            for (int k = 0; k < 3; k++)
            {
                fill.region.low[k] *= unit;
                fill.region.high[k] *= unit;
            }
            fill.radius.a *= unit;
            fill.radius.b *= unit;
            CHECK(thudi_fill_make(&fill, NULL, 0, NULL, spheres, &placed) == THUD_OK);
            for (int i = 0; i < fill.count; i++)
                for (int k = 0; k < dim; k++)
                    CHECK(spheres[i].center[k] == slow[i].center[k] * unit);
        }
    thudi_fill far = fill_rig_make(3, false, 1, 100, 9);
    for (int k = 0; k < 3; k++)
    {
        far.region.low[k] += 1e9;
        far.region.high[k] += 1e9;
    }
    try_fill(&far, NULL, 0);
}

static void seeds(void)
{
    static const uint64_t pinned[2][2][5] = {
        {{0x6e347bfe36d43cu, 0xd8e5024295028f01u, 0x6f3dc5790b9c21d9u, 0x57555eda729dcd0bu,
          0x7c12976c76e607cdu},
         {0x15348d62bdeaab36u, 0x1d9af8aa6b8c6bdu, 0x665fe3af2185cb91u, 0x6f27bab277d6127au,
          0xbc5589256b6762e9u}},
        {{0xf5a74ebc83f92b23u, 0xfe688290ba77173du, 0xaab2e460267a96dau, 0x1bc7732123224cccu,
          0xe2d2dd77c873e65eu},
         {0x61ac10cf1d650c6du, 0x66b0ad19f303dc8fu, 0xfdd726a441318962u, 0xdae5ac7b8059cbaeu,
          0x489939b9c24878ceu}}};
    for (int dim = 2; dim <= 3; dim++)
        for (int ball = 0; ball < 2; ball++)
            for (int law = 0; law < 5; law++)
            {
                thudi_fill fill = fill_rig_make(dim, ball, law, 100, 42);
                int placed;
                CHECK(thudi_fill_make(&fill, NULL, 0, NULL, spheres, &placed) == THUD_OK);
                CHECK(thudi_fill_make(&fill, NULL, 0, NULL, slow, &placed) == THUD_OK);
                CHECK(same(spheres, slow, fill.count));
                uint64_t hash = fill_rig_hash(spheres, fill.count);
                if (hash != pinned[dim - 2][ball][law])
                    test_fail(__FILE__, __LINE__, "dim %d, ball %d, law %d: hash 0x%llx", dim, ball,
                              law, (unsigned long long)hash);
                fill.seed = 43;
                CHECK(thudi_fill_make(&fill, NULL, 0, NULL, slow, &placed) == THUD_OK);
                for (int i = 0; i < fill.count; i++)
                    CHECK(spheres[i].center[0] != slow[i].center[0]);
            }
}

// The count that has a place is told; a body that cannot fit is not tried.
static void no_room(void)
{
    thudi_fill fill = fill_rig_make(2, false, 0, 100, 1);
    thudi_fill_effort effort;
    int placed = -1;
    fill.radius = fill_rig_law(0, 0.2);
    CHECK(thudi_fill_measure(&fill, NULL, 0, NULL, spheres, &placed, &effort) == THUD_ERR_LIMIT);
    CHECK(placed > 5 && placed < 28); // 28 would fill all of it
    CHECK(placed == fill_rig_slow(&fill, NULL, 0, slow));
    CHECK(effort.tries >= placed + fill.attempts);
    for (int ball = 0; ball < 2; ball++)
    {
        fill.region.is_ball = ball;
        fill.radius = fill_rig_law(0, 1.31);
        CHECK(thudi_fill_measure(&fill, NULL, 0, NULL, spheres, &placed, &effort) ==
              THUD_ERR_LIMIT);
        CHECK(placed == 0 && effort.tries == 0);
        fill.radius = fill_rig_law(0, 0.5);
        fill.gap = 0.9;
        CHECK(thudi_fill_measure(&fill, NULL, 0, NULL, spheres, &placed, &effort) ==
              THUD_ERR_LIMIT);
        CHECK(placed == 0 && effort.tries == 0);
        fill.gap = 0;
    }
    fill.radius = (thudi_distribution){.kind = THUDI_DRAW_NORMAL, .a = 1, .min = 2, .max = 3};
    CHECK(thudi_fill_make(&fill, NULL, 0, NULL, spheres, &placed) == THUD_ERR_LIMIT);
    CHECK(placed == 0);
}

static void exact_fit(void)
{
    thudi_fill fill = {.dim = 3,
                       .region = {.low = {0, 0, 0}, .high = {1, 3, 0.5}},
                       .count = 1,
                       .attempts = 1,
                       .radius = {.kind = THUDI_DRAW_FIXED, .a = 0.25}};
    int placed;
    CHECK(thudi_fill_make(&fill, NULL, 0, NULL, spheres, &placed) == THUD_OK && placed == 1);
    CHECK(spheres[0].center[2] == 0.25);
    fill.region = (thudi_region){.is_ball = true, .center = {1, 2, 3}, .radius = 0.5};
    fill.gap = 0.25;
    CHECK(thudi_fill_make(&fill, NULL, 0, NULL, spheres, &placed) == THUD_OK && placed == 1);
    CHECK(spheres[0].center[0] == 1 && spheres[0].center[1] == 2 && spheres[0].center[2] == 3);
}

// Regions that are empty, endless, or no numbers: an error, not a hang or a crash.
static void bad_regions(void)
{
    static const double bad[][2] = {{0, 0},          {1, 0},   {0, INFINITY}, {-INFINITY, INFINITY},
                                    {-1e308, 1e308}, {NAN, 1}, {0, NAN},      {0, 1e-320}};
    thud_sphere odd[2] = {{.center = {NAN, 0, 0}, .radius = 1}, {.radius = INFINITY}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (int ball = 0; ball < 2; ball++)
        {
            thudi_fill fill = fill_rig_make(3, ball, 0, 10, 1);
            int placed = -1;
            fill.attempts = 10;
            fill.region.low[1] = bad[i][0];
            fill.region.high[1] = bad[i][1];
            fill.region.radius = bad[i][1] - bad[i][0];
            fill.region.center[2] = -bad[i][0];
            thud_status status = thudi_fill_make(&fill, NULL, 0, NULL, spheres, &placed);
            CHECK(status == THUD_ERR_LIMIT && placed == 0);
        }
    thudi_fill fill = fill_rig_make(3, false, 0, 10, 1);
    int placed = -1;
    fill.attempts = 10;
    CHECK(thudi_fill_make(&fill, odd, 1, NULL, spheres, &placed) == THUD_OK && placed == 10);
    CHECK(thudi_fill_make(&fill, odd, 2, NULL, spheres, &placed) == THUD_ERR_LIMIT && placed == 0);
}

static void allocations(void)
{
    thudi_fill fill = fill_rig_make(3, true, 3, 60, 3);
    int placed, failures = 0;
    for (long k = 1;; k++)
    {
        test_meter meter = {.fail_at = k};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_status status = thudi_fill_make(&fill, NULL, 0, &allocator, spheres, &placed);
        CHECK(meter.blocks == 0);
        if (meter.calls < k)
        {
            CHECK(status == THUD_OK);
            break;
        }
        CHECK(status == THUD_ERR_MEMORY);
        failures++;
    }
    CHECK(failures == 3);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"as-without-cells", as_without_cells},
        {"around-others", around_others},
        {"around-a-giant", around_a_giant},
        {"in-a-row", in_a_row},
        {"touching", touching},
        {"scales", scales},
        {"seeds", seeds},
        {"no-room", no_room},
        {"exact-fit", exact_fit},
        {"bad-regions", bad_regions},
        {"allocations", allocations},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
