// The cells against the search over all pairs: any mixture of sizes, clustered, far away.
#include "near/cells.h"
#include "thud_test.h"

#include <omp.h>
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
static void compare(thudi_cells *cells, thud_rooms *rooms, int dim, int count, const double *q,
                    const double *reach)
{
    int at = 0, wrong = 0;
    REQUIRE(thudi_cells_find(cells, rooms, dim, count, q, reach) == THUD_OK);
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
    thud_rooms rooms = {.allocator = cells.allocator};
    long pairs = 0;
    for (int round = 0; round < 60; round++)
    {
        int dim = 2 + round % 2, count = test_random_int(&random, 0, MOST);
        double span = round % 5 == 0 ? 0 : test_random_uniform(&random, 0, 3);
        draw(&random, dim, count, span, cluster, away, q, reach);
        compare(&cells, &rooms, dim, count, q, reach);
        pairs += cells.pair_count;
    }
    printf("  seed %llu, %ld pairs\n", (unsigned long long)seed, pairs);
    CHECK(pairs > 1000);
    thudi_cells_free(&cells);
    thudi_rooms_free(&rooms);
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
    thud_rooms rooms = {.allocator = cells.allocator};
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
                compare(&cells, &rooms, dim, count, q, reach);
                CHECK((cells.pair_count > 0) == (nudge > 0));
                memset(q, 0, sizeof q);
                compare(&cells, &rooms, dim, count, q, reach);
                CHECK(cells.pair_count == count * (count - 1) / 2);
            }
    thudi_cells_free(&cells);
    thudi_rooms_free(&rooms);
}

