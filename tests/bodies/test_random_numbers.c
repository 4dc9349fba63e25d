// Random numbers and laws of radii: published values, bounds, and distributions by the distance of
// Kolmogorov and Smirnov.
#include "thud_test.h"

#include "bodies/distribution.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SAMPLES = 40000
};

static double sample[SAMPLES];

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

// The largest difference of the samples' distribution from `wanted`, times sqrt(samples): above
// 1.95 once in a thousand times, and the seeds are fixed.
static double ks_distance(double (*wanted)(double x, const void *user), const void *user)
{
    double largest = 0;
    qsort(sample, SAMPLES, sizeof *sample, by_value);
    for (int i = 0; i < SAMPLES; i++)
    {
        double f = wanted(sample[i], user);
        largest = fmax(largest, fmax(fabs(f - (double)i / SAMPLES), fabs(f - (i + 1.0) / SAMPLES)));
    }
    return largest * sqrt(SAMPLES);
}

static double moment(double around, int power)
{
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++)
        sum += pow(sample[i] - around, power);
    return sum / SAMPLES;
}

// From the authors' reference code, as other libraries test themselves against it.
static void published_values(void)
{
    static const uint64_t seeded[4] = {6457827717110365317u, 3203168211198807973u,
                                       9817491932198370423u, 4593380528125082431u};
    static const uint64_t bits[6] = {
        11520, 0, 1509978240, 1215971899390074240, 1216172134540287360, 607988272756665600};
    thudi_random random = thudi_random_start(1234567);
    CHECK(memcmp(random.word, seeded, sizeof seeded) == 0);
    random = (thudi_random){{1, 2, 3, 4}};
    for (int i = 0; i < 6; i++)
        CHECK(thudi_random_bits(&random) == bits[i]);
}

static double uniform_law(double x, const void *user)
{
    const double *bounds = user;
    return x <= bounds[0] ? 0 : (x >= bounds[1] ? 1 : (x - bounds[0]) / (bounds[1] - bounds[0]));
}

static void uniform(void)
{
    thudi_random random = thudi_random_start(1);
    bool odd = false;
    for (int i = 0; i < SAMPLES; i++)
    {
        sample[i] = thudi_random_uniform(&random);
        double scaled = sample[i] * 0x1p53;
        CHECK(sample[i] >= 0 && sample[i] < 1 && scaled == floor(scaled));
        odd = odd || fmod(scaled, 2) == 1; // the 53rd bit is used
    }
    CHECK(odd);
    CHECK_AT_MOST(ks_distance(uniform_law, (double[]){0, 1}), 1.95);
    CHECK_NEAR(moment(0.5, 2), 1.0 / 12, 0.002);
}

static void below(void)
{
    static const uint64_t counts[] = {1, 2, 3, 7, 10, 1000003};
    thudi_random random = thudi_random_start(2);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    {
        int hits[10] = {0};
        for (int i = 0; i < SAMPLES; i++)
        {
            uint64_t x = thudi_random_below(&random, counts[c]);
            CHECK(x < counts[c]);
            hits[x * 10 / counts[c]]++;
        }
        if (counts[c] >= 10)
            for (int i = 0; i < 10; i++)
                CHECK_NEAR(hits[i], SAMPLES / 10.0, 5 * sqrt(SAMPLES / 10.0));
    }
    // of 2^63 + 1 numbers nearly every other draw must be thrown away
    for (int i = 0; i < 1000; i++)
        CHECK(thudi_random_below(&random, (UINT64_C(1) << 63) + 1) <= UINT64_C(1) << 63);
}

static double normal_law(double x, const void *user)
{
    (void)user;
    return 0.5 * erfc(-x / sqrt(2));
}

static void normal(void)
{
    thudi_random random = thudi_random_start(3);
    for (int i = 0; i < SAMPLES; i++)
        sample[i] = thudi_random_normal(&random);
    CHECK_AT_MOST(ks_distance(normal_law, NULL), 1.95);
    CHECK_NEAR(moment(0, 1), 0, 0.02);
    CHECK_NEAR(moment(0, 2), 1, 0.03);
    CHECK_NEAR(moment(0, 3), 0, 0.1);
    CHECK_NEAR(moment(0, 4), 3, 0.2);
    CHECK(sample[0] < -3.5 && sample[SAMPLES - 1] > 3.5); // sorted; it has tails
}

