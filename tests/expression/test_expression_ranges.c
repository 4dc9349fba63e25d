// Ranges of expressions over stretches of time contain what they must, and are not idle.
#include "expression_samples.h"

#include "expression/expression_ranges.h"

#include <stdlib.h>
#include <string.h>

enum
{
    SAMPLES = 6000,
    PLACES = 12
};

static const char *const names[] = {"x0", "x1", "x2", "x3"};
static const char *const parameters[] = {"k"};
static const double values[] = {1.75};

static thud_expression *compile(const char *text)
{
    thud_symbols symbols = {.coordinates = names,
                            .coordinate_count = 4,
                            .parameters = parameters,
                            .values = values,
                            .parameter_count = 1,
                            .time = true};
    thud_expression *e = NULL;
    thud_fault fault;
    (void)thud_expression_create(text, strlen(text), &symbols, NULL, &e, &fault);
    return e;
}

// An expression as the argument of step, with room for both.
typedef struct sample
{
    char text[SAMPLE_LENGTH + 8];
    thud_expression *inner, *outer;
    thudi_kink kink; // whose argument `inner` is
    double *room;
    double q[4];
} sample;

static bool make(sample *s, const char *text)
{
    (void)snprintf(s->text, sizeof s->text, "step(%s)", text);
    s->inner = compile(text);
    s->outer = s->inner ? compile(s->text) : NULL;
    s->room = NULL;
    if (!s->outer || !thud_expression_view(s->inner)->uses_time)
        return false;
    int count = thudi_expression_kinks(s->outer, false, NULL);
    thudi_kink *kinks = calloc((size_t)count, sizeof *kinks);
    CHECK(count > 0 && thudi_expression_kinks(s->outer, false, kinks) == count);
    s->kink = kinks[count - 1]; // the outermost is the last
    free(kinks);
    s->room = calloc((size_t)thud_expression_view(s->outer)->room, sizeof *s->room);
    return true;
}

static void drop(sample *s)
{
    thud_expression_destroy(s->inner);
    thud_expression_destroy(s->outer);
    free(s->room);
}

// Values lie in the range bit for bit; slopes up to their own rounding.
static void check_stretch(sample *s, test_random *random, double a, double b, int *finite)
{
    thud_kink_range r = thudi_kink_range(&s->kink, a, b, s->q, s->room);
    double t[PLACES] = {0}, x[PLACES] = {0};
    int failures = test_failures();
    *finite += isfinite(r.low) && isfinite(r.high) && isfinite(r.slope_low);
    for (int i = 0; i < PLACES && test_failures() == failures; i++)
    {
        t[i] = i == 0 ? a : i == 1 ? b : test_random_uniform(random, a, b);
        x[i] = thud_expression_value(s->inner, t[i], s->q, s->room);
        thud_kink_range at = thudi_kink_range(&s->kink, t[i], t[i], s->q, s->room);
        CHECK(at.low == at.high ? at.low == x[i] : isnan(x[i]));
        if (!isnan(x[i]) && !(x[i] >= r.low && x[i] <= r.high))
            test_fail(__FILE__, __LINE__, "%s: %.17g at %.17g, not in [%.17g, %.17g]", s->text,
                      x[i], t[i], r.low, r.high);
    }
    for (int i = 1; i < PLACES && test_failures() == failures; i++)
    {
        double step = t[i] - t[0], slope = (x[i] - x[0]) / step;
        if (isnan(slope) || fabs(step) < 1e-2 * (b - a))
            continue;
        double noise = 1e-9 * (fabs(x[i]) + fabs(x[0]) + 1) / fabs(step);
        noise += 1e-9 * fabs(slope);
        if (slope < r.slope_low - noise || slope > r.slope_high + noise)
            test_fail(__FILE__, __LINE__, "%s: slope %.17g over [%g, %g], not in [%.17g, %.17g]",
                      s->text, slope, a, b, r.slope_low, r.slope_high);
    }
}

