// Pair rows written in their places by threads: the same as one by one, refused by the first that
// is wrong, with the numbers of a law; an inclusion of a user that makes its rows so; and the rooms
// of its callback.
#include "unit_rig.h"

#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum
{
    DIM = 600,
    MANY = 9000,
    SOME = 24, // rows written at once
    BODIES = 5000
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

static void write_by_threads(thud_pair_run *run, const thud_pair_row *pairs, int count, int threads)
{
    int parts = (count + SOME - 1) / SOME;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (int p = 0; p < parts; p++)
    {
        int first = p * SOME, left = count - first;
        (void)thud_pair_run_write(run, first, pairs + first, left < SOME ? left : SOME);
    }
}

static void compare(const thud_rows *a, const thud_rows *b)
{
    int wrong = 0;
    REQUIRE(thud_rows_count(a) == thud_rows_count(b));
    for (int i = 0; i < thud_rows_count(a); i++)
    {
        thud_row_room rooms[2];
        thud_row x = thud_rows_get(a, i, &rooms[0]), y = thud_rows_get(b, i, &rooms[1]);
        bool law = x.numbers && y.numbers ? x.law == y.law && x.numbers[0] == y.numbers[0]
                                          : x.numbers == y.numbers;
        wrong += !law || !thud_key_same(x.key, y.key) || x.gap != y.gap || x.shift != y.shift ||
                 x.width != y.width || x.count != y.count || x.kind != y.kind ||
                 memcmp(x.index, y.index, (size_t)x.count * sizeof *x.index) != 0 ||
                 memcmp(x.slope, y.slope, (size_t)(x.count * x.width) * sizeof *x.slope) != 0;
    }
    CHECK(wrong == 0);
}

// Runs of which the last rows may be dropped, behind each other, against bulk pushes.
static void as_in_bulk(void)
{
    static thud_pair_row pairs[MANY];
    test_random random = test_random_begin(612);
    thud_rows *runs = rows_of(DIM, NULL), *bulk = rows_of(DIM, NULL);
    REQUIRE(runs && bulk);
    for (int round = 0; round < 40; round++)
    {
        thud_rows_clear(runs);
        thud_rows_clear(bulk);
        for (int part = 0; part < 3; part++)
        {
            int width = test_random_int(&random, 2, 3), most = round % 5 == 0 ? MANY : 60;
            int count = test_random_int(&random, 0, most), taken = count - round % 2 * (count / 7);
            bool two = test_random_int(&random, 0, 1) == 1;
            thud_pair_run run;
            for (int i = 0; i < count; i++)
                pairs[i] = draw(&random, width, two);
            CHECK(thud_rows_begin_pairs(runs, width, two ? 2 : 1, count, &run) == THUD_OK);
            write_by_threads(&run, pairs, count, 1 + round % 4);
            CHECK(thud_rows_end_pairs(&run, taken) == THUD_OK);
            CHECK(thud_rows_push_pairs(bulk, width, pairs, taken) == THUD_OK);
        }
        compare(runs, bulk);
        thud_rows_sort(runs);
        thud_rows_sort(bulk);
        compare(runs, bulk);
    }
    thud_rows_destroy(runs);
    thud_rows_destroy(bulk);
}

static void spoil(thud_pair_row *row, int how)
{
    if (how == 0)
        row->normal[0] = INFINITY;
    else if (how == 1)
        row->shift = -1;
    else
        row->a = row->b;
}

// Of several rows that are wrong the first counts, for any number of threads.
static void first_refused(void)
{
    static thud_pair_row pairs[MANY];
    test_random random = test_random_begin(613);
    const thud_status wanted[] = {THUD_ERR_NOT_FINITE, THUD_ERR_ARGUMENT};
    for (int round = 0; round < 16; round++)
    {
        int width = 2 + round % 2, first = test_random_int(&random, 0, MANY - 1),
            bad = round / 2 % 2;
        for (int i = 0; i < MANY; i++)
            pairs[i] = draw(&random, width, true);
        for (int i = first; i < MANY; i += 41)
            spoil(&pairs[i], i == first ? bad : i % 3);
        thud_rows *rows = rows_of(DIM, NULL);
        thud_pair_run run;
        REQUIRE(rows && thud_rows_begin_pairs(rows, width, 2, MANY, &run) == THUD_OK);
        write_by_threads(&run, pairs, MANY, 1 + round % 4);
        CHECK(run.bad == first);
        CHECK(thud_pair_run_law(&run, 0, THUD_LAW_RESTITUTION, (double[]){1}) == THUD_OK);
        CHECK(thud_rows_end_pairs(&run, MANY) == wanted[bad]);
        CHECK(thud_rows_status(rows) == wanted[bad] && thud_rows_count(rows) == 0);
        // rows behind the end do not count
        CHECK(thud_rows_begin_pairs(rows, width, 2, MANY, &run) == THUD_OK);
        write_by_threads(&run, pairs, MANY, 1 + round % 4);
        CHECK(thud_rows_end_pairs(&run, first) == THUD_OK && thud_rows_count(rows) == first);
        thud_rows_destroy(rows);
    }
}

static thud_status write_one(thud_rows *rows, int width, int blocks, const thud_pair_row *row)
{
    thud_pair_run run;
    thud_status status = thud_rows_begin_pairs(rows, width, blocks, 1, &run);
    if (status < 0)
        return status;
    status = thud_pair_run_write(&run, 0, row, 1);
    CHECK(thud_rows_end_pairs(&run, 1) == status);
    return status;
}

// What thud_rows_push_pairs refuses, and the numbers of a law, which are given apart.
static void refused(void)
{
    const thud_pair_row good = {.key = {1}, .gap = 1, .a = 0, .b = 6, .normal = {1, 0, 0}};
    const int places[][2] = {{-1, 6}, {-2, 6},      {10, 6}, {INT_MAX, 6}, {INT_MIN, 6},
                             {0, -1}, {0, 10},      {6, 6},  {8, 6},       {0, INT_MAX},
                             {5, 6},  {0, INT_MIN}, {-1, -1}};
    thud_rows *rows = rows_of(12, NULL), *narrow = rows_of(2, NULL);
    thud_pair_run run;
    REQUIRE(rows && narrow);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++)
    {
        thud_pair_row bad = good;
        bad.a = places[p][0];
        bad.b = places[p][1];
        CHECK(write_one(rows, 3, 2, &bad) == THUD_ERR_ARGUMENT);
        bad.a = bad.b < 0 || bad.b > 9 ? -1 : 0;
        CHECK(write_one(rows, 3, 1, &bad) == THUD_ERR_ARGUMENT);
    }
    const double numbers[] = {NAN, INFINITY, -INFINITY};
    for (int n = 0; n < 3; n++)
        for (int field = 0; field < 5; field++)
        {
            thud_pair_row bad = good;
            *(field == 0   ? &bad.gap
              : field == 1 ? &bad.shift
                           : &bad.normal[field - 2]) = numbers[n];
            CHECK(write_one(rows, 3, 2, &bad) == THUD_ERR_NOT_FINITE);
            CHECK(write_one(rows, 2, 2, &bad) == (field < 4 ? THUD_ERR_NOT_FINITE : THUD_OK));
        }
    thud_pair_row bad = good;
    bad.shift = -1e-300;
    CHECK(write_one(rows, 3, 2, &bad) == THUD_ERR_ARGUMENT);
    bad = good;
    bad.numbers = (double[]){0.5};
    CHECK(write_one(rows, 3, 2, &bad) == THUD_ERR_ARGUMENT);
    bad = good;
    bad.a = -1;
    bad.b = 0;
    CHECK(write_one(narrow, 3, 1, &bad) == THUD_ERR_ARGUMENT);
    CHECK(write_one(narrow, 2, 1, &bad) == THUD_OK && thud_rows_count(narrow) == 1);
    thud_rows_clear(rows);
    CHECK(thud_rows_begin_pairs(rows, 1, 2, 1, &run) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_status(rows) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_begin_pairs(rows, 3, 0, 1, &run) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_begin_pairs(rows, 3, 2, -1, &run) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_begin_pairs(rows, 3, 2, INT_MAX, &run) == THUD_ERR_LIMIT);
    CHECK(thud_rows_begin_pairs(rows, 3, 2, 2, &run) == THUD_OK);
    CHECK(thud_pair_run_write(&run, -1, &good, 1) == THUD_ERR_ARGUMENT);
    CHECK(thud_pair_run_write(&run, 2, &good, 1) == THUD_ERR_ARGUMENT);
    CHECK(thud_pair_run_write(&run, 0, &good, 3) == THUD_ERR_ARGUMENT);
    CHECK(thud_pair_run_write(&run, 0, &good, -1) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_end_pairs(&run, 0) == THUD_OK && thud_rows_count(rows) == 0);
    thud_rows_destroy(rows);
    thud_rows_destroy(narrow);
}