// The law of draws within [min, max] of a law that is normal in x, or in log x.
static double bounded_law(double x, const void *user)
{
    const thudi_distribution *law = user;
    bool logs = law->kind == THUDI_DRAW_LOGNORMAL;
    double value[3] = {law->min, x, law->max}, f[3];
    for (int i = 0; i < 3; i++)
    {
        double z = logs ? log(value[i] / law->a) : value[i] - law->a;
        f[i] = normal_law(z / law->b, NULL);
    }
    return (f[1] - f[0]) / (f[2] - f[0]);
}

static void draw_samples(const thudi_distribution *law, uint64_t seed)
{
    thudi_random random = thudi_random_start(seed);
    for (int i = 0; i < SAMPLES; i++)
    {
        CHECK(thudi_distribution_draw(law, &random, &sample[i]) == THUD_OK);
        CHECK(sample[i] > 0);
    }
}

static void bounded_laws(void)
{
    static const thudi_distribution laws[] = {
        {.kind = THUDI_DRAW_NORMAL, .a = 1, .b = 0.1, .min = 0.5, .max = 1.5},
        {.kind = THUDI_DRAW_NORMAL, .a = 1, .b = 0.5, .min = 0.9, .max = 1.2},
        {.kind = THUDI_DRAW_NORMAL, .a = 1e-3, .b = 1, .min = 2, .max = 3},
        {.kind = THUDI_DRAW_LOGNORMAL, .a = 0.01, .b = 0.3, .min = 1e-6, .max = 1},
        {.kind = THUDI_DRAW_LOGNORMAL, .a = 2, .b = 2, .min = 1, .max = 2000},
    };
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
    {
        draw_samples(&laws[i], 10 + i);
        CHECK_AT_MOST(ks_distance(bounded_law, &laws[i]), 1.95);
        CHECK(sample[0] >= laws[i].min && sample[SAMPLES - 1] <= laws[i].max);
    }
}

static void simple_laws(void)
{
    double choices[3] = {0.25, 0.5, 1};
    thudi_distribution law = {.kind = THUDI_DRAW_FIXED, .a = 0.1};
    int hits[3] = {0};
    draw_samples(&law, 4);
    for (int i = 0; i < SAMPLES; i++)
        CHECK(sample[i] == 0.1);
    law = (thudi_distribution){.kind = THUDI_DRAW_UNIFORM, .a = 0.1, .b = 0.3};
    draw_samples(&law, 5);
    CHECK_AT_MOST(ks_distance(uniform_law, (double[]){0.1, 0.3}), 1.95);
    CHECK(sample[0] >= 0.1 && sample[SAMPLES - 1] <= 0.3);
    law.b = nextafter(0.1, 1);
    draw_samples(&law, 6);
    for (int i = 0; i < SAMPLES; i++)
        CHECK(sample[i] >= law.a && sample[i] <= law.b);
    law = (thudi_distribution){.kind = THUDI_DRAW_CHOICES, .choices = choices, .choice_count = 3};
    draw_samples(&law, 7);
    for (int i = 0; i < SAMPLES; i++)
        hits[sample[i] == 1 ? 2 : (sample[i] == 0.5 ? 1 : 0)]++;
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(hits[i], SAMPLES / 3.0, 5 * sqrt(SAMPLES / 3.0));
}

// A law that never hits gives up; one that hits once in ten thousand does not.
static void hopeless_laws(void)
{
    static const thudi_distribution hopeless[] = {
        {.kind = THUDI_DRAW_NORMAL, .a = 1, .b = 0.1, .min = 3, .max = 4},
        {.kind = THUDI_DRAW_NORMAL, .a = 1, .b = 0, .min = 2, .max = 3},
        {.kind = THUDI_DRAW_LOGNORMAL, .a = 1, .b = 0.1, .min = 1e-9, .max = 1e-8},
    };
    static const thudi_distribution rare = {
        .kind = THUDI_DRAW_NORMAL, .a = 1, .b = 0.1, .min = 1.3719, .max = 4};
    thudi_random random = thudi_random_start(8);
    double radius;
    for (size_t i = 0; i < sizeof hopeless / sizeof *hopeless; i++)
        CHECK(thudi_distribution_draw(&hopeless[i], &random, &radius) == THUD_ERR_LIMIT);
    for (int i = 0; i < 20; i++)
        CHECK(thudi_distribution_draw(&rare, &random, &radius) == THUD_OK && radius >= 1.3719);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"published-values", published_values},
        {"uniform", uniform},
        {"below", below},
        {"normal", normal},
        {"bounded-laws", bounded_laws},
        {"simple-laws", simple_laws},
        {"hopeless-laws", hopeless_laws},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