static void contain(void)
{
    uint64_t seed = test_seed(30);
    test_random random = test_random_start(seed);
    int tried = 0, finite = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < SAMPLES && test_failures() < 5; i++)
    {
        sample s;
        char text[SAMPLE_LENGTH];
        expression_sample(&random, test_random_int(&random, 1, 4), text);
        if (make(&s, text))
            for (int n = 0; n < 4; n++, tried++)
            {
                double a = test_random_uniform(&random, -3, 3);
                double width = pow(10, test_random_uniform(&random, -6, 0.5));
                for (int k = 0; k < 4; k++)
                    s.q[k] = test_random_uniform(&random, -2, 2);
                check_stretch(&s, &random, a, a + width, &finite);
            }
        drop(&s);
    }
    printf("%d stretches, %d with finite bounds\n", tried, finite);
    CHECK(tried > 5000 && finite > tried / 2);
}

// Ranges by hand: exact zeros stay exact, and known slopes are found.
static void by_hand(void)
{
    static const struct
    {
        const char *text;
        double a, b, low, high, slope_low, slope_high;
    } all[] = {
        {"t - 0.5", 0, 1, -0.5, 0.5, 1, 1},
        {"0*sin(t) + t - t", 0, 1, -1, 1, 0, 0},
        {"t^2", -1, 2, 0, 4, -2, 4},
        {"t^3", -1, 2, -1, 8, 0, 12},
        {"abs(t)", -1, 2, 0, 2, -1, 1},
        {"step(t)", -1, 2, 0, 1, 0, INFINITY},
        {"step(t)", 1, 2, 1, 1, 0, 0},
        {"step(step(t - 1))", 2, 3, 1, 1, 0, 0},
        {"min(t, 1)", 2, 3, 1, 1, 0, 0},
        {"max(t, 1)", 2, 3, 2, 3, 1, 1},
        {"sin(t)", 1, 2, 0.8414709848078965, 1, -0.4161468365471424, 0.5403023058681398},
        {"cos(2*t)", -0.5, 0.25, 0.5403023058681398, 1, -0.958851077208406, 1.682941969615793},
        {"exp(-t)", 0, 1, 0.36787944117144233, 1, -1, -0.36787944117144233},
        {"1/t", -1, 1, -INFINITY, INFINITY, -INFINITY, INFINITY},
        {"1/t", 1, 2, 0.5, 1, -1, -0.25},
        {"sqrt(t)", 1, 4, 1, 2, 0.25, 0.5},
        {"hypot(t, 3)", 4, 4.5, 5, 5.408326913195984, 0.7396002616336388, 0.9},
        {"atan2(t, -1)", -1, 1, -3.2, 3.2, -INFINITY, INFINITY},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
        sample s;
        REQUIRE(make(&s, all[i].text));
        thud_kink_range r = thudi_kink_range(&s.kink, all[i].a, all[i].b, NULL, s.room);
        const double got[] = {r.low, r.high, r.slope_low, r.slope_high};
        const double want[] = {all[i].low, all[i].high, all[i].slope_low, all[i].slope_high};
        for (int k = 0; k < 4; k++)
        {
            double off = k % 2 ? got[k] - want[k] : want[k] - got[k]; // outwards
            bool fine = got[k] == want[k] || (off >= -1e-15 && off <= 1e-14 * (1 + fabs(want[k])));
            if (!fine)
                test_fail(__FILE__, __LINE__, "%s: number %d is %.17g, wanted %.17g", all[i].text,
                          k, got[k], want[k]);
        }
        drop(&s);
    }
}

static void nowhere(void)
{
    static const char *const texts[] = {"sqrt(-1 - t^2)", "log(-t)",         "asin(2 + t)",
                                        "step(sqrt(-t))", "min(1, log(-t))", "(-1 - t)^0.5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
        sample s;
        REQUIRE(make(&s, texts[i]));
        CHECK(isnan(thudi_kink_range(&s.kink, 1, 2, NULL, s.room).low));
        drop(&s);
    }
}

static const test_case cases[] = {{"contain", contain}, {"by-hand", by_hand}, {"nowhere", nowhere}};

int main(int argc, char **argv)
{
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
