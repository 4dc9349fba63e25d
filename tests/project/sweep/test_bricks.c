// Bricks and their classes: rows between near bodies are regular, two patches of one class share no
// body, and the place of a body does not depend on how often it went around a periodic cell.
#include "project/sweep/bricks.h"
#include "thud_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    BODIES = 1500
};

static const double LENGTH = 16.3; // of the box or cell

typedef struct cloud
{
    int width;
    thud_bricks bricks;
    double q[3 * BODIES];
    double base[3 * BODIES]; // the same in the cell
    thudi_brick_place place[BODIES];
} cloud;

static bool is_ring(const cloud *c, int k)
{
    return c->bricks.period[k] > 0;
}

// Bodies in a box, then moved by whole periods, as runs do.
static void scatter(cloud *c, test_random *random)
{
    for (int i = 0; i < BODIES; i++)
    {
        double *base = c->base + 3 * i, *q = c->q + 3 * i;
        for (int k = 0; k < 3; k++)
            base[k] = q[k] = k < c->width ? test_random_uniform(random, 0, LENGTH) : 0;
        for (int k = 0; k < c->width; k++)
            if (is_ring(c, k))
            {
                int m = test_random_int(random, -3, 3);
                q[k] += m * c->bricks.period[k];
                if (k == 1)
                    q[0] += m * c->bricks.shear;
            }
    }
}

// The square of the smallest distance of b and its images from a.
static double nearest(const cloud *c, int a, int b)
{
    double best = INFINITY;
    const double *x = c->base + 3 * a, *y = c->base + 3 * b;
    for (int m = 0; m < 27; m++)
    {
        int image[3] = {m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1};
        double d[3], sum = 0;
        bool exists = true;
        for (int k = 0; k < 3; k++)
            exists = exists && (image[k] == 0 || is_ring(c, k));
        if (!exists)
            continue;
        for (int k = 0; k < 3; k++)
            d[k] = y[k] + image[k] * c->bricks.period[k] - x[k];
        d[0] += image[1] * c->bricks.shear;
        d[0] -= is_ring(c, 0) ? LENGTH * round(d[0] / LENGTH) : 0; // a shear of many periods
        for (int k = 0; k < 3; k++)
            sum += d[k] * d[k];
        best = fmin(best, sum);
    }
    return best;
}

// patch_of[class][body]: the patch that body has in that class, once it is known.
static void check_cloud(cloud *c, double cutoff, test_random *random, int *rows, int *irregular)
{
    static uint64_t patch_of[THUDI_CLASSES][BODIES];
    static bool has_patch[THUDI_CLASSES][BODIES];
    thudi_grid grid = thudi_grid_of(&c->bricks, c->width);
    memset(has_patch, 0, sizeof has_patch);
    scatter(c, random);
    for (int i = 0; i < BODIES; i++)
    {
        double inside[3];
        c->place[i] = thudi_brick_place_of(&grid, c->q + 3 * i, inside);
        for (int k = 0; k < c->width; k++)
            CHECK(inside[k] >= 0 && inside[k] <= 1);
    }
    for (int a = 0; a < BODIES; a++)
        for (int b = a + 1; b < BODIES; b++)
        {
            if (nearest(c, a, b) > cutoff * cutoff)
                continue;
            uint64_t patch, other;
            int class = thudi_brick_class(&grid, &c->place[a], &c->place[b], &patch);
            CHECK(class == thudi_brick_class(&grid, &c->place[b], &c->place[a], &other));
            CHECK(patch == other);
            ++*rows;
            *irregular += class == THUDI_IRREGULAR;
            if (class == THUDI_INSIDE || class == THUDI_IRREGULAR)
                continue;
            int ends[2] = {a, b};
            for (int e = 0; e < 2; e++)
            {
                CHECK(!has_patch[class][ends[e]] || patch_of[class][ends[e]] == patch);
                has_patch[class][ends[e]] = true;
                patch_of[class][ends[e]] = patch;
            }
        }
}

// Cells of at least three bricks a period: with fewer, rows through the face cannot be told.
static void check_all(int width, bool is_periodic, const double *shears, int count)
{
    static const double cutoffs[] = {1.05, 1.5}, sides[] = {3.2, 4};
    test_random random = test_random_start(test_seed((uint64_t)(10 * width + is_periodic)));
    cloud *c = calloc(1, sizeof *c);
    int rows = 0, irregular = 0;
    REQUIRE(c);
    for (int n = 0; n < 4 * count; n++)
    {
        c->width = width;
        c->bricks = (thud_bricks){.side = sides[n % 2], .shear = shears[n / 4]};
        for (int k = 0; k < width && is_periodic; k++)
            c->bricks.period[k] = LENGTH;
        check_cloud(c, cutoffs[n / 2 % 2], &random, &rows, &irregular);
    }
    printf("  %d rows, %d irregular\n", rows, irregular);
    CHECK(rows > 1000);
    CHECK(irregular == 0);
    free(c);
}

static void open_box(void)
{
    check_all(3, false, (double[]){0}, 1);
}

static void disks(void)
{
    check_all(2, false, (double[]){0}, 1);
    check_all(2, true, (double[]){0, 5.1}, 2);
}

static void periodic(void)
{
    check_all(3, true, (double[]){0}, 1);
}

static void sheared(void)
{
    check_all(3, true, (double[]){0.37, 3.3, -4.9, 100.7}, 4);
}

// One or two bricks a period, sides below the rows: more rows are irregular, and none conflicts.
static void coarse(void)
{
    static const double sides[] = {7, 9, 20, 0.3};
    test_random random = test_random_start(test_seed(53));
    cloud *c = calloc(1, sizeof *c);
    REQUIRE(c);
    for (int n = 0; n < 12; n++)
    {
        int rows = 0, irregular = 0;
        c->width = 3;
        c->bricks = (thud_bricks){.side = sides[n % 4], .period = {LENGTH, LENGTH, LENGTH}};
        c->bricks.shear = n < 4 ? 0 : n;
        check_cloud(c, 1.5, &random, &rows, &irregular);
        CHECK(rows > 1000);
    }
    free(c);
}

// Bodies beyond 2^20 bricks, and numbers that are not finite, are in a brick as well.
static void far_away(void)
{
    static const double at[] = {1e30, -1e30, 1e300, -1e300, 0x1p1023, 5e-324, INFINITY, NAN};
    thud_bricks open = {.side = 1e-3}, ring = {.side = 1e-3, .period = {1, 1, 1}, .shear = 0.3};
    double inside[3];
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
        {
            double q[3] = {0.5, 0.25, 0.125};
            q[k] = at[i];
            for (int n = 0; n < 2; n++)
            {
                thudi_grid grid = thudi_grid_of(n ? &ring : &open, 3);
                thudi_brick_place place = thudi_brick_place_of(&grid, q, inside);
                int most = n ? grid.count[k] : 1 << 21;
                CHECK(place.brick[k] >= 0 && place.brick[k] < most);
                CHECK(place.vertex[k] >= 0 && place.vertex[k] < most);
                CHECK(place.face_brick >= 0 && place.face_vertex >= 0);
            }
        }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"open", open_box},     {"disks", disks},
                                      {"periodic", periodic}, {"sheared", sheared},
                                      {"coarse", coarse},     {"far-away", far_away}};
    return test_main(argc, argv, cases, 6);
}
