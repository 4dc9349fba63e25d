// Rows of every shape in one list: pushed one by one, in bulk and by threads, sorted and added,
// against a plain array of structs. What all readers say of a row, and how many bytes it takes.
#include "unit_rig.h"

#include "rows/rows.h"

#include <stdlib.h>
#include <string.h>

enum
{
    DIM = 60,
    SOME = 24,        // rows of one push
    MOST = 12 * SOME, // rows of one list
    MANY = 100000
};

// A row with its arrays.
typedef struct plain
{
    thud_row row;
    int index[6];
    double slope[6], number;
} plain;

static size_t width_of(const thud_row *row)
{
    return row->width > 1 ? (size_t)row->width : 1;
}

static void point_into(plain *p)
{
    p->row.index = p->index;
    p->row.slope = p->slope;
    p->row.numbers = p->row.law ? &p->number : NULL;
}

// Restitution of 0 says that a row does not use the law.
static void draw_law(test_random *random, plain *p)
{
    static const double numbers[] = {0, 0.5, 1};
    p->number = numbers[test_random_int(random, 0, 2)];
    p->row.law = test_random_int(random, 0, 3) == 0 ? THUD_LAW_RESTITUTION : (thud_law)0;
}

// Blocks that do not overlap, in any order.
static void draw_blocks(test_random *random, plain *p)
{
    int width = (int)width_of(&p->row), places = DIM / width, taken[6];
    for (int j = 0; j < p->row.count; j++)
    {
        bool is_new = false;
        while (!is_new)
        {
            taken[j] = test_random_int(random, 0, places - 1);
            is_new = true;
            for (int k = 0; k < j; k++)
                is_new = is_new && taken[k] != taken[j];
        }
        p->index[j] = width * taken[j];
    }
}

static plain draw_pair(test_random *random, int width, int blocks)
{
    plain p = {.row = {.key = thud_key_number(test_random_int(random, 0, 40)),
                       .gap = test_random_int(random, 0, 1) ? test_random_normal(random) : -0.0,
                       .shift = test_random_int(random, 0, 2) / 4.,
                       .width = width,
                       .count = blocks}};
    draw_blocks(random, &p);
    for (int k = 0; k < width; k++)
    {
        double n = test_random_int(random, 0, 3) == 0 ? 0 : test_random_normal(random);
        p.slope[k] = blocks == 1 ? n : -n;
        p.slope[k + width] = n;
    }
    return p;
}

// One of all shapes: general, a pair, a pair whose slopes are nearly opposite, one that is concave.
static plain draw_any(test_random *random)
{
    plain p = draw_pair(random, test_random_int(random, 2, 3), test_random_int(random, 1, 2));
    int how = test_random_int(random, 0, 4);
    if (how == 0)
    {
        p.row.width = test_random_int(random, 0, 1);
        p.row.count = test_random_int(random, 0, 6);
        draw_blocks(random, &p);
    }
    else if (how == 1) // a zero of the wrong sign, another number
        p.slope[0] = p.slope[0] == 0 ? -p.slope[0] : p.slope[0] * 2;
    else if (how == 2)
        p.row.kind = THUD_CONCAVE;
    draw_law(random, &p);
    return p;
}

static bool are_same(const thud_row *a, const thud_row *b)
{
    size_t count = (size_t)a->count, size = count * width_of(a);
    double x = a->numbers ? a->numbers[0] : 0, y = b->numbers ? b->numbers[0] : 0;
    return thud_key_same(a->key, b->key) && memcmp(&a->gap, &b->gap, sizeof a->gap) == 0 &&
           memcmp(&a->shift, &b->shift, sizeof a->shift) == 0 && a->kind == b->kind &&
           width_of(a) == width_of(b) && a->count == b->count && x == y &&
           (size == 0 || (memcmp(a->index, b->index, count * sizeof(int)) == 0 &&
                          memcmp(a->slope, b->slope, size * sizeof(double)) == 0));
}

// Do the readers of the library say the same of row i?
static bool is_read_as(const thud_rows *rows, int i, const thud_row *want)
{
    thudi_entries entries;
    const thudi_row_head *head = &rows->heads.items[i];
    int width = (int)width_of(want), wrong = 0;
    thudi_row_open(rows, i, &entries);
    wrong += entries.head != head || entries.size != want->count * width;
    wrong += thudi_row_width(head) != width || thudi_row_kind_of(head) != want->kind;
    for (int e = 0; e < want->count * width && !wrong; e++)
    {
        int at = want->index[e / width] + e % width;
        thudi_row_block block = thudi_row_block_at(rows, head, e / width);
        double slope = block.sign * block.slope[e % width], other = thudi_row_slope(rows, head, e);
        wrong += entries.index[e] != at || thudi_row_coordinate(rows, head, e) != at;
        wrong += block.start + e % width != at;
        wrong += thudi_row_start(rows, head, e / width) != want->index[e / width];
        wrong += memcmp(&slope, &want->slope[e], sizeof slope) != 0;
        wrong += memcmp(&other, &want->slope[e], sizeof other) != 0;
        wrong += memcmp(&entries.slope[e], &want->slope[e], sizeof slope) != 0;
    }
    size_t last = (size_t)((want->count - 1) * width);
    if (want->count > 0 && !wrong)
        wrong += memcmp(thudi_row_normal(rows, head), want->slope + last,
                        (size_t)width * sizeof(double)) != 0;
    return wrong == 0;
}

