// The list of rows: what it takes, what it refuses, that it gives back what it got.
#include "unit_rig.h"

#include "rows/rows.h"

#include <limits.h>
#include <string.h>

static bool same_width(int a, int b)
{
    return (a > 1 ? a : 1) == (b > 1 ? b : 1); // 0 means 1
}

static bool same_row_as_pushed(const thud_row *a, const thud_row *b)
{
    size_t size = (size_t)a->count * (size_t)(a->width > 1 ? a->width : 1);
    return thud_key_same(a->key, b->key) && memcmp(&a->gap, &b->gap, sizeof a->gap) == 0 &&
           memcmp(&a->shift, &b->shift, sizeof a->shift) == 0 && a->kind == b->kind &&
           a->cone == b->cone && same_width(a->width, b->width) && a->count == b->count &&
           (size == 0 || (memcmp(a->index, b->index, (size_t)a->count * sizeof *a->index) == 0 &&
                          memcmp(a->slope, b->slope, size * sizeof *a->slope) == 0));
}

static void create_and_destroy(void)
{
    thud_rows *rows = (thud_rows *)&rows;
    CHECK(thud_rows_create(0, NULL, &rows) == THUD_ERR_ARGUMENT && rows == NULL);
    CHECK(thud_rows_create(-3, NULL, &rows) == THUD_ERR_ARGUMENT && rows == NULL);
    CHECK(thud_rows_create(INT_MIN, NULL, &rows) == THUD_ERR_ARGUMENT && rows == NULL);
    thud_rows_destroy(NULL);
    rows = rows_of(7, NULL);
    REQUIRE(rows);
    CHECK(thud_rows_dim(rows) == 7 && thud_rows_count(rows) == 0);
    CHECK(thud_rows_status(rows) == THUD_OK);
    thud_rows_sort(rows);
    thud_rows_clear(rows);
    thud_rows_destroy(rows);
}

static void shapes(void)
{
    static const double slope[6] = {1.5, -0.0, 3, 1e-310, -1e300, 6};
    thud_row pushed[] = {
        {.key = {9}, .gap = -1.25, .shift = 0.5, .count = 3, .index = (int[]){4, 0, 2}},
        {.key = THUD_NO_KEY, .gap = -0.0, .width = 1, .count = 1, .index = (int[]){5}},
        {.key = {0}, .kind = THUD_CONCAVE, .width = 2, .count = 2, .index = (int[]){4, 1}},
        {.key = {3}, .width = 3, .count = 2, .index = (int[]){3, 0}},
        {.key = {3}, .width = 3, .count = 1, .index = (int[]){2}},
        {.key = {1}, .gap = 2},
        {.key = {1}, .gap = 2, .count = 6, .index = (int[]){5, 4, 3, 2, 1, 0}},
    };
    int count = sizeof pushed / sizeof *pushed;
    thud_rows *rows = rows_of(6, NULL);
    REQUIRE(rows);
    for (int i = 0; i < count; i++)
    {
        if (pushed[i].count > 0)
            pushed[i].slope = slope;
        CHECK(thud_rows_push(rows, &pushed[i]) == THUD_OK);
        CHECK(thud_rows_count(rows) == i + 1);
    }
    for (int i = 0; i < count; i++)
    {
        thud_row_room room;
        thud_row got = thud_rows_get(rows, i, &room);
        CHECK(same_row_as_pushed(&got, &pushed[i]));
    }
    thud_rows_destroy(rows);
}

typedef struct refusal
{
    const char *what;
    thud_row row;
    thud_status wanted;
} refusal;

