// The list of rows, sorted by key and merged: everything is there once, in order.
#include "unit_rig.h"

#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

// A row for sorting carries its serial number in its gap and its slope.
static void push_numbered(thud_rows *rows, thud_key key, int serial, int shape)
{
    int index[2] = {0, 3};
    double slope[6] = {serial, 1, 2, 3, 4, 5};
    thud_row row = {.key = key, .gap = serial, .index = index, .slope = slope};
    row.width = shape;
    row.count = shape < 2 ? 1 : 2;
    CHECK(thud_rows_push(rows, &row) == THUD_OK);
}

static void check_sorted(const thud_rows *rows, const thud_key *keys, int count)
{
    char *seen = calloc((size_t)count + 1, 1);
    REQUIRE(seen && thud_rows_count(rows) == count);
    for (int i = 0; i < count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        int serial = (int)row.gap;
        CHECK(thud_key_same(row.key, keys[serial]) && row.slope[0] == row.gap && !seen[serial]);
        seen[serial] = 1;
        thud_row last = i > 0 ? thud_rows_get(rows, i - 1, NULL) : row;
        CHECK(thud_key_before(last.key, row.key) ||
              (thud_key_same(last.key, row.key) && last.gap <= row.gap));
        if (row.width > 1)
            CHECK(row.index[0] == 0 && row.index[1] == 3 &&
                  row.slope[2 * row.width - 1] == 2 * row.width - 1);
    }
    free(seen);
}

static void sorting(void)
{
    static const int counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 100, 1000, 1024, 10000};
    static thud_key keys[10000];
    uint64_t seed = test_seed(20260101);
    test_random random = test_random_start(seed);
    thud_rows *rows = rows_of(6, NULL);
    REQUIRE(rows);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int spread = 0; spread < 5; spread++)
        {
            static const uint64_t ranges[] = {1, 2, 10, 1000, UINT64_MAX};
            thud_rows_clear(rows);
            for (int i = 0; i < counts[c]; i++)
            {
                keys[i] = (thud_key){test_random_bits(&random) % ranges[spread]};
                push_numbered(rows, keys[i], i, (int)(test_random_bits(&random) % 4));
            }
            thud_rows_sort(rows);
            check_sorted(rows, keys, counts[c]);
        }
    thud_rows_destroy(rows);
    printf("  seed %llu\n", (unsigned long long)seed);
}

// Sorted, reversed and sawtooth keys: what a merge sort gets wrong at the ends of its runs.
static void sorting_patterns(void)
{
    static thud_key keys[1000];
    thud_rows *rows = rows_of(6, NULL);
    REQUIRE(rows);
    for (int count = 0; count <= 130; count++)
        for (int pattern = 0; pattern < 4; pattern++)
        {
            thud_rows_clear(rows);
            for (int i = 0; i < count; i++)
            {
                int patterns[] = {i, count - i, i % 7, (i * 37) % 101};
                keys[i] = thud_key_number(patterns[pattern]);
                push_numbered(rows, keys[i], i, 0);
            }
            thud_rows_sort(rows);
            check_sorted(rows, keys, count);
        }
    thud_rows_destroy(rows);
}

static thud_status merge(thud_rows *to, const thud_rows *from, int *added)
{
    thud_status status = thudi_rows_add(to, from, NULL, added);
    thud_rows_sort(to);
    return status;
}

static void merging(void)
{
    const int index[4] = {0, 2, 1, 3};
    const double slope[4] = {1, 2, 3, 4}, zero[1] = {0.0}, negative_zero[1] = {-0.0};
    thud_row held = {.key = {4}, .gap = 1, .width = 2, .count = 2, .index = index, .slope = slope};
    thud_row other[] = {held, held, held, held, held, held, held, held};
    thud_rows *to = rows_of(4, NULL), *from = rows_of(4, NULL);
    int added = -1;
    REQUIRE(to && from);
    other[0].key = thud_key_number(3);
    other[1].gap = nextafter(1, 2);
    other[2].shift = 1e-300;
    other[3].kind = THUD_CONCAVE;
    other[4].width = 0;
    other[5].count = 1;
    other[6].slope = (double[]){1, 2, 3, 5};
    other[7].index = (int[]){2, 0};
    CHECK(thud_rows_push(to, &held) == THUD_OK);
    CHECK(thud_rows_push(from, &held) == THUD_OK);
    CHECK(merge(to, from, &added) == THUD_OK && added == 0);
    for (int i = 0; i < 8; i++)
        CHECK(thud_rows_push(from, &other[i]) == THUD_OK);
    CHECK(merge(to, from, &added) == THUD_OK && added == 8);
    CHECK(thud_rows_count(to) == 9 &&
          thud_key_same(thud_rows_get(to, 0, NULL).key, thud_key_number(3)));
    CHECK(merge(to, from, &added) == THUD_OK && added == 0);
    thud_rows_clear(from);
    thud_row signs[2] = {{.count = 1, .index = index, .slope = zero},
                         {.count = 1, .index = index, .slope = negative_zero}};
    CHECK(thud_rows_push(from, &signs[0]) == THUD_OK && thud_rows_push(from, &signs[1]) == THUD_OK);
    CHECK(merge(to, from, &added) == THUD_OK && added == 2);
    thud_rows_destroy(to);
    thud_rows_destroy(from);
}

