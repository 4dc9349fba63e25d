// Pair rows pushed in bulk: the same as one by one, refused whole, and sorted without scratch
// memory when they come in order.
#include "unit_rig.h"

#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum
{
    DIM = 600,
    MANY = 10000
};

// A row on two blocks, or one, that do not overlap.
static thud_pair_row draw(test_random *random, int width, bool two)
{
    thud_pair_row row = {.key = {test_random_bits(random) >> 40},
                         .gap = test_random_normal(random),
                         .shift = test_random_uniform(random, 0, 1),
                         .a = -1,
                         .b = test_random_int(random, 0, DIM - width)};
    while (two && (row.a < 0 || abs(row.a - row.b) < width))
        row.a = test_random_int(random, 0, DIM - width);
    for (int k = 0; k < 3; k++)
        row.normal[k] = k < width ? test_random_normal(random) : NAN; // not to be read
    return row;
}

static void push_one(thud_rows *rows, int width, const thud_pair_row *row)
{
    int index[2] = {row->a, row->b}, two = row->a >= 0;
    double slope[6];
    for (int k = 0; k < width; k++)
    {
        slope[k] = -row->normal[k];
        slope[width + k] = row->normal[k];
    }
    CHECK(thud_rows_push(rows, &(thud_row){.key = row->key,
                                           .gap = row->gap,
                                           .shift = row->shift,
                                           .width = width,
                                           .count = 1 + two,
                                           .index = index + 1 - two,
                                           .slope = slope + (two ? 0 : width)}) == THUD_OK);
}

static void compare(const thud_rows *a, const thud_rows *b)
{
    int wrong = 0;
    REQUIRE(thud_rows_count(a) == thud_rows_count(b));
    for (int i = 0; i < thud_rows_count(a); i++)
    {
        thud_row_room rooms[2];
        thud_row x = thud_rows_get(a, i, &rooms[0]), y = thud_rows_get(b, i, &rooms[1]);
        wrong += !thud_key_same(x.key, y.key) || x.gap != y.gap || x.shift != y.shift ||
                 x.width != y.width || x.count != y.count || x.kind != y.kind || x.cone != y.cone ||
                 memcmp(x.index, y.index, (size_t)x.count * sizeof *x.index) != 0 ||
                 memcmp(x.slope, y.slope, (size_t)(x.count * x.width) * sizeof *x.slope) != 0;
    }
    CHECK(wrong == 0);
}

static void as_one_by_one(void)
{
    static thud_pair_row pairs[MANY];
    uint64_t seed = test_seed(611);
    test_random random = test_random_start(seed);
    thud_rows *bulk = rows_of(DIM, NULL), *single = rows_of(DIM, NULL);
    REQUIRE(bulk && single);
    for (int round = 0; round < 40; round++)
    {
        thud_rows_clear(bulk);
        thud_rows_clear(single);
        omp_set_num_threads(1 + round % 4);
        for (int part = 0; part < 3; part++)
        {
            int width = test_random_int(&random, 2, 3), most = round % 5 == 0 ? MANY : 30;
            int count = test_random_int(&random, 0, most);
            bool two = test_random_int(&random, 0, 1) == 1;
            for (int i = 0; i < count; i++)
            {
                pairs[i] = draw(&random, width, two);
                push_one(single, width, &pairs[i]);
            }
            CHECK(thud_rows_push_pairs(bulk, width, pairs, count) == THUD_OK);
        }
        compare(bulk, single);
        thud_rows_sort(bulk);
        thud_rows_sort(single);
        compare(bulk, single);
        for (int i = 1; i < thud_rows_count(bulk); i++)
            CHECK(!thud_key_before(thud_rows_get(bulk, i, NULL).key,
                                   thud_rows_get(bulk, i - 1, NULL).key));
    }
    printf("  seed %llu\n", (unsigned long long)seed);
    thud_rows_destroy(bulk);
    thud_rows_destroy(single);
}

// One bad row among good ones: the error is its, and nothing is added.
static void refuse(int width, const thud_pair_row *bad, thud_status wanted)
{
    const thud_pair_row good = {.key = {1}, .gap = 1, .a = 0, .b = 6, .normal = {1, 0, 0}};
    thud_pair_row pairs[3] = {good, *bad, good};
    thud_rows *rows = rows_of(12, NULL);
    REQUIRE(rows);
    CHECK(thud_rows_push_pairs(rows, width, &good, 1) == THUD_OK);
    CHECK(thud_rows_push_pairs(rows, width, pairs, 3) == wanted);
    CHECK(thud_rows_count(rows) == 1 && thud_rows_status(rows) == wanted);
    CHECK(thud_rows_push_pairs(rows, width, &good, 1) == THUD_OK);
    CHECK(thud_rows_count(rows) == 2 && thud_rows_status(rows) == wanted);
    thud_rows_clear(rows);
    CHECK(thud_rows_status(rows) == THUD_OK);
    thud_rows_destroy(rows);
}

