// Values and derivatives of expressions against differences of an interpreter in quadruple
// precision that reads the same text, and against formulas.
#include "expression_samples.h"
#include "quad_interpreter.h"

#include "thud/expression.h"

#include <stdlib.h>
#include <string.h>

enum
{
    COORDINATES = 4,
    WANTED = 6000, // samples that are compared
    LONGEST = 5000 // numbers of scratch memory
};

static const char *const names[COORDINATES] = {"x0", "x1", "x2", "x3"};
static const char *const parameter = "k";

static thud_expression *compile(const char *text, const double *k)
{
    thud_symbols symbols = {names, COORDINATES, &parameter, k, 1, true, NULL};
    thud_expression *e = NULL;
    (void)thud_expression_create(text, strlen(text), &symbols, NULL, &e, NULL);
    return e;
}

typedef struct result
{
    double value, t, tt, gradient[COORDINATES], gradient_t[COORDINATES];
} result;

// Derivatives by the library, spread over all coordinates.
static result computed(const thud_expression *e, const quad_place *place)
{
    static double room[LONGEST];
    const thud_expression_traits *traits = thud_expression_view(e);
    double q[COORDINATES], gradient[COORDINATES], gradient_t[COORDINATES];
    result r = {0};
    for (int i = 0; i < COORDINATES; i++)
        q[i] = (double)place->x[i];
    if (traits->room > LONGEST)
        abort();
    for (int i = 0; i < traits->room; i++)
        room[i] = NAN; // nothing is expected in it
    thud_jet jet = {.gradient = gradient, .gradient_t = gradient_t};
    thud_expression_differentiate(e, (double)place->t, q, room, &jet);
    r.value = jet.value;
    r.t = jet.t;
    r.tt = jet.tt;
    for (int i = 0; i < traits->coordinate_count; i++)
    {
        r.gradient[traits->coordinate[i]] = gradient[i];
        r.gradient_t[traits->coordinate[i]] = gradient_t[i];
    }
    return r;
}

// The text at a place moved by i steps in time and j steps along coordinate c.
static quad moved(const char *text, const quad_place *place, int i, int j, int c)
{
    quad_place there = *place;
    there.t += i * (quad)0x1p-30;
    there.x[c] += j * (quad)0x1p-30;
    return quad_interpret(text, &there, NULL);
}

static result differences(const char *text, const quad_place *place)
{
    const quad step = 0x1p-30;
    result r = {0};
    quad here = quad_interpret(text, place, NULL);
    quad later = moved(text, place, 1, 0, 0), before = moved(text, place, -1, 0, 0);
    r.value = (double)here;
    r.t = (double)((later - before) / (2 * step));
    r.tt = (double)((later - here - (here - before)) / (step * step));
    for (int c = 0; c < COORDINATES; c++)
    {
        quad up = moved(text, place, 0, 1, c) - moved(text, place, 0, -1, c);
        quad up_later = moved(text, place, 1, 1, c) - moved(text, place, 1, -1, c);
        quad up_before = moved(text, place, -1, 1, c) - moved(text, place, -1, -1, c);
        r.gradient[c] = (double)(up / (2 * step));
        r.gradient_t[c] = (double)((up_later - up_before) / (4 * step * step));
    }
    return r;
}

// The largest difference of two results, each relative to 1 and the larger number.
static double distance(const result *a, const result *b)
{
    const double *x = (const double *)a, *y = (const double *)b;
    double worst = 0;
    for (size_t i = 0; i < sizeof *a / sizeof *x; i++)
    {
        double d = fabs(x[i] - y[i]) / (1 + fabs(y[i]));
        if (!(d <= worst))
            worst = d;
    }
    return worst;
}

static quad_place random_place(test_random *random)
{
    quad_place place;
    place.t = test_random_uniform(random, -2, 2);
    place.k = test_random_uniform(random, 0.2, 2);
    for (int i = 0; i < COORDINATES; i++)
        place.x[i] = test_random_uniform(random, -2, 2);
    return place;
}

