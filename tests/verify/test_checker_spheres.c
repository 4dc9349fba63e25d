// The checker's own search for pairs of spheres, against trying all of them: clouds of bodies in
// free flight, some of which overlap at the end, and forged impulses.
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>
#include <thud/thud.h>
#include <thud/verify.h>

static const double MARGIN = 1e-2; // as documented in checker_reach.c

typedef struct cloud
{
    int dim, count;
    double h;
    double *radius, *mass;
    thud_state *before, *after;
    double normal[6], offset[2];
} cloud;

static int write_shapes(double t, double *radius, double *normal, double *offset, void *user)
{
    const cloud *c = user;
    (void)t;
    memcpy(radius, c->radius, (size_t)c->count * sizeof *radius);
    memcpy(normal, c->normal, sizeof c->normal);
    memcpy(offset, c->offset, sizeof c->offset);
    return 0;
}

static const double *centre(const cloud *c, const double *q, int i)
{
    return q + (size_t)c->dim * (size_t)i;
}

static double norm(const double *a, const double *b, int dim)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += (b[k] - a[k]) * (b[k] - a[k]);
    return sqrt(sum);
}

static double reach(const cloud *c, int i)
{
    return c->radius[i] * (1 + MARGIN) +
           c->h * norm(centre(c, c->after->u, i), (const double[3]){0}, c->dim);
}

static double wall_gap(const cloud *c, const double *q, int wall, int i)
{
    double sum = -c->offset[wall];
    for (int k = 0; k < c->dim; k++)
        sum += c->normal[3 * wall + k] * centre(c, q, i)[k];
    return sum - c->radius[i];
}

// All pairs and walls that are near at q; the smallest gap of them.
static int count_near(const cloud *c, const double *q, double *smallest)
{
    int found = 0;
    *smallest = INFINITY;
    for (int i = 0; i < c->count; i++)
    {
        for (int j = i + 1; j < c->count; j++)
        {
            double distance = norm(centre(c, q, i), centre(c, q, j), c->dim);
            if (distance > reach(c, i) + reach(c, j))
                continue;
            found++;
            *smallest = fmin(*smallest, distance - c->radius[i] - c->radius[j]);
        }
        for (int w = 0; w < 2; w++)
            if (wall_gap(c, q, w, i) <= reach(c, i) - c->radius[i])
            {
                found++;
                *smallest = fmin(*smallest, wall_gap(c, q, w, i));
            }
    }
    return found;
}

static void cloud_close(cloud *c)
{
    thud_state_destroy(c->before);
    thud_state_destroy(c->after);
    free(c->radius);
    free(c->mass);
}

// Bodies of very different sizes, all in flight: q' = q + h u, the exact step if nothing is met.
static bool cloud_open(cloud *c, test_random *random, int dim, int count)
{
    size_t size = (size_t)(dim * count);
    double *q = calloc(size, sizeof *q), *u = calloc(size, sizeof *u);
    double ratio = test_random_uniform(random, 0, 4), far = test_random_int(random, 0, 1) * 1e3;
    *c = (cloud){.dim = dim, .count = count, .h = 0.01, .normal = {0, 1, 0, -1, 0, 0}};
    c->offset[0] = far - 2;
    c->offset[1] = -(far + 22);
    c->radius = calloc((size_t)count, sizeof *c->radius);
    c->mass = calloc(size, sizeof *c->mass);
    for (int i = 0; i < count; i++)
        c->radius[i] = 0.5 * pow(10, -test_random_uniform(random, 0, ratio));
    for (size_t k = 0; k < size; k++)
    {
        q[k] = far + test_random_uniform(random, 0, 20);
        u[k] = 5 * test_random_normal(random);
        c->mass[k] = 1;
    }
    thud_state_def def = {.dim = dim * count, .h = c->h, .q = q, .u = u};
    bool made = thud_state_create(&def, &c->before) == THUD_OK &&
                thud_state_create(&def, &c->after) == THUD_OK;
    for (size_t k = 0; k < size && made; k++)
        c->after->q[k] = q[k] + c->h * u[k];
    if (made)
        c->after->n = 1;
    free(q);
    free(u);
    CHECK(made);
    return made;
}

static thud_status judge(cloud *c, const thud_allocator *allocator, thud_verdict *verdict)
{
    static const thud_smoothness still = {0, 0};
    thud_inclusion problem = {.dim = c->dim * c->count, .mass = c->mass, .smooth = &still};
    thud_verify_spheres_def spheres = {
        .dim = c->dim, .count = c->count, .wall_count = 2, .shapes = write_shapes, .user = c};
    thud_verify_def def = {.allocator = allocator};
    return thud_verify_spheres(&problem, &spheres, c->before, c->after, &def, verdict);
}