static void refused(void)
{
    const thud_pair_row good = {.key = {1}, .gap = 1, .a = 0, .b = 6, .normal = {1, 0, 0}};
    const int places[][2] = {{-1, 6},      {-2, 6}, {10, 6}, {INT_MAX, 6},
                             {INT_MIN, 6}, {0, -1}, {0, 10}, {0, INT_MAX},
                             {6, 6},       {5, 6},  {8, 6},  {0, INT_MIN}};
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
    {
        thud_pair_row bad = good;
        bad.a = places[p][0];
        bad.b = places[p][1];
        refuse(3, &bad, THUD_ERR_ARGUMENT);
    }
    const double numbers[] = {NAN, INFINITY, -INFINITY};
    for (int n = 0; n < 3; n++)
        for (int field = 0; field < 5; field++)
        {
            thud_pair_row bad = good;
            *(field == 0   ? &bad.gap
              : field == 1 ? &bad.shift
                           : &bad.normal[field - 2]) = numbers[n];
            refuse(3, &bad, THUD_ERR_NOT_FINITE);
            if (field < 4)
                refuse(2, &bad, THUD_ERR_NOT_FINITE);
        }
    thud_pair_row bad = good;
    bad.shift = -1e-300;
    refuse(3, &bad, THUD_ERR_ARGUMENT);
    thud_rows *rows = rows_of(12, NULL);
    CHECK(thud_rows_push_pairs(rows, 3, NULL, 0) == THUD_OK);
    CHECK(thud_rows_push_pairs(rows, 1, &good, 1) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_push_pairs(rows, 4, &good, 1) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_push_pairs(rows, 3, NULL, 1) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_push_pairs(rows, 3, &good, -1) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_count(rows) == 0 && thud_rows_status(rows) == THUD_ERR_ARGUMENT);
    thud_rows_destroy(rows);
}

// The memory that rows take, by what is pushed in which order.
static long calls_for(bool in_order, bool bulk)
{
    static thud_pair_row pairs[1000];
    test_meter meter = {0};
    thud_allocator allocator = {test_meter_resize, &meter};
    thud_rows *rows = rows_of(12, &allocator);
    for (int i = 0; i < 1000; i++)
    {
        pairs[i] = (thud_pair_row){.key = thud_key_number(in_order ? i / 2 : 1000 - i),
                                   .a = 0,
                                   .b = 6,
                                   .normal = {i, 1, 1}};
        if (!bulk)
            push_one(rows, 3, &pairs[i]);
    }
    if (bulk)
        CHECK(thud_rows_push_pairs(rows, 3, pairs, 1000) == THUD_OK);
    long calls = meter.calls;
    thud_rows_sort(rows);
    CHECK(meter.calls == calls);
    for (int i = 1; i < 1000; i++)
        CHECK(!thud_key_before(thud_rows_get(rows, i, NULL).key,
                               thud_rows_get(rows, i - 1, NULL).key));
    thud_rows_destroy(rows);
    CHECK(meter.blocks == 0);
    return calls;
}

static void scratch(void)
{
    CHECK(calls_for(true, true) < calls_for(false, true));
    CHECK(calls_for(true, false) < calls_for(false, false));
}

static void failing_memory(void)
{
    const thud_pair_row pairs[2] = {{.key = {2}, .a = 0, .b = 6, .normal = {1, 1, 1}},
                                    {.key = {1}, .a = 3, .b = 9, .normal = {1, 1, 1}}};
    thud_status status = THUD_ERR_MEMORY;
    for (int fail_at = 3; status == THUD_ERR_MEMORY; fail_at++)
    {
        test_meter meter = {.fail_at = fail_at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_rows *rows = rows_of(12, &allocator);
        REQUIRE(rows && fail_at < 20);
        status = thud_rows_push_pairs(rows, 3, pairs, 2);
        CHECK(status == THUD_OK || status == THUD_ERR_MEMORY);
        CHECK(thud_rows_count(rows) == (status == THUD_OK ? 2 : 0));
        meter.fail_at = 0;
        CHECK(thud_rows_push_pairs(rows, 3, pairs, 2) == THUD_OK);
        thud_rows_destroy(rows);
        CHECK(meter.blocks == 0);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"as-one-by-one", as_one_by_one},
        {"refused", refused},
        {"scratch", scratch},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
