// gamma of A6 against exact values.
#include "independence_rig.h"

static const double pi = 3.14159265358979323846;

static void push_wedge(thud_rows *rows, int first, double half)
{
    int index[] = {first, first + 1};
    push_row(rows, 2, index, (double[]){3 * cos(half), 3 * sin(half)});
    push_row(rows, 2, index, (double[]){-.5 * cos(half), .5 * sin(half)});
}

static void run_wedge(void)
{
    static const double degrees[] = {.01, 1, 5, 20, 30, 45, 60, 89};
    for (size_t j = 0; j < sizeof degrees / sizeof *degrees; j++)
    {
        double half = degrees[j] * pi / 180, wanted = 1 / sin(half), good[2], weight[2];
        thud_rows *rows = rows_for(2);
        thud_independence found;
        push_wedge(rows, 0, half);
        CHECK(thud_independence_measure(rows, NULL, &found, good, weight) == THUD_OK);
        printf("  half angle %g degrees: %.12g, wanted %.12g\n", degrees[j], found.gamma, wanted);
        CHECK_NEAR(found.gamma, wanted, 1e-8 * wanted);
        CHECK_NEAR(found.least, wanted, 1e-8 * wanted);
        CHECK_NEAR(good[0], 0, 1e-8 * wanted);
        CHECK_NEAR(good[1], 1, 1e-8);
        CHECK_NEAR(weight[0], .5, 1e-8);
        CHECK_NEAR(weight[1], .5, 1e-8);
        CHECK(found.rows == 2 && found.setting == 2 && found.clusters == 1);
        thud_rows_destroy(rows);
    }
    CHECK_NEAR(1 / sin(20 * pi / 180), 2.9238, 5e-5); // the corner of 40 degrees
}

// m + 1 spheres in a line along x, with a floor under the first on demand.
static void push_line(thud_rows *rows, int first, int contacts, bool has_floor)
{
    if (has_floor)
        push_row(rows, 1, (int[]){first}, (double[]){1});
    for (int i = 0; i < contacts; i++)
        push_row(rows, 2, (int[]){first + 3 * i, first + 3 * i + 3}, (double[]){-1, 1});
}

static double chain_gamma(int m)
{
    return sqrt((double)m * (m + 1) * (m + 2) / 6);
}

static void run_chain(void)
{
    for (int m = 1; m <= 128; m = m < 10 ? m + 1 : 2 * m)
    {
        thud_rows *rows = rows_for(3 * m + 3);
        push_line(rows, 0, m, false);
        thud_independence found = measure_rows(rows, &(thud_independence_def){.exact_limit = 1000});
        printf("  chain of %d contacts: %.12g, wanted %.12g\n", m, found.gamma, chain_gamma(m));
        CHECK_NEAR(found.gamma, chain_gamma(m), 1e-8 * chain_gamma(m));
        thud_rows_destroy(rows);
    }
}

// The floor asks for v_1 >= 1, every contact for v_i+1 >= v_i + sqrt 2.
static double stack_gamma(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (1 + i * sqrt(2)) * (1 + i * sqrt(2));
    return sqrt(sum);
}

static void run_stack(void)
{
    CHECK_NEAR(stack_gamma(10), 26.5947, 5e-5);
    for (int n = 1; n <= 40; n += 3)
    {
        thud_rows *rows = rows_for(3 * n);
        push_line(rows, 0, n - 1, true);
        thud_independence found = measure_rows(rows, NULL);
        CHECK_NEAR(found.gamma, stack_gamma(n), 1e-8 * stack_gamma(n));
        thud_rows_destroy(rows);
    }
}

// gamma^2 is the sum over clusters.
static void run_clusters(void)
{
    thud_rows *rows = rows_for(40);
    push_line(rows, 0, 4, false);
    push_wedge(rows, 15, .3);
    push_line(rows, 20, 5, true);
    thud_independence found = measure_rows(rows, NULL);
    double wanted = sqrt(chain_gamma(4) * chain_gamma(4) + 1 / (sin(.3) * sin(.3)) +
                         stack_gamma(6) * stack_gamma(6));
    CHECK_NEAR(found.gamma, wanted, 1e-8 * wanted);
    CHECK(found.clusters == 3 && found.rows == thud_rows_count(rows));
    thud_rows_destroy(rows);
}

// A long chain by iteration: the exact value lies between the bounds, which are close.
static void run_large(void)
{
    static const int lengths[] = {60, 150};
    for (int j = 0; j < 2; j++)
    {
        int m = lengths[j];
        thud_rows *rows = rows_for(3 * m + 3);
        push_line(rows, 0, m, false);
        thud_independence found = measure_rows(
            rows,
            &(thud_independence_def){.exact_limit = 1, .sweep_limit = 200000, .tolerance = 1e-6});
        printf("  %d contacts: %.9g to %.9g in %d sweeps\n", m, found.least, found.gamma,
               found.sweeps);
        CHECK(found.sweeps > 0);
        CHECK_AT_MOST(found.least, chain_gamma(m) * (1 + 1e-12));
        CHECK_AT_MOST(chain_gamma(m), found.gamma * (1 + 1e-12));
        CHECK_AT_MOST(found.gamma / found.least - 1, 1e-5);
        thud_rows_destroy(rows);
    }
}

