// The elementary functions: error in ulps against quadruple precision on random and on hard
// arguments, special values, tables, and the bits themselves.
#include "quad_reference.h"
#include "thud_test.h"

#include "core/math/elementary.h"
#include "core/math/elementary_parts.h"

#include <string.h>

typedef struct function
{
    const char *name;
    double (*own)(double);
    quad (*exact)(quad);
    double bound;     // ulps allowed where the result is normal; below it 1
    double low, high; // arguments of interest
    uint64_t pinned;  // hash of the bits of 10,000 values
} function;

static const function functions[] = {
    {"sin", thudi_sin, sinq, 0.55, -100, 100, 0x9df29ce79a62c643},
    {"cos", thudi_cos, cosq, 0.55, -100, 100, 0xfb4c3c26576e8bb1},
    {"tan", thudi_tan, tanq, 0.55, -100, 100, 0x27074ed1b089a982},
    {"asin", thudi_asin, asinq, 0.55, -1, 1, 0x6c5c63d5a2b60926},
    {"acos", thudi_acos, acosq, 0.55, -1, 1, 0x3648b07be7f68a88},
    {"atan", thudi_atan, atanq, 0.55, -100, 100, 0x1ffef3a2cc1a714c},
    {"sinh", thudi_sinh, sinhq, 0.55, -711, 711, 0xbc16b722c6731cd1},
    {"cosh", thudi_cosh, coshq, 0.55, -711, 711, 0x441f30efb5492f4d},
    {"tanh", thudi_tanh, tanhq, 0.55, -25, 25, 0xf5e3b5d2bbc72d5b},
    {"exp", thudi_exp, expq, 0.55, -746, 710, 0x1d055eecfc57b3c5},
    {"log", thudi_log, logq, 0.55, 0, 100, 0x06bef85d126b89a5},
};

enum
{
    FUNCTIONS = sizeof functions / sizeof *functions,
    SAMPLES = 200000
};

static const uint64_t pinned_pow = 0x68c21c122d894db8, pinned_atan2 = 0xa84f496f981ffe34;

static double random_double(test_random *random)
{
    double x;
    do
    {
        uint64_t bits = test_random_bits(random);
        memcpy(&x, &bits, sizeof x);
    } while (!isfinite(x));
    return x;
}

// An argument of one of several hard kinds.
static double argument(test_random *random, const function *f)
{
    double sign = test_random_int(random, 0, 1) ? 1 : -1;
    switch (test_random_int(random, 0, 6))
    {
    case 0:
        return test_random_uniform(random, f->low, f->high);
    case 1:
        return random_double(random);
    case 2: // near multiples of pi/2, small ones and huge ones
    {
        double k = floor(ldexp(test_random_uniform(random, 1, 2), test_random_int(random, 0, 70)));
        double x = (double)(k * acosq(-1) / 2) * sign;
        return test_random_int(random, 0, 1) ? x : nextafter(x, sign * INFINITY);
    }
    case 3: // near 1
        return sign *
               (1 + ldexp(test_random_uniform(random, -1, 1), -test_random_int(random, 1, 52)));
    case 4: // near 0
        return sign * ldexp(test_random_uniform(random, 1, 2), -test_random_int(random, 1, 1074));
    case 5: // about where the ways of computing change
        return sign * test_random_uniform(random, 0.3, 0.9);
    default: // near the ends
    {
        double end = test_random_int(random, 0, 1) ? f->high : f->low;
        return end * (1 + test_random_uniform(random, -1, 1) * 0x1p-8);
    }
    }
}

static bool is_normal_size(quad exact)
{
    return fabsq(exact) >= 0x1p-1022;
}

// One value against the exact one; the larger of *worst and its error goes to *worst.
static void compare(const char *name, double x, double y, double got, quad exact, double bound,
                    double *worst)
{
    double rounded = (double)exact;
    if (isnan(rounded) || isinf(rounded) || isnan(got) || isinf(got))
    {
        // within half an ulp of the largest double the rounding may go either way
        bool edge =
            fabsq(exact) < ldexpq(1, 1024) && fabsq(exact) > 0x1.fffffffffffffp1023 - 0x1p971;
        if (!edge && memcmp(&rounded, &got, sizeof got) != 0 && !(isnan(rounded) && isnan(got)))
            test_fail(__FILE__, __LINE__, "%s(%a, %a) = %g, wanted %g", name, x, y, got, rounded);
        return;
    }
    double error = quad_ulps(got, exact);
    if (!is_normal_size(exact))
        bound = 1;
    if (!(error <= bound))
        test_fail(__FILE__, __LINE__, "%s(%a, %a): %g ulps", name, x, y, error);
    if (is_normal_size(exact) && error > *worst)
        *worst = error;
    if (got == 0 && signbit(got) != signbit(rounded))
        test_fail(__FILE__, __LINE__, "%s(%a, %a): sign of 0", name, x, y);
}

