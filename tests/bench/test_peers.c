// The measure of bench/compare and the files it reads: overlaps that are known, or found by trying
// all pairs; frames as they were written, and dumps as LAMMPS writes them.
#include "drop_scene.h"
#include "peer_frames.h"
#include "peer_quality.h"
#include "thud_test.h"

#include <stdint.h>

static void known_overlaps(void)
{
    // In the air, resting on the floor, 0.1 r inside a wall; the last two overlap by 0.3 r.
    double state[4][6] = {{0.2, 0.2, 0.3, 0, 0, 0},
                          {0.1, 0.1, DROP_RADIUS, 0, 0, 0},
                          {0.4 - 0.9 * DROP_RADIUS, 0.1, 0.2, 0, 0, 2},
                          {0.4 - 2.6 * DROP_RADIUS, 0.1, 0.2, 0, 0, 0}};
    peer_quality quality;
    REQUIRE(peer_measure(&state[0][0], 2, &quality) == 0);
    CHECK(quality.overlap == 0);
    CHECK(quality.outside == 0);
    REQUIRE(peer_measure(&state[0][0], 3, &quality) == 0);
    CHECK_NEAR(quality.overlap, 0.1, 1e-12);
    REQUIRE(peer_measure(&state[0][0], 4, &quality) == 0);
    CHECK_NEAR(quality.overlap, 0.3, 1e-12);
    CHECK_NEAR(quality.energy, 0.5 * 4 / (DROP_GRAVITY * DROP_RADIUS) / 4, 1e-12);
    CHECK_NEAR(quality.height, (0.3 + DROP_RADIUS + 0.4) / 4, 1e-12);
}

static void outside(void)
{
    double state[3][6] = {{-0.01, 0.2, 0.3}, {0.1, NAN, 0.1}, {0.3, 0.3, 1e300}};
    peer_quality quality;
    REQUIRE(peer_measure(&state[0][0], 3, &quality) == 0);
    CHECK(quality.outside == 2);
    CHECK_AT_MOST(2 - 1e-12, quality.overlap); // of the first, with its wall
}

static double worst_by_all_pairs(const double *state, int count)
{
    double worst = 0;
    for (int i = 0; i < count; i++)
    {
        const double *x = state + 6 * (size_t)i;
        double gap = fmin(fmin(x[0], DROP_WIDTH - x[0]), fmin(x[1], DROP_WIDTH - x[1]));
        worst = fmax(worst, DROP_RADIUS - fmin(gap, x[2]));
        for (int j = 0; j < i; j++)
        {
            const double *y = state + 6 * (size_t)j;
            double a = x[0] - y[0], b = x[1] - y[1], c = x[2] - y[2];
            worst = fmax(worst, 2 * DROP_RADIUS - sqrt(a * a + b * b + c * c));
        }
    }
    return worst / DROP_RADIUS;
}

static void random_states(void)
{
    uint64_t seed = test_seed(20261116);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < 200; trial++)
    {
        double state[6 * 40] = {0};
        int count = test_random_int(&random, 1, 40);
        double height = test_random_uniform(&random, 0.05, 0.5);
        for (int i = 0; i < count; i++)
        {
            double *x = state + 6 * (size_t)i;
            x[0] = test_random_uniform(&random, -0.01, DROP_WIDTH + 0.01);
            x[1] = test_random_uniform(&random, -0.01, DROP_WIDTH + 0.01);
            x[2] = test_random_uniform(&random, -0.01, height);
        }
        peer_quality quality;
        REQUIRE(peer_measure(state, count, &quality) == 0);
        CHECK_NEAR(quality.overlap, worst_by_all_pairs(state, count), 1e-12);
    }
}

static void frames_come_back(void)
{
    double state[12], back[12];
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    for (int n = 0; n < 3; n++)
    {
        for (int i = 0; i < 12; i++)
            state[i] = 0.1 * i - n;
        CHECK(peer_frame_write(file, state, 2) == 0);
    }
    rewind(file);
    for (int n = 0; n < 3; n++)
    {
        CHECK(peer_frame_read(file, back, 2) == 1);
        CHECK(back[0] == -n && back[11] == 0.1 * 11 - n);
    }
    CHECK(peer_frame_read(file, back, 2) == 0);
    rewind(file);
    // read as frames of five spheres the file ends within the second
    CHECK(peer_frame_read(file, (double[30]){0}, 5) == 1);
    CHECK(peer_frame_read(file, (double[30]){0}, 5) == -1);
    (void)fclose(file);
}

static size_t put(FILE *file, const void *value, size_t size)
{
    return fwrite(value, 1, size, file);
}

// A frame of a binary dump of two spheres in two blocks, each of one.
static void write_dump(FILE *file, int32_t columns)
{
    const int64_t name_length = -10, step = 7, atoms = 2;
    const int32_t endian = 1, revision = 2, ints[7] = {0, 1, 1, 1, 1, 1, 1}, none = 0, blocks = 2;
    const int32_t labels = 13, numbers = 6;
    const double box[6] = {0, 1, 0, 1, 0, 1};
    const char no_time = 0;
    put(file, &name_length, sizeof name_length);
    put(file, "DUMPCUSTOM", 10);
    put(file, &endian, sizeof endian);
    put(file, &revision, sizeof revision);
    put(file, &step, sizeof step);
    put(file, &atoms, sizeof atoms);
    put(file, ints, sizeof ints);
    put(file, box, sizeof box);
    put(file, &columns, sizeof columns);
    put(file, &none, sizeof none);
    put(file, &no_time, 1);
    put(file, &labels, sizeof labels);
    put(file, "x y z vx vy v", 13);
    put(file, &blocks, sizeof blocks);
    for (int k = 0; k < 2; k++)
    {
        const double sphere[6] = {k, 1, 2, 3, 4, 5 + k};
        put(file, &numbers, sizeof numbers);
        put(file, sphere, sizeof sphere);
    }
}

static void dumps_are_read(void)
{
    double state[12];
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    write_dump(file, 6);
    write_dump(file, 5);
    rewind(file);
    CHECK(peer_frame_read(file, state, 2) == 1);
    CHECK(state[0] == 0 && state[6] == 1 && state[5] == 5 && state[11] == 6);
    CHECK(peer_frame_read(file, state, 2) == -1); // not the columns that we ask for
    rewind(file);
    CHECK(peer_frame_read(file, state, 1) == -1); // not so many spheres
    (void)fclose(file);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"known", known_overlaps},    {"outside", outside},      {"random", random_states},
        {"frames", frames_come_back}, {"dumps", dumps_are_read},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
