// The matrix sum w_c (e_b - e_a)(e_b - e_a)^T x n_c n_c^T of a network in Cholesky's form, within
// its envelope. Bodies are taken in the order of their distance from the plane x = 0, round the
// cube, so that neighbours are near each other in the order too: the band is some 2 diameters'
// worth of bodies.
#include "jam/jam_factor.h"

#include "core/math/four.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    PANEL = 8 // bodies whose rows are made together, so that they stay in the cache
};

static const double LOST = 1e-14; // of a diagonal: nothing of it is left apart from rounding
static const double FIXED = 1e30; // of a diagonal: what has none does not move

typedef struct placed
{
    double key;
    int body;
} placed;

static int by_key(const void *x, const void *y)
{
    const placed *a = x, *b = y;
    return a->key != b->key ? (a->key > b->key) - (a->key < b->key)
                            : (a->body > b->body) - (a->body < b->body);
}

static thud_status sort_bodies(jam_factor *factor, const double *q, const thud_allocator *from)
{
    size_t size = (size_t)factor->count * sizeof(placed);
    placed *list = thudi_allocate_zeroed(from, size);
    if (!list)
        return THUD_ERR_MEMORY;
    for (int i = 0; i < factor->count; i++)
    {
        double x = q[3 * (size_t)i];
        list[i] = (placed){x < 0.5 ? x : 1 - x, i};
    }
    qsort(list, (size_t)factor->count, sizeof *list, by_key);
    for (int p = 0; p < factor->count; p++)
        factor->place[list[p].body] = p;
    thudi_free(from, list, size);
    return THUD_OK;
}

thud_status thudi_jam_factor_start(jam_factor *factor, int count, const thud_allocator *from)
{
    factor->count = count;
    factor->place = thudi_allocate_zeroed(from, (size_t)count * sizeof *factor->place);
    factor->first = thudi_allocate_zeroed(from, (size_t)count * sizeof *factor->first);
    factor->start = thudi_allocate_zeroed(from, (size_t)count * sizeof *factor->start);
    factor->x = thudi_allocate_zeroed(from, 3 * (size_t)count * sizeof *factor->x);
    return factor->place && factor->first && factor->start && factor->x ? THUD_OK : THUD_ERR_MEMORY;
}

void thudi_jam_factor_end(jam_factor *factor, const thud_allocator *from)
{
    size_t count = (size_t)factor->count;
    thudi_array_free(from, &factor->rows);
    thudi_free(from, factor->place, count * sizeof *factor->place);
    thudi_free(from, factor->first, count * sizeof *factor->first);
    thudi_free(from, factor->start, count * sizeof *factor->start);
    thudi_free(from, factor->x, 3 * count * sizeof *factor->x);
}

// Of the three rows of p.
static size_t row_length(const jam_factor *factor, int p)
{
    return 3 * (size_t)(p - factor->first[p] + 1);
}

// Row 3 p + i of the factor; element k of it is in column k, from 3 first[p] on.
static double *row_of(const jam_factor *factor, int p, int i)
{
    return factor->rows.items + factor->start[p] + (size_t)i * row_length(factor, p);
}

// The envelope: the rows of a body begin at the first body, in this order, that it touches.
static thud_status shape(jam_factor *factor, const thud_jam_contact *contacts, int contact_count,
                         const thud_allocator *from)
{
    size_t size = 0;
    for (int p = 0; p < factor->count; p++)
        factor->first[p] = p;
    for (int c = 0; c < contact_count; c++)
    {
        int p = factor->place[contacts[c].a], r = factor->place[contacts[c].b];
        int low = p < r ? p : r, high = p < r ? r : p;
        if (low < factor->first[high])
            factor->first[high] = low;
    }
    for (int p = 0; p < factor->count; p++)
    {
        factor->start[p] = size;
        size += 9 * (size_t)(p - factor->first[p] + 1);
    }
    THUD_TRY(thudi_array_reserve(from, &factor->rows, size + 1));
    memset(factor->rows.items, 0, size * sizeof *factor->rows.items);
    return THUD_OK;
}

static void add_block(jam_factor *factor, int p, int r, const double n[3], double w)
{
    for (int i = 0; i < 3; i++)
    {
        double *row = row_of(factor, p, i) + 3 * (size_t)(r - factor->first[p]);
        for (int k = 0; k < 3; k++)
            row[k] += w * n[i] * n[k];
    }
}

// block <- block - (rows of p) (rows of r)^T over the columns before r.
static void subtract(const jam_factor *factor, int p, int r, double block[3][3])
{
    int from = factor->first[p] > factor->first[r] ? factor->first[p] : factor->first[r];
    size_t length = 3 * (size_t)(r > from ? r - from : 0), k = 0;
    const double *a = row_of(factor, p, 0) + 3 * (size_t)(from - factor->first[p]);
    const double *b = row_of(factor, r, 0) + 3 * (size_t)(from - factor->first[r]);
    size_t a_row = row_length(factor, p), b_row = row_length(factor, r);
    four sum[3][3] = {{{0}}};
    for (; k + 4 <= length; k += 4)
    {
        four x = four_load(a + k), y = four_load(a + a_row + k), z = four_load(a + 2 * a_row + k);
        for (size_t j = 0; j < 3; j++)
        {
            four w = four_load(b + j * b_row + k);
            sum[0][j] += x * w;
            sum[1][j] += y * w;
            sum[2][j] += z * w;
        }
    }
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
        {
            double rest = four_sum(sum[i][j]);
            for (size_t c = k; c < length; c++)
                rest += a[i * a_row + c] * b[j * b_row + c];
            block[i][j] -= rest;
        }
}

