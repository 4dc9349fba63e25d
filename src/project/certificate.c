// Certificates, apart from every solver: what can be proved of (u, mu) from the problem alone.
//
//     r = M (u - w) - G^T mu,   lin_i = gap_i + h slope_i . u,   s_i = max(lin_i, 0) / h
//     |u - P_K w|_M <= |r|/2 + sqrt(|r|^2/4 + sum mu_i s_i)                       forward
//     eps = max( |lin_i| where mu_i > 0, (-lin_i)+ elsewhere )                    backward
//     sum y_i slope_i = e, sum y_i gap_i = -c < 0:  no |v|_M < c / (h |e|) in K   Farkas
//
// Residuals are sums in doubled precision; TINY times the sum of the absolute terms covers their
// own rounding, so that bounds hold for the numbers as given.
#include "project/projector.h"

#include "core/threads.h"

#include <float.h>
#include <string.h>

static const double TINY = 0x1p-96;
static const double OUTWARDS = 1 + 16 * DBL_EPSILON;

static const double *row_slope(const thud_rows *rows, const thudi_row_head *row)
{
    return rows->slope.items + row->first;
}

// Coordinate k of slope_i in the M^-1 metric.
static double metric_slope(const thud_projection *problem, double slope, int coordinate)
{
    return problem->mass ? slope / sqrt(problem->mass[coordinate]) : slope;
}

// For slopes whose squares over- or underflow: by an exact scale, so that the bits are those of the
// plain sum.
static double scaled_row_norm(const thud_projection *problem, int i)
{
    const thud_rows *rows = problem->rows;
    const thudi_row_head *row = &rows->heads.items[i];
    int room[6];
    const int *index = thudi_row_index(rows, row, room);
    const double *slope = row_slope(rows, row);
    double largest = 0, sum = 0;
    for (int k = 0; k < row->size; k++)
        largest = fmax(largest, fabs(metric_slope(problem, slope[k], index[k])));
    if (largest == 0)
        return 0;
    int exponent;
    (void)frexp(largest, &exponent);
    for (int k = 0; k < row->size; k++)
    {
        double x = ldexp(metric_slope(problem, slope[k], index[k]), -exponent);
        sum += x * x;
    }
    return ldexp(sqrt(sum), exponent);
}

double thudi_row_norm(const thud_projection *problem, int i)
{
    const thud_rows *rows = problem->rows;
    const thudi_row_head *row = &rows->heads.items[i];
    int room[6];
    const int *index = thudi_row_index(rows, row, room);
    const double *slope = row_slope(rows, row);
    double sum = 0;
    for (int k = 0; k < row->size; k++)
    {
        double x = metric_slope(problem, slope[k], index[k]);
        sum += x * x;
    }
    return sum > 0x1p-800 && sum < 0x1p800 ? sqrt(sum) : scaled_row_norm(problem, i);
}

void thudi_velocity(const thud_projection *problem, const double *mu, thudi_dd *u, double *reach)
{
    const thud_rows *rows = problem->rows;
    memset(u, 0, (size_t)problem->dim * sizeof *u);
    memset(reach, 0, (size_t)problem->dim * sizeof *reach);
    for (int i = 0; rows && i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int room[6];
        const int *index = thudi_row_index(rows, row, room);
        const double *slope = row_slope(rows, row);
        for (int k = 0; k < row->size && mu[i] != 0; k++)
        {
            u[index[k]] = thudi_dd_add_product(u[index[k]], slope[k], mu[i]);
            reach[index[k]] += fabs(slope[k] * mu[i]);
        }
    }
    for (int k = 0; k < problem->dim; k++)
    {
        thudi_dd change = thudi_dd_divide(u[k], thudi_mass(problem, k));
        u[k] = thudi_dd_add(change, (thudi_dd){problem->w[k], 0});
        reach[k] = fabs(problem->w[k]) + reach[k] / thudi_mass(problem, k);
    }
}

