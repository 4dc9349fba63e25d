// Laws that every step obeys, on random polyhedral problems: units, order, energy, impacts.
#include "unit_rig.h"

#include <float.h>

enum
{
    STEPS = 60
};

// Powers of 2 for lengths, times and masses (even, so that square roots of masses scale too).
static const int units[][3] = {
    {20, 0, 0}, {-20, 0, 0}, {300, 0, 0},   {-300, 0, 0},    {0, 7, 0},    {0, -7, 0},
    {0, 50, 0}, {0, -50, 0}, {0, 0, 40},    {0, 0, -40},     {300, 40, 0}, {-300, -40, 0},
    {5, 3, 2},  {-9, -4, 8}, {100, -50, 4}, {-200, 30, -60},
};

static bool is_scaled(const thud_state *a, const thud_state *b, const walls *w)
{
    int speed = w->length - w->time;
    bool same = a->n == b->n && a->multiplier_count == b->multiplier_count;
    for (int k = 0; k < a->dim; k++)
        same = same && ldexp(a->q[k], w->length) == b->q[k] && ldexp(a->u[k], speed) == b->u[k];
    for (int i = 0; same && i < a->multiplier_count; i++)
        same = thud_key_same(a->multipliers[i].key, b->multipliers[i].key) &&
               ldexp(a->multipliers[i].impulse, speed + w->weight) == b->multipliers[i].impulse;
    return same;
}

// Run the same problem in other units next to itself; returns the contacts met.
static int run_scaled(walls *plain, const int *unit)
{
    double mass[WALL_DIM], other_mass[WALL_DIM];
    walls scaled = *plain;
    scaled.length = unit[0];
    scaled.time = unit[1];
    scaled.weight = unit[2];
    thud_inclusion problem = walls_problem(plain, mass);
    thud_inclusion other = walls_problem(&scaled, other_mass);
    rig a = walls_start(plain), b = walls_start(&scaled);
    int touched = 0;
    bool same = true;
    for (int n = 0; n < STEPS && same && a.state && b.state; n++)
    {
        thud_status status = thud_step(&problem, a.state, a.work);
        thud_status again = thud_step(&other, b.state, b.work);
        same = status == again && status >= 0 && is_scaled(a.state, b.state, &scaled);
        touched += a.state->multiplier_count;
    }
    CHECK(a.state && b.state);
    if (!same && a.state)
        test_fail(__FILE__, __LINE__, "2^%d lengths, 2^%d times, 2^%d masses: step %lld: %s%s",
                  unit[0], unit[1], unit[2], (long long)a.state->n, thud_work_message(a.work),
                  thud_work_message(b.work));
    rig_end(&a);
    rig_end(&b);
    return touched;
}

static void scales(void)
{
    uint64_t seed = test_seed(20260111);
    test_random random = test_random_start(seed);
    int touched = 0, count = sizeof units / sizeof *units;
    for (int trial = 0; trial < 4 * count; trial++)
    {
        walls w = walls_random(&random, 0.2);
        w.shift = trial % 2 ? 0x1p-30 : 0;
        touched += run_scaled(&w, units[trial % count]);
    }
    CHECK(touched > 1000);
    printf("  %d contacts in %d pairs of runs (seed %llu)\n", touched, 4 * count,
           (unsigned long long)seed);
}

