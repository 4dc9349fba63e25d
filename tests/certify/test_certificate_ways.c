// The ways of making a certificate give the same bits: block by block, four numbers at a time,
// against coordinate by coordinate, on random problems and on numbers that are none.
#include "certify/certificate.h"
#include "team_threads.h"
#include "thud_test.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_DIM = 3 * 5000,
    MOST_ROWS = 4 * 5000
};

// A problem and room for one answer of each way.
typedef struct setting
{
    thud_projection problem;
    thud_rows *rows, *general; // the same rows, general ones coordinate by coordinate
    double *mass, *w, *origin, *mu, *u[3], *lin[3];
    thud_certificate certificate[3];
    int width, bodies;
} setting;

static double *numbers(int count)
{
    double *room = calloc((size_t)count, sizeof *room);
    CHECK(room);
    return room;
}

static setting open_setting(void)
{
    setting s = {.mass = numbers(MOST_DIM), .w = numbers(MOST_DIM), .origin = numbers(MOST_DIM)};
    s.mu = numbers(MOST_ROWS);
    for (int k = 0; k < 3; k++)
    {
        s.u[k] = numbers(MOST_DIM);
        s.lin[k] = numbers(MOST_ROWS);
    }
    CHECK(thud_rows_create(MOST_DIM, NULL, &s.rows) == THUD_OK);
    CHECK(thud_rows_create(MOST_DIM, NULL, &s.general) == THUD_OK);
    return s;
}

static void close_setting(setting *s)
{
    free(s->mass);
    free(s->w);
    free(s->origin);
    free(s->mu);
    for (int k = 0; k < 3; k++)
    {
        free(s->u[k]);
        free(s->lin[k]);
    }
    thud_rows_destroy(s->rows);
    thud_rows_destroy(s->general);
}

// One of 0 .. count - 1.
static int pick(test_random *random, int count)
{
    return test_random_int(random, 0, count - 1);
}

// A number of common size, seldom 0 or far away; odd: more often so.
static double number(test_random *random, bool odd)
{
    int what = pick(random, odd ? 60 : 40);
    double x = test_random_normal(random);
    if (what == 0)
        return 0;
    if (what == 1 && odd)
        return ldexp(x, pick(random, 1800) - 900);
    return what == 2 ? ldexp(x, pick(random, 60) - 30) : x;
}

static void push(setting *s, const thud_row *row)
{
    int index[6], width = row->width > 1 ? row->width : 1;
    for (int k = 0; k < row->count * width; k++)
        index[k] = row->index[k / width] + k % width;
    thud_row flat = *row;
    flat.width = 1;
    flat.count = row->count * width;
    flat.index = index;
    CHECK(thud_rows_push(s->rows, row) == THUD_OK);
    CHECK(thud_rows_push(s->general, &flat) == THUD_OK);
}

// A row between two bodies, of one body, or of none.
static void push_random(setting *s, test_random *random, int row_number, bool odd)
{
    int a = pick(random, s->bodies), b = pick(random, s->bodies);
    int index[2] = {s->width * a, s->width * b}, kind = pick(random, 20);
    int blocks = kind == 0 && row_number > 0 ? 0 : kind < 4 || a == b ? 1 : 2;
    double slope[6];
    for (int k = 0; k < s->width; k++)
    {
        slope[k] = number(random, odd);
        slope[s->width + k] = kind == 5 ? number(random, odd) : -slope[k];
    }
    push(s, &(thud_row){.key = thud_key_number(row_number),
                        .gap = number(random, odd),
                        .shift = kind % 2 ? fabs(number(random, odd)) : 0,
                        .width = blocks > 0 ? s->width : 0,
                        .count = blocks,
                        .index = index,
                        .slope = slope});
}

static void fill(setting *s, test_random *random, int width, int bodies, int rows, bool odd)
{
    s->width = width;
    s->bodies = bodies;
    thud_rows_clear(s->rows);
    thud_rows_clear(s->general);
    s->rows->dim = s->general->dim = width * bodies;
    for (int k = 0; k < width * bodies; k++)
    {
        s->mass[k] = k % width ? s->mass[k - 1] : fabs(number(random, odd)) + 0x1p-20;
        s->w[k] = number(random, odd);
        s->origin[k] = number(random, odd);
    }
    for (int i = 0; i < rows; i++)
    {
        push_random(s, random, i, odd);
        s->mu[i] = pick(random, 2) ? fabs(number(random, odd)) : 0;
    }
    s->problem = (thud_projection){.dim = width * bodies,
                                   .h = test_random_uniform(random, 1e-3, 1),
                                   .mass = pick(random, 4) ? s->mass : NULL,
                                   .w = s->w,
                                   .rows = s->rows,
                                   .origin = pick(random, 4) ? s->origin : NULL,
                                   .shift_scale = pick(random, 4) ? 1 : 0};
}

