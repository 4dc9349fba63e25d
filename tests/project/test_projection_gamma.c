// thud_gamma against exact values, and against its definition on random rows.
#include "thud/project.h"

#include "row_push.h"
#include "thud_test.h"

#include <stdlib.h>

static double gamma_of(const thud_rows *rows, const double *mass, const bool *use, double *good)
{
    thud_projector *projector = NULL;
    double gamma = NAN;
    CHECK(thud_projector_create(NULL, &projector) == THUD_OK);
    CHECK(thud_gamma(rows, mass, use, projector, &gamma, good) == THUD_OK);
    thud_projector_destroy(projector);
    return gamma;
}

static double wedge(double half)
{
    static const int index[] = {0, 1};
    thud_rows *rows = rows_for(2);
    double good[2];
    push_row(rows, 2, index, (double[]){3 * cos(half), 3 * sin(half)});
    push_row(rows, 2, index, (double[]){-.5 * cos(half), .5 * sin(half)});
    double gamma = gamma_of(rows, NULL, NULL, good);
    CHECK_NEAR(good[0], 0, 1e-10 * gamma);
    CHECK_NEAR(good[1], 1, 1e-10 * gamma);
    thud_rows_destroy(rows);
    return gamma;
}

static void run_wedge(void)
{
    static const double degrees[] = {.001, .1, 1, 5, 20, 30, 45, 60, 89};
    for (size_t j = 0; j < sizeof degrees / sizeof *degrees; j++)
    {
        double half = degrees[j] * acos(-1) / 180, wanted = 1 / sin(half), found = wedge(half);
        printf("  half angle %g degrees: %.15g, wanted %.15g\n", degrees[j], found, wanted);
        // The cosine rounds by half an ulp, which a thin wedge turns into an angle.
        CHECK_NEAR(found, wanted, 1e-14 * wanted * wanted);
    }
    CHECK_NEAR(wedge(20 * acos(-1) / 180), 2.9238, 5e-5);
}

// Spheres in a line along x, with a floor under the first on demand.
static double line(int spheres, bool has_floor, double mass)
{
    thud_rows *rows = rows_for(3 * spheres);
    double *masses = calloc(3 * (size_t)spheres, sizeof *masses);
    if (!masses)
        abort();
    for (int k = 0; k < 3 * spheres; k++)
        masses[k] = mass;
    if (has_floor)
        push_row(rows, 1, (int[]){0}, (double[]){1});
    for (int i = 0; i + 1 < spheres; i++)
        push_row(rows, 2, (int[]){3 * i, 3 * i + 3}, (double[]){-1, 1});
    double gamma = gamma_of(rows, masses, NULL, NULL);
    free(masses);
    thud_rows_destroy(rows);
    return gamma;
}

static void run_chain(void)
{
    for (int m = 1; m <= 200; m = m < 10 ? m + 1 : 2 * m)
    {
        double wanted = sqrt((double)m * (m + 1) * (m + 2) / 6);
        double found = line(m + 1, false, m % 2 ? 1 : 7.3);
        printf("  chain of %d contacts: %.12g, wanted %.12g\n", m, found, wanted);
        CHECK_NEAR(found, wanted, 1e-11 * wanted);
    }
}

static void run_stack(void)
{
    double found = line(10, true, 1);
    printf("  stack of 10: %.10g, wanted 26.5947\n", found);
    CHECK_NEAR(found, 26.5947, 5e-5);
}

static void run_special(void)
{
    static const bool none[] = {false, false};
    thud_rows *rows = rows_for(3);
    double good[3] = {7, 7, 7};
    CHECK(gamma_of(rows, NULL, NULL, good) == 1);
    CHECK(good[0] == 0 && good[1] == 0 && good[2] == 0);
    push_row(rows, 1, (int[]){1}, (double[]){2});
    CHECK_NEAR(gamma_of(rows, NULL, NULL, good), 1, 1e-15);
    CHECK_NEAR(good[1], 1, 1e-15);
    push_row(rows, 1, (int[]){1}, (double[]){-3});
    CHECK(isinf(gamma_of(rows, NULL, NULL, good)));
    CHECK(good[0] == 0 && good[1] == 0 && good[2] == 0);
    CHECK(gamma_of(rows, NULL, none, NULL) == 1);
    CHECK_NEAR(gamma_of(rows, NULL, (bool[]){false, true}, good), 1, 1e-15);
    CHECK_NEAR(good[1], -1, 1e-15);
    thud_rows_destroy(rows);
}

