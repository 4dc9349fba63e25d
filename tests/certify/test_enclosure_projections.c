// Random projections through the public interface: no bound that is claimed is false.
//
// Dimensions 1 to 18; dense rows, rows nearly parallel to others, slots thin or empty by 1e-9 to
// 1e-14, masses 1e-6 to 1e6, clusters of spheres of sizes up to 1 : 3000; three qualities and none.
#include "hunt.h"

#include <stdlib.h>

enum
{
    MOST_DIM = 18,
    MOST_ROWS = 40
};

// A problem being made up: rows in the plain shape.
typedef struct draft
{
    test_random random;
    hunt_quality quality;
    int dim, count;
    double h, length; // of gaps
    double mass[MOST_DIM], w[MOST_DIM], origin[MOST_DIM], force[MOST_DIM];
    double slope[MOST_ROWS][MOST_DIM], gap[MOST_ROWS], shift[MOST_ROWS];
} draft;

static double power(draft *d, double low, double high)
{
    return pow(10, test_random_uniform(&d->random, low, high));
}

static bool chance(draft *d, double part)
{
    return test_random_uniform(&d->random, 0, 1) < part;
}

static void add_row(draft *d, const double *slope, double gap, double shift)
{
    if (d->count == MOST_ROWS)
        return;
    for (int k = 0; k < d->dim; k++)
        d->slope[d->count][k] = slope[k];
    d->gap[d->count] = gap;
    d->shift[d->count++] = shift;
}

static void make_numbers(draft *d)
{
    bool masses = chance(d, 0.4);
    double fast = power(d, -3, 3);
    d->h = power(d, -5, 0);
    d->length = d->h * fast;
    for (int k = 0; k < d->dim; k++)
    {
        d->mass[k] = masses ? power(d, -6, 6) : 1;
        d->w[k] = fast * test_random_normal(&d->random);
        d->origin[k] = 0;
        d->force[k] = fast * d->mass[k] / d->h * test_random_normal(&d->random);
    }
}

// A row across that is to be kept open, or closed by w.
static void make_dense_row(draft *d)
{
    double slope[MOST_DIM] = {0}, sigma = hunt_tol(d->quality) * d->length;
    bool sparse = chance(d, 0.5);
    for (int k = 0; k < d->dim; k++)
        slope[k] = sparse && chance(d, 0.7) ? 0 : test_random_normal(&d->random);
    double gap = chance(d, 0.3) ? 0 : d->length * fabs(test_random_normal(&d->random));
    add_row(d, slope, gap + sigma * test_random_uniform(&d->random, 0, 3), sigma);
}

// A copy of a row at an angle of 1e-1 to 1e-14, or its opposite: a slot, thin or empty by little.
static void make_neighbour(draft *d)
{
    int from = test_random_int(&d->random, 0, d->count - 1);
    double slope[MOST_DIM] = {0}, angle = power(d, -14, -1), thin = power(d, -14, -9) * d->length;
    bool slot = chance(d, 0.3);
    for (int k = 0; k < d->dim; k++)
    {
        double turn = slot && chance(d, 0.5) ? 0 : angle * test_random_normal(&d->random);
        slope[k] = (slot ? -1 : 1) * d->slope[from][k] + turn;
    }
    if (slot)
        add_row(d, slope, -d->gap[from] + 2 * d->shift[from] + (chance(d, 0.8) ? thin : -thin),
                d->shift[from]);
    else
        add_row(d, slope, d->gap[from] + (chance(d, 0.5) ? 0 : thin), d->shift[from]);
}

static void make_dense(draft *d)
{
    d->dim = test_random_int(&d->random, 1, MOST_DIM);
    make_numbers(d);
    int rows = test_random_int(&d->random, 1, d->dim + 4);
    double parallel = chance(d, 0.5) ? 0 : test_random_uniform(&d->random, 0, 0.6);
    for (int i = 0; i < rows; i++)
        if (d->count > 0 && chance(d, parallel))
            make_neighbour(d);
        else
            make_dense_row(d);
}