static void accuracy(void)
{
    uint64_t seed = test_seed(1);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int f = 0; f < FUNCTIONS; f++)
    {
        test_random random = test_random_start(seed);
        double worst = 0;
        for (int i = 0; i < SAMPLES && test_failures() < 10; i++)
        {
            double x = argument(&random, &functions[f]);
            compare(functions[f].name, x, 0, functions[f].own(x), functions[f].exact(x),
                    functions[f].bound, &worst);
        }
        printf("%-5s %.4f ulps\n", functions[f].name, worst);
        CHECK(worst > 0.4); // else nothing was measured
    }
}

// Base and exponent with a result in range mostly, or anywhere.
static void power_arguments(test_random *random, double *x, double *y)
{
    static const double halves[] = {-3, -2, -1, -0.5, 0.5, 1, 1.5, 2, 3, 4, 5, 10, 17};
    switch (test_random_int(random, 0, 4))
    {
    case 0: // any base, any result
        *x = fabs(random_double(random));
        *y = test_random_uniform(random, -750, 712) / log(*x);
        break;
    case 1: // near 1, a huge exponent
        *x = 1 + ldexp(test_random_uniform(random, -1, 1), -test_random_int(random, 1, 52));
        *y = test_random_uniform(random, -750, 712) / log(*x);
        break;
    case 2: // small exponents
        *x = test_random_uniform(random, -10, 10);
        *y = halves[test_random_int(random, 0, sizeof halves / sizeof *halves - 1)];
        break;
    case 3:
        *x = random_double(random);
        *y = random_double(random);
        break;
    default:
        *x = test_random_int(random, -20, 20);
        *y = test_random_int(random, -20, 20);
    }
    if (!isfinite(*y))
        *y = 3;
}

static void accuracy_of_pow(void)
{
    uint64_t seed = test_seed(2);
    test_random random = test_random_start(seed);
    double worst = 0;
    for (int i = 0; i < 100000 && test_failures() < 10; i++)
    {
        double x, y;
        power_arguments(&random, &x, &y);
        quad exact = powq(x, y);
        compare("pow", x, y, thudi_pow(x, y), exact, 0.55, &worst);
        double square = thudi_pow(x, 2), product = x * x;
        CHECK(memcmp(&square, &product, sizeof square) == 0);
    }
    printf("seed %llu, pow %.4f ulps\n", (unsigned long long)seed, worst);
    CHECK(worst > 0.4);
}

static void accuracy_of_atan2(void)
{
    uint64_t seed = test_seed(3);
    test_random random = test_random_start(seed);
    double worst = 0, worst_hypot = 0;
    for (int i = 0; i < 100000 && test_failures() < 10; i++)
    {
        double y = random_double(&random), x = random_double(&random);
        if (i % 2)
            x = y * ldexp(test_random_uniform(&random, -2, 2), test_random_int(&random, -70, 70));
        if (!isfinite(x))
            continue;
        compare("atan2", y, x, thudi_atan2(y, x), atan2q(y, x), 0.55, &worst);
        double pair[2] = {x, y};
        compare("hypot", y, x, thudi_hypot(pair, (int[]){0, 1}, 2), hypotq(x, y), 0.55,
                &worst_hypot);
    }
    printf("seed %llu, atan2 %.4f ulps, hypot %.4f\n", (unsigned long long)seed, worst,
           worst_hypot);
    CHECK(worst > 0.4 && worst_hypot > 0.4);
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static const double specials[] = {0.0,
                                  -0.0,
                                  1,
                                  -1,
                                  0.5,
                                  -0.5,
                                  2,
                                  -2,
                                  3,
                                  -3,
                                  2.5,
                                  -2.5,
                                  1e300,
                                  -1e300,
                                  1e-320,
                                  -1e-320,
                                  0x1p-1074,
                                  -0x1p-1074,
                                  0x1p53,
                                  -0x1p53,
                                  0x1.fffffffffffffp1023,
                                  -0x1.fffffffffffffp1023,
                                  9007199254740991.0,
                                  INFINITY,
                                  -INFINITY,
                                  NAN};

// Of special arguments, where C prescribes the value: 0, 1, infinite, NAN.
static void special_values(void)
{
    enum
    {
        COUNT = sizeof specials / sizeof *specials
    };
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < COUNT; j++)
        {
            double x = specials[i], y = specials[j], got = thudi_pow(x, y),
                   wanted = (double)powq(x, y);
            bool prescribed = wanted == 0 || fabs(wanted) == 1 || !isfinite(wanted);
            if (prescribed ? !same(got, wanted) : !(quad_ulps(got, powq(x, y)) < 1))
                test_fail(__FILE__, __LINE__, "pow(%g, %g) = %g, wanted %g", x, y, got, wanted);
            wanted = (double)atan2q(x, y);
            if (!same(thudi_atan2(x, y), wanted))
                test_fail(__FILE__, __LINE__, "atan2(%g, %g) = %a, wanted %a", x, y,
                          thudi_atan2(x, y), wanted);
        }
    for (int f = 0; f < FUNCTIONS; f++)
        for (int i = 0; i < COUNT; i++)
        {
            double x = specials[i], worst = 0;
            compare(functions[f].name, x, 0, functions[f].own(x), functions[f].exact(x),
                    functions[f].bound, &worst);
        }
    CHECK(same(thudi_sin(-0.0), -0.0) && thudi_exp(0) == 1 && same(thudi_log(1), 0.0));
    CHECK(thudi_pow(3, 5) == 243 && thudi_pow(10, 22) == 1e22 && thudi_pow(2, -1074) == 0x1p-1074);
    CHECK(thudi_pow(1e150, 2) == 1e150 * 1e150 && thudi_pow(-2, 3) == -8);
}