static void rejects(const refusal *bad, int count)
{
    thud_row good = {.key = {5}, .gap = 1, .count = 1, .index = (int[]){3}, .slope = (double[]){2}};
    thud_rows *rows = rows_of(4, NULL);
    REQUIRE(rows);
    for (int i = 0; i < count; i++)
    {
        thud_rows_clear(rows);
        CHECK(thud_rows_push(rows, &good) == THUD_OK);
        thud_status status = thud_rows_push(rows, &bad[i].row);
        if (status != bad[i].wanted)
            test_fail(__FILE__, __LINE__, "%s: %s, wanted %s", bad[i].what,
                      thud_status_name(status), thud_status_name(bad[i].wanted));
        CHECK(thud_rows_count(rows) == 1);
        CHECK(thud_rows_status(rows) == bad[i].wanted);
        CHECK(thud_rows_push(rows, &good) == THUD_OK); // the list goes on, the error stays
        CHECK(thud_rows_status(rows) == bad[i].wanted);
        CHECK(thud_rows_count(rows) == 2);
        thud_row_room room;
        thud_row got = thud_rows_get(rows, 1, &room);
        CHECK(same_row_as_pushed(&got, &good));
    }
    thud_rows_destroy(rows);
}

static void rejected_shapes(void)
{
    static const int index[5] = {0, 1, 2, 3, 0}, twice[2] = {2, 2}, overlap[2] = {0, 1};
    static const int last[1] = {3}, below[1] = {-1}, beyond[1] = {4}, least[1] = {INT_MIN};
    static const int most[1] = {INT_MAX};
    static const double slope[15] = {1, 2, 3, 4, 5, 6};
    const thud_status wanted = THUD_ERR_ARGUMENT;
    refusal bad[] = {
        {"index below 0", {.count = 1, .index = below, .slope = slope}, wanted},
        {"index = dim", {.count = 1, .index = beyond, .slope = slope}, wanted},
        {"index INT_MIN", {.count = 1, .index = least, .slope = slope}, wanted},
        {"index INT_MAX", {.count = 1, .index = most, .slope = slope}, wanted},
        {"block beyond the end", {.width = 2, .count = 1, .index = last, .slope = slope}, wanted},
        {"block INT_MAX", {.width = 3, .count = 1, .index = most, .slope = slope}, wanted},
        {"same coordinate twice", {.count = 2, .index = twice, .slope = slope}, wanted},
        {"blocks overlap", {.width = 2, .count = 2, .index = overlap, .slope = slope}, wanted},
        {"same block twice", {.width = 2, .count = 2, .index = twice, .slope = slope}, wanted},
        {"width 4", {.width = 4, .count = 1, .index = index, .slope = slope}, wanted},
        {"width -1", {.width = -1, .count = 1, .index = index, .slope = slope}, wanted},
        {"three blocks", {.width = 2, .count = 3, .index = index, .slope = slope}, wanted},
        {"pair without blocks", {.width = 2, .index = index, .slope = slope}, wanted},
        {"count -1", {.count = -1, .index = index, .slope = slope}, wanted},
        {"count above dim", {.count = 5, .index = index, .slope = slope}, wanted},
        {"count INT_MAX", {.count = INT_MAX, .index = index, .slope = slope}, wanted},
        {"no index", {.count = 1, .slope = slope}, wanted},
        {"no slope", {.count = 1, .index = index}, wanted},
        {"cone 1", {.cone = 1, .count = 1, .index = index, .slope = slope}, wanted},
        {"cone -1", {.cone = -1, .count = 1, .index = index, .slope = slope}, wanted},
        {"negative shift", {.shift = -1e-300, .count = 1, .index = index, .slope = slope}, wanted},
        {"unknown kind",
         {.kind = (thud_row_kind)2, .count = 1, .index = index, .slope = slope},
         wanted},
    };
    rejects(bad, sizeof bad / sizeof *bad);
}

static void rejected_numbers(void)
{
    static const int index[2] = {0, 2};
    static const double one[3] = {1, 1, 1}, nan_last[3] = {1, NAN, 1}, inf[3] = {-INFINITY, 1, 1};
    static const double deep[6] = {1, 1, 1, 1, NAN, 1};
    const thud_status wanted = THUD_ERR_NOT_FINITE;
    refusal bad[] = {
        {"NaN gap", {.gap = NAN, .count = 1, .index = index, .slope = one}, wanted},
        {"infinite gap", {.gap = INFINITY, .count = 1, .index = index, .slope = one}, wanted},
        {"NaN gap of a zero row", {.gap = NAN}, wanted},
        {"NaN shift", {.shift = NAN, .count = 1, .index = index, .slope = one}, wanted},
        {"infinite shift", {.shift = INFINITY, .count = 1, .index = index, .slope = one}, wanted},
        {"NaN slope", {.count = 2, .index = index, .slope = nan_last}, wanted},
        {"infinite slope", {.count = 2, .index = index, .slope = inf}, wanted},
        {"NaN in the second block",
         {.width = 2, .count = 2, .index = index, .slope = deep + 1},
         wanted},
    };
    rejects(bad, sizeof bad / sizeof *bad);
}