static void run_special(void)
{
    thud_rows *rows = rows_for(3);
    double good[3] = {7, 7, 7}, weight[3] = {7, 7, 7};
    thud_independence found;
    CHECK(thud_independence_measure(rows, NULL, &found, good, weight) == THUD_OK);
    CHECK(found.gamma == 1 && found.least == 1 && found.rows == 0 && !found.is_stressed);
    CHECK(good[0] == 0 && good[1] == 0 && good[2] == 0);
    push_row(rows, 1, (int[]){1}, (double[]){2});
    push_row(rows, 0, NULL, NULL); // a zero gradient takes no part
    push_row(rows, 1, (int[]){1}, (double[]){-3});
    CHECK(thud_independence_measure(rows,
                                    &(thud_independence_def){.use = (bool[]){true, true, false}},
                                    &found, good, weight) == THUD_OK);
    CHECK_NEAR(found.gamma, 1, 1e-12);
    CHECK(found.rows == 1 && weight[0] == 1 && weight[1] == 0 && weight[2] == 0);
    CHECK_NEAR(good[1], 1, 1e-12);
    CHECK(thud_independence_measure(rows, NULL, &found, good, weight) == THUD_OK);
    CHECK(isinf(found.gamma) && found.least > 1e15 && found.is_stressed && found.setting == 2);
    CHECK(good[1] == 0);
    CHECK_NEAR(weight[0], .5, 1e-12);
    // masses: |n| is measured in the metric of M^-1, so a wedge of light x opens less
    thud_rows *wedge = rows_for(2);
    push_wedge(wedge, 0, pi / 4);
    found = measure_rows(wedge, &(thud_independence_def){.mass = (double[]){1, 9}});
    CHECK_NEAR(found.gamma, sqrt(10), 1e-8);
    CHECK(thud_independence_measure(wedge, &(thud_independence_def){.mass = (double[]){1, -1}},
                                    &found, NULL, NULL) == THUD_ERR_ARGUMENT);
    thud_rows_destroy(wedge);
    thud_rows_destroy(rows);
}

// A square lattice of disks that fits its box exactly: every line of it is a self-stress.
static void push_lattice(thud_rows *rows, int side)
{
    static const double x[] = {-1, 0, 1, 0}, y[] = {0, -1, 0, 1};
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
        {
            int at = 2 * (i * side + j);
            if (i + 1 < side)
                push_row(rows, 4, (int[]){at, at + 1, at + 2 * side, at + 2 * side + 1}, x);
            if (j + 1 < side)
                push_row(rows, 4, (int[]){at, at + 1, at + 2, at + 3}, y);
            if (i == 0 || i + 1 == side)
                push_row(rows, 1, (int[]){at}, (double[]){i == 0 ? 1 : -1});
        }
}

static void run_stress(void)
{
    static const int limits[] = {1000, 1};
    for (int j = 0; j < 2; j++)
    {
        thud_rows *rows = rows_for(2 * 64);
        push_lattice(rows, 8);
        thud_independence found = measure_rows(
            rows, &(thud_independence_def){.exact_limit = limits[j], .sweep_limit = 3000});
        printf("  limit %d: gamma %g, at least %g, %d sweeps\n", limits[j], found.gamma,
               found.least, found.sweeps);
        CHECK(isinf(found.gamma));
        CHECK(j > 0 || found.is_stressed);
        CHECK(found.least > 20);
        thud_rows_destroy(rows);
    }
}

static void run_memory(void)
{
    thud_rows *rows = rows_for(40);
    push_line(rows, 0, 4, false);
    push_wedge(rows, 15, .3);
    for (int limit = 1; limit <= 100; limit += 99)
    {
        thud_independence wanted, found;
        CHECK(thud_independence_measure(rows, &(thud_independence_def){.exact_limit = limit},
                                        &wanted, NULL, NULL) == THUD_OK);
        for (long at = 1;; at++)
        {
            test_meter meter = {.fail_at = at};
            thud_allocator allocator = {test_meter_resize, &meter};
            thud_status status = thud_independence_measure(
                rows, &(thud_independence_def){.exact_limit = limit, .allocator = &allocator},
                &found, NULL, NULL);
            CHECK(meter.blocks == 0);
            if (meter.calls < at)
            {
                CHECK(status == THUD_OK);
                break;
            }
            // a larger block for later rooms could be spared
            CHECK(status == THUD_ERR_MEMORY ||
                  (status == THUD_OK && found.gamma == wanted.gamma &&
                   found.least == wanted.least && found.sweeps == wanted.sweeps));
        }
    }
    thud_rows_destroy(rows);
}

/// Two rows that all but oppose each other: what is said to be proved holds, also where gamma is
/// too large to be told from a self-stress.
static void run_nearly_stressed(void)
{
    for (int k = 1; k <= 15; k++)
    {
        double slant = pow(10, -k), wanted = hypot(1, slant) / slant;
        thud_rows *rows = NULL;
        thud_independence found;
        REQUIRE(thud_rows_create(2, NULL, &rows) == THUD_OK);
        push_row(rows, 2, (int[]){0, 1}, (double[]){1, slant});
        push_row(rows, 2, (int[]){0, 1}, (double[]){-1, slant});
        CHECK(thud_independence_measure(rows, NULL, &found, NULL, NULL) == THUD_OK);
        CHECK(found.gamma >= wanted * (1 - 1e-8));
        CHECK_AT_MOST(found.least, wanted * (1 + 1e-6));
        CHECK(k > 7 || !found.is_stressed);
        CHECK(!found.is_stressed || found.least > 1e7);
        thud_rows_destroy(rows);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"nearly-stressed", run_nearly_stressed},
        {"wedge", run_wedge},
        {"chain", run_chain},
        {"stack", run_stack},
        {"clusters", run_clusters},
        {"large", run_large},
        {"special", run_special},
        {"stress", run_stress},
        {"memory", run_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