thudi_dd thudi_lin_exact(const thud_projection *problem, int i, double offset, const thudi_dd *u)
{
    const thud_rows *rows = problem->rows;
    const thudi_row_head *row = &rows->heads.items[i];
    int room[6];
    const int *index = thudi_row_index(rows, row, room);
    const double *slope = row_slope(rows, row);
    thudi_dd speed = {0, 0};
    for (int k = 0; k < row->size; k++)
        speed = thudi_dd_add(speed, thudi_dd_scale(u[index[k]], slope[k]));
    return thudi_dd_add(thudi_two_sum(row->gap, -offset), thudi_dd_scale(speed, problem->h));
}

double thudi_row_scale(const thud_projection *problem, int i, const double *reach)
{
    const thud_rows *rows = problem->rows;
    const thudi_row_head *row = &rows->heads.items[i];
    int room[6];
    const int *index = thudi_row_index(rows, row, room);
    const double *slope = row_slope(rows, row);
    double sum = 0;
    for (int k = 0; k < row->size; k++)
        sum += fabs(slope[k]) * reach[index[k]];
    return fabs(row->gap) + thudi_shift(problem, i) + problem->h * sum;
}

double thudi_row_noise(const thud_projection *problem, int i)
{
    const thud_rows *rows = problem->rows;
    const thudi_row_head *row = &rows->heads.items[i];
    double sum = 0;
    for (int k = 0; k < row->size && problem->origin; k++)
        sum += fabs(row_slope(rows, row)[k] * problem->origin[thudi_row_coordinate(rows, row, k)]);
    return sum;
}

double thudi_length(const thud_projection *problem, const double *v)
{
    double sum = 0;
    for (int k = 0; k < problem->dim; k++)
        sum += thudi_mass(problem, k) * v[k] * v[k];
    return sqrt(sum);
}

// residual over scale, where 0 over 0 is 0
static double ratio(double residual, double scale)
{
    return residual > 0 ? residual / scale : 0;
}

// Rows and units are gone through in chunks, by any number of threads; what the chunks found is
// added up in their order, so that the bits do not depend on who did them.
enum
{
    CHUNK = 1024,
    SIDE_BY_SIDE = 4 // chunks that are worth a second thread
};

static int chunks_of(int count)
{
    return (count + CHUNK - 1) / CHUNK;
}

static int chunk_end(int chunk, int count)
{
    return count - chunk * CHUNK < CHUNK ? count : (chunk + 1) * CHUNK;
}

// b where a is no number, as with smaller below.
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// A constant that the compiler may unroll loops by.
#define INLINE static inline __attribute__((always_inline))

// sum_i mu_i slope_i over the rows of one unit of so many coordinates, and the sizes of its terms.
INLINE void add_column_of(const thud_rows *rows, const thudi_columns *columns, int unit, int width,
                          const double *mu, thudi_dd *sum, double *terms)
{
    for (size_t e = columns->first.items[unit]; rows && e < columns->first.items[unit + 1]; e++)
    {
        thudi_entry entry = columns->entries.items[e];
        double impulse = mu[entry.row];
        if (impulse == 0)
            continue;
        const double *slope =
            rows->slope.items + rows->heads.items[entry.row].first + (size_t)entry.at;
        for (int k = 0; k < width; k++)
        {
            sum[k] = thudi_dd_add_product(sum[k], slope[k], impulse);
            terms[k] += fabs(slope[k] * impulse);
        }
    }
}

static void add_column(const thud_rows *rows, const thudi_columns *columns, int unit,
                       const double *mu, thudi_dd *sum, double *terms)
{
    if (columns->unit == 3)
        add_column_of(rows, columns, unit, 3, mu, sum, terms);
    else
        add_column_of(rows, columns, unit, columns->unit, mu, sum, terms);
}