static bool same(const double *a, const double *b, int count)
{
    for (int k = 0; k < count; k++)
        if (memcmp(&a[k], &b[k], sizeof a[k]) != 0 && !(isnan(a[k]) && isnan(b[k])))
            return false;
    return true;
}

static void certify_by(setting *s, int way, const thudi_certifier *certifier, int unit,
                       thud_team *team)
{
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thud_rooms rooms = {0};
    thudi_rooms_begin(&rooms, &allocator);
    thudi_proof proof = {.problem = &s->problem,
                         .unit = unit,
                         .mu = s->mu,
                         .u = s->u[way],
                         .lin = s->lin[way],
                         .team = team};
    CHECK(thudi_certify_with(certifier, &proof, &rooms, &s->certificate[way]) == THUD_OK);
    CHECK(thud_rooms_count(&rooms) == 0);
    thudi_rooms_free(&rooms);
}

static void certify(setting *s, int way, const thudi_certifier *certifier, int unit)
{
    certify_by(s, way, certifier, unit, NULL);
}

static void check_same(const setting *s, int way)
{
    const thud_certificate *a = &s->certificate[0], *b = &s->certificate[way];
    CHECK(same(s->u[0], s->u[way], s->problem.dim));
    CHECK(same(s->lin[0], s->lin[way], s->rows->count));
    CHECK(same(&a->stationarity, &b->stationarity, 1));
    CHECK(same(&a->min_impulse, &b->min_impulse, 1));
    CHECK(same(&a->min_lin, &b->min_lin, 1));
    CHECK(same(&a->violation, &b->violation, 1));
    CHECK(same(&a->violation_ulps, &b->violation_ulps, 1));
    CHECK(same(&a->forward, &b->forward, 1));
    CHECK(same(&a->backward, &b->backward, 1));
    CHECK(same(&a->kkt, &b->kkt, 1));
}

static void compare(setting *s)
{
    s->problem.rows = s->rows;
    certify(s, 0, &thudi_by_blocks, s->width);
    certify(s, 1, &thudi_by_coordinates, s->width);
    check_same(s, 1);
    s->problem.rows = s->general;
    certify(s, 2, &thudi_by_coordinates, 1);
    check_same(s, 2);
}

// Gaps that close, but for rounding: what is not known of lin is seen then.
static void close_gaps(setting *s)
{
    for (int i = 0; i < s->rows->count; i++)
    {
        double lin = s->lin[0][i];
        if (!isfinite(lin))
            continue;
        s->rows->heads.items[i].gap -= lin;
        s->general->heads.items[i].gap -= lin;
    }
}

static void random_problems(bool odd)
{
    test_random random = test_random_begin(1);
    setting s = open_setting();
    int finite = 0;
    for (int n = 0; n < 600 && test_failures() == 0; n++)
    {
        int bodies = 1 + pick(&random, 60), rows = pick(&random, 120);
        fill(&s, &random, 2 + n % 2, bodies, rows, odd);
        compare(&s);
        close_gaps(&s);
        compare(&s);
        finite += isfinite(s.certificate[0].forward);
    }
    printf("  %d of 600 with a finite bound\n", finite);
    CHECK(odd ? finite > 20 && finite < 580 : finite == 600);
    close_setting(&s);
}

static void common(void)
{
    random_problems(false);
}

static void extreme(void)
{
    random_problems(true);
}

// Multipliers and predictions that no solver should give: the certificate must not call them sound.
static void no_numbers(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY, -1, -0.0, 0x1p1000};
    test_random random = test_random_start(2);
    setting s = open_setting();
    for (int n = 0; n < 240 && test_failures() == 0; n++)
    {
        double x = bad[n % 6];
        fill(&s, &random, 2 + n / 6 % 2, 5 + n % 7, 30, false);
        if (n / 12 % 2)
            s.mu[pick(&random, 30)] = x;
        else
            s.w[pick(&random, s.problem.dim)] = x;
        compare(&s);
    }
    close_setting(&s);
}