static void first_error_sticks(void)
{
    thud_rows *rows = rows_of(1, NULL);
    REQUIRE(rows);
    CHECK(thud_rows_push(rows, &(thud_row){.gap = NAN}) == THUD_ERR_NOT_FINITE);
    CHECK(thud_rows_push(rows, &(thud_row){.cone = 1}) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_status(rows) == THUD_ERR_NOT_FINITE);
    thud_rows_sort(rows);
    CHECK(thud_rows_status(rows) == THUD_ERR_NOT_FINITE);
    thud_rows_clear(rows);
    CHECK(thud_rows_status(rows) == THUD_OK && thud_rows_count(rows) == 0);
    thud_rows_destroy(rows);
}

// A refused repeat must not leave its marks to refuse, or let pass, the next row.
static void repeats_are_found_after_errors(void)
{
    const int pair[2] = {0, 1}, repeat[2] = {1, 1};
    const double slope[2] = {1, 1};
    thud_row good = {.count = 2, .index = pair, .slope = slope};
    thud_row bad = {.count = 2, .index = repeat, .slope = slope};
    thud_rows *rows = rows_of(2, NULL);
    REQUIRE(rows);
    for (int pass = 0; pass < 100; pass++)
    {
        CHECK(thud_rows_push(rows, &bad) == THUD_ERR_ARGUMENT);
        CHECK(thud_rows_push(rows, &good) == THUD_OK);
        if (pass % 10 == 9)
            thud_rows_clear(rows);
    }
    thud_rows_destroy(rows);
}

// The same for rows of all lengths: the last coordinate is one of those before, or not.
static void repeats_are_found_in_long_rows(void)
{
    int index[30];
    double slope[30];
    thud_rows *rows = rows_of(40, NULL);
    REQUIRE(rows);
    for (int count = 2; count <= 30; count++)
        for (int which = -1; which < count - 1; which++)
        {
            thud_row row = {.count = count, .index = index, .slope = slope};
            for (int k = 0; k < 30; k++)
            {
                index[k] = (7 * k + 3) % 40;
                slope[k] = 1;
            }
            if (which >= 0)
                index[count - 1] = index[which];
            CHECK(thud_rows_push(rows, &row) == (which >= 0 ? THUD_ERR_ARGUMENT : THUD_OK));
        }
    CHECK(thud_rows_count(rows) == 29);
    thud_rows_destroy(rows);
}

// The arrays are copied: what the caller does with its own afterwards is its own affair.
static void growth_and_copies(void)
{
    int index[2];
    double slope[2];
    thud_rows *rows = rows_of(5000, NULL);
    REQUIRE(rows);
    for (int i = 0; i < 20000; i++)
    {
        index[0] = i % 4999;
        index[1] = 4999;
        slope[0] = i;
        slope[1] = -i;
        thud_row row = {.key = thud_key_number(i), .count = 2, .index = index, .slope = slope};
        REQUIRE(thud_rows_push(rows, &row) == THUD_OK);
    }
    for (int i = 0; i < 20000; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        CHECK(thud_key_same(row.key, thud_key_number(i)) && row.index[0] == i % 4999 &&
              row.index[1] == 4999 && row.slope[0] == i && row.slope[1] == -i);
    }
    thud_rows_destroy(rows);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"create-and-destroy", create_and_destroy},
        {"shapes", shapes},
        {"rejected-shapes", rejected_shapes},
        {"rejected-numbers", rejected_numbers},
        {"first-error-sticks", first_error_sticks},
        {"repeats", repeats_are_found_after_errors},
        {"long-repeats", repeats_are_found_in_long_rows},
        {"growth", growth_and_copies},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
