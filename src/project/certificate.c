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

// r = M (u - w) - G^T mu: its M^-1 norm, and the worst of its coordinates over its terms.
static void certify_stationarity(const thud_projection *problem, const double *u, const double *mu,
                                 thud_projector *projector, thud_certificate *certificate)
{
    thudi_dd *r = projector->residual.items;
    double *terms = projector->magnitude.items, sum = 0;
    const thud_rows *rows = problem->rows;
    for (int k = 0; k < problem->dim; k++)
    {
        double m = thudi_mass(problem, k);
        thudi_dd change = thudi_two_sum(u[k], -problem->w[k]);
        r[k] = thudi_dd_scale(change, -m);
        terms[k] = m * (fabs(u[k]) + fabs(problem->w[k]));
    }
    for (int i = 0; rows && i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int room[6];
        const int *index = thudi_row_index(rows, row, room);
        const double *slope = row_slope(rows, row);
        for (int k = 0; k < row->size && mu[i] != 0; k++)
        {
            r[index[k]] = thudi_dd_add_product(r[index[k]], slope[k], mu[i]);
            terms[index[k]] += fabs(slope[k] * mu[i]);
        }
    }
    for (int k = 0; k < problem->dim; k++)
    {
        double size = fabs(thudi_dd_value(r[k])) * OUTWARDS + TINY * terms[k];
        sum += size * (size / thudi_mass(problem, k));
        certificate->kkt = fmax(certificate->kkt, ratio(size, terms[k]));
    }
    certificate->stationarity = sqrt(sum) * (1 + problem->dim * DBL_EPSILON) * OUTWARDS;
}

// lin_i of a velocity in plain doubles, with a bound of what is still unknown about it: 0 when no
// operation was rounded, so that "feasible exactly" can be said of numbers that are.
typedef struct certain
{
    double hi, lo; // lin_i = hi + lo, to within bound
    double bound;
} certain;

static certain lin_of(const thud_projection *problem, int i, const double *u)
{
    const thudi_row_head *row = &problem->rows->heads.items[i];
    int room[6];
    const int *index = thudi_row_index(problem->rows, row, room);
    const double *slope = row_slope(problem->rows, row);
    double sum = row->gap, rest = 0, errors = 0;
    for (int k = 0; k < row->size; k++)
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
    return (certain){lin.hi, lin.lo, 4 * (row->size + 1) * DBL_EPSILON * errors};
}

// exact: lin_i; scale: of the row's own terms; room: what kkt is relative to.
static void certify_row(const thud_projection *problem, int i, double mu, certain exact,
                        double scale, double room, thud_certificate *certificate)
{
    double lin = exact.hi, least = lin;
    if (exact.bound > 0 ? exact.lo <= exact.bound : exact.lo < 0)
        least = nextafter(lin - exact.bound, -INFINITY);
    double residual = lin - thudi_shift(problem, i);
    double most = nextafter(fabs(lin) + exact.bound, INFINITY);
    double backward = mu > 0 && (lin != 0 || exact.bound > 0) ? most : fmax(0, -least);
    certificate->min_impulse = fmin(certificate->min_impulse, mu);
    certificate->min_lin = fmin(certificate->min_lin, least);
    certificate->violation = fmax(certificate->violation, -least);
    certificate->violation_ulps =
        fmax(certificate->violation_ulps, ratio(fmax(0, -lin), DBL_EPSILON * scale));
    certificate->backward = fmax(certificate->backward, backward);
    certificate->kkt =
        fmax(certificate->kkt, ratio(mu > 0 ? fabs(residual) : fmax(0, -residual), room));
    if (mu < 0)
        certificate->kkt = INFINITY;
}

void thudi_certify(const thud_projection *problem, const double *u, const double *mu,
                   thud_projector *projector, double *lin, thud_certificate *certificate)
{
    int rows = problem->rows ? problem->rows->count : 0;
    *certificate = (thud_certificate){.min_impulse = INFINITY, .min_lin = INFINITY};
    certify_stationarity(problem, u, mu, projector, certificate);
    double *reach = projector->magnitude.items, complementarity = 0, change = 0;
    thudi_velocity(problem, mu, projector->residual.items, reach);
    for (int k = 0; k < problem->dim; k++)
        change += thudi_mass(problem, k) * (u[k] - problem->w[k]) * (u[k] - problem->w[k]);
    double length = thudi_length(problem, problem->w) + sqrt(change);
    bool sound = true; // fmax drops a NAN and a residual over INFINITY is 0: say so instead
    for (int i = 0; i < rows; i++)
    {
        double scale = thudi_row_scale(problem, i, reach);
        certain exact = lin_of(problem, i, u);
        lin[i] = exact.hi;
        double room =
            scale + thudi_row_noise(problem, i) + problem->h * thudi_row_norm(problem, i) * length;
        sound = sound && isfinite(exact.hi) && isfinite(exact.lo) && isfinite(exact.bound) &&
                isfinite(room);
        certify_row(problem, i, mu[i], exact, scale, room, certificate);
        complementarity += mu[i] * (fmax(0, lin[i]) + TINY * scale) / problem->h;
    }
    if (rows == 0)
        certificate->min_impulse = 0;
    complementarity *= (1 + rows * DBL_EPSILON) * OUTWARDS;
    double half = certificate->stationarity / 2;
    certificate->forward = (half + sqrt(half * half + complementarity)) * OUTWARDS;
    if (!sound)
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
