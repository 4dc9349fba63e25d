// Near pairs in a periodic cell against trying all images of all pairs.
#include "near/cells_images.h"
#include "thud_test.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <thud/cell.h>

enum
{
    MOST = 400,
    ROUNDS = 60
};

typedef struct crowd
{
    thudi_periods periods;
    int dim, count;
    double q[3 * MOST], reach[MOST];
    int found, seen;
} crowd;

static const double *centre(const crowd *c, int i)
{
    return c->q + (size_t)c->dim * (size_t)i;
}

// Bodies anywhere, the first `away` periods around the origin.
static void scatter(crowd *c, test_random *random, double away, double least, double most)
{
    double box[3];
    for (int k = 0; k < 3; k++)
        box[k] = c->periods.length[k] > 0 ? c->periods.length[k] * away : 3;
    for (int i = 0; i < c->count; i++)
    {
        c->reach[i] = test_random_uniform(random, least, most);
        for (int k = 0; k < c->dim; k++)
            c->q[c->dim * i + k] = test_random_uniform(random, -box[k], box[k]);
    }
}

static bool lists(const thudi_cells *cells, int a, int partner)
{
    for (int p = cells->first.items[a]; p < cells->first.items[a + 1]; p++)
        if (cells->partner.items[p] == partner)
            return true;
    return false;
}

static int64_t middle(double x, double length)
{
    return length > 0 ? (int64_t)floor(x / length) : 0;
}

// All images of one pair that could be near, those three periods away and more cannot.
static void try_images(crowd *c, const thudi_cells *cells, int a, int b)
{
    const double *length = c->periods.length;
    double d[3] = {0}, x[2][3] = {{0}};
    for (int k = 0; k < c->dim; k++)
    {
        x[0][k] = centre(c, a)[k];
        x[1][k] = centre(c, b)[k];
        d[k] = x[1][k] - x[0][k];
    }
    int64_t my = middle(d[1], length[1]), mz = middle(d[2], length[2]);
    for (int64_t z = mz - 3; z <= mz + 3; z++)
        for (int64_t y = my - 3; y <= my + 3; y++)
        {
            double along = d[0] - (double)y * c->periods.shear;
            int64_t mx = middle(along, length[0]);
            for (int64_t m = mx - 3; m <= mx + 3; m++)
            {
                if ((length[0] == 0 && m != 0) || (length[1] == 0 && y != 0) ||
                    (length[2] == 0 && z != 0))
                    continue;
                double e[3] = {along - (double)m * length[0], d[1] - (double)y * length[1],
                               d[2] - (double)z * length[2]};
                double distance = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
                double reach = c->reach[a] + c->reach[b], slack = 1e-9 * reach;
                int code = (int)((m & 3) | (y & 3) << 2 | (z & 3) << 4);
                int partner = code << THUDI_IMAGE_AT | b;
                if (!(distance < reach + slack))
                    continue;
                c->seen++;
                double found[3], shift[3];
                thudi_image_of(&c->periods, x[0], x[1], partner, found, shift);
                CHECK(found[0] == (double)m && found[1] == (double)y && found[2] == (double)z);
                if (distance < reach - slack)
                    CHECK(lists(cells, a, partner));
            }
        }
}

static void judge(crowd *c, thudi_cells *cells, thud_rooms *rooms)
{
    REQUIRE(thudi_images_find(cells, rooms, &c->periods, c->dim, c->count, c->q, c->reach) ==
            THUD_OK);
    c->seen = 0;
    for (int a = 0; a < c->count; a++)
    {
        for (int p = cells->first.items[a]; p < cells->first.items[a + 1]; p++)
        {
            CHECK((cells->partner.items[p] & THUDI_IMAGE_BODY) > a);
            CHECK(p == cells->first.items[a] ||
                  cells->partner.items[p] > cells->partner.items[p - 1]);
        }
        for (int b = a + 1; b < c->count; b++)
            try_images(c, cells, a, b);
    }
    // more is listed only where rounding leaves it open
    CHECK(cells->pair_count <= c->seen);
    c->found += cells->pair_count;
}

// lengths from `shortest` on: 2.2 is just above what the reaches of 1 and less allow.
static void many(const char *name, double away, double shear, double shortest, int most)
{
    uint64_t seed = test_seed(26);
    test_random random = test_random_start(seed);
    thudi_cells cells = {.allocator = thudi_allocator_or_default(NULL)};
    thud_rooms rooms = {.allocator = cells.allocator};
    int found = 0;
    printf("%s: seed %llu\n", name, (unsigned long long)seed);
    for (int round = 0; round < ROUNDS; round++)
    {
        crowd *c = calloc(1, sizeof *c);
        REQUIRE(c);
        c->dim = 2 + round % 2;
        c->count = test_random_int(&random, 1, most);
        for (int k = 0; k < c->dim; k++)
            c->periods.length[k] = test_random_int(&random, 0, 3) > 0 || shear > 0
                                       ? shortest * test_random_uniform(&random, 1, 3)
                                       : 0;
        c->periods.shear = shear * test_random_uniform(&random, -1, 1);
        scatter(c, &random, away, 0.2, 1);
        judge(c, &cells, &rooms);
        found += c->found;
        free(c);
    }
    CHECK(found > 1000);
    printf("%d pairs\n", found);
    thudi_cells_free(&cells);
    thudi_rooms_free(&rooms);
}