static void compare(const thud_rows *rows, plain *all, int count)
{
    int wrong = 0;
    REQUIRE(thud_rows_count(rows) == count);
    for (int i = 0; i < count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room), bare = thud_rows_get(rows, i, NULL);
        point_into(&all[i]);
        wrong += !are_same(&row, &all[i].row) || !is_read_as(rows, i, &all[i].row);
        wrong += bare.index || bare.slope || bare.count != row.count || bare.gap != row.gap;
    }
    CHECK(wrong == 0);
}

// Pair rows in bulk, or by threads with their laws behind.
static void push_pairs(thud_rows *rows, const plain *some, int count, int threads)
{
    int width = some->row.width, blocks = some->row.count;
    thud_pair_row pairs[SOME];
    for (int i = 0; i < count; i++)
    {
        const plain *p = &some[i];
        pairs[i] = (thud_pair_row){.key = p->row.key,
                                   .gap = p->row.gap,
                                   .shift = p->row.shift,
                                   .a = blocks == 2 ? p->index[0] : -1,
                                   .b = p->index[blocks - 1],
                                   .normal = {NAN, NAN, NAN}, // the third one may not be read
                                   .law = p->row.law,
                                   .numbers = threads == 0 && p->row.law ? &p->number : NULL};
        memcpy(pairs[i].normal, p->slope + (blocks - 1) * width, (size_t)width * sizeof(double));
    }
    if (threads == 0)
    {
        CHECK(thud_rows_push_pairs(rows, width, pairs, count) == THUD_OK);
        return;
    }
    thud_pair_run run;
    CHECK(thud_rows_begin_pairs(rows, width, blocks, count, &run) == THUD_OK);
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int i = 0; i < count; i++)
        (void)thud_pair_run_write(&run, i, &pairs[i], 1);
    for (int i = 0; i < count; i++)
        if (some[i].row.law)
            CHECK(thud_pair_run_law(&run, i, some[i].row.law, &some[i].number) == THUD_OK);
    CHECK(thud_rows_end_pairs(&run, count) == THUD_OK);
}

// Some rows in one of three ways; returns how many.
static int push_some(test_random *random, thud_rows *rows, plain *some)
{
    int how = test_random_int(random, 0, 2), count = test_random_int(random, 1, SOME);
    int width = test_random_int(random, 2, 3), blocks = test_random_int(random, 1, 2);
    for (int i = 0; i < count; i++)
    {
        some[i] = how == 0 ? draw_any(random) : draw_pair(random, width, blocks);
        if (how > 0)
            draw_law(random, &some[i]);
        point_into(&some[i]);
        if (how == 0)
            CHECK(thud_rows_push(rows, &some[i].row) == THUD_OK);
    }
    if (how > 0)
        push_pairs(rows, some, count, how == 1 ? 0 : test_random_int(random, 1, 4));
    return count;
}

// By insertion, so that rows with one key keep their order.
static void sort_plain(plain *all, int count)
{
    for (int i = 1; i < count; i++)
    {
        plain p = all[i];
        int j = i;
        for (; j > 0 && thud_key_before(p.row.key, all[j - 1].row.key); j--)
            all[j] = all[j - 1];
        all[j] = p;
    }
}

static bool is_among(const plain *all, int count, const plain *one)
{
    for (int i = 0; i < count; i++)
        if (are_same(&all[i].row, &one->row))
            return true;
    return false;
}

// A row that may differ from another in one thing alone.
static void vary(test_random *random, plain *p)
{
    int how = test_random_int(random, 0, 5);
    if (how == 0)
        p->row.kind = p->row.kind == THUD_CONVEX ? THUD_CONCAVE : THUD_CONVEX;
    else if (how == 1)
        p->row.shift += 0.25;
    else if (how == 2)
        p->row.gap = -p->row.gap;
    else if (how == 3)
        p->slope[test_random_int(random, 0, 5)] *= -1;
    else if (how == 4)
        draw_law(random, p);
}