static void count_names(const char *text, int *counts)
{
    static const char *const all[] = {
        "sin(", "cos(",  "tan(", "asin(",  "acos(", "atan(", "sinh(", "cosh(",  "tanh(", "exp(",
        "log(", "sqrt(", "abs(", "atan2(", "pow(",  "min(",  "max(",  "hypot(", ")^"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        counts[i] += strstr(text, all[i]) != NULL;
}

// A sample that depends on something, and that is smooth and tame where it is compared.
static bool sample(test_random *random, char *text, quad_place *place, thud_expression **e)
{
    double margin, k;
    expression_sample(random, test_random_int(random, 1, 5), text);
    *place = random_place(random);
    k = (double)place->k;
    (void)quad_interpret(text, place, &margin);
    if (!(margin > 0.02))
        return false;
    *e = compile(text, &k);
    if (!*e) // the text is well formed and its constants are finite here
        test_fail(__FILE__, __LINE__, "refused: %s", text);
    return *e != NULL && !thud_expression_view(*e)->is_constant;
}

static void random_expressions(void)
{
    uint64_t seed = test_seed(11);
    test_random random = test_random_start(seed);
    int counts[19] = {0}, compared = 0;
    double worst = 0;
    for (long tries = 0; compared < WANTED && tries < 100L * WANTED && test_failures() < 5; tries++)
    {
        char text[SAMPLE_LENGTH];
        quad_place place;
        thud_expression *e = NULL;
        if (sample(&random, text, &place, &e))
        {
            result got = computed(e, &place), wanted = differences(text, &place);
            double d = distance(&got, &wanted);
            if (!(d < 1e-9))
                test_fail(__FILE__, __LINE__,
                          "%g: %s\n value %g %g t %g %g tt %g %g gradient %g %g ...", d, text,
                          got.value, wanted.value, got.t, wanted.t, got.tt, wanted.tt,
                          got.gradient[0], wanted.gradient[0]);
            worst = d > worst ? d : worst;
            count_names(text, counts);
            compared++;
        }
        thud_expression_destroy(e);
    }
    printf("seed %llu, %d expressions, largest difference %.2g\n", (unsigned long long)seed,
           compared, worst);
    CHECK(compared == WANTED);
    for (int i = 0; i < 19; i++)
        CHECK(counts[i] > 100); // every function was among them
}

typedef struct known
{
    const char *text;
    result wanted; // at t = 0.5, x = (2, -1, 0, 3)
} known;

static void check_known(const known *samples, int count)
{
    const quad_place place = {0.5, {2, -1, 0, 3}, 1.5};
    const double k = 1.5;
    for (int i = 0; i < count; i++)
    {
        thud_expression *e = compile(samples[i].text, &k);
        REQUIRE(e);
        result got = computed(e, &place);
        const double *x = (const double *)&got, *y = (const double *)&samples[i].wanted;
        for (size_t n = 0; n < sizeof got / sizeof *x; n++)
            if (x[n] != y[n] && !(isnan(x[n]) && isnan(y[n])))
                test_fail(__FILE__, __LINE__, "%s: number %d is %g, wanted %g", samples[i].text,
                          (int)n, x[n], y[n]);
        thud_expression_destroy(e);
    }
}

static void by_hand(void)
{
    const known samples[] = {
        {"t", {0.5, 1, 0, {0}, {0}}},
        {"7", {7, 0, 0, {0}, {0}}},
        {"x3*t^2", {0.75, 3, 6, {0, 0, 0, 0.25}, {0, 0, 0, 1}}},
        {"x0^2*x1", {-4, 0, 0, {-4, 4, 0, 0}, {0}}},
        {"x2^2", {0, 0, 0, {0}, {0}}},
        {"t*x2^2*x0", {0, 0, 0, {0}, {0}}},
        {"(x0-x1)/t", {6, -12, 48, {2, -2, 0, 0}, {-4, 4, 0, 0}}},
        {"x0*x0*x0", {8, 0, 0, {12, 0, 0, 0}, {0}}},
        {"x0^1*t", {1, 2, 0, {0.5, 0, 0, 0}, {1, 0, 0, 0}}},
        {"x0^0 + x2^0", {2, 0, 0, {0}, {0}}},
        {"hypot(x3, 4)", {5, 0, 0, {0, 0, 0, 0.6}, {0}}},
        {"k*x1", {-1.5, 0, 0, {0, 1.5, 0, 0}, {0}}},
        {"0*x0", {0, 0, 0, {0}, {0}}},
    };
    check_known(samples, sizeof samples / sizeof *samples);
}

// Which side is taken.
static void kinks(void)
{
    const known samples[] = {
        {"abs(x2)", {0, 0, 0, {0}, {0}}},
        {"abs(t-0.5)", {0, 0, 0, {0}, {0}}},
        {"abs(t-0.5)*x0", {0, 0, 0, {0}, {0}}},
        {"hypot(x2, t-0.5)", {0, 0, 0, {0}, {0}}},
        {"hypot(x2)", {0, 0, 0, {0}, {0}}},
        {"min(x0, 2*t+1)", {2, 0, 0, {1, 0, 0, 0}, {0}}},
        {"min(2*t+1, x0)", {2, 2, 0, {0}, {0}}},
        {"max(x2, 0*x0)", {0, 0, 0, {0, 0, 1, 0}, {0}}},
        {"max(1, x0, x3-1, 4*t)", {2, 0, 0, {1, 0, 0, 0}, {0}}},
        {"abs(x1)", {1, 0, 0, {0, -1, 0, 0}, {0}}},
    };
    check_known(samples, sizeof samples / sizeof *samples);
}

// Outside of a domain everything that depends on it is NAN, and nothing else; on the border slopes
// are infinite and do not spoil the others.
static void domains(void)
{
    const double no = NAN, inf = INFINITY;
    const known samples[] = {
        {"log(x1)", {no, 0, 0, {0, no, 0, 0}, {0}}},
        {"sqrt(x1) + t*x0", {no, 2, 0, {0.5, no, 0, 0}, {1, 0, 0, 0}}},
        {"acos(x0*t+x3)", {no, no, no, {no, 0, 0, no}, {no, 0, 0, no}}},
        {"sqrt(x2) + t", {0.5, 1, 0, {0, 0, inf, 0}, {0}}},
        {"sqrt(x2) + t*x0", {1, 2, 0, {0.5, 0, inf, 0}, {1, 0, 0, 0}}},
        {"log(x2)", {-inf, 0, 0, {0, 0, inf, 0}, {0}}},
        {"1/x2 + t", {inf, 1, 0, {0, 0, -inf, 0}, {0}}},
        {"x1^0.5", {no, 0, 0, {0, no, 0, 0}, {0}}},
        {"x2^2 + x2^(3*t)", {0, 0, 0, {0}, {0}}},
        {"min(log(x1), x0)", {no, 0, 0, {0, no, 0, 0}, {0}}},
        {"min(x0, log(x1))", {no, 0, 0, {0, no, 0, 0}, {0}}},
        {"atan2(x2, x2)", {0, 0, 0, {0, 0, no, 0}, {0}}},
    };
    check_known(samples, sizeof samples / sizeof *samples);
}

static const test_case cases[] = {
    {"random", random_expressions},
    {"by-hand", by_hand},
    {"kinks", kinks},
    {"domains", domains},
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
