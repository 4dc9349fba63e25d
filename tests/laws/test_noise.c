// Noise in first order: the generator by its published answers, the law of the paths by statistics.
#include "models_rig.h"

#include "core/math/normal.h"

#include <stdlib.h>
#include <string.h>

// The known answers of the authors of Philox.
static void known_answers(void)
{
    static const uint32_t answers[][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int i = 0; i < 3; i++)
    {
        uint32_t out[4];
        thudi_philox(answers[i], answers[i] + 4, out);
        CHECK(memcmp(out, answers[i] + 6, sizeof out) == 0);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Moments, the distribution, and no correlation between neighbours in step, coordinate and seed.
static void normals(void)
{
    enum
    {
        COUNT = 200000
    };
    double *x = malloc(COUNT * sizeof *x), moment[5] = {0}, turn[3] = {0}, far = 0;
    REQUIRE(x != NULL);
    for (int i = 0; i < COUNT; i++)
    {
        uint64_t n = (uint64_t)i / 100;
        uint32_t k = (uint32_t)i % 100;
        double v = x[i] = thudi_normal(7, n, k);
        for (int p = 1; p < 5; p++)
            moment[p] += pow(v, p) / COUNT;
        turn[0] += v * thudi_normal(7, n + 1, k) / COUNT;
        turn[1] += v * thudi_normal(7, n, k + 1) / COUNT;
        turn[2] += v * thudi_normal(8, n, k) / COUNT;
    }
    double error = 1 / sqrt(COUNT);
    CHECK_AT_MOST(fabs(moment[1]), 4 * error);
    CHECK_NEAR(moment[2], 1, 4 * sqrt(2) * error);
    CHECK_AT_MOST(fabs(moment[3]), 4 * sqrt(15) * error);
    CHECK_NEAR(moment[4], 3, 4 * sqrt(96) * error);
    for (int i = 0; i < 3; i++)
        CHECK_AT_MOST(fabs(turn[i]), 4 * error);
    qsort(x, COUNT, sizeof *x, compare);
    for (int i = 0; i < COUNT; i++)
        far = fmax(far, fabs((i + 0.5) / COUNT - erfc(-x[i] / sqrt(2)) / 2));
    CHECK_AT_MOST(far, 1.63 * error);
    printf("  moments %.4f %.4f %.4f %.4f, distance of distributions %.2g\n", moment[1], moment[2],
           moment[3], moment[4], far);
    free(x);
}

// Many walkers on their half lines, all in one problem; or pairs of rods that keep in order.
typedef struct walkers
{
    int count;
    bool rods;
} walkers;

static int push_walkers(const thud_moment *at, thud_rows *rows, void *user)
{
    const walkers *w = user;
    int size = w->rods ? 2 : 1;
    for (int i = 0; i < w->count; i++)
    {
        double gap = w->rods ? at->q[2 * i + 1] - at->q[2 * i] - 1 : at->q[i];
        (void)thud_rows_push(rows, &(thud_row){.key = thud_key_number(i),
                                               .gap = gap,
                                               .count = size,
                                               .index = (int[]){size * i, size * i + 1},
                                               .slope = (double[]){w->rods ? -1 : 1, 1}});
    }
    return 0;
}

enum
{
    WALKERS = 4000
};

// Walk `steps` steps from contact; the mean distance and the distribution are known.
static void walk(bool rods, double h, int steps)
{
    static const thud_smoothness fixed = {0, 0};
    static double q[2 * WALKERS], way[WALKERS];
    int count = WALKERS, dim = rods ? 2 * count : count;
    double s = 0.7, scale = rods ? s * sqrt(2) : s, expected = 0, lowest = 0;
    walkers w = {count, rods};
    thud_inclusion problem = {.dim = dim,
                              .order = THUD_FIRST_ORDER,
                              .noise = s,
                              .seed = 11,
                              .gaps = push_walkers,
                              .smooth = &fixed,
                              .user = &w};
    for (int k = 0; k < dim; k++)
        q[k] = rods && k % 2 ? 1 : 0;
    track path;
    thud_work_def work = {.skip_uniqueness = true};
    REQUIRE(track_start(&path, &problem, &(thud_state_def){.dim = dim, .h = h, .q = q}, &work));
    for (int n = 1; n <= steps; n++)
    {
        REQUIRE(track_step(&path));
        expected += scale * sqrt(h / 6.283185307179586) / sqrt(n);
        lowest = fmin(lowest, thud_work_report(path.work)->min_gap);
    }
    double mean = 0, square = 0, far = 0, t = h * steps;
    for (int i = 0; i < count; i++)
    {
        const double *at = path.state->q;
        way[i] = rods ? at[2 * i + 1] - at[2 * i] - 1 : at[i];
        mean += way[i] / count;
        square += way[i] * way[i] / count;
    }
    double error = sqrt((square - mean * mean) / count);
    CHECK_NEAR(mean, expected, 4 * error);
    CHECK_AT_MOST(-lowest, 1e-15);
    qsort(way, (size_t)count, sizeof *way, compare);
    for (int i = 0; i < count; i++) // |N(0, s^2 t)| in the limit
        far = fmax(far, fabs((i + 0.5) / count - erf(way[i] / (scale * sqrt(2 * t)))));
    CHECK_AT_MOST(far, 0.6 * sqrt(h / t) + 1.63 / sqrt(count));
    printf("  %s, h = %g: mean %.5f, exact %.5f, %.2f standard errors; distributions %.3f apart\n",
           rods ? "rods" : "half line", h, mean, expected, (mean - expected) / error, far);
    track_end(&path);
}

static void half_line(void)
{
    walk(false, 0.1, 10);
    walk(false, 0.02, 50);
    walk(false, 0.005, 200);
}

static void rods(void)
{
    walk(true, 0.1, 10);
    walk(true, 0.02, 50);
    walk(true, 0.01, 100);
}

// A path goes on after a restart, and another seed or segment is another path.
static void restarts(void)
{
    thud_inclusion problem = {.dim = 2, .order = THUD_FIRST_ORDER, .noise = 1, .seed = 3};
    thud_state_def def = {.dim = 2, .h = 0.25, .q = (double[]){0, 0}};
    track whole, part, other;
    REQUIRE(track_start(&whole, &problem, &def, NULL) && track_start(&part, &problem, &def, NULL));
    CHECK(track_steps(&whole, 20) && track_steps(&part, 8));
    thud_work_destroy(part.work);
    REQUIRE(thud_work_create(NULL, &part.work) == THUD_OK);
    CHECK(track_steps(&part, 12));
    CHECK(memcmp(whole.state->q, part.state->q, 2 * sizeof(double)) == 0);
    problem.seed = 4;
    REQUIRE(track_start(&other, &problem, &def, NULL));
    CHECK(track_steps(&other, 20));
    CHECK(other.state->q[0] != whole.state->q[0]);
    double first = whole.state->u[0];
    REQUIRE(thud_state_set_step(whole.state, 0.25) == THUD_OK);
    REQUIRE(thud_state_copy(part.state, whole.state) == THUD_OK);
    part.state->t0 = 0; // as the very first step
    CHECK(track_step(&whole) && track_step(&part));
    CHECK(whole.state->u[0] != part.state->u[0] && whole.state->u[0] != first);
    track_end(&whole);
    track_end(&part);
    track_end(&other);
}

// Second order, a negative amplitude: refused. A step with another path: found.
static void refused(void)
{
    thud_inclusion problem = {.dim = 1, .order = THUD_FIRST_ORDER, .noise = 1, .seed = 3};
    thud_state_def def = {.dim = 1, .h = 0.25, .q = (double[]){0}};
    thud_verdict verdict;
    track way;
    REQUIRE(track_start(&way, &problem, &def, NULL));
    CHECK(track_step(&way));
    way.problem.seed = 4;
    CHECK(thud_verify_step(&way.problem, way.before, way.state, NULL, &verdict) == THUD_OK);
    CHECK(!verdict.holds && !verdict.checks[THUD_CERT_STATIONARITY].holds);
    way.problem.order = THUD_SECOND_ORDER;
    CHECK(thud_step(&way.problem, way.state, way.work) == THUD_ERR_ARGUMENT);
    CHECK(strstr(thud_work_message(way.work), "noise needs first order"));
    CHECK(thud_verify_step(&way.problem, way.before, way.state, NULL, &verdict) ==
          THUD_ERR_ARGUMENT);
    way.problem.order = THUD_FIRST_ORDER;
    way.problem.noise = -1;
    CHECK(thud_step(&way.problem, way.state, way.work) == THUD_ERR_ARGUMENT);
    track_end(&way);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"known-answers", known_answers}, {"normals", normals},
                                      {"half-line", half_line},         {"rods", rods},
                                      {"restarts", restarts},           {"refused", refused}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
