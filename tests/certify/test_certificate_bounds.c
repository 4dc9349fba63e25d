// The bounds of a certificate hold where doubles underflow, and where very many rows push one body:
// against 113 bits, and against products known exactly.
#include "certify/certificate.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef __float128 quad;

enum
{
    MOST_ROWS = 1 << 16,
    MOST_DIM = 15
};

static const quad NOISE = 0x1p-108; // of its terms: the rounding of a sum in 113 bits

typedef struct setting
{
    thud_projection problem;
    thud_rows *rows;
    thud_rooms rooms;
    int width;
    double mass[MOST_DIM], w[MOST_DIM], u[MOST_DIM], *mu, *lin;
    thud_certificate certificate;
} setting;

static setting *open_setting(int width, int bodies, int rows)
{
    setting *s = calloc(1, sizeof *s);
    double *numbers = calloc(2 * (size_t)rows + 2, sizeof *numbers);
    CHECK(s && numbers);
    if (!s || !numbers || test_failures() > 0)
        exit(1);
    s->width = width;
    s->mu = numbers;
    s->lin = numbers + rows + 1;
    CHECK(thud_rows_create(width * bodies, NULL, &s->rows) == THUD_OK);
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_rooms_begin(&s->rooms, &allocator);
    s->problem = (thud_projection){.dim = width * bodies,
                                   .h = 1,
                                   .mass = s->mass,
                                   .w = s->w,
                                   .rows = s->rows,
                                   .shift_scale = 1};
    return s;
}

static void close_setting(setting *s)
{
    thud_rows_destroy(s->rows);
    thudi_rooms_free(&s->rooms);
    free(s->mu);
    free(s);
}

static void certify(setting *s, const thudi_certifier *way)
{
    thudi_proof proof = {
        .problem = &s->problem, .unit = s->width, .mu = s->mu, .u = s->u, .lin = s->lin};
    CHECK(thudi_certify_with(way, &proof, &s->rooms, &s->certificate) == THUD_OK);
}

static quad size_of(quad x)
{
    return x < 0 ? -x : x;
}

// What is left of a number when what is not known of it is taken away.
static quad certain_part(quad x, quad unknown)
{
    return size_of(x) > unknown ? size_of(x) - unknown : 0;
}

// The square of |M (u - w) - G^T mu|, at least.
static quad least_stationarity(const setting *s)
{
    quad rest[MOST_DIM], terms[MOST_DIM], sum = 0;
    for (int k = 0; k < s->problem.dim; k++)
    {
        rest[k] = (quad)s->mass[k] * ((quad)s->u[k] - (quad)s->w[k]);
        terms[k] = (quad)s->mass[k] * (size_of((quad)s->u[k]) + size_of((quad)s->w[k]));
    }
    for (int i = 0; i < s->rows->count; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(s->rows, i, &room);
        for (int j = 0; j < row.count * row.width; j++)
        {
            int at = row.index[j / row.width] + j % row.width;
            quad push = (quad)row.slope[j] * (quad)s->mu[i];
            rest[at] -= push;
            terms[at] += size_of(push);
        }
    }
    for (int k = 0; k < s->problem.dim; k++)
    {
        quad least = certain_part(rest[k], NOISE * terms[k]);
        sum += least * least / (quad)s->mass[k];
    }
    return sum;
}

// lin_i, and what is not known of it.
static quad lin_of(const setting *s, int i, quad *unknown)
{
    thud_row_room room;
    thud_row row = thud_rows_get(s->rows, i, &room);
    quad lin = (quad)row.gap, terms = size_of(lin);
    for (int j = 0; j < row.count * row.width; j++)
    {
        quad u = (quad)s->u[row.index[j / row.width] + j % row.width];
        quad move = (quad)s->problem.h * (quad)row.slope[j] * u;
        lin += move;
        terms += size_of(move);
    }
    *unknown = NOISE * terms;
    return lin;
}

static void check_bounds(const setting *s)
{
    const thud_certificate *c = &s->certificate;
    quad length = (quad)c->stationarity, forward = (quad)c->forward, give = 0, lowest = 0;
    quad square = least_stationarity(s), part = 1 - (quad)0x1p-100;
    CHECK(length * length >= part * square);
    for (int i = 0; i < s->rows->count; i++)
    {
        quad unknown, lin = lin_of(s, i, &unknown);
        lowest = lin + unknown < lowest ? lin + unknown : lowest;
        CHECK((quad)c->min_lin <= lin + unknown);
        CHECK(s->mu[i] == 0 || (quad)c->backward >= certain_part(lin, unknown));
        give += (quad)s->mu[i] * (lin > unknown ? lin - unknown : 0) / (quad)s->problem.h;
    }
    CHECK((quad)c->violation >= -lowest && (quad)c->backward >= -lowest);
    // forward >= |r|/2 + sqrt(|r|^2/4 + give), without roots
    quad rest = forward * forward - part * give;
    CHECK(rest >= 0 && rest * rest >= part * forward * forward * square);
}