// A row pushed twice at once is there after the first time.
static void merging_twins(void)
{
    thud_row row = {.key = {4}, .gap = 1, .count = 1, .index = (int[]){0}, .slope = (double[]){1}};
    thud_rows *to = rows_of(4, NULL), *from = rows_of(4, NULL);
    int added = -1;
    REQUIRE(to && from);
    for (int i = 0; i < 3; i++)
        CHECK(thud_rows_push(from, &row) == THUD_OK);
    CHECK(merge(to, from, &added) == THUD_OK);
    CHECK(added == 1 && thud_rows_count(to) == 1);
    thud_rows_destroy(to);
    thud_rows_destroy(from);
}

// Numbers that go with the rows: 0 for those just added, then one more than the gap of each.
static void check_carried(const thud_rows *rows, double *carry, int added)
{
    for (int i = 0; i < thud_rows_count(rows); i++)
    {
        double number = thud_rows_get(rows, i, NULL).gap + 1;
        CHECK(carry[i] == number || carry[i] == 0);
        added -= carry[i] == 0;
        carry[i] = number;
    }
    CHECK(added == 0);
}

// Sort rows of which the last `added` are new; the numbers go with them.
static void sort_with(thud_rows *rows, double *carry, int added)
{
    int from[120], count = thud_rows_count(rows);
    double before[120];
    memcpy(before, carry, (size_t)count * sizeof *before);
    thudi_rows_sort_from(rows, from);
    for (int k = 0; k < count; k++)
        carry[k] = from[k] < count - added ? before[from[k]] : 0;
}

// Merging random lists in pieces gives the set of all rows, sorted, whatever the pieces.
static void merging_random(void)
{
    uint64_t seed = test_seed(20260102);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 200; trial++)
    {
        bool present[60] = {false};
        double carry[120];
        int distinct = 0, added, total = 0;
        thud_rows *to = rows_of(6, NULL), *from = rows_of(6, NULL);
        REQUIRE(to && from);
        for (int piece = 0; piece < 6; piece++)
        {
            bool in_piece[60] = {false};
            thud_rows_clear(from);
            for (int k = 0; k < 15; k++)
            {
                int serial = test_random_int(&random, 0, 59);
                if (in_piece[serial])
                    continue;
                in_piece[serial] = true;
                push_numbered(from, thud_key_number(serial % 13), serial, 0);
                distinct += !present[serial];
                present[serial] = true;
            }
            CHECK(thudi_rows_add(to, from, NULL, &added) == THUD_OK);
            sort_with(to, carry, added);
            check_carried(to, carry, added);
            total += added;
        }
        CHECK(total == distinct && thud_rows_count(to) == distinct);
        for (int i = 1; i < thud_rows_count(to); i++)
            CHECK(!thud_key_before(thud_rows_get(to, i, NULL).key,
                                   thud_rows_get(to, i - 1, NULL).key));
        thud_rows_destroy(to);
        thud_rows_destroy(from);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

// What rows ask of the law stays with them through all ways in, the sort and the merge.
static void laws(void)
{
    static const double restitution[] = {0, 0.5, 0.5, 0, 0, 1, 0}, glue[] = {0, 0, 0, -2, -2, 0, 0};
    thud_rows *to = rows_of(40, NULL), *from = rows_of(40, NULL);
    int added = 0;
    REQUIRE(to && from);
    for (int i = 0; i < 14; i++)
    {
        int number = (i * 5) % 14;
        thud_pair_row pair = {.key = thud_key_number(number), .gap = number, .a = 0, .b = 3};
        pair.normal[0] = 1;
        bool sticks = glue[number % 7] != 0;
        pair.law = sticks ? THUD_LAW_GLUE : THUD_LAW_RESTITUTION;
        pair.numbers = sticks ? &glue[number % 7] : &restitution[number % 7];
        thud_row row = {.key = pair.key, .gap = pair.gap, .width = 3, .count = 2};
        row.law = pair.law;
        row.numbers = pair.numbers;
        row.index = (int[]){0, 3};
        row.slope = (double[]){-1, 0, 0, 1, 0, 0};
        CHECK((i % 2 ? thud_rows_push(from, &row) : thud_rows_push_pairs(from, 3, &pair, 1)) ==
              THUD_OK);
        if (i == 6)
            CHECK(merge(to, from, &added) == THUD_OK && added == 7);
    }
    CHECK(merge(to, from, &added) == THUD_OK && added == 7);
    for (int i = 0; i < 14; i++)
    {
        thud_row row = thud_rows_get(to, i, NULL);
        CHECK(thud_key_same(row.key, thud_key_number(i)) && row.gap == i);
        double number = restitution[i % 7] + glue[i % 7]; // one of them is 0
        thud_law law = number < 0 ? THUD_LAW_GLUE : number > 0 ? THUD_LAW_RESTITUTION : (thud_law)0;
        CHECK(row.law == law && (row.numbers ? row.numbers[0] : 0) == number);
    }
    thud_rows_destroy(to);
    thud_rows_destroy(from);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"sorting", sorting},
        {"sorting-patterns", sorting_patterns},
        {"merging", merging},
        {"merging-twins", merging_twins},
        {"merging-random", merging_random},
        {"laws", laws},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