// Numbers of a law against rows that are pushed with theirs.
static void laws(void)
{
    static thud_pair_row pairs[200];
    static const double numbers[] = {0.5, 0, 0.25, 0.5};
    test_random random = test_random_begin(614);
    thud_rows *runs = rows_of(DIM, NULL), *bulk = rows_of(DIM, NULL);
    thud_pair_run run;
    REQUIRE(runs && bulk);
    for (int i = 0; i < 200; i++)
        pairs[i] = draw(&random, 3, true);
    CHECK(thud_rows_begin_pairs(runs, 3, 2, 200, &run) == THUD_OK);
    write_by_threads(&run, pairs, 200, 2);
    for (int i = 0; i < 200; i++)
    {
        pairs[i].law = THUD_LAW_RESTITUTION;
        pairs[i].numbers = i % 9 == 8 ? NULL : &numbers[i / 3 % 4];
        CHECK(thud_pair_run_law(&run, i, pairs[i].law, pairs[i].numbers) == THUD_OK);
    }
    CHECK(thud_rows_end_pairs(&run, 200) == THUD_OK);
    CHECK(thud_rows_push_pairs(bulk, 3, pairs, 200) == THUD_OK);
    compare(runs, bulk);
    CHECK(thud_rows_begin_pairs(runs, 3, 2, 1, &run) == THUD_OK);
    CHECK(thud_pair_run_law(&run, 1, THUD_LAW_RESTITUTION, numbers) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_status(runs) == THUD_OK); // there is no such row to blame
    CHECK(thud_pair_run_write(&run, 0, &(thud_pair_row){.a = 0, .b = 3}, 1) == THUD_OK);
    CHECK(thud_pair_run_law(&run, 0, THUD_LAW_RESTITUTION, (double[]){2}) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_status(runs) == THUD_ERR_ARGUMENT);
    CHECK(thud_rows_end_pairs(&run, 0) == THUD_OK);
    thud_rows_destroy(runs);
    thud_rows_destroy(bulk);
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
        thud_pair_run run;
        REQUIRE(rows && fail_at < 20);
        status = thud_rows_begin_pairs(rows, 3, 2, 2, &run);
        if (status >= 0)
            status = thud_pair_run_write(&run, 0, pairs, 2);
        if (status >= 0)
            status = thud_pair_run_law(&run, 1, THUD_LAW_RESTITUTION, (double[]){0.5});
        if (status >= 0)
            status = thud_rows_end_pairs(&run, 2);
        CHECK(status == THUD_OK || status == THUD_ERR_MEMORY);
        CHECK(thud_rows_status(rows) == status);
        CHECK(thud_rows_count(rows) == (status == THUD_OK ? 2 : 0));
        thud_rows_destroy(rows);
        CHECK(meter.blocks == 0);
    }
}