static void plain(void)
{
    many("plain", 1.5, 0, 4, 200);
}

static void sheared(void)
{
    many("sheared", 1.5, 40, 4, 200);
}

static void small(void)
{
    many("small", 1.5, 3, 1.06, 12);
}

static void far_away(void)
{
    many("far away", 1e6, 1e3, 3, 60);
}

// The ids and the image of a key, from outside.
static void keys(void)
{
    const thud_cell none = {.period = {0}}, cell = {.period = {1, 2, 4}};
    int a, b, image[3];
    double shift[3];
    thud_cell_pair(&none, thud_key_pair(5, 0x7ffffff0, 0), &a, &b);
    CHECK(a == 5 && b == 0x7ffffff0 && !thud_cell_is_periodic(&none));
    thud_key key = thud_key_pair(5, 9, 3 | 1 << 2 | 2 << 4);
    thud_cell_pair(&cell, key, &a, &b);
    CHECK(a == 5 && b == 9 && thud_cell_is_periodic(&cell));
    thud_cell_image(&cell, 0.25, key, (double[3]){0.1, 0.1, 0.1}, (double[3]){-1.2, 2.6, 8.8},
                    image, shift);
    CHECK(image[0] == -1 && image[1] == 1 && image[2] == 2);
    CHECK(shift[0] == -0.75 && shift[1] == 2 && shift[2] == 8);
    thud_cell_image(&cell, 0, key, (double[3]){0}, (double[3]){1e11, 2.6, -1e11}, image, shift);
    CHECK(image[0] == INT_MAX && image[2] == -INT_MAX);
    thud_cell_image(&none, 0, key, (double[3]){0}, (double[3]){9, 9, 9}, image, shift);
    CHECK(image[0] == 0 && image[1] == 0 && image[2] == 0 && shift[0] == 0 && shift[2] == 0);
}

static void wrap(void)
{
    const thud_cell cell = {.period = {1, 2, 0}, .low = {-0.5, 0, 0}};
    double x[3] = {0.75, 5, 17}, y[3] = {0.25, 1, -3};
    thud_cell_wrap(&cell, 0.125, x);
    CHECK(x[0] == 0.75 - 2 * 0.125 - 1 && x[1] == 1 && x[2] == 17);
    thud_cell_wrap(&cell, 0.125, y);
    CHECK(y[0] == 0.25 && y[1] == 1 && y[2] == -3);
}

static void out_of_range(void)
{
    thudi_cells cells = {.allocator = thudi_allocator_or_default(NULL)};
    thud_rooms rooms = {.allocator = cells.allocator};
    thudi_periods periods = {.length = {4, 4, 0}};
    double q[4] = {1, 2, NAN, 1}, reach[2] = {1, 1};
    CHECK(thudi_images_find(&cells, &rooms, &periods, 2, 2, q, reach) == THUD_ERR_LIMIT);
    q[2] = INFINITY;
    CHECK(thudi_images_find(&cells, &rooms, &periods, 2, 2, q, reach) == THUD_ERR_LIMIT);
    q[2] = 1e30;
    CHECK(thudi_images_find(&cells, &rooms, &periods, 2, 2, q, reach) == THUD_ERR_LIMIT);
    q[2] = 9;
    CHECK(thudi_images_find(&cells, &rooms, &periods, 2, 2, q, reach) == THUD_OK);
    CHECK(cells.pair_count == 1 && cells.partner.items[0] == (2 << THUDI_IMAGE_AT | 1));
    // where rounding is not small against a period there would be ghosts without end
    q[3] = 1e14;
    periods.shear = 1e13;
    CHECK(thudi_images_find(&cells, &rooms, &periods, 2, 2, q, reach) == THUD_ERR_LIMIT);
    q[3] = 1;
    CHECK(thudi_images_find(&cells, &rooms, &periods, 2, 2, q, reach) == THUD_ERR_LIMIT);
    periods = (thudi_periods){.length = {1e20, 4, 0}};
    CHECK(thudi_images_find(&cells, &rooms, &periods, 2, 2, q, reach) == THUD_ERR_LIMIT);
    periods = (thudi_periods){.length = {4, 4, 0}};
    periods.shear = INFINITY;
    CHECK(thudi_images_find(&cells, &rooms, &periods, 2, 2, q, reach) == THUD_ERR_LIMIT);
    thudi_cells_free(&cells);
    thudi_rooms_free(&rooms);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"plain", plain},
                                      {"sheared", sheared},
                                      {"small", small},
                                      {"far-away", far_away},
                                      {"keys", keys},
                                      {"wrap", wrap},
                                      {"out-of-range", out_of_range}};
    return test_main(argc, argv, cases, 7);
}