// The diagonal block of p, in the form of Cholesky.
static void factor_diagonal(const jam_factor *factor, int p, double block[3][3])
{
    size_t at = 3 * (size_t)(p - factor->first[p]);
    for (int i = 0; i < 3; i++)
    {
        double *row = row_of(factor, p, i) + at, whole = row[i];
        for (int k = 0; k <= i; k++)
        {
            const double *other = row_of(factor, p, k) + at;
            double sum = block[i][k];
            for (int j = 0; j < k; j++)
                sum -= row[j] * other[j];
            if (k < i)
                row[k] = sum / other[k];
            else
                row[k] = sum > LOST * whole ? sqrt(sum) : FIXED;
        }
    }
}

// Block (p, r) of the factor, from all before it.
static void factor_block(const jam_factor *factor, int p, int r)
{
    double block[3][3];
    size_t at = 3 * (size_t)(r - factor->first[p]), own = 3 * (size_t)(r - factor->first[r]);
    for (int i = 0; i < 3; i++)
        memcpy(block[i], row_of(factor, p, i) + at, sizeof block[i]);
    subtract(factor, p, r, block);
    if (r == p)
        factor_diagonal(factor, p, block);
    for (int i = 0; i < 3 && r < p; i++)
    {
        double *row = row_of(factor, p, i) + at;
        for (int k = 0; k < 3; k++)
        {
            const double *other = row_of(factor, r, k) + own;
            double sum = block[i][k];
            for (int j = 0; j < k; j++)
                sum -= row[j] * other[j];
            row[k] = sum / other[k];
        }
    }
}

// The rows of a few bodies side by side: those of another one are fetched once for all of them.
static void factor_panel(const jam_factor *factor, int begin, int end)
{
    int low = begin;
    for (int p = begin; p < end; p++)
        low = factor->first[p] < low ? factor->first[p] : low;
    for (int r = low; r < end; r++)
        for (int p = r > begin ? r : begin; p < end; p++)
            if (r >= factor->first[p])
                factor_block(factor, p, r);
}

thud_status thudi_jam_factorise(jam_factor *factor, const double *q,
                                const thud_jam_contact *contacts, const double *w,
                                int contact_count, const double *stiff, const thud_allocator *from)
{
    THUD_TRY(sort_bodies(factor, q, from));
    THUD_TRY(shape(factor, contacts, contact_count, from));
    for (int c = 0; c < contact_count; c++)
    {
        int p = factor->place[contacts[c].a], r = factor->place[contacts[c].b];
        add_block(factor, p, p, contacts[c].normal, w[c]);
        add_block(factor, r, r, contacts[c].normal, w[c]);
        add_block(factor, p > r ? p : r, p > r ? r : p, contacts[c].normal, -w[c]);
    }
    for (int body = 0; body < factor->count; body++)
        for (int i = 0; i < 3; i++)
        {
            int p = factor->place[body];
            row_of(factor, p, i)[3 * (size_t)(p - factor->first[p]) + (size_t)i] += stiff[body];
        }
    for (int p = 0; p < factor->count; p += PANEL)
        factor_panel(factor, p, p + PANEL < factor->count ? p + PANEL : factor->count);
    return THUD_OK;
}

void thudi_jam_factor_solve(jam_factor *factor, double *x)
{
    double *y = factor->x;
    for (int body = 0; body < factor->count; body++)
        memcpy(y + 3 * (size_t)factor->place[body], x + 3 * (size_t)body, 3 * sizeof *x);
    for (int p = 0; p < factor->count; p++)
        for (int i = 0; i < 3; i++)
        {
            size_t low = 3 * (size_t)factor->first[p], at = 3 * (size_t)p + (size_t)i;
            const double *row = row_of(factor, p, i);
            for (size_t k = low; k < at; k++)
                y[at] -= row[k - low] * y[k];
            y[at] /= row[at - low];
        }
    for (int p = factor->count - 1; p >= 0; p--)
        for (int i = 2; i >= 0; i--)
        {
            size_t low = 3 * (size_t)factor->first[p], at = 3 * (size_t)p + (size_t)i;
            const double *row = row_of(factor, p, i);
            y[at] /= row[at - low];
            for (size_t k = low; k < at; k++)
                y[k] -= row[k - low] * y[at];
        }
    for (int body = 0; body < factor->count; body++)
        memcpy(x + 3 * (size_t)body, y + 3 * (size_t)factor->place[body], 3 * sizeof *x);
}