// A number of any exponent in low .. high.
static double number(test_random *random, int low, int high)
{
    return ldexp(test_random_normal(random), test_random_int(random, low, high));
}

static void push(setting *s, test_random *random, int row_number, int low, int high)
{
    int last = s->problem.dim / s->width - 1, a = test_random_int(random, 0, last);
    int b = test_random_int(random, 0, last);
    int index[2] = {s->width * a, s->width * b};
    double slope[6];
    for (int k = 0; k < s->width; k++)
    {
        slope[k] = test_random_int(random, 0, 4) ? number(random, -60, 1) : 0;
        slope[s->width + k] = -slope[k];
    }
    thud_row row = {.key = thud_key_number(row_number),
                    .gap = test_random_int(random, 0, 2) ? fabs(number(random, low, high)) : 0,
                    .width = s->width,
                    .count = a == b ? 1 : 2,
                    .index = index,
                    .slope = slope};
    CHECK(thud_rows_push(s->rows, &row) == THUD_OK);
    s->mu[row_number] = test_random_int(random, 0, 2) ? fabs(number(random, low, high)) : 0;
}

// Velocities, gaps and impulses from where squares underflow to where nothing is left of products.
static void faint(void)
{
    static const int low[] = {-1060, -600, -1060, -3}, high[] = {-400, -400, 3, 3};
    test_random random = test_random_begin(20261116);
    for (int n = 0; n < 6000 && test_failures() == 0; n++)
    {
        int bodies = test_random_int(&random, 1, 5), rows = test_random_int(&random, 1, 8);
        setting *s = open_setting(2 + n % 2, bodies, rows);
        s->problem.h = ldexp(1 + test_random_uniform(&random, 0, 1), -(n / 4 % 31));
        for (int k = 0; k < s->problem.dim; k++)
        {
            s->mass[k] = k % s->width ? s->mass[k - 1] : fabs(number(&random, -40, 40)) + 0x1p-60;
            s->w[k] = test_random_int(&random, 0, 5) ? number(&random, low[n % 4], high[n % 4]) : 0;
        }
        for (int i = 0; i < rows; i++)
            push(s, &random, i, low[n % 4], high[n % 4]);
        const thudi_certifier *way = n / 2 % 2 ? &thudi_by_coordinates : &thudi_by_blocks;
        certify(s, way);
        check_bounds(s);
        for (int i = 0; i < rows; i++) // closed, but for rounding
            s->rows->heads.items[i].gap -= s->lin[i];
        certify(s, way);
        check_bounds(s);
        close_setting(s);
    }
}

// 2^16 rows push a body by the same: the sum is a product times 2^16, so it is known exactly. Its
// rounding, always to one side, is more than that of a short sum.
static void crowded(void)
{
    test_random random = test_random_start(20261116);
    int beyond = 0;
    setting *s = open_setting(2, 1, MOST_ROWS);
    s->mass[0] = s->mass[1] = 1;
    for (int n = 0; n < 12; n++)
    {
        double slope[2] = {test_random_uniform(&random, 1, 2), 0};
        double mu = test_random_uniform(&random, 1, 2);
        int index[1] = {0};
        thud_rows_clear(s->rows);
        for (int i = 0; i < MOST_ROWS; i++)
        {
            thud_row row = {
                .key = thud_key_number(i), .width = 2, .count = 1, .index = index, .slope = slope};
            CHECK(thud_rows_push(s->rows, &row) == THUD_OK);
            s->mu[i] = mu;
        }
        certify(s, n % 2 ? &thudi_by_coordinates : &thudi_by_blocks);
        thudi_dd product = thudi_two_product(slope[0], mu);
        quad rest = (quad)s->u[0] - MOST_ROWS * ((quad)product.hi + (quad)product.lo);
        CHECK((quad)s->certificate.stationarity >= size_of(rest));
        thudi_dd sum = {0, 0};
        for (int i = 0; i < MOST_ROWS; i++)
            sum = thudi_dd_add_product(sum, slope[0], mu);
        quad off = (quad)sum.hi + (quad)sum.lo - MOST_ROWS * ((quad)product.hi + (quad)product.lo);
        beyond += size_of(off) > (quad)0x1p-96 * (quad)sum.hi;
    }
    printf("  %d of 12 sums off by more than 2^-96\n", beyond);
    CHECK(beyond > 0);
    close_setting(s);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"faint", faint}, {"crowded", crowded}};
    return test_main(argc, argv, cases, 2);
}
