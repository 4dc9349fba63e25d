// Exact sums: cases with known values, orders, partitions, numbers that are not finite, and four
// sums side by side against single ones. exact_sum.py computes printed sums again with fractions.
#include "thud_test.h"

#include "core/math/exact_four.h"
#include "core/math/exact_sum.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 1 << 20,
    ORDERS = 200,
    PARTS = 17
};

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool same(double a, double b)
{
    return bits_of(a) == bits_of(b) || (a != a && b != b);
}

static double sum_of(const double *x, int count)
{
    thudi_exact_sum sum = {.terms = 0};
    for (int i = 0; i < count; i++)
        thudi_exact_add(&sum, x[i]);
    return thudi_exact_value(&sum);
}

// The same by lanes; term i goes to lane i mod 4.
static double sum_of_lanes(const double *x, int count)
{
    thudi_exact_four sums;
    thudi_exact_four_clear(&sums);
    for (int i = 0; i < count; i += 4)
    {
        double at[4] = {0};
        for (int k = 0; k < 4 && i + k < count; k++)
            at[k] = x[i + k];
        thudi_exact_four_add(&sums, four_load(at));
    }
    return thudi_exact_four_total(&sums);
}

// The same with all terms in lane 2.
static double sum_of_lane(const double *x, int count)
{
    thudi_exact_four sums;
    double values[4];
    thudi_exact_four_clear(&sums);
    for (int i = 0; i < count; i++)
        thudi_exact_four_add(&sums, (four){0, -x[i], x[i], 1});
    thudi_exact_four_values(&sums, values);
    CHECK(same(values[0], 0));
    CHECK(values[1] == -values[2] || values[2] != values[2]);
    CHECK(values[3] == count);
    return values[2];
}

static void shuffle(test_random *random, double *x, int count)
{
    for (int i = count - 1; i > 0; i--)
    {
        int k = test_random_int(random, 0, i);
        double kept = x[i];
        x[i] = x[k];
        x[k] = kept;
    }
}

typedef struct known
{
    double value;
    int count;
    double terms[6];
} known;