// More bodies in one cell, and around it, than are tested at once.
static void crowded(void)
{
    static double q[3 * 1500], reach[1500];
    uint64_t seed = test_seed(32);
    test_random random = test_random_start(seed);
    thudi_cells cells = {.allocator = thudi_allocator_or_default(NULL)};
    thud_rooms rooms = {.allocator = cells.allocator};
    for (int round = 0; round < 6; round++)
    {
        int dim = 2 + round % 2, count = 900 + 100 * round;
        for (int i = 0; i < count; i++)
        {
            reach[i] = i == 0 ? 1 : i % 4 == 0 ? 0.45 : test_random_uniform(&random, 0.5, 0.51);
            if (i > 0)
                reach[i] *= 0.03; // one large body makes the cells wide
            for (int k = 0; k < dim; k++)
                q[dim * i + k] = test_random_uniform(&random, 0, round < 3 ? 0.2 : 1);
        }
        reach[1] = reach[0] * 0.6; // of the level of the largest
        compare(&cells, &rooms, dim, count, q, reach);
        for (int i = 0; i < count; i++)
            reach[i] = 0.05; // one level, a few cells
        compare(&cells, &rooms, dim, count, q, reach);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
    thudi_cells_free(&cells);
    thudi_rooms_free(&rooms);
}

// One body that reaches all the others, which do not reach each other.
static void giant(void)
{
    enum
    {
        COUNT = 20000
    };
    static double q[3 * COUNT], reach[COUNT];
    thudi_cells cells = {.allocator = thudi_allocator_or_default(NULL)};
    thud_rooms rooms = {.allocator = cells.allocator};
    for (int at = 0; at < COUNT; at += COUNT / 2 - 1)
    {
        for (int i = 0; i < COUNT; i++)
        {
            q[3 * i] = i == at ? 50 : i % 100;
            q[3 * i + 1] = i == at ? 50 : i / 100;
            q[3 * i + 2] = i == at ? -1e4 : 0;
            reach[i] = i == at ? 1.1e4 : 0.4;
        }
        CHECK(thudi_cells_find(&cells, &rooms, 3, COUNT, q, reach) == THUD_OK);
        CHECK(cells.pair_count == COUNT - 1);
        int wrong = 0;
        for (int i = 0; i < COUNT; i++)
            for (int p = cells.first.items[i]; p < cells.first.items[i + 1]; p++)
                wrong += i < at ? cells.partner.items[p] != at
                                : cells.partner.items[p] != i + 1 + p - cells.first.items[i];
        CHECK(wrong == 0 && cells.first.items[at + 1] - cells.first.items[at] == COUNT - 1 - at);
    }
    thudi_cells_free(&cells);
    thudi_rooms_free(&rooms);
}

// The same list for any number of threads.
static void one_list(void)
{
    enum
    {
        COUNT = 12000
    };
    static double q[3 * COUNT], reach[COUNT];
    uint64_t seed = test_seed(33);
    test_random random = test_random_start(seed);
    thudi_cells wanted = {.allocator = thudi_allocator_or_default(NULL)}, cells = wanted;
    thud_rooms rooms = {.allocator = cells.allocator};
    for (int round = 0; round < 6; round++)
    {
        draw(&random, 3, COUNT, round % 3, round < 3 ? 1 : 0.3, 0, q, reach);
        for (int i = 0; i < COUNT; i++)
            reach[i] *= 0.1;
        omp_set_num_threads(1);
        REQUIRE(thudi_cells_find(&wanted, &rooms, 3, COUNT, q, reach) == THUD_OK);
        for (int count = 2; count <= 8; count += count < 4 ? 1 : 4)
        {
            omp_set_num_threads(count);
            REQUIRE(thudi_cells_find(&cells, &rooms, 3, COUNT, q, reach) == THUD_OK);
            CHECK(cells.pair_count == wanted.pair_count);
            CHECK(memcmp(cells.first.items, wanted.first.items,
                         (COUNT + 1) * sizeof *cells.first.items) == 0);
            CHECK(memcmp(cells.partner.items, wanted.partner.items,
                         (size_t)wanted.pair_count * sizeof *cells.partner.items) == 0);
        }
    }
    printf("  seed %llu, %d pairs in the last\n", (unsigned long long)seed, wanted.pair_count);
    thudi_cells_free(&wanted);
    thudi_cells_free(&cells);
    thudi_rooms_free(&rooms);
}

static void out_of_range(void)
{
    thudi_cells cells = {.allocator = thudi_allocator_or_default(NULL)};
    thud_rooms rooms = {.allocator = cells.allocator};
    double q[6] = {0, 0, 0, 1e30, 0, 0}, reach[2] = {1, 1};
    CHECK(thudi_cells_find(&cells, &rooms, 3, 2, q, reach) == THUD_ERR_LIMIT);
    q[3] = NAN;
    CHECK(thudi_cells_find(&cells, &rooms, 3, 2, q, reach) == THUD_ERR_LIMIT);
    q[3] = 1;
    CHECK(thudi_cells_find(&cells, &rooms, 3, 2, q, reach) == THUD_OK && cells.pair_count == 1);
    CHECK(thudi_cells_find(&cells, &rooms, 3, 0, NULL, NULL) == THUD_OK && cells.pair_count == 0);
    thudi_cells_free(&cells);
    thudi_rooms_free(&rooms);
}

// The same bodies in other units, by powers of two: the same pairs, or a refusal; never fewer.
static void units(void)
{
    static double q[3 * MOST], reach[MOST], other_q[3 * MOST], other_reach[MOST];
    test_random random = test_random_start(20261116);
    thudi_cells cells = {.allocator = thudi_allocator_or_default(NULL)};
    thud_rooms rooms = {.allocator = cells.allocator};
    int refused = 0;
    draw(&random, 3, MOST, 1, 1, 0, q, reach);
    compare(&cells, &rooms, 3, MOST, q, reach);
    int pairs = cells.pair_count;
    for (int exponent = -1050; exponent <= 1000; exponent += 25)
    {
        for (int i = 0; i < 3 * MOST; i++)
            other_q[i] = ldexp(q[i], exponent);
        for (int i = 0; i < MOST; i++)
            other_reach[i] = ldexp(reach[i], exponent);
        thud_status status = thudi_cells_find(&cells, &rooms, 3, MOST, other_q, other_reach);
        refused += status == THUD_ERR_LIMIT;
        CHECK(status == THUD_OK ? cells.pair_count == pairs : status == THUD_ERR_LIMIT);
        CHECK(status == THUD_OK || exponent < -450 || exponent > 450);
    }
    printf("  %d pairs, refused in %d of 83 units\n", pairs, refused);
    CHECK(pairs > 100 && refused > 0);
    thudi_cells_free(&cells);
    thudi_rooms_free(&rooms);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"spread", spread},     {"clustered", clustered},
        {"far-away", far_away}, {"on-the-edges", on_the_edges},
        {"crowded", crowded},   {"giant", giant},
        {"one-list", one_list}, {"out-of-range", out_of_range},
        {"units", units},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