// Many units and rows, by one thread and by several.
static void threads(void)
{
    static const int counts[] = {1, 2, 3, 4, 8, 16};
    test_random random = test_random_start(3);
    setting s = open_setting();
    for (int width = 2; width <= 3; width++)
    {
        fill(&s, &random, width, 5000, 12345, width == 3);
        omp_set_num_threads(1);
        certify(&s, 0, &thudi_by_blocks, width);
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        {
            omp_set_num_threads(counts[k]);
            compare(&s);
            s.problem.rows = s.rows;
            certify(&s, 1, &thudi_by_blocks, width);
            check_same(&s, 1);
            printf("  %d threads: forward %a\n", counts[k], s.certificate[1].forward);
        }
        omp_set_num_threads(1);
        certify(&s, 1, &thudi_by_blocks, width);
        check_same(&s, 1);
    }
    close_setting(&s);
}

// Each member has its own results, and gets those of the others.
static void certify_as_member(thud_team *team, void *user)
{
    setting own = *(const setting *)user;
    own.u[1] = numbers(MOST_DIM);
    own.lin[1] = numbers(MOST_ROWS);
    certify_by(&own, 1, team->rank % 2 ? &thudi_by_coordinates : &thudi_by_blocks, own.width, team);
    check_same(&own, 1);
    CHECK(team->counts.reductions == 2);
    free(own.u[1]);
    free(own.lin[1]);
}

// Rows shared by the members of a team, of one or two threads. What is no number, or negative, is
// in the share of one member alone.
static void members(void)
{
    static const double values[] = {1, NAN, -1, -0.0, INFINITY, 0x1p1000};
    test_random random = test_random_start(5);
    setting s = open_setting();
    for (int n = 0; n < 24 && test_failures() == 0; n++)
    {
        fill(&s, &random, 2 + n % 2, 3000, 4096 + 400 * n, n % 3 == 0);
        s.mu[pick(&random, s.rows->count)] = values[n % 6];
        certify(&s, 0, &thudi_by_blocks, s.width);
        for (int size = 2; size <= 5; size++)
            CHECK(team_threads_run(size, 1 + n / 2 % 2, certify_as_member, &s));
        if (n < 6)
            printf("  mu = %g: forward %a, smallest impulse %g\n", values[n],
                   s.certificate[0].forward, s.certificate[0].min_impulse);
    }
    close_setting(&s);
}

// Bodies get other numbers, from to[], and the rows keep their order.
static void renumber(setting *s, const int *to)
{
    double *arrays[] = {s->mass, s->w, s->origin}, *old = numbers(MOST_DIM);
    for (int a = 0; a < 3; a++)
    {
        memcpy(old, arrays[a], (size_t)(s->width * s->bodies) * sizeof *old);
        for (int k = 0; k < s->width * s->bodies; k++)
            arrays[a][s->width * to[k / s->width] + k % s->width] = old[k];
    }
    for (int i = 0; i < s->rows->count; i++)
    {
        thudi_row_head *row = &s->rows->heads.items[i];
        int *blocks = s->rows->blocks.items;
        bool is_general = row->form == THUDI_ROW_GENERAL;
        for (int j = 0; is_general && j < row->apart.count; j++)
        {
            int *block = &blocks[row->apart.block_first + (size_t)j];
            *block = s->width * to[*block / s->width];
        }
        if (is_general)
            continue;
        row->a = (unsigned)(s->width * to[row->a / (unsigned)s->width]);
        row->b = (unsigned)(s->width * to[row->b / (unsigned)s->width]);
    }
    free(old);
}

// What is proved does not depend on the order in which bodies are stored.
static void orders(void)
{
    test_random random = test_random_begin(4);
    setting s = open_setting();
    int *to = calloc(5000, sizeof *to);
    REQUIRE(to);
    for (int n = 0; n < 60 && test_failures() == 0; n++)
    {
        int bodies = n % 10 ? 1 + pick(&random, 60) : 5000;
        fill(&s, &random, 2 + n % 2, bodies, n % 10 ? pick(&random, 120) : 12345, n % 3 == 0);
        certify(&s, 0, &thudi_by_blocks, s.width);
        for (int i = 0; i < bodies; i++)
        {
            int k = pick(&random, i + 1);
            to[i] = to[k];
            to[k] = i;
        }
        renumber(&s, to);
        certify(&s, 1, &thudi_by_blocks, s.width);
        for (int k = 0; k < s.width * bodies; k++)
            s.u[2][k] = s.u[1][s.width * to[k / s.width] + k % s.width];
        memcpy(s.u[1], s.u[2], (size_t)(s.width * bodies) * sizeof *s.u[1]);
        check_same(&s, 1);
    }
    free(to);
    close_setting(&s);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"common", common},   {"extreme", extreme}, {"no-numbers", no_numbers},
        {"threads", threads}, {"members", members}, {"orders", orders},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
