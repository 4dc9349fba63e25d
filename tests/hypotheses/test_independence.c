// gamma of A6 against exact values, and against bounds that hold for every pack of spheres.
#include "thud/hypotheses.h"

#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

static void push(thud_rows *rows, int count, const int *index, const double *slope)
{
    thud_row row = {.key = (uint64_t)thud_rows_count(rows) + 1,
                    .gap = 1,
                    .count = count,
                    .index = index,
                    .slope = slope};
    if (thud_rows_push(rows, &row) != THUD_OK)
        abort();
}

static thud_rows *rows_for(int dim)
{
    thud_rows *rows = NULL;
    if (thud_rows_create(dim, NULL, &rows) != THUD_OK)
        abort();
    return rows;
}

static thud_independence measure(const thud_rows *rows, const thud_independence_def *def)
{
    thud_independence found = {.gamma = NAN};
    CHECK(thud_independence_measure(rows, def, &found, NULL, NULL) == THUD_OK);
    CHECK_AT_MOST(found.least, found.gamma);
    return found;
}

static const double pi = 3.14159265358979323846;

static void push_wedge(thud_rows *rows, int first, double half)
{
    int index[] = {first, first + 1};
    push(rows, 2, index, (double[]){3 * cos(half), 3 * sin(half)});
    push(rows, 2, index, (double[]){-.5 * cos(half), .5 * sin(half)});
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
        push(rows, 1, (int[]){first}, (double[]){1});
    for (int i = 0; i < contacts; i++)
        push(rows, 2, (int[]){first + 3 * i, first + 3 * i + 3}, (double[]){-1, 1});
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
        thud_independence found = measure(rows, &(thud_independence_def){.exact_limit = 1000});
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
        thud_independence found = measure(rows, NULL);
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
    thud_independence found = measure(rows, NULL);
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
        thud_independence found = measure(
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

/// Spheres of random radii, each touching an earlier one and overlapping none.
typedef struct pack
{
    int dim, count;
    double q[3 * 60], r[60];
    int cluster[60];
} pack;

static double distance(const pack *p, int a, int b)
{
    double sum = 0;
    for (int k = 0; k < p->dim; k++)
        sum += (p->q[p->dim * b + k] - p->q[p->dim * a + k]) *
               (p->q[p->dim * b + k] - p->q[p->dim * a + k]);
    return sqrt(sum);
}

static bool is_free(const pack *p, int i)
{
    for (int j = 0; j < i; j++)
        if (distance(p, i, j) < p->r[i] + p->r[j] - 1e-12)
            return false;
    return true;
}

static void place(pack *p, int i, test_random *random)
{
    do
    {
        int near = i > 0 ? test_random_int(random, 0, i - 1) : 0;
        bool apart = i == 0 || test_random_int(random, 0, 9) == 0; // begins a cluster
        double way[3], square = 0;
        for (int k = 0; k < p->dim; k++)
        {
            way[k] = test_random_normal(random);
            square += way[k] * way[k];
        }
        double length = (p->r[i] + p->r[near]) * (apart ? 30 : 1) / sqrt(square);
        for (int k = 0; k < p->dim; k++)
            p->q[p->dim * i + k] = p->q[p->dim * near + k] + (i > 0 ? length * way[k] : 0);
    } while (!is_free(p, i));
}

static void join(pack *p, int a, int b)
{
    int from = p->cluster[b], to = p->cluster[a];
    for (int i = 0; i < p->count; i++)
        if (p->cluster[i] == from)
            p->cluster[i] = to;
}

static thud_rows *make_pack(pack *p, test_random *random, double reach)
{
    p->dim = test_random_int(random, 2, 3);
    p->count = test_random_int(random, 2, 60);
    thud_rows *rows = rows_for(p->dim * p->count);
    for (int i = 0; i < p->count; i++)
    {
        p->cluster[i] = i;
        p->r[i] = test_random_uniform(random, .5, 1.5);
        place(p, i, random);
    }
    for (int a = 0; a < p->count; a++)
        for (int b = a + 1; b < p->count; b++)
        {
            double d = distance(p, a, b), gap = d - p->r[a] - p->r[b];
            thud_pair_row row = {
                .key = (uint64_t)(a * p->count + b), .gap = gap, .a = p->dim * a, .b = p->dim * b};
            for (int k = 0; k < p->dim; k++)
                row.normal[k] = (p->q[p->dim * b + k] - p->q[p->dim * a + k]) / d;
            if (gap > reach)
                continue;
            join(p, a, b);
            CHECK(thud_rows_push_pairs(rows, p->dim, &row, 1) == THUD_OK);
        }
    return rows;
}

// sqrt(sum over clusters |q - mean|^2) / (sqrt 2 r_min): the velocities q - mean open every pair.
static double pack_bound(const pack *p)
{
    double sum = 0, smallest = INFINITY;
    for (int c = 0; c < p->count; c++)
        for (int k = 0; k < p->dim; k++)
        {
            double mean = 0;
            int members = 0;
            for (int i = 0; i < p->count; i++)
                if (p->cluster[i] == c)
                {
                    mean += p->q[p->dim * i + k];
                    members++;
                }
            for (int i = 0; i < p->count; i++)
                if (p->cluster[i] == c)
                {
                    double off = p->q[p->dim * i + k] - mean / members;
                    sum += off * off;
                }
        }
    for (int i = 0; i < p->count; i++)
        smallest = p->r[i] < smallest ? p->r[i] : smallest;
    return sqrt(sum) / (sqrt(2) * smallest);
}

static void run_packs(void)
{
    uint64_t first = test_seed(1), count = first == 1 ? 150 : 1;
    double nearest = 0;
    printf("  seeds %llu to %llu\n", (unsigned long long)first,
           (unsigned long long)(first + count - 1));
    for (uint64_t seed = first; seed < first + count; seed++)
    {
        static pack p;
        int before = test_failures();
        test_random random = test_random_start(seed);
        double reach = seed % 3 == 0 ? 1e-9 : test_random_uniform(&random, 0, .3);
        thud_rows *rows = make_pack(&p, &random, reach);
        thud_independence exact = measure(rows, &(thud_independence_def){.exact_limit = 1000});
        thud_independence swept = measure(rows, &(thud_independence_def){.exact_limit = 1});
        double bound = pack_bound(&p);
        if (exact.rows > 0)
        {
            CHECK_AT_MOST(exact.gamma, bound * (1 + 1e-9));
            nearest = exact.gamma / bound > nearest ? exact.gamma / bound : nearest;
        }
        CHECK_AT_MOST(swept.least, exact.gamma * (1 + 1e-9));
        CHECK_AT_MOST(exact.gamma, swept.gamma * (1 + 1e-9));
        if (test_failures() > before)
            printf("  seed %llu: dim %d, %d spheres, %d rows, gamma %g, bound %g\n",
                   (unsigned long long)seed, p.dim, p.count, exact.rows, exact.gamma, bound);
        thud_rows_destroy(rows);
    }
    printf("  gamma is at most %.3f of its bound\n", nearest);
    CHECK(first != 1 || nearest > .5);
}

static void run_special(void)
{
    thud_rows *rows = rows_for(3);
    double good[3] = {7, 7, 7}, weight[3] = {7, 7, 7};
    thud_independence found;
    CHECK(thud_independence_measure(rows, NULL, &found, good, weight) == THUD_OK);
    CHECK(found.gamma == 1 && found.least == 1 && found.rows == 0 && !found.is_stressed);
    CHECK(good[0] == 0 && good[1] == 0 && good[2] == 0);
    push(rows, 1, (int[]){1}, (double[]){2});
    push(rows, 0, NULL, NULL); // a zero gradient takes no part
    push(rows, 1, (int[]){1}, (double[]){-3});
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
    found = measure(wedge, &(thud_independence_def){.mass = (double[]){1, 9}});
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
                push(rows, 4, (int[]){at, at + 1, at + 2 * side, at + 2 * side + 1}, x);
            if (j + 1 < side)
                push(rows, 4, (int[]){at, at + 1, at + 2, at + 3}, y);
            if (i == 0 || i + 1 == side)
                push(rows, 1, (int[]){at}, (double[]){i == 0 ? 1 : -1});
        }
}

static void run_stress(void)
{
    static const int limits[] = {1000, 1};
    for (int j = 0; j < 2; j++)
    {
        thud_rows *rows = rows_for(2 * 64);
        push_lattice(rows, 8);
        thud_independence found =
            measure(rows, &(thud_independence_def){.exact_limit = limits[j], .sweep_limit = 3000});
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
        for (long at = 1;; at++)
        {
            test_meter meter = {.fail_at = at};
            thud_allocator allocator = {test_meter_resize, &meter};
            thud_independence found;
            thud_status status = thud_independence_measure(
                rows, &(thud_independence_def){.exact_limit = limit, .allocator = &allocator},
                &found, NULL, NULL);
            CHECK(meter.blocks == 0);
            if (meter.calls < at)
            {
                CHECK(status == THUD_OK);
                break;
            }
            CHECK(status == THUD_ERR_MEMORY);
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
        push(rows, 2, (int[]){0, 1}, (double[]){1, slant});
        push(rows, 2, (int[]){0, 1}, (double[]){-1, slant});
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
    static const test_case cases[] = {{"nearly-stressed", run_nearly_stressed},
                                      {"wedge", run_wedge},
                                      {"chain", run_chain},
                                      {"stack", run_stack},
                                      {"clusters", run_clusters},
                                      {"large", run_large},
                                      {"packs", run_packs},
                                      {"special", run_special},
                                      {"stress", run_stress},
                                      {"memory", run_memory}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