static void random_clouds(void)
{
    uint64_t seed = test_seed(1);
    int overlapping = 0, pairs = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 200; trial++)
    {
        cloud c;
        thud_verdict verdict;
        double at_start, at_end;
        int dim = test_random_int(&random, 2, 3), count = test_random_int(&random, 1, 150);
        if (!cloud_open(&c, &random, dim, count))
            return;
        int found = count_near(&c, c.before->q, &at_start);
        (void)count_near(&c, c.after->q, &at_end);
        CHECK(judge(&c, NULL, &verdict) == THUD_OK);
        CHECK(verdict.rows == found);
        CHECK(verdict.min_gap == at_end);
        CHECK(verdict.checks[THUD_CERT_NO_OVERLAP].holds == (at_end >= 0));
        CHECK(verdict.checks[THUD_CERT_STATIONARITY].holds);
        overlapping += at_end < 0;
        pairs += found;
        cloud_close(&c);
    }
    printf("%d rows, %d of 200 clouds overlap at their end\n", pairs, overlapping);
    CHECK(overlapping > 20 && overlapping < 190);
}

// Two bodies far apart, one multiplier between them.
static void forge(cloud *c, thud_key key, thud_verdict *verdict)
{
    CHECK(thud_state_reserve(c->after, 1) == THUD_OK);
    c->after->multipliers[0] = (thud_multiplier){.key = key, .impulse = 1};
    c->after->multiplier_count = 1;
    CHECK(judge(c, NULL, verdict) == THUD_OK);
    c->after->multiplier_count = 0;
}

static void forged_impulses(void)
{
    test_random random = test_random_start(7);
    cloud c;
    thud_verdict verdict;
    REQUIRE(cloud_open(&c, &random, 3, 2));
    for (int k = 0; k < 6; k++)
    {
        c.before->q[k] = k < 3 ? 5 : 15;
        c.after->q[k] = c.before->q[k] + c.h * c.before->u[k];
    }
    c.offset[0] = -100;
    c.offset[1] = -100;
    CHECK(judge(&c, NULL, &verdict) == THUD_OK);
    CHECK(verdict.holds && verdict.rows == 0);
    forge(&c, thud_key_pair(0, 1, 0), &verdict); // the pair, far apart
    CHECK(!verdict.holds && verdict.rows == 1);
    CHECK(!verdict.checks[THUD_CERT_COMPLEMENTARITY].holds);
    forge(&c, thud_key_wall(1, 1), &verdict); // a far wall
    CHECK(!verdict.holds && verdict.rows == 1);
    const thud_key orphans[] = {thud_key_pair(0, 2, 0),
                                thud_key_pair(1, 0, 0),
                                thud_key_wall(2, 0),
                                thud_key_wall(0, 2),
                                THUD_NO_KEY,
                                thud_key_number(INT64_C(0x80000000))};
    for (size_t i = 0; i < sizeof orphans / sizeof *orphans; i++)
    {
        forge(&c, orphans[i], &verdict); // no such body or wall
        CHECK(!verdict.checks[THUD_CERT_SIGN].holds && verdict.rows == 0);
    }
    cloud_close(&c);
}

static void coincident_centres(void)
{
    test_random random = test_random_start(9);
    cloud c;
    thud_verdict verdict;
    REQUIRE(cloud_open(&c, &random, 2, 2));
    memcpy(c.before->q + 2, c.before->q, 2 * sizeof(double));
    memcpy(c.before->u + 2, c.before->u, 2 * sizeof(double));
    memcpy(c.after->q + 2, c.after->q, 2 * sizeof(double));
    memcpy(c.after->u + 2, c.after->u, 2 * sizeof(double));
    CHECK(judge(&c, NULL, &verdict) == THUD_OK);
    CHECK(!verdict.checks[THUD_CERT_FEASIBLE].holds && !verdict.checks[THUD_CERT_NO_OVERLAP].holds);
    cloud_close(&c);
}

static void rejected(void)
{
    test_random random = test_random_start(11);
    cloud c;
    thud_verdict verdict;
    REQUIRE(cloud_open(&c, &random, 3, 3));
    c.radius[1] = NAN;
    CHECK(judge(&c, NULL, &verdict) == THUD_ERR_CALLBACK);
    c.radius[1] = 0.1;
    c.dim = 4;
    CHECK(judge(&c, NULL, &verdict) == THUD_ERR_ARGUMENT);
    c.dim = 3;
    c.count = 2; // not as many as the state has
    CHECK(judge(&c, NULL, &verdict) == THUD_ERR_ARGUMENT);
    c.count = 3;
    CHECK(thud_verify_spheres(NULL, NULL, c.before, c.after, NULL, &verdict) == THUD_ERR_ARGUMENT);
    cloud_close(&c);
}

static void failing_memory(void)
{
    test_random random = test_random_start(13);
    test_meter meter = {0};
    thud_allocator allocator = {test_meter_resize, &meter};
    cloud c;
    thud_verdict verdict;
    thud_status status = THUD_ERR_MEMORY;
    REQUIRE(cloud_open(&c, &random, 3, 60));
    for (meter.fail_at = 1; status == THUD_ERR_MEMORY; meter.fail_at++)
    {
        meter.calls = 0;
        status = judge(&c, &allocator, &verdict);
        CHECK(status == THUD_ERR_MEMORY || status == THUD_OK);
        CHECK(meter.blocks == 0);
    }
    CHECK(meter.fail_at > 4);
    cloud_close(&c);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"random-clouds", random_clouds},
                                      {"forged-impulses", forged_impulses},
                                      {"coincident-centres", coincident_centres},
                                      {"rejected", rejected},
                                      {"failing-memory", failing_memory}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