// A chain of balls in the plane, pulled together; body i may meet bodies i + 1 and i + 2.
typedef struct chain
{
    int threads;    // 0: rows one by one
    int calls;      // of the callback
    bool fails;     // in a callback that leaves its rooms open
    int most_rooms; // open when a callback begins
} chain;

static thud_pair_row chain_row(const double *q, int i)
{
    int a = i / 2, b = a + 1 + i % 2;
    double dx = q[2 * b] - q[2 * a], dy = q[2 * b + 1] - q[2 * a + 1], distance = hypot(dx, dy);
    return (thud_pair_row){.key = thud_key_number(i),
                           .gap = distance - 1,
                           .shift = 1e-6,
                           .a = 2 * a,
                           .b = 2 * b,
                           .normal = {dx / distance, dy / distance}};
}

// Every thread makes some rows at once, on its stack.
static void write_chain(thud_pair_run *run, const double *q, int part, int count)
{
    thud_pair_row some[SOME];
    int first = part * SOME, size = count - first < SOME ? count - first : SOME;
    for (int i = 0; i < size; i++)
        some[i] = chain_row(q, first + i);
    (void)thud_pair_run_write(run, first, some, size); // the end of the run returns it
}

static thud_status push_chain(const chain *c, const double *q, thud_rows *rows)
{
    int count = 2 * (BODIES - 2);
    thud_pair_run run;
    thud_status status = THUD_OK;
    for (int i = 0; i < count && c->threads == 0 && status >= 0; i++)
    {
        thud_pair_row row = chain_row(q, i);
        status = thud_rows_push_pairs(rows, 2, &row, 1);
    }
    if (c->threads == 0)
        return status;
    status = thud_rows_begin_pairs(rows, 2, 2, count, &run);
    if (status < 0)
        return status;
#pragma omp parallel for num_threads(c->threads)
    for (int p = 0; p < (count + SOME - 1) / SOME; p++)
        write_chain(&run, q, p, count);
    return thud_rows_end_pairs(&run, count);
}

