// A certificate coordinate by coordinate, for rows of any shape.
#include "certify/certificate.h"

#include <string.h>

static size_t sum_count(const thudi_proof *proof)
{
    return 3 * (size_t)proof->problem->dim;
}

static thudi_coordinate_sum *sums_of(const thudi_proof *proof)
{
    return (thudi_coordinate_sum *)proof->sums;
}

static void clear(const thudi_proof *proof, int low, int high)
{
    int first = low * proof->unit, end = high * proof->unit;
    memset(sums_of(proof) + first, 0, (size_t)(end - first) * sizeof(thudi_coordinate_sum));
}

static inline void add_push(thudi_coordinate_sum *sum, double slope, double mu)
{
    sum->impulse = thudi_dd_add_product(sum->impulse, slope, mu);
    sum->terms += fabs(slope * mu);
}

static void add_rows(const thudi_proof *proof)
{
    const thud_rows *rows = proof->problem->rows;
    int first = proof->own_units.first * proof->unit,
        behind = proof->own_units.behind * proof->unit;
    for (int i = 0; i < proof->rows; i++)
    {
        if (proof->mu[i] == 0)
            continue;
        thudi_entries row;
        thudi_row_open(rows, i, &row);
        for (int k = 0; k < row.size; k++)
            if (row.index[k] >= first && row.index[k] < behind)
                add_push(&sums_of(proof)[row.index[k]], row.slope[k], proof->mu[i]);
    }
}

static void visit_ends(const thudi_proof *proof, int first, int behind, thudi_ends *ends)
{
    const thud_rows *rows = proof->problem->rows;
    for (int i = first; i < behind; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int entries[6];
        const int *index = thudi_row_index(rows, row, entries);
        for (int k = 0; k < thudi_row_size(row) && proof->mu[i] != 0; k++)
            thudi_visit_end(ends, index[k] - index[k] % proof->unit, i, k);
    }
}

static void add_ends(const thudi_proof *proof, const thudi_end *ends, size_t count)
{
    const thud_rows *rows = proof->problem->rows;
    for (size_t e = 0; e < count; e++)
    {
        const thudi_row_head *row = &rows->heads.items[ends[e].row];
        add_push(&sums_of(proof)[thudi_row_coordinate(rows, row, ends[e].entry)],
                 thudi_row_slope(rows, row, ends[e].entry), proof->mu[ends[e].row]);
    }
}

// residual over scale, where 0 over 0 is 0
static double ratio(double residual, double scale)
{
    return residual > 0 ? residual / scale : 0;
}

// r = M (u - w) - G^T mu of one coordinate: its square in the M^-1 metric, and its size over its
// terms. sum: G^T mu; its terms become reach = |w| + |G|^T |mu| / m.
static void certify_coordinate(double sum_rounding, double m, double w, double u,
                               thudi_coordinate_sum *sum, thudi_share *share)
{
    thudi_dd rest = thudi_dd_add(sum->impulse, thudi_dd_scale(thudi_two_sum(u, -w), -m));
    double all = m * (fabs(u) + fabs(w)) + sum->terms;
    double size = fabs(thudi_dd_value(rest)) * THUDI_OUTWARDS + sum_rounding * all;
    share->certificate.kkt = thudi_larger(ratio(size, all), share->certificate.kkt);
    thudi_exact_four_add(&share->sums[THUDI_RESIDUAL], (four){size * (size / m), 0, 0, 0});
    thudi_exact_four_add(&share->sums[THUDI_CHANGE], (four){m * (u - w) * (u - w), 0, 0, 0});
    thudi_exact_four_add(&share->sums[THUDI_VELOCITY], (four){m * w * w, 0, 0, 0});
    sum->terms = fabs(w) + sum->terms / m;
}

static void certify_units(const thudi_proof *proof, int low, int high, thudi_share *share)
{
    const thud_projection *problem = proof->problem;
    for (int k = low * proof->unit; k < high * proof->unit; k++)
    {
        thudi_coordinate_sum *sum = &sums_of(proof)[k];
        double m = thudi_mass(problem->mass, k), w = problem->w[k];
        proof->u[k] =
            thudi_dd_value(thudi_dd_add(thudi_dd_divide(sum->impulse, m), (thudi_dd){w, 0}));
        certify_coordinate(proof->sum_rounding, m, w, proof->u[k], sum, share);
    }
}

static void give_reach(const thudi_proof *proof, int low, int high, double *reach)
{
    for (int k = low * proof->unit; k < high * proof->unit; k++)
        *reach++ = sums_of(proof)[k].terms;
}

static void take_reach(const thudi_proof *proof, int low, int high, const double *reach)
{
    for (int k = low * proof->unit; k < high * proof->unit; k++)
        sums_of(proof)[k].terms = *reach++;
}

// lin_i of a velocity in plain doubles, with a bound of what is still unknown about it: 0 when no
// operation was rounded, so that "feasible exactly" can be said of numbers that are.
typedef struct certain
{
    double hi, lo; // lin_i = hi + lo, to within bound
    double bound;
} certain;