// Touching spheres: each is put against one that is there.
static void make_spheres(draft *d)
{
    double radius[MOST_DIM], x[MOST_DIM] = {0}, away[3], slope[MOST_DIM] = {0};
    int width = test_random_int(&d->random, 2, 3);
    int count = test_random_int(&d->random, 2, MOST_DIM / width);
    bool sizes = chance(d, 0.5);
    d->dim = width * count;
    make_numbers(d);
    for (int i = 0; i < count; i++)
    {
        int to = i > 0 ? test_random_int(&d->random, 0, i - 1) : 0;
        double norm = 0;
        radius[i] = sizes ? power(d, -3.5, 0) : 1;
        for (int k = 0; k < width; k++)
        {
            away[k] = test_random_normal(&d->random);
            norm += away[k] * away[k];
            d->mass[width * i + k] = pow(radius[i], width);
        }
        for (int k = 0; k < width; k++)
            x[width * i + k] =
                i > 0 ? x[width * to + k] + away[k] / sqrt(norm) * (radius[i] + radius[to]) : 0;
    }
    for (int k = 0; k < d->dim; k++)
        d->origin[k] = x[k];
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
        {
            double square = 0, small = fmin(radius[a], radius[b]);
            double sigma = hunt_tol(d->quality) * small;
            for (int k = 0; k < d->dim; k++)
                slope[k] = 0;
            for (int k = 0; k < width; k++)
                square += pow(x[width * b + k] - x[width * a + k], 2);
            for (int k = 0; k < width; k++)
            {
                slope[width * b + k] = (x[width * b + k] - x[width * a + k]) / sqrt(square);
                slope[width * a + k] = -slope[width * b + k];
            }
            double gap = sqrt(square) - radius[a] - radius[b];
            if (gap > -1e-9 * small && gap < 3 * small)
                add_row(d, slope, gap + sigma, sigma);
        }
}

static thud_rows *rows_of(const draft *d)
{
    thud_rows *rows = NULL;
    int index[MOST_DIM];
    double slope[MOST_DIM] = {0};
    if (thud_rows_create(d->dim, NULL, &rows) != THUD_OK)
        abort();
    for (int i = 0; i < d->count; i++)
    {
        thud_row row = {.key = thud_key_number(i + 1),
                        .gap = d->gap[i],
                        .shift = d->shift[i],
                        .index = index,
                        .slope = slope};
        for (int k = 0; k < d->dim; k++)
            if (d->slope[i][k] != 0)
            {
                index[row.count] = k;
                slope[row.count++] = d->slope[i][k];
            }
        CHECK(thud_rows_push(rows, &row) == THUD_OK);
    }
    return rows;
}

static void hunt_one(uint64_t seed, hunt *h)
{
    static const thud_method methods[] = {THUD_METHOD_AUTO, THUD_METHOD_AUTO, THUD_METHOD_AGS};
    draft d = {.random = test_random_start(seed)};
    d.quality = (hunt_quality)test_random_int(&d.random, 0, HUNT_QUALITIES - 1);
    if (chance(&d, 0.7))
        make_dense(&d);
    else
        make_spheres(&d);
    thud_rows *rows = rows_of(&d);
    thud_projector_def def = {.sweep_limit = 20000};
    if (d.quality != HUNT_BARE)
        def.method = methods[test_random_int(&d.random, 0, 2)];
    thud_projector *projector = NULL;
    thud_answer answer;
    thud_projection projection = {.dim = d.dim,
                                  .h = d.h,
                                  .mass = d.mass,
                                  .w = d.w,
                                  .rows = rows,
                                  .origin = chance(&d, 0.5) ? d.origin : NULL,
                                  .force = d.force,
                                  .accuracy = hunt_tol_a(d.quality),
                                  .shift_scale = 1};
    CHECK(thud_projector_create(&def, &projector) == THUD_OK);
    if (thud_project(&projection, projector, &answer) >= 0)
        hunt_judge(h, d.quality, &projection, def.method != THUD_METHOD_AUTO, &answer, seed);
    else
        h->others++;
    thud_projector_destroy(projector);
    thud_rows_destroy(rows);
}

static void hunt_many(uint64_t first, int count)
{
    hunt h = {0};
    printf("  %d projections from seed %llu on\n", count, (unsigned long long)first);
    for (int i = 0; i < count && test_failures() < 20; i++)
        hunt_one(first + (uint64_t)i, &h);
    hunt_report(&h);
}

static void slice(void)
{
    hunt_many(test_seed(1000000), HUNT_SLICE);
}

static void campaign(void)
{
    hunt_many(test_seed(2000000), 40000);
}

// One seed alone: THUD_SEED=... test_enclosure_projections one
static void one(void)
{
    hunt_many(test_seed(1), 1);
}

int main(int argc, char **argv)
{
    const test_case cases[] = {{"slice", slice}, {"campaign", campaign}, {"one", one}};
    return test_main(argc, argv, cases, 3);
}
