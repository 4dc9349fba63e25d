// gamma of A6 against a bound that holds for every pack of spheres.
#include "independence_rig.h"

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
        thud_independence exact = measure_rows(rows, &(thud_independence_def){.exact_limit = 1000});
        thud_independence swept = measure_rows(rows, &(thud_independence_def){.exact_limit = 1});
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

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"packs", run_packs},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