thud_status thudi_write_velocity(const thud_projection *problem, const double *mu,
                                 thud_projector *projector, double *u)
{
    thudi_columns *columns = &projector->columns;
    THUD_TRY(thudi_columns_fill(problem, &projector->allocator, columns));
    int rows = problem->rows ? problem->rows->count : 0, chunks = chunks_of(columns->count);
    int most = chunks > chunks_of(rows) ? chunks : chunks_of(rows);
    THUD_TRY(thudi_array_reserve(&projector->allocator, &projector->shares, (size_t)most));
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (chunks >= SIDE_BY_SIDE)
    for (int unit = 0; unit < columns->count; unit++)
    {
        thudi_dd sum[3] = {{0, 0}, {0, 0}, {0, 0}};
        double terms[3] = {0, 0, 0};
        add_column(problem->rows, columns, unit, mu, sum, terms);
        for (int k = 0; k < columns->unit; k++)
        {
            int at = unit * columns->unit + k;
            thudi_dd change = thudi_dd_divide(sum[k], thudi_mass(problem, at));
            u[at] = thudi_dd_value(thudi_dd_add(change, (thudi_dd){problem->w[at], 0}));
            projector->residual.items[at] = sum[k];
            projector->magnitude.items[at] = terms[k];
        }
    }
    return THUD_OK;
}

// r = M (u - w) - G^T mu of one coordinate: its square in the M^-1 metric, and its size over its
// terms. push: G^T mu; *terms: the size of its terms, and then reach = |w| + |G|^T |mu| / m.
static void certify_coordinate(double m, double w, double u, thudi_dd push, double *terms,
                               thudi_share *share)
{
    thudi_dd rest = thudi_dd_add(push, thudi_dd_scale(thudi_two_sum(u, -w), -m));
    double all = m * (fabs(u) + fabs(w)) + *terms;
    double size = fabs(thudi_dd_value(rest)) * OUTWARDS + TINY * all;
    share->sum += size * (size / m);
    share->certificate.kkt = larger(ratio(size, all), share->certificate.kkt);
    share->change += m * (u - w) * (u - w);
    share->length += m * w * w;
    *terms = fabs(w) + *terms / m;
}

// Stationarity; returns |w| + |u - w| in the M norm.
static double certify_stationarity(const thud_projection *problem, const double *u,
                                   thud_projector *projector, thud_certificate *certificate)
{
    thudi_share *shares = projector->shares.items, all = {0};
    int chunks = chunks_of(projector->columns.count), unit = projector->columns.unit;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (chunks >= SIDE_BY_SIDE)
    for (int c = 0; c < chunks; c++)
    {
        int end = unit * chunk_end(c, projector->columns.count);
        shares[c] = (thudi_share){0};
        for (int k = unit * c * CHUNK; k < end; k++)
            certify_coordinate(thudi_mass(problem, k), problem->w[k], u[k],
                               projector->residual.items[k], &projector->magnitude.items[k],
                               &shares[c]);
    }
    for (int c = 0; c < chunks; c++)
    {
        all.sum += shares[c].sum;
        all.change += shares[c].change;
        all.length += shares[c].length;
        certificate->kkt = larger(shares[c].certificate.kkt, certificate->kkt);
    }
    certificate->stationarity = sqrt(all.sum) * (1 + problem->dim * DBL_EPSILON) * OUTWARDS;
    return sqrt(all.length) + sqrt(all.change);
}

// lin_i of a velocity in plain doubles, with a bound of what is still unknown about it: 0 when no
// operation was rounded, so that "feasible exactly" can be said of numbers that are.
typedef struct certain
{
    double hi, lo; // lin_i = hi + lo, to within bound
    double bound;
} certain;

// What certify_row is told of row i besides lin_i, from one pass over its entries.
typedef struct measures
{
    double scale; // |gap| + shift + h |slope| . reach
    double noise; // |slope| . |origin|
    double norm;  // |slope| in the M^-1 metric
} measures;