// What certify_row is told of row i in addition to lin_i, from one pass over its entries.
typedef struct measures
{
    double scale; // |gap| + shift + h |slope| . reach
    double noise; // |slope| . |origin|
    double norm;  // |slope| in the M^-1 metric
} measures;

static certain lin_of(const thudi_proof *proof, const thudi_entries *row)
{
    double sum = row->head->gap, rest = 0, errors = 0;
    for (int k = 0; k < row->size; k++)
    {
        double u = proof->u[row->index[k]];
        thudi_dd step = thudi_two_product(proof->problem->h, row->slope[k]);
        thudi_dd move = thudi_two_product(step.hi, u);
        thudi_dd next = thudi_two_sum(sum, move.hi);
        double small = step.lo * u;
        sum = next.hi;
        rest += (next.lo + move.lo) + small;
        errors += fabs(next.lo) + fabs(move.lo) + fabs(small);
    }
    thudi_dd lin = thudi_two_sum(sum, rest);
    double bound = THUDI_ULPS_PER_ENTRY * (row->size + 1) * DBL_EPSILON * errors;
    if (bound < THUDI_UNDERFLOW_LIMIT && thudi_may_underflow(proof, row->head))
        bound += DBL_MIN;
    return (certain){lin.hi, lin.lo, bound};
}

static measures measure(const thudi_proof *proof, int i, const thudi_entries *row)
{
    const thud_projection *problem = proof->problem;
    double way = 0, noise = 0, square = 0, weight = 0;
    int width = thudi_row_width(row->head);
    for (int k = 0; k < row->size; k++)
    {
        double length = fabs(row->slope[k]);
        int at = row->index[k];
        way += length * sums_of(proof)[at].terms;
        noise += problem->origin ? length * fabs(problem->origin[at]) : 0;
        if (k % width == 0) // a block has one mass
            weight = problem->mass ? 1 / problem->mass[at] : 1;
        square += length * length * weight;
    }
    bool plain = square > THUDI_LEAST_SQUARE && square < THUDI_LARGEST_SQUARE;
    return (measures){fabs(row->head->gap) + thudi_shift(problem, i) + problem->h * way, noise,
                      plain ? sqrt(square) : thudi_row_norm(problem, i)};
}

// A number not above x, and at most two ulps below it: nextafter, without the call.
static double below(double x)
{
    return x - fabs(x) * DBL_EPSILON - DBL_MIN;
}

// exact: lin_i; scale: of the row's own terms; around: what kkt is relative to.
static void certify_row(const thud_projection *problem, int i, double mu, certain exact,
                        double scale, double around, thud_certificate *certificate)
{
    double lin = exact.hi, least = lin;
    if (exact.bound > 0 ? exact.lo <= exact.bound : exact.lo < 0)
        least = below(lin - exact.bound);
    double residual = lin - thudi_shift(problem, i);
    double most = -below(-(fabs(lin) + exact.bound));
    double backward = mu > 0 && (lin != 0 || exact.bound > 0) ? most : thudi_larger(-least, 0);
    certificate->min_impulse = thudi_smaller(mu, certificate->min_impulse);
    certificate->min_lin = thudi_smaller(least, certificate->min_lin);
    certificate->violation = thudi_larger(-least, certificate->violation);
    certificate->violation_ulps = thudi_larger(ratio(thudi_larger(-lin, 0), DBL_EPSILON * scale),
                                               certificate->violation_ulps);
    certificate->backward = thudi_larger(backward, certificate->backward);
    certificate->kkt = thudi_larger(
        ratio(mu > 0 ? fabs(residual) : thudi_larger(-residual, 0), around), certificate->kkt);
    if (mu < 0)
        certificate->kkt = INFINITY;
}

static void certify_rows(const thudi_proof *proof, int low, int high, thudi_share *share)
{
    const thud_projection *problem = proof->problem;
    for (int i = low; i < high; i++)
    {
        thudi_entries row;
        thudi_row_open(problem->rows, i, &row);
        measures m = measure(proof, i, &row);
        certain exact = lin_of(proof, &row);
        double mu = proof->mu[i], around = m.scale + m.noise + problem->h * m.norm * proof->length;
        proof->lin[i] = exact.hi;
        // larger drops a NAN and a residual over INFINITY is 0: say so instead
        share->is_sound = share->is_sound && isfinite(exact.hi) && isfinite(exact.lo) &&
                          isfinite(exact.bound) && isfinite(around);
        certify_row(problem, i, mu, exact, m.scale, around, &share->certificate);
        double most = thudi_larger(exact.hi, 0) + THUDI_SHORT_SUM_ROUNDING * m.scale + DBL_MIN;
        double give = mu * (row.size > 6 ? most + exact.bound : most) / problem->h;
        thudi_exact_four_add(&share->sums[THUDI_COMPLEMENTARITY], (four){give, 0, 0, 0});
    }
}

const thudi_certifier thudi_by_coordinates = {sum_count,  clear,      add_rows,
                                              visit_ends, add_ends,   certify_units,
                                              give_reach, take_reach, certify_rows};