// The double nearest to a multiple of pi/2, and others known to be hard to reduce.
static void hard_reductions(void)
{
    static const double hard[] = {6381956970095103.0 * 0x1p797,
                                  0x1.921fb54442d18p0,
                                  0x1.6ac5b262ca1ffp+849,
                                  0x1.fffffffffffffp1023,
                                  0x1p1023,
                                  3.141592653589793,
                                  22,
                                  355,
                                  103993,
                                  0x1.921fb54442d18p+500};
    double worst = 0;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
    {
        compare("sin", hard[i], 0, thudi_sin(hard[i]), sinq(hard[i]), 0.55, &worst);
        compare("cos", hard[i], 0, thudi_cos(hard[i]), cosq(hard[i]), 0.55, &worst);
        compare("tan", -hard[i], 0, thudi_tan(-hard[i]), tanq(-hard[i]), 0.55, &worst);
    }
    CHECK_NEAR(thudi_cos(hard[0]), -4.68716592425462761112e-19, 1e-34);
}

// hi + lo is the exact value to 2^-104 of it, and hi is the nearest double.
static void check_entry(const char *what, int k, thudi_dd got, quad exact)
{
    quad error = (quad)got.hi + (quad)got.lo - exact;
    if (got.hi != (double)exact || fabsq(error) > fabsq(exact) * 0x1p-104)
        test_fail(__FILE__, __LINE__, "%s %d", what, k);
}

static void tables(void)
{
    for (int j = 0; j < THUDI_POWERS; j++)
        check_entry("power", j, thudi_powers[j], exp2q((quad)j / 64));
    for (int j = 0; j < THUDI_ARCS; j++)
        check_entry("arc", j, thudi_arcs[j], atanq((quad)j / 64));
    for (int k = 0; k < THUDI_RECIPROCALS; k++)
        check_entry("reciprocal", k, thudi_odd_reciprocals[k], 1 / (quad)(2 * k + 1));
    quad even = 1;
    for (int k = 0; k < THUDI_FACTORIALS; k++)
    {
        check_entry("even factorial", k, thudi_even_factorials[k], 1 / even);
        even *= 2 * k + 1;
        check_entry("odd factorial", k, thudi_odd_factorials[k], 1 / even);
        even *= 2 * k + 2;
    }
    for (int k = 0; k < THUDI_LOGARITHMS; k++)
    {
        thudi_log_entry entry = thudi_logarithms[k];
        int i = k + THUDI_LOGARITHM_FIRST;
        CHECK(entry.c == floor(512 * 128.0 / i + 0.5) / 512);
        check_entry("logarithm", k, entry.minus_log, -logq(entry.c));
    }
    check_entry("pi", 0, THUDI_EXACT_PI, acosq(-1));
    check_entry("pi/2", 0, THUDI_HALF_PI, acosq(-1) / 2);
}

static uint64_t hash_value(uint64_t hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (isnan(x))
        bits = 1; // whichever
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (bits >> (8 * i) & 0xff)) * 0x100000001b3;
    return hash;
}

static void check_hash(const char *name, uint64_t hash, uint64_t wanted)
{
    if (hash != wanted)
        test_fail(__FILE__, __LINE__, "%s: 0x%016llx", name, (unsigned long long)hash);
}

// The bits of 10,000 values of each: the same with every compiler and on every processor. The
// arguments are made without the C library's functions.
static void same_bits(void)
{
    const uint64_t start = 0xcbf29ce484222325;
    for (int f = 0; f <= FUNCTIONS + 1; f++)
    {
        test_random random = test_random_start(77);
        uint64_t hash = start;
        for (int i = 0; i < 10000; i++)
        {
            double low = f < FUNCTIONS ? functions[f].low : -20;
            double high = f < FUNCTIONS ? functions[f].high : 20;
            double x =
                i % 4 == 3 ? random_double(&random) : test_random_uniform(&random, low, high);
            double y = test_random_uniform(&random, -20, 20);
            hash = hash_value(hash, f < FUNCTIONS    ? functions[f].own(x)
                                    : f == FUNCTIONS ? thudi_pow(fabs(x), y)
                                                     : thudi_atan2(y, x));
        }
        if (f < FUNCTIONS)
            check_hash(functions[f].name, hash, functions[f].pinned);
        else
            check_hash(f == FUNCTIONS ? "pow" : "atan2", hash,
                       f == FUNCTIONS ? pinned_pow : pinned_atan2);
    }
}

static const test_case cases[] = {
    {"accuracy", accuracy},
    {"accuracy-of-pow", accuracy_of_pow},
    {"accuracy-of-atan2", accuracy_of_atan2},
    {"special-values", special_values},
    {"hard-reductions", hard_reductions},
    {"tables", tables},
    {"same-bits", same_bits},
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
