// Keys: their values, which files and hashes hold, and that parts and keys are one to one.
#include "thud_test.h"

#include <thud/key.h>

typedef struct sample
{
    thud_key key;
    thud_key_space space;
    thud_key_parts parts;
} sample;

static const sample samples[] = {
    {{UINT64_C(0x0000000300000007)}, THUD_KEYS_OPEN, {THUD_KEY_PAIR, 3, 7, 0}},
    {{UINT64_C(0x000000030e000007)}, THUD_KEYS_OPEN, {THUD_KEY_PAIR, 3, 0x0e000007, 0}},
    {{UINT64_C(0x000000030e000007)}, THUD_KEYS_PERIODIC, {THUD_KEY_PAIR, 3, 7, 7}},
    {{UINT64_C(0x7fffffff7fffffff)}, THUD_KEYS_OPEN, {THUD_KEY_PAIR, 0x7fffffff, 0x7fffffff, 0}},
    {{UINT64_C(0x000000057fffffff)}, THUD_KEYS_PERIODIC, {THUD_KEY_PAIR, 5, 0x1ffffff, 63}},
    {{UINT64_C(0x8000000600000001)}, THUD_KEYS_OPEN, {THUD_KEY_WALL, 6, 1, 0}},
    {{UINT64_C(0x8000000602000001)}, THUD_KEYS_PERIODIC, {THUD_KEY_WALL, 6, 0x2000001, 0}},
    {{UINT64_C(0x8000001780000006)}, THUD_KEYS_OPEN, {THUD_KEY_SURFACE, 23, 6, 0}},
    {{UINT64_C(0xfffffffeffffffff)}, THUD_KEYS_OPEN, {THUD_KEY_SURFACE, 0x7ffffffe, 0x7fffffff, 0}},
    {{UINT64_C(0xffffffffffffffff)}, THUD_KEYS_OPEN, {THUD_KEY_OBSTACLE, 0, 0, 0}},
    {{UINT64_C(0xfffffffffffffffd)}, THUD_KEYS_PERIODIC, {THUD_KEY_OBSTACLE, 2, 0, 0}},
    {{UINT64_C(0x0000000380000007)}, THUD_KEYS_OPEN, {THUD_KEY_NUMBER, 0x380000007, 0, 0}},
    {{UINT64_C(0x0000000300000007)}, THUD_KEYS_NUMBERED, {THUD_KEY_NUMBER, 0x300000007, 0, 0}},
    {{UINT64_C(0xffffffffffffffff)}, THUD_KEYS_NUMBERED, {THUD_KEY_NUMBER, -1, 0, 0}},
};

static bool is_same(thud_key_parts x, thud_key_parts y)
{
    return x.kind == y.kind && x.a == y.a && x.b == y.b && x.image == y.image;
}

static void values(void)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    {
        thud_key key = {0};
        CHECK(is_same(thud_key_read(samples[i].key, samples[i].space), samples[i].parts));
        CHECK(thud_key_make(&samples[i].parts, samples[i].space, &key) &&
              thud_key_same(key, samples[i].key));
    }
    CHECK(thud_key_same(thud_key_pair(3, 7, 0), samples[0].key) &&
          thud_key_same(thud_key_pair(3, 7, 7), samples[2].key));
    CHECK(thud_key_same(thud_key_wall(6, 1), samples[5].key) &&
          thud_key_same(thud_key_surface(23, 6), samples[7].key));
    CHECK(thud_key_same(thud_key_obstacle(0), THUD_NO_KEY) &&
          thud_key_same(thud_key_obstacle(2), samples[10].key));
    CHECK(thud_key_number(9).bits == 9);
}

static void every_key(void)
{
    test_random random = test_random_start(17);
    for (int i = 0; i < 100000; i++)
    {
        // bits at the borders of the parts are set, and cleared, more often than others
        uint64_t bits = test_random_bits(&random);
        bits = i % 2 ? bits | UINT64_C(0xffff0000fe000000) : bits & UINT64_C(0x800000ff82ffffff);
        thud_key key = {bits}, again = {~bits};
        thud_key_space space = (thud_key_space)(i % 3);
        thud_key_parts parts = thud_key_read(key, space);
        CHECK(thud_key_make(&parts, space, &again) && thud_key_same(again, key));
    }
}

static void refused(void)
{
    static const struct
    {
        thud_key_space space;
        thud_key_parts parts;
    } bad[] = {
        {THUD_KEYS_OPEN, {THUD_KEY_PAIR, -1, 1, 0}},
        {THUD_KEYS_OPEN, {THUD_KEY_PAIR, 0, INT64_C(0x80000000), 0}},
        {THUD_KEYS_OPEN, {THUD_KEY_PAIR, 0, 1, 1}},
        {THUD_KEYS_PERIODIC, {THUD_KEY_PAIR, 0, 0x2000000, 0}},
        {THUD_KEYS_PERIODIC, {THUD_KEY_PAIR, 0, 1, 64}},
        {THUD_KEYS_PERIODIC, {THUD_KEY_WALL, 0, 1, 1}},
        {THUD_KEYS_OPEN, {THUD_KEY_WALL, INT64_C(0x80000000), 1, 0}},
        {THUD_KEYS_OPEN, {THUD_KEY_SURFACE, 0x7fffffff, 1, 0}},
        {THUD_KEYS_OPEN, {THUD_KEY_OBSTACLE, 0, 1, 0}},
        {THUD_KEYS_OPEN, {THUD_KEY_NUMBER, 1, 0, 0}},
        {THUD_KEYS_NUMBERED, {THUD_KEY_NUMBER, 1, 1, 0}},
        {THUD_KEYS_NUMBERED, {THUD_KEY_PAIR, 0, 1, 0}},
        {THUD_KEYS_OPEN, {(thud_key_kind)9, 0, 1, 0}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    {
        thud_key key = {77};
        CHECK(!thud_key_make(&bad[i].parts, bad[i].space, &key) && key.bits == 77);
    }
}

static void order(void)
{
    const thud_key sorted[] = {
        thud_key_pair(0, 1, 0), thud_key_pair(0, 1, 1), thud_key_pair(0, 2, 1),
        thud_key_pair(1, 0, 0), thud_key_wall(0, 9),    thud_key_surface(0, 0),
        thud_key_surface(0, 9), thud_key_wall(1, 0),    thud_key_surface(70, 0),
        thud_key_obstacle(5),   thud_key_obstacle(0)};
    for (size_t i = 1; i < sizeof sorted / sizeof *sorted; i++)
    {
        CHECK(thud_key_compare(sorted[i - 1], sorted[i]) < 0 &&
              thud_key_before(sorted[i - 1], sorted[i]));
        CHECK(thud_key_compare(sorted[i], sorted[i - 1]) > 0);
        CHECK(thud_key_compare(sorted[i], sorted[i]) == 0);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"values", values}, {"every-key", every_key}, {"refused", refused}, {"order", order}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
