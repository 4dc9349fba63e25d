// The cells against the search over all pairs: any mixture of sizes, clustered, far away.
#include "spheres/cells.h"
#include "thud_test.h"

#include <string.h>

enum
{
    MOST = 400
};

static bool is_near(int dim, const double *q, const double *reach, int a, int b)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += (q[dim * b + k] - q[dim * a + k]) * (q[dim * b + k] - q[dim * a + k]);
    double both = reach[a] + reach[b];
    return sum < both * both;
}

// The same pairs, each once, in order.
static void compare(thudi_cells *cells, int dim, int count, const double *q, const double *reach)
{
    int at = 0, wrong = 0;
    REQUIRE(thudi_cells_find(cells, dim, count, q, reach) == THUD_OK);
    CHECK(cells->first.items[0] == 0 && cells->first.items[count] == cells->pair_count);
    for (int a = 0; a < count; a++)
    {
        wrong += at != cells->first.items[a];
        for (int b = a + 1; b < count; b++)
        {
            bool found = at < cells->first.items[a + 1] && cells->partner.items[at] == b;
            at += found;
            wrong += found != is_near(dim, q, reach, a, b);
        }
    }
    CHECK(wrong == 0);
    CHECK(at == cells->pair_count);
}

// Sizes over 10^-span .. 10^span, positions over the box, pulled to the first body by `cluster`.
static void draw(test_random *random, int dim, int count, double span, double cluster, double away,
                 double *q, double *reach)
{
    for (int i = 0; i < count; i++)
    {
        reach[i] = pow(10, test_random_uniform(random, -span, span));
        double box = 3 * pow(10, span) * (i % 3 == 0 ? cluster : 1);
        for (int k = 0; k < dim; k++)
            q[dim * i + k] = away + test_random_uniform(random, -box, box);
    }
}

static void sizes(double cluster, double away)
{
    static double q[3 * MOST], reach[MOST];
    uint64_t seed = test_seed(31);
    test_random random = test_random_start(seed);
    thudi_cells cells = {.allocator = thudi_allocator_or_default(NULL)};
    long pairs = 0;
    for (int round = 0; round < 60; round++)
    {
        int dim = 2 + round % 2, count = test_random_int(&random, 0, MOST);
        double span = round % 5 == 0 ? 0 : test_random_uniform(&random, 0, 3);
        draw(&random, dim, count, span, cluster, away, q, reach);
        compare(&cells, dim, count, q, reach);
        pairs += cells.pair_count;
    }
    printf("  seed %llu, %ld pairs\n", (unsigned long long)seed, pairs);
    CHECK(pairs > 1000);
    thudi_cells_free(&cells);
}

static void spread(void)
{
    sizes(1, 0);
}

static void clustered(void)
{
    sizes(1e-3, 0);
}

static void far_away(void)
{
    sizes(1, 1e9);
    sizes(1e-3, -1e12);
}

// Bodies that touch across cell faces, sizes that are powers of two, centres that coincide.
static void on_the_edges(void)
{
    static double q[3 * 125], reach[125];
    thudi_cells cells = {.allocator = thudi_allocator_or_default(NULL)};
    for (int dim = 2; dim <= 3; dim++)
        for (int e = -60; e <= 60; e += 15)
            for (int nudge = -1; nudge <= 1; nudge++)
            {
                double side = ldexp(1, e);
                int count = dim == 3 ? 125 : 25;
                for (int i = 0; i < count; i++)
                {
                    int place[3] = {i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2};
                    reach[i] = side / 2 * (1 + nudge * 0x1p-40);
                    for (int k = 0; k < dim; k++)
                        q[dim * i + k] = side * place[k];
                }
                compare(&cells, dim, count, q, reach);
                CHECK((cells.pair_count > 0) == (nudge > 0));
                memset(q, 0, sizeof q);
                compare(&cells, dim, count, q, reach);
                CHECK(cells.pair_count == count * (count - 1) / 2);
            }
    thudi_cells_free(&cells);
}

static void out_of_range(void)
{
    thudi_cells cells = {.allocator = thudi_allocator_or_default(NULL)};
    double q[6] = {0, 0, 0, 1e30, 0, 0}, reach[2] = {1, 1};
    CHECK(thudi_cells_find(&cells, 3, 2, q, reach) == THUD_ERR_LIMIT);
    q[3] = NAN;
    CHECK(thudi_cells_find(&cells, 3, 2, q, reach) == THUD_ERR_LIMIT);
    q[3] = 1;
    CHECK(thudi_cells_find(&cells, 3, 2, q, reach) == THUD_OK && cells.pair_count == 1);
    CHECK(thudi_cells_find(&cells, 3, 0, NULL, NULL) == THUD_OK && cells.pair_count == 0);
    thudi_cells_free(&cells);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"spread", spread},
        {"clustered", clustered},
        {"far-away", far_away},
        {"on-the-edges", on_the_edges},
        {"out-of-range", out_of_range},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
