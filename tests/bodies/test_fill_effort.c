// What a fill costs, counted: comparisons per try stay few, whatever the number of bodies and the
// mixture of sizes. No clock is looked at.
#include "fill_rig.h"
#include "thud_test.h"

#include <stdlib.h>

// Fill and return the effort; attempts are few, so that success says that tries were few too.
static thudi_fill_effort measure(const thudi_fill *fill, const thud_sphere *there, int there_count)
{
    thudi_fill_effort effort = {0};
    int placed = -1;
    thud_sphere *spheres = malloc((size_t)fill->count * sizeof *spheres);
    CHECK(spheres != NULL);
    if (!spheres)
        return effort;
    CHECK(thudi_fill_measure(fill, there, there_count, NULL, spheres, &placed, &effort) == THUD_OK);
    CHECK(placed == fill->count);
    double tries = (double)effort.tries;
    printf("  %d bodies: %.2f tries each, with %.1f cells and %.1f comparisons per try\n",
           fill->count, tries / fill->count, (double)effort.cells / tries,
           (double)effort.compared / tries);
    free(spheres);
    return effort;
}

static void check_effort(const thudi_fill_effort *effort, int count, double tries, double cells,
                         double compared)
{
    CHECK_AT_MOST((double)effort->tries, tries * count);
    CHECK_AT_MOST((double)effort->cells, cells * (double)effort->tries);
    CHECK_AT_MOST((double)effort->compared, compared * (double)effort->tries);
}

// Equal spheres at a packing fraction of 0.25.
static void quarter_full(void)
{
    const double pi = 3.14159265358979;
    for (int count = 1000; count <= 100000; count *= 10)
    {
        thudi_fill fill = {.dim = 3,
                           .region = {.low = {0, 0, 0}, .high = {1, 1, 1}},
                           .count = count,
                           .attempts = 1000,
                           .seed = 1};
        fill.radius = fill_rig_law(0, cbrt(0.25 / count * 3 / (4 * pi)));
        thudi_fill_effort effort = measure(&fill, NULL, 0);
        check_effort(&effort, count, 25, 27, 30);
    }
}

// Sizes from 1 to 1000, most of them small.
static void many_sizes(void)
{
    for (int count = 1000; count <= 100000; count *= 10)
    {
        thudi_fill fill = {
            .dim = 3,
            .region = {.low = {0, 0, 0}, .high = {1, 1, 1}},
            .count = count,
            .attempts = 1000,
            .seed = 2,
            .radius = {
                .kind = THUDI_DRAW_LOGNORMAL, .a = 1e-3, .b = 1.2, .min = 1e-4, .max = 1e-1}};
        thudi_fill_effort effort = measure(&fill, NULL, 0);
        check_effort(&effort, count, 4, 150, 60);
    }
}

// Large bodies among small ones that are there: cells of the small ones would be too many.
static void large_among_small(void)
{
    enum
    {
        SMALL = 50000
    };
    static thud_sphere there[SMALL];
    test_random random = test_random_start(test_seed(20261103));
    for (int i = 0; i < SMALL; i++)
    {
        for (int k = 0; k < 3; k++)
            there[i].center[k] = test_random_uniform(&random, 0, k == 2 ? 0.1 : 1);
        there[i].radius = 1e-4;
    }
    thudi_fill fill = {.dim = 3,
                       .region = {.low = {0, 0, 0}, .high = {1, 1, 1}},
                       .count = 500,
                       .attempts = 1000,
                       .seed = 3,
                       .radius = {.kind = THUDI_DRAW_UNIFORM, .a = 0.01, .b = 0.05}};
    thudi_fill_effort effort = measure(&fill, there, SMALL);
    check_effort(&effort, fill.count, 4, 200, SMALL / 50.0);
}

// Bodies beside the region are not looked at, however many.
static void beside_many(void)
{
    enum
    {
        MANY = 100000
    };
    static thud_sphere there[MANY];
    test_random random = test_random_start(test_seed(20261104));
    for (int i = 0; i < MANY; i++)
    {
        for (int k = 0; k < 3; k++)
            there[i].center[k] = test_random_uniform(&random, 0, 1) - (k == 0 ? 1.01 : 0);
        there[i].radius = 1e-3;
    }
    thudi_fill fill = {.dim = 3,
                       .region = {.low = {0, 0, 0}, .high = {1, 1, 1}},
                       .count = 1000,
                       .attempts = 1000,
                       .seed = 4,
                       .radius = {.kind = THUDI_DRAW_UNIFORM, .a = 0.001, .b = 0.002}};
    thudi_fill_effort effort = measure(&fill, there, MANY);
    check_effort(&effort, fill.count, 2, 60, 1);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"quarter-full", quarter_full},
        {"many-sizes", many_sizes},
        {"large-among-small", large_among_small},
        {"beside-many", beside_many},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