INLINE certain lin_of_size(const thud_projection *problem, const thudi_row_head *row, int size,
                           const double *u)
{
    int entries[6];
    const int *index = thudi_row_index(problem->rows, row, entries);
    const double *slope = row_slope(problem->rows, row);
    double sum = row->gap, rest = 0, errors = 0;
    for (int k = 0; k < size; k++)
    {
        thudi_dd step = thudi_two_product(problem->h, slope[k]);
        thudi_dd move = thudi_two_product(step.hi, u[index[k]]);
        thudi_dd next = thudi_two_sum(sum, move.hi);
        double small = step.lo * u[index[k]];
        sum = next.hi;
        rest += (next.lo + move.lo) + small;
        errors += fabs(next.lo) + fabs(move.lo) + fabs(small);
    }
    thudi_dd lin = thudi_two_sum(sum, rest);
    return (certain){lin.hi, lin.lo, 4 * (size + 1) * DBL_EPSILON * errors};
}

static certain lin_of(const thud_projection *problem, int i, const double *u)
{
    const thudi_row_head *row = &problem->rows->heads.items[i];
    return row->size == 6 ? lin_of_size(problem, row, 6, u)
                          : lin_of_size(problem, row, row->size, u);
}

INLINE measures measure_size(const thud_projection *problem, int i, int size, int width,
                             const double *reach)
{
    const thudi_row_head *row = &problem->rows->heads.items[i];
    int entries[6];
    const int *index = thudi_row_index(problem->rows, row, entries);
    const double *slope = row_slope(problem->rows, row);
    double way = 0, noise = 0, square = 0, weight = 0;
    for (int k = 0; k < size; k++)
    {
        double length = fabs(slope[k]);
        way += length * reach[index[k]];
        noise += problem->origin ? length * fabs(problem->origin[index[k]]) : 0;
        if (k % width == 0) // a block has one mass
            weight = problem->mass ? 1 / problem->mass[index[k]] : 1;
        square += length * length * weight;
    }
    bool plain = square > 0x1p-800 && square < 0x1p800;
    return (measures){fabs(row->gap) + thudi_shift(problem, i) + problem->h * way, noise,
                      plain ? sqrt(square) : thudi_row_norm(problem, i)};
}

static measures measure(const thud_projection *problem, int i, const double *reach)
{
    const thudi_row_head *row = &problem->rows->heads.items[i];
    return row->size == 6 && row->width == 3
               ? measure_size(problem, i, 6, 3, reach)
               : measure_size(problem, i, row->size, (int)row->width, reach);
}

// A number not above x, and at most two ulps below it: nextafter, without the call.
static double below(double x)
{
    return x - fabs(x) * DBL_EPSILON - DBL_MIN;
}

// exact: lin_i; scale: of the row's own terms; room: what kkt is relative to.
static void certify_row(const thud_projection *problem, int i, double mu, certain exact,
                        double scale, double room, thud_certificate *certificate)
{
    double lin = exact.hi, least = lin;
    if (exact.bound > 0 ? exact.lo <= exact.bound : exact.lo < 0)
        least = below(lin - exact.bound);
    double residual = lin - thudi_shift(problem, i);
    double most = -below(-(fabs(lin) + exact.bound));
    double backward = mu > 0 && (lin != 0 || exact.bound > 0) ? most : larger(-least, 0);
    certificate->min_impulse = smaller(mu, certificate->min_impulse);
    certificate->min_lin = smaller(least, certificate->min_lin);
    certificate->violation = larger(-least, certificate->violation);
    certificate->violation_ulps =
        larger(ratio(larger(-lin, 0), DBL_EPSILON * scale), certificate->violation_ulps);
    certificate->backward = larger(backward, certificate->backward);
    certificate->kkt =
        larger(ratio(mu > 0 ? fabs(residual) : larger(-residual, 0), room), certificate->kkt);
    if (mu < 0)
        certificate->kkt = INFINITY;
}

// Row i; length: |w| + |u - w|.
static void certify_one(const thud_projection *problem, int i, const double *u, double mu,
                        const double *reach, double length, double *lin, thudi_share *share)
{
    measures m = measure(problem, i, reach);
    certain exact = lin_of(problem, i, u);
    double room = m.scale + m.noise + problem->h * m.norm * length;
    *lin = exact.hi;
    // larger drops a NAN and a residual over INFINITY is 0: say so instead
    share->is_sound = share->is_sound && isfinite(exact.hi) && isfinite(exact.lo) &&
                      isfinite(exact.bound) && isfinite(room);
    certify_row(problem, i, mu, exact, m.scale, room, &share->certificate);
    share->sum += mu * (larger(exact.hi, 0) + TINY * m.scale) / problem->h;
}

