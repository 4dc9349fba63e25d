// Vectors of the compiler give the bits of single numbers: compiled as the library is, and for the
// oldest processors (test_four_oldest), where a b + c is made without the instruction for it.
#include "core/checksum.h"
#include "project/kernels/eight_vector.h"
#include "thud_test.h"

enum
{
    TRIALS = 400000,
    KINDS = 6
};

// Operands of one kind: near 1, 60 binades, all bits, few digits, tiny integers, a mixture.
static double operand(test_random *random, int kind)
{
    double sign = test_random_int(random, 0, 1) ? 1 : -1;
    uint64_t bits = test_random_bits(random);
    double any;
    if (kind == 5)
        kind = test_random_int(random, 0, 4);
    if (kind == 2) // with INFINITY, NAN and subnormal numbers
    {
        if (test_random_int(random, 0, 9) == 0)
            bits = test_random_int(random, 0, 1) ? bits | UINT64_C(0x7ff) << 52
                                                 : bits & ~(UINT64_C(0x7ff) << 52);
        memcpy(&any, &bits, sizeof any);
        return any;
    }
    if (kind == 0)
        return sign * test_random_uniform(random, 0.5, 2);
    if (kind == 1)
        return sign * ldexp(test_random_uniform(random, 1, 2), test_random_int(random, -60, 60));
    if (kind == 3)
        return sign * ldexp(test_random_int(random, 0, 1023), test_random_int(random, -80, 80));
    return sign * test_random_int(random, 0, 3);
}

static bool alike(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

// A third of the sums cancel, or all but the last bit.
static double addend(test_random *random, int kind, double a, double b)
{
    switch (test_random_int(random, 0, 8))
    {
    case 0:
        return -(a * b);
    case 1:
        return nextafter(-(a * b), INFINITY);
    case 2:
        return nextafter(-(a * b), -INFINITY);
    default:
        return operand(random, kind);
    }
}

static void fused(void)
{
    test_random random = test_random_begin(20261119);
    for (int i = 0; i < TRIALS; i++)
    {
        double x[3][4], y[4];
        for (int k = 0; k < 4; k++)
        {
            x[0][k] = operand(&random, i % KINDS);
            x[1][k] = operand(&random, i % KINDS);
            x[2][k] = addend(&random, i % KINDS, x[0][k], x[1][k]);
        }
        four_store(y, four_fma(four_load(x[0]), four_load(x[1]), four_load(x[2])));
        for (int k = 0; k < 4; k++)
            if (!alike(y[k], fma(x[0][k], x[1][k], x[2][k])))
                test_fail(__FILE__, __LINE__, "%a %a + %a is not %a", x[0][k], x[1][k], x[2][k],
                          y[k]);
    }
}

static void fused_floats(void)
{
    test_random random = test_random_begin(20261120);
    for (int i = 0; i < TRIALS; i++)
    {
        _Alignas(32) float x[3][8], y[8];
        for (int k = 0; k < 8; k++)
        {
            x[0][k] = (float)operand(&random, i % KINDS);
            x[1][k] = (float)operand(&random, i % KINDS);
            x[2][k] = (float)addend(&random, i % KINDS, (double)x[0][k], (double)x[1][k]);
        }
        eight_store(y, eight_fma(eight_load(x[0]), eight_load(x[1]), eight_load(x[2])));
        for (int k = 0; k < 8; k++)
            if (!alike((double)y[k], (double)fmaf(x[0][k], x[1][k], x[2][k])))
                test_fail(__FILE__, __LINE__, "%a %a + %a is not %a", (double)x[0][k],
                          (double)x[1][k], (double)x[2][k], (double)y[k]);
    }
}

static void lanes(void)
{
    test_random random = test_random_begin(20261121);
    for (int i = 0; i < TRIALS / 10; i++)
    {
        double a[4], b[4], larger[4], smaller[4], size[4], root[4], first[4], chosen[4];
        uint64_t from[8], to[8];
        int count = i % 5, kept = 0;
        for (int k = 0; k < 4; k++)
        {
            a[k] = operand(&random, i % KINDS);
            b[k] = test_random_int(&random, 0, 3) ? operand(&random, i % KINDS) : a[k];
        }
        four x = four_load(a), y = four_load(b);
        unsigned bits = four_bits(x > y), none = four_bits(four_is_no_number(x));
        four_store(larger, four_larger(x, y));
        four_store(smaller, four_smaller(x, y));
        four_store(chosen, four_where(x > y, y, x));
        four_store(size, four_abs(x));
        four_store(root, four_sqrt(x));
        four_store(first, four_load_first(a, count));
        for (int k = 0; k < 4; k++)
        {
            CHECK((bits >> k & 1) == (a[k] > b[k]) && (none >> k & 1) == (isnan(a[k]) != 0));
            CHECK(memcmp(&larger[k], a[k] > b[k] ? &a[k] : &b[k], sizeof(double)) == 0);
            CHECK(memcmp(&smaller[k], a[k] < b[k] ? &a[k] : &b[k], sizeof(double)) == 0);
            CHECK(memcmp(&chosen[k], a[k] > b[k] ? &b[k] : &a[k], sizeof(double)) == 0);
            CHECK(alike(size[k], fabs(a[k])) && alike(root[k], sqrt(a[k])));
            CHECK(alike(first[k], k < count ? a[k] : 0));
        }
        for (int k = 0; k < 8; k++)
            from[k] = to[k] = test_random_bits(&random);
        CHECK(four_pack(to, from, bits) == __builtin_popcount(bits));
        for (int k = 0; k < 4; k++)
            if (bits >> k & 1)
                CHECK(to[kept++] == from[k]);
        CHECK(memcmp(to + 4, from + 4, 4 * sizeof *to) == 0);
    }
}

// CRC-32C bit by bit.
static uint32_t slow_checksum(const unsigned char *bytes, size_t length)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < length; i++)
    {
        sum ^= bytes[i];
        for (int k = 0; k < 8; k++)
            sum = sum >> 1 ^ (sum & 1 ? 0x82f63b78 : 0);
    }
    return ~sum;
}

static void checksum(void)
{
    test_random random = test_random_begin(20261122);
    unsigned char bytes[200];
    CHECK(thudi_checksum(0, "123456789", 9) == 0xe3069283); // of the standard
    for (size_t length = 0; length < sizeof bytes; length++)
    {
        for (size_t i = 0; i < length; i++)
            bytes[i] = (unsigned char)test_random_bits(&random);
        uint32_t part = thudi_checksum(0, bytes, length / 3);
        CHECK(thudi_checksum(0, bytes, length) == slow_checksum(bytes, length));
        CHECK(thudi_checksum(part, bytes + length / 3, length - length / 3) ==
              slow_checksum(bytes, length));
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"fused", fused}, {"fused-floats", fused_floats}, {"lanes", lanes}, {"checksum", checksum}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