// Rows pushed in any order, a work space used before or new: the same bits.
static void order_of_rows(void)
{
    uint64_t seed = test_seed(20260112);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 60; trial++)
    {
        double mass[WALL_DIM], same_mass[WALL_DIM];
        walls w = walls_random(&random, 0.2), shuffled = w;
        thud_inclusion problem = walls_problem(&w, mass);
        thud_inclusion other = walls_problem(&shuffled, same_mass);
        rig a = walls_start(&w), b = walls_start(&shuffled);
        REQUIRE(a.state && b.state);
        for (int n = 0; n < STEPS; n++)
        {
            for (int i = w.count - 1; i > 0; i--)
            {
                int j = test_random_int(&random, 0, i), kept = shuffled.order[i];
                shuffled.order[i] = shuffled.order[j];
                shuffled.order[j] = kept;
            }
            if (n % 20 == 19) // forget all that is not in the state
            {
                thud_work_destroy(b.work);
                REQUIRE(thud_work_create(NULL, &b.work) == THUD_OK);
            }
            REQUIRE(thud_step(&problem, a.state, a.work) >= 0);
            REQUIRE(thud_step(&other, b.state, b.work) >= 0);
            REQUIRE(same_state(a.state, b.state));
        }
        rig_end(&a);
        rig_end(&b);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

static double dot(const double *a, const double *b, const double *weight, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += a[k] * b[k] * (weight ? weight[k] : 1);
    return sum;
}

// 1/2|u'|^2 - 1/2|u|^2 + 1/2|u'-u|^2 = h f.u' - sum lambda g(t',q) + sum lambda lin, over the sum
// of the absolute terms.
static double energy_residual(const walls *w, const double *mass, const thud_state *before, rig *r)
{
    const thud_report *report = thud_work_report(r->work);
    double change[WALL_DIM], terms[6], left, right, size = 0;
    for (int k = 0; k < w->dim; k++)
        change[k] = r->state->u[k] - before->u[k];
    terms[0] = dot(r->state->u, r->state->u, mass, w->dim) / 2;
    terms[1] = dot(before->u, before->u, mass, w->dim) / 2;
    terms[2] = dot(change, change, mass, w->dim) / 2;
    terms[3] = w->h * dot(report->mean_force, r->state->u, NULL, w->dim);
    terms[4] = terms[5] = 0;
    for (int i = 0; i < thud_rows_count(report->rows); i++)
    {
        double lambda = report->answer.mu[i] / w->h;
        terms[4] += lambda * thud_rows_get(report->rows, i, NULL).gap;
        terms[5] += lambda * report->answer.lin[i];
    }
    left = terms[0] - terms[1] + terms[2];
    right = terms[3] - terms[4] + terms[5];
    for (int i = 0; i < 6; i++)
        size += fabs(terms[i]);
    return fabs(left - right) / size;
}

static void energy(void)
{
    uint64_t seed = test_seed(20260113);
    test_random random = test_random_start(seed);
    double worst = 0, lowest = 0;
    int touched = 0;
    for (int trial = 0; trial < 100; trial++)
    {
        double mass[WALL_DIM];
        walls w = walls_random(&random, 0.3);
        thud_inclusion problem = walls_problem(&w, mass);
        rig r = walls_start(&w);
        REQUIRE(r.state && r.work);
        for (int n = 0; n < STEPS; n++)
        {
            thud_state *before = state_twin(r.state);
            REQUIRE(thud_step(&problem, r.state, r.work) >= 0);
            worst = fmax(worst, energy_residual(&w, mass, before, &r));
            touched += r.state->multiplier_count;
            for (int i = 0; i < w.count; i++)
            {
                double t = thud_state_time(r.state), size = fabs(w.offset[i] + w.speed[i] * t);
                for (int k = 0; k < w.dim; k++)
                    size += fabs(w.normal[i][k] * r.state->q[k]);
                lowest = fmin(lowest, walls_gap(&w, i, t, r.state->q) / size);
            }
            thud_state_destroy(before);
        }
        rig_end(&r);
    }
    CHECK_AT_MOST(worst, 1e-13);
    CHECK_AT_MOST(-lowest, 16 * DBL_EPSILON);
    CHECK(touched > 1000);
    printf(
        "  energy residual %.2g of its terms, lowest g %.2g of its own, %d contacts (seed %llu)\n",
        worst, lowest, touched, (unsigned long long)seed);
}

// One wall in the way, the others far off: u = theta u- + (1 - theta) u+, then u+.
static void impact(void)
{
    uint64_t seed = test_seed(20260114);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 500; trial++)
    {
        double mass[WALL_DIM], after[WALL_DIM], inverse[WALL_DIM];
        walls w = walls_random(&random, 0);
        for (int i = 1; i < w.count; i++)
            w.offset[i] = -1000;
        thud_inclusion problem = walls_problem(&w, mass);
        problem.force = NULL;
        double speed = dot(w.normal[0], w.u, NULL, w.dim);
        for (int k = 0; k < w.dim; k++)
        {
            w.u[k] = speed > 0 ? -w.u[k] : w.u[k]; // towards the wall
            inverse[k] = 1 / mass[k];
        }
        speed = -fabs(speed);
        double lambda = -speed / dot(w.normal[0], w.normal[0], inverse, w.dim);
        for (int k = 0; k < w.dim; k++)
            after[k] = w.u[k] + lambda * w.normal[0][k] * inverse[k];
        int flight = test_random_int(&random, 0, 4);
        double theta = test_random_uniform(&random, 0.01, 0.99);
        w.offset[0] = (flight + theta) * w.h * speed;
        rig r = walls_start(&w);
        REQUIRE(r.state && r.work);
        for (int n = 0; n < flight; n++)
            CHECK(thud_step(&problem, r.state, r.work) == THUD_OK &&
                  r.state->multiplier_count == 0 && same_bits(r.state->u, w.u, w.dim));
        REQUIRE(thud_step(&problem, r.state, r.work) == THUD_OK);
        REQUIRE(r.state->multiplier_count == 1);
        CHECK_NEAR(r.state->multipliers[0].impulse, (1 - theta) * lambda, 1e-12 * lambda);
        for (int k = 0; k < w.dim; k++)
            CHECK_NEAR(r.state->u[k], theta * w.u[k] + (1 - theta) * after[k], 1e-12);
        REQUIRE(thud_step(&problem, r.state, r.work) == THUD_OK);
        REQUIRE(r.state->multiplier_count == 1);
        CHECK_NEAR(r.state->multipliers[0].impulse, theta * lambda, 1e-12 * lambda);
        for (int k = 0; k < w.dim; k++)
            CHECK_NEAR(r.state->u[k], after[k], 1e-12);
        rig_end(&r);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"scales", scales},
        {"order-of-rows", order_of_rows},
        {"energy", energy},
        {"impact", impact},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