static void merge(thud_certificate *into, const thud_certificate *share)
{
    into->min_impulse = smaller(share->min_impulse, into->min_impulse);
    into->min_lin = smaller(share->min_lin, into->min_lin);
    into->violation = larger(share->violation, into->violation);
    into->violation_ulps = larger(share->violation_ulps, into->violation_ulps);
    into->backward = larger(share->backward, into->backward);
    into->kkt = larger(share->kkt, into->kkt);
}

void thudi_certify(const thud_projection *problem, const double *u, const double *mu,
                   thud_projector *projector, double *lin, thud_certificate *certificate)
{
    static const thud_certificate nothing = {.min_impulse = INFINITY, .min_lin = INFINITY};
    int rows = problem->rows ? problem->rows->count : 0, chunks = chunks_of(rows);
    thudi_share *shares = projector->shares.items;
    const double *reach = projector->magnitude.items;
    double complementarity = 0;
    bool is_sound = true;
    *certificate = nothing;
    double length = certify_stationarity(problem, u, projector, certificate);
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (chunks >= SIDE_BY_SIDE)
    for (int c = 0; c < chunks; c++)
    {
        shares[c] = (thudi_share){.certificate = nothing, .is_sound = true};
        for (int i = c * CHUNK; i < chunk_end(c, rows); i++)
            certify_one(problem, i, u, mu[i], reach, length, &lin[i], &shares[c]);
    }
    for (int c = 0; c < chunks; c++)
    {
        merge(certificate, &shares[c].certificate);
        complementarity += shares[c].sum;
        is_sound = is_sound && shares[c].is_sound;
    }
    if (rows == 0)
        certificate->min_impulse = 0;
    complementarity *= (1 + rows * DBL_EPSILON) * OUTWARDS;
    double half = certificate->stationarity / 2;
    certificate->forward = (half + sqrt(half * half + complementarity)) * OUTWARDS;
    if (!is_sound)
        certificate->forward = certificate->backward = certificate->kkt = INFINITY;
}

void thudi_certify_farkas(const thud_projection *problem, const double *y, double shift_scale,
                          thud_projector *projector, thud_farkas *farkas)
{
    thudi_dd *e = projector->residual.items, total = {0, 0};
    double *terms = projector->magnitude.items, size = 0, sum = 0;
    const thud_rows *rows = problem->rows;
    memset(e, 0, (size_t)problem->dim * sizeof *e);
    memset(terms, 0, (size_t)problem->dim * sizeof *terms);
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int room[6];
        const int *index = thudi_row_index(rows, row, room);
        const double *slope = row_slope(rows, row);
        if (y[i] == 0)
            continue;
        total = thudi_dd_add_product(total, y[i], row->gap);
        total = thudi_dd_add_product(total, -y[i], row->shift * shift_scale);
        size += y[i] * (fabs(row->gap) + row->shift * shift_scale);
        for (int k = 0; k < row->size; k++)
        {
            e[index[k]] = thudi_dd_add_product(e[index[k]], y[i], slope[k]);
            terms[index[k]] += fabs(y[i] * slope[k]);
        }
    }
    for (int k = 0; k < problem->dim; k++)
    {
        double length = fabs(thudi_dd_value(e[k])) * OUTWARDS + TINY * terms[k];
        sum += length * (length / thudi_mass(problem, k));
    }
    farkas->y = y;
    farkas->residual = sqrt(sum) * (1 + problem->dim * DBL_EPSILON) * OUTWARDS;
    farkas->sum = thudi_dd_value(total);
    double depth = -farkas->sum / OUTWARDS - TINY * size;
    farkas->radius = depth > 0 ? depth / (problem->h * farkas->residual) / OUTWARDS : 0;
}