static void cases(void)
{
    static const known table[] = {
        {1, 3, {1e308, 1, -1e308}},
        {2, 4, {0x1p53, 1, 1, -0x1p53}},
        {0x1p-1074, 5, {1e308, 1e308, -1e308, -1e308, 0x1p-1074}},
        {INFINITY, 2, {1e308, 1e308}},
        {-INFINITY, 2, {-1e308, -1e308}},
        {1, 2, {1, 0x1p-53}}, // a tie, to even
        {1 + 0x1p-52, 3, {1, 0x1p-53, 0x1p-1074}},
        {-1, 2, {-1, -0x1p-53}},
        {-1 - 0x1p-52, 3, {-1, -0x1p-53, -0x1p-1074}},
        {1 + 0x1p-51, 2, {1 + 0x1p-52, 0x1p-53}}, // a tie, to even
        {1, 3, {1, 0x1p-53, -0x1p-1074}},
        {2, 3, {2 - 0x1p-52, 0x1p-53, 0}}, // a carry into the exponent
        {0, 0, {0}},
        {0, 1, {-0.0}},
        {0, 2, {-0.0, -0.0}},
        {0, 2, {0.0, -0.0}},
        {0, 2, {1, -1}},
        {0x1p-1074, 1, {0x1p-1074}},
        {0x1p-1073, 2, {0x1p-1074, 0x1p-1074}},
        {0x1p-1022, 2, {0x1p-1022 - 0x1p-1074, 0x1p-1074}},
        {0x1p-1022 - 0x1p-1074, 2, {0x1p-1022, -0x1p-1074}},
        {-0x1p-1074, 3, {-0x1p-1022, 0x1p-1022, -0x1p-1074}},
        {0x1p-1021 + 0x1p-1073, 3, {0x1p-1021, 0x1p-1074, 0x1p-1074}},
        {0x1p-1021, 2, {0x1p-1021, 0x1p-1074}}, // a tie, to even
        {DBL_MAX, 1, {DBL_MAX}},
        {DBL_MAX, 2, {DBL_MAX, 0x1p969}},
        {INFINITY, 2, {DBL_MAX, 0x1p970}}, // a tie, to infinity
        {DBL_MAX, 3, {DBL_MAX, 0x1p970, -0x1p-1074}},
        {DBL_MAX, 3, {DBL_MAX, DBL_MAX, -DBL_MAX}},
        {INFINITY, 2, {INFINITY, 1}},
        {-INFINITY, 3, {1e308, 1e308, -INFINITY}},
        {NAN, 2, {INFINITY, -INFINITY}},
        {NAN, 2, {NAN, 1}},
        {NAN, 3, {INFINITY, NAN, -1}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    {
        const known *at = &table[i];
        double values[] = {sum_of(at->terms, at->count), sum_of_lane(at->terms, at->count),
                           sum_of_lanes(at->terms, at->count)};
        for (int k = 0; k < 3; k++)
            if (!same(values[k], at->value))
                test_fail(__FILE__, __LINE__, "case %zu, form %d: %a, wanted %a", i, k, values[k],
                          at->value);
    }
}

static void overflow(void)
{
    thudi_exact_sum sum = {.terms = 0};
    thudi_exact_add(&sum, 1e308);
    CHECK(!thudi_exact_overflows(&sum));
    thudi_exact_add(&sum, 1e308);
    CHECK(thudi_exact_overflows(&sum));
    for (int i = 0; i < 1000000; i++)
        thudi_exact_add(&sum, DBL_MAX);
    CHECK(thudi_exact_overflows(&sum) && thudi_exact_value(&sum) == INFINITY);
    for (int i = 0; i < 1000000; i++)
        thudi_exact_add(&sum, -DBL_MAX);
    CHECK(thudi_exact_overflows(&sum));
    thudi_exact_add(&sum, -1e308);
    CHECK(!thudi_exact_overflows(&sum) && thudi_exact_value(&sum) == 1e308);
    thudi_exact_add(&sum, INFINITY);
    CHECK(!thudi_exact_overflows(&sum)); // a term is infinite, not the sum of finite ones
}

// A sum that is joined with itself: 2^36 terms, many more than between two carries.
static void joined(void)
{
    thudi_exact_sum sum = {.terms = 0}, other;
    for (int i = 0; i < 64; i++)
        thudi_exact_add(&sum, i % 2 ? -(1 + 0x1p-52) : DBL_MAX);
    for (int i = 0; i < 30; i++)
    {
        other = sum;
        thudi_exact_join(&sum, &other);
    }
    CHECK(thudi_exact_overflows(&sum));
    for (int i = 0; i < 32; i++)
    {
        memset(&other, 0, sizeof other);
        thudi_exact_add(&other, -DBL_MAX);
        for (int k = 0; k < 30; k++)
        {
            thudi_exact_sum twice = other;
            thudi_exact_join(&other, &twice);
        }
        thudi_exact_join(&sum, &other);
    }
    CHECK(thudi_exact_value(&sum) == -0x1p35 * (1 + 0x1p-52));
}

// 2^20 terms over 1,000 exponents that nearly cancel, in orders and parts.
static void orders(void)
{
    test_random random = test_random_begin(20261);
    double *x = malloc(MOST * sizeof *x);
    REQUIRE(x);
    for (int i = 0; i < MOST; i += 2)
    {
        x[i] = ldexp(test_random_uniform(&random, -1, 1), test_random_int(&random, -500, 499));
        x[i + 1] = -x[i] * (1 + 0x1p-52 * test_random_int(&random, 0, 1));
    }
    double value = sum_of(x, MOST);
    int different = 0;
    for (int order = 0; order < ORDERS; order++)
    {
        thudi_exact_sum parts[PARTS], all = {.terms = 0};
        thudi_exact_four lanes[PARTS], all_lanes;
        int count = 1 + order % PARTS;
        shuffle(&random, x, MOST);
        memset(parts, 0, sizeof parts);
        thudi_exact_four_clear(&all_lanes);
        for (int p = 0; p < PARTS; p++)
            thudi_exact_four_clear(&lanes[p]);
        for (int i = 0; i < MOST; i++)
            thudi_exact_add(&parts[test_random_int(&random, 0, count - 1)], x[i]);
        for (int i = 0; i < MOST && order % 8 == 0; i += 4)
            thudi_exact_four_add(&lanes[test_random_int(&random, 0, count - 1)], four_load(x + i));
        for (int p = count - 1; p >= 0; p--)
        {
            thudi_exact_join(&all, &parts[p]);
            thudi_exact_four_join(&all_lanes, &lanes[p]);
        }
        different += !same(thudi_exact_value(&all), value);
        different += order % 8 == 0 && !same(thudi_exact_four_total(&all_lanes), value);
    }
    printf("%d terms, %d orders, 1 to %d parts: %a, %d others\n", MOST, ORDERS, PARTS, value,
           different);
    CHECK(different == 0);
    free(x);
}

// A random term of one of several kinds.
static double random_term(test_random *random, int kind)
{
    double x = test_random_uniform(random, -1, 1);
    switch (kind)
    {
    case 0:
        return x;
    case 1:
        return ldexp(x, test_random_int(random, -1074, 1023));
    case 2: // few bits, and many ties
        return ldexp(test_random_int(random, -3, 3),
                     53 * test_random_int(random, -2, 2) + test_random_int(random, -1, 1));
    case 3:
        return ldexp(x, test_random_int(random, -1074, -1000));
    case 4:
        return ldexp(x, test_random_int(random, 1015, 1024));
    default:
        return ldexp(x, test_random_int(random, -60, 60));
    }
}

// Four lanes against single sums.
static void lanes(void)
{
    test_random random = test_random_begin(20262);
    int different = 0, sums = 400000;
    for (int s = 0; s < sums; s++)
    {
        double x[4][20], values[4];
        thudi_exact_four four_sums, parts[2];
        int count = test_random_int(&random, 1, 20), kind = s % 6;
        thudi_exact_four_clear(&parts[0]);
        thudi_exact_four_clear(&parts[1]);
        for (int i = 0; i < count; i++)
        {
            for (int k = 0; k < 4; k++)
                x[k][i] = random_term(&random, kind);
            thudi_exact_four_add(&parts[i % 3 == 0], (four){x[0][i], x[1][i], x[2][i], x[3][i]});
        }
        thudi_exact_four_clear(&four_sums);
        thudi_exact_four_join(&four_sums, &parts[1]);
        thudi_exact_four_join(&four_sums, &parts[0]);
        thudi_exact_four_values(&four_sums, values);
        for (int k = 0; k < 4; k++)
            different += !same(values[k], sum_of(x[k], count));
    }
    printf("%d sums of four lanes: %d others\n", sums, different);
    CHECK(different == 0);
}

// Sums for exact_sum.py: the terms, then the value.
static void printed(void)
{
    test_random random = test_random_begin(20263);
    for (int s = 0; s < 600; s++)
    {
        double x[40];
        int count = test_random_int(&random, 1, 40), kind = s % 6;
        for (int i = 0; i < count; i++)
            x[i] = i % 3 == 2 ? -x[i - 1] : random_term(&random, kind);
        for (int i = 0; i < count; i++)
            printf("%a ", x[i]);
        printf("= %a\n", sum_of(x, count));
        CHECK(same(sum_of(x, count), sum_of_lanes(x, count)));
    }
}

int main(int argc, char **argv)
{
    static const test_case all[] = {
        {"cases", cases},   {"overflow", overflow}, {"joined", joined},
        {"orders", orders}, {"lanes", lanes},       {"printed", printed},
    };
    return test_main(argc, argv, all, sizeof all / sizeof *all);
}