// Opens rooms and leaves them to the step.
static int chain_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    chain *c = user;
    thud_rooms *rooms = thud_rows_rooms(rows);
    int open = thud_rooms_count(rooms);
    double *copy = NULL;
    c->calls++;
    c->most_rooms = open > c->most_rooms ? open : c->most_rooms;
    for (int n = 0; n < 3; n++)
        CHECK(thud_room_open(rooms, 2 * BODIES, sizeof *copy, "positions", &copy) == THUD_OK);
    memcpy(copy, at->q, 2 * BODIES * sizeof *copy);
    CHECK(thud_rooms_count(rooms) == open + 3);
    if (c->fails)
        return 1;
    return at->phase == THUD_FIND_MISSING || push_chain(c, copy, rows) >= 0 ? 0 : 1;
}

static int chain_force(double t, const double *q, double *f, void *user)
{
    (void)t;
    (void)user;
    for (int i = 0; i < 2 * BODIES; i++)
        f[i] = i % 2 ? -q[i] : (i < BODIES ? 1 : -1) * 0.5;
    return 0;
}

static uint64_t step_chain(chain *c, int steps)
{
    static double q[2 * BODIES], mass[2 * BODIES];
    for (int i = 0; i < BODIES; i++)
    {
        q[2 * i] = 0.9 * i;
        q[2 * i + 1] = (i % 2 ? 0.5 : -0.5) + 1e-4 * (i % 7);
        mass[2 * i] = mass[2 * i + 1] = 1;
    }
    rig r = rig_start(&(thud_state_def){.dim = 2 * BODIES, .h = 0.05, .q = q},
                      &(thud_work_def){.skip_uniqueness = true});
    thud_inclusion problem = {
        .dim = 2 * BODIES, .mass = mass, .force = chain_force, .gaps = chain_gaps, .user = c};
    for (int n = 0; n < steps; n++)
        CHECK(thud_step(&problem, r.state, r.work) >= 0);
    uint64_t hash = thud_state_hash(r.state, 0);
    c->fails = true;
    CHECK(thud_step(&problem, r.state, r.work) == THUD_ERR_CALLBACK);
    c->fails = false;
    CHECK(thud_state_hash(r.state, 0) == hash);
    CHECK(thud_step(&problem, r.state, r.work) >= 0);
    rig_end(&r);
    return hash;
}

// A user's inclusion gives the same state, one by one and by any number of threads; and no room of
// a callback is open when the next one begins, though it closes none.
static void inclusion(void)
{
    chain one = {0};
    uint64_t hash = step_chain(&one, 3);
    printf("  %d calls, %d rooms open before one\n", one.calls, one.most_rooms);
    CHECK(one.calls > 6 && one.most_rooms <= 1); // a step has a room while it asks for what misses
    for (int threads = 1; threads <= 4; threads++)
    {
        chain c = {.threads = threads};
        CHECK(step_chain(&c, 3) == hash && c.calls == one.calls && c.most_rooms <= 1);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"as-in-bulk", as_in_bulk},
        {"first-refused", first_refused},
        {"refused", refused},
        {"laws", laws},
        {"failing-memory", failing_memory},
        {"inclusion", inclusion},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