// Three rows and minus a sum of them hold each other: a self-stress.
static void run_stress(void)
{
    thud_rows *rows = rows_for(3);
    test_random random = test_random_start(test_seed(5));
    double sum[3] = {0};
    for (int i = 0; i < 3; i++)
    {
        double slope[3];
        for (int k = 0; k < 3; k++)
        {
            slope[k] = test_random_normal(&random);
            sum[k] -= (i + 1) * slope[k];
        }
        push_row(rows, 3, (int[]){0, 1, 2}, slope);
    }
    CHECK(isfinite(gamma_of(rows, NULL, NULL, NULL)));
    push_row(rows, 3, (int[]){0, 1, 2}, sum);
    CHECK(isinf(gamma_of(rows, NULL, NULL, NULL)));
    thud_rows_destroy(rows);
}

/// Random rows that open along a common direction, with unit normals in the metric where M is 1.
typedef struct fan
{
    int dim, count;
    thud_rows *rows;
    double *mass, *normal;
} fan;

static double *normal_of(const fan *f, int i)
{
    return f->normal + (size_t)i * (size_t)f->dim;
}

static fan fan_create(test_random *random)
{
    fan f = {.dim = test_random_int(random, 1, 12), .count = test_random_int(random, 1, 25)};
    int index[12];
    f.rows = rows_for(f.dim);
    f.mass = calloc((size_t)f.dim * (size_t)(f.count + 1), sizeof *f.mass);
    if (!f.mass)
        abort();
    f.normal = f.mass + f.dim;
    for (int k = 0; k < f.dim; k++)
    {
        f.mass[k] = pow(10, test_random_uniform(random, -3, 3));
        index[k] = k;
    }
    for (int i = 0; i < f.count; i++)
    {
        double *n = normal_of(&f, i), slope[12], square = 0;
        double scale = pow(10, test_random_uniform(random, -9, 9));
        for (int k = 0; k < f.dim; k++)
        {
            n[k] = test_random_normal(random);
            n[k] = k == 0 ? fabs(n[k]) + .3 : n[k];
            square += n[k] * n[k];
        }
        for (int k = 0; k < f.dim; k++)
        {
            n[k] /= sqrt(square);
            slope[k] = scale * n[k] * sqrt(f.mass[k]);
        }
        push_row(f.rows, f.dim, index, slope);
    }
    return f;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static int least_row(const fan *f, const double *x)
{
    int least = 0;
    for (int i = 1; i < f->count; i++)
        if (dot(normal_of(f, i), x, f->dim) < dot(normal_of(f, least), x, f->dim))
            least = i;
    return least;
}

// The nearest point of the hull by conditional gradients: always in the hull, so its length is
// above 1 / gamma, and comes near it.
static double hull_length(const fan *f)
{
    double x[12];
    for (int k = 0; k < f->dim; k++)
        x[k] = f->normal[k];
    for (int pass = 0; pass < 20000; pass++)
    {
        const double *n = normal_of(f, least_row(f, x));
        double step = 0, square = 0;
        for (int k = 0; k < f->dim; k++)
        {
            step += x[k] * (x[k] - n[k]);
            square += (x[k] - n[k]) * (x[k] - n[k]);
        }
        if (!(step > 0) || !(square > 0))
            break;
        step = fmin(1, step / square);
        for (int k = 0; k < f->dim; k++)
            x[k] += step * (n[k] - x[k]);
    }
    return sqrt(dot(x, x, f->dim));
}

// All rows open along `good` by 1 / gamma, so the hull is at least that far from 0; and a point
// of the hull is not much farther.
static void check_fan(const fan *f)
{
    double good[12], length = hull_length(f);
    double gamma = gamma_of(f->rows, f->mass, NULL, good);
    for (int k = 0; k < f->dim; k++)
        good[k] *= sqrt(f->mass[k]);
    double opening = dot(normal_of(f, least_row(f, good)), good, f->dim);
    CHECK_NEAR(dot(good, good, f->dim), 1, 1e-12);
    CHECK_NEAR(opening * gamma, 1, 1e-10);
    CHECK_AT_MOST(1 / gamma, length * (1 + 1e-12));
    CHECK_AT_MOST(length, 1.02 / gamma);
}

static void run_random(void)
{
    uint64_t first = test_seed(1), count = first == 1 ? 300 : 1;
    printf("  seeds %llu to %llu\n", (unsigned long long)first,
           (unsigned long long)(first + count - 1));
    for (uint64_t seed = first; seed < first + count; seed++)
    {
        int before = test_failures();
        test_random random = test_random_start(seed);
        fan f = fan_create(&random);
        check_fan(&f);
        if (test_failures() > before)
            printf("  seed %llu: dim %d rows %d\n", (unsigned long long)seed, f.dim, f.count);
        thud_rows_destroy(f.rows);
        free(f.mass);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"wedge", run_wedge},   {"chain", run_chain},
                                      {"stack", run_stack},   {"special", run_special},
                                      {"stress", run_stress}, {"random", run_random}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
