// Crowds with noise: the law of the gap of two who start in contact, no overlap, the same path for
// any number of threads and after a restart.
#include "crowd_rig.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SIDE = 30, // pairs on a square lattice
    PAIRS = SIDE * SIDE,
    STEPS = 25,
    SEEDS = 8
};

static const double LARGE = 1000; // radii so large that contacts are straight

// The mean of gap - sigma after every step, over all pairs; the sum of squares after the last.
static bool walk(thud_sphere *persons, uint64_t seed, double mean[STEPS], double *square)
{
    crowd_rig rig = {.def = {.h = 0.01, .noise = 0.7, .seed = seed, .tol = 1e-9},
                     .persons = persons,
                     .count = 2 * PAIRS};
    bool fine = crowd_open(&rig);
    for (int n = 0; n < STEPS && fine; n++)
    {
        fine = crowd_steps(&rig, 1);
        const double *q = rig.state->q;
        for (int i = 0; i < PAIRS; i++, q += 4)
        {
            double gap = hypot(q[2] - q[0], q[3] - q[1]) - 2 * LARGE - 2e-9 * LARGE;
            mean[n] += gap / (PAIRS * SEEDS);
            *square += n + 1 == STEPS ? gap * gap : 0;
        }
    }
    CHECK(rig.min_gap > 0);
    crowd_close(&rig);
    return fine;
}

// From contact E(gap) = sqrt(2) s sqrt(h / 2 pi) sum k^(-1/2), at every h and after every step.
static void from_contact(void)
{
    thud_sphere *persons = calloc((size_t)2 * PAIRS, sizeof *persons);
    double mean[STEPS] = {0}, square = 0, sum = 0, h = 0.01, s = 0.7;
    REQUIRE(persons != NULL);
    for (int i = 0; i < 2 * PAIRS; i++)
    {
        int pair = i / 2;
        persons[i] = (thud_sphere){.radius = LARGE, .mass = 1};
        persons[i].center[0] = 8 * LARGE * (pair % SIDE) + (i % 2) * (2 + 2e-9) * LARGE;
        persons[i].center[1] = 8 * LARGE * (double)(pair / SIDE);
    }
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        if (!walk(persons, seed, mean, &square))
            break;
    int samples = PAIRS * SEEDS;
    double error = sqrt(square / samples / samples);
    for (int n = 0; n < STEPS; n++)
    {
        sum += 1 / sqrt(n + 1);
        double exact = sqrt(2) * s * sqrt(h / (2 * acos(-1))) * sum;
        CHECK_NEAR(mean[n], exact, 4 * error * sqrt((n + 1.0) / STEPS));
        if (n == 0 || n + 1 == STEPS)
            printf("  step %d: mean gap %.5f, exact %.5f, error of the mean %.5f\n", n + 1, mean[n],
                   exact, error * sqrt((n + 1.0) / STEPS));
    }
    free(persons);
}

enum
{
    CROWD = 400
};

static void make_crowd(thud_sphere persons[CROWD], double wish[2 * CROWD])
{
    for (int i = 0; i < CROWD; i++)
    {
        persons[i] = (thud_sphere){.center = {0.45 * (i % 20) + 0.225, 0.45 * (i / 20 + 0.5), 0},
                                   .radius = 0.2 + 0.0005 * (i % 40),
                                   .mass = 1};
        wish[2 * i] = 4.5 - persons[i].center[0];
        wish[2 * i + 1] = 4.5 - persons[i].center[1];
    }
}

// A dense crowd that crowds together and trembles, between walls: every step is judged.
static bool crowd_start(crowd_rig *rig, thud_sphere *persons, double *wish)
{
    make_crowd(persons, wish);
    *rig = (crowd_rig){.def = {.h = 0.02, .noise = 0.3, .seed = 11},
                       .persons = persons,
                       .wish = wish,
                       .count = CROWD,
                       .walls = {{.normal = {1, 0, 0}},
                                 {.normal = {-1, 0, 0}, .offset = -9},
                                 {.normal = {0, 1, 0}},
                                 {.normal = {0, -1, 0}, .offset = -9}},
                       .wall_count = 4};
    return crowd_open(rig);
}

static void trembling(void)
{
    static thud_sphere persons[CROWD];
    static double wish[2 * CROWD];
    crowd_rig rig;
    int most = 0;
    if (!crowd_start(&rig, persons, wish))
        return;
    for (int n = 0; n < 40 && crowd_steps(&rig, 1); n++)
        most = rig.state->multiplier_count > most ? rig.state->multiplier_count : most;
    printf("  at most %d contacts, smallest gap %.3g\n", most, rig.min_gap);
    CHECK(most > CROWD);
    CHECK(rig.min_gap > 0);
    crowd_close(&rig);
}

// Run 20 steps, of which the last 10 in another world that knows nothing but the state.
static bool run_apart(int threads, bool restart, double *q)
{
    static thud_sphere persons[CROWD];
    static double wish[2 * CROWD];
    crowd_rig rig, other;
    omp_set_num_threads(threads);
    bool fine = crowd_start(&rig, persons, wish) && crowd_steps(&rig, restart ? 10 : 20);
    const thud_state *last = rig.state;
    if (fine && restart)
    {
        fine = crowd_start(&other, persons, wish) &&
               thud_state_copy(other.state, rig.state) == THUD_OK && crowd_steps(&other, 10);
        last = other.state;
    }
    if (fine)
        memcpy(q, last->q, (size_t)last->dim * sizeof *q);
    crowd_close(&rig);
    if (restart)
        crowd_close(&other);
    omp_set_num_threads(1);
    return fine;
}

static void same_path(void)
{
    static double one[2 * CROWD], other[2 * CROWD];
    REQUIRE(run_apart(1, false, one));
    static const int threads[] = {2, 4, 1, 3};
    for (int i = 0; i < 4; i++)
    {
        REQUIRE(run_apart(threads[i], i >= 2, other));
        CHECK(memcmp(one, other, sizeof one) == 0);
    }
}

// A step that was not taken with the noise of its seed is not certified.
static void forged(void)
{
    thud_sphere person = {.radius = 1, .mass = 1};
    crowd_rig rig = {.def = {.h = 0.01, .noise = 0.5, .seed = 3}, .persons = &person, .count = 1};
    thud_verdict verdict;
    REQUIRE(crowd_open(&rig) && crowd_steps(&rig, 3));
    rig.problem.seed = 4;
    REQUIRE(thud_verify_spheres(&rig.problem, &rig.judge, rig.before, rig.state, NULL, &verdict) ==
            THUD_OK);
    CHECK(!verdict.holds && !verdict.checks[THUD_CERT_STATIONARITY].holds);
    crowd_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"from-contact", from_contact},
        {"trembling", trembling},
        {"same-path", same_path},
        {"forged", forged},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