// Rows of all shapes, most of them new, and some that the list has, or almost.
static int push_for_adding(test_random *random, thud_rows *from, const plain *all, int count,
                           plain *more)
{
    int pushed = push_some(random, from, more);
    for (int k = 0; k < SOME / 2; k++, pushed++)
    {
        more[pushed] = all[test_random_int(random, 0, count - 1)];
        vary(random, &more[pushed]);
        point_into(&more[pushed]);
        CHECK(thud_rows_push(from, &more[pushed].row) == THUD_OK);
    }
    return pushed;
}

static void as_structs(void)
{
    static plain all[MOST], more[2 * SOME];
    test_random random = test_random_begin(614);
    thud_rows *rows = rows_of(DIM, NULL), *from = rows_of(DIM, NULL);
    REQUIRE(rows && from);
    for (int round = 0; round < 300; round++)
    {
        int count = 0, added, wanted = 0;
        thud_rows_clear(rows);
        thud_rows_clear(from);
        for (int part = 0; part < 4; part++)
            count += push_some(&random, rows, all + count);
        compare(rows, all, count);
        thud_rows_sort(rows);
        sort_plain(all, count);
        compare(rows, all, count);
        int pushed = push_for_adding(&random, from, all, count, more);
        thud_rows_sort(from);
        sort_plain(more, pushed);
        compare(from, more, pushed);
        for (int k = 0; k < pushed; k++)
            if (!is_among(all, count + wanted, &more[k]))
            {
                all[count + wanted++] = more[k];
                point_into(&all[count + wanted - 1]);
            }
        CHECK(thudi_rows_add(rows, from, NULL, &added) == THUD_OK && added == wanted);
        compare(rows, all, count + wanted);
        thud_rows_sort(rows);
        sort_plain(all, count + wanted);
        compare(rows, all, count + wanted);
    }
    thud_rows_destroy(rows);
    thud_rows_destroy(from);
}

// Of every row of two blocks one is kept, and the other rows stay as they are.
static void one_block(void)
{
    static plain all[SOME];
    test_random random = test_random_begin(615);
    thud_rows *rows = rows_of(DIM, NULL);
    REQUIRE(rows);
    for (int round = 0; round < 200; round++)
    {
        thud_rows_clear(rows);
        int count = push_some(&random, rows, all);
        for (int i = 0; i < count; i++)
        {
            int j = test_random_int(&random, 0, 1), width = all[i].row.width;
            if (width < 2 || all[i].row.count != 2)
                continue;
            thudi_rows_keep_block(rows, &rows->heads.items[i], j);
            all[i].row.count = 1;
            all[i].index[0] = all[i].index[j];
            memmove(all[i].slope, all[i].slope + j * width, (size_t)width * sizeof(double));
        }
        compare(rows, all, count);
    }
    thud_rows_destroy(rows);
}

// What a list has for MANY pair rows in order, of which every `with_law`-th has a law.
static double bytes_of_row(int blocks, int with_law)
{
    test_meter meter = {0};
    thud_allocator allocator = {test_meter_resize, &meter};
    thud_rows *rows = rows_of(DIM, &allocator);
    thud_pair_run run;
    size_t before = meter.bytes;
    CHECK(thud_rows_begin_pairs(rows, 3, blocks, MANY, &run) == THUD_OK);
    for (int i = 0; i < MANY; i++)
    {
        thud_pair_row pair = {.key = thud_key_number(i), .a = blocks == 2 ? 3 : -1, .normal = {1}};
        CHECK(thud_pair_run_write(&run, i, &pair, 1) == THUD_OK);
    }
    for (int i = 0; with_law > 0 && i < MANY; i += with_law)
        CHECK(thud_pair_run_law(&run, i, THUD_LAW_RESTITUTION, (double[]){0.5}) == THUD_OK);
    CHECK(thud_rows_end_pairs(&run, MANY) == THUD_OK);
    thud_rows_sort(rows);
    double bytes = (double)(meter.bytes - before) / MANY;
    thud_rows_destroy(rows);
    CHECK(meter.bytes == 0);
    printf("  %d blocks, a law on one in %d: %.2f bytes a row\n", blocks, with_law, bytes);
    return bytes;
}

static void bytes(void)
{
    CHECK(bytes_of_row(2, 0) == 56);
    CHECK(bytes_of_row(1, 0) == 56);
    double some = bytes_of_row(2, 10), all = bytes_of_row(2, 1); // arrays have room to spare
    CHECK(some > 58.4 && some < 58.4 * 1.125);
    CHECK(all > 80 && all < 80 * 1.125);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"as-structs", as_structs},
        {"one-block", one_block},
        {"bytes", bytes},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
