// The constant of A6 and A6':  1 / gamma = dist(0, conv{n_i}),  n_i unit gradients in M^-1 metric.
//
// The shortest v with n_i . v >= 1 for all i has |v| = gamma: v / |v| opens every row by 1 / gamma,
// and no unit vector opens them all by more, as the hull is no farther from 0. So gamma is one
// projection, of 0 onto { v : -1 + n_i . v >= 0 }, which splits into clusters: gamma^2 is the sum
// of theirs. Any v that opens all rows proves an upper bound, |v| / min n_i . v; any mu >= 0 a
// lower one, sum mu_i / |sum mu_i n_i|. If there is no v, Farkas' vector is a self-stress.
#include "core/mass.h"
#include "rows/rows.h"
#include "thud/hypotheses.h"
#include "thud/project.h"

#include <math.h>
#include <string.h>

enum
{
    EXACT_LIMIT = 150,
    SWEEP_LIMIT = 20000
};
static const double TOLERANCE = 1e-4;

typedef struct problem
{
    const thud_rows *rows;
    const thud_independence_def *def;
    thud_allocator allocator;
    thud_rows *unit; // those used, of length 1
    thud_projector *projector;
    double *zero; // length dim
    THUDI_ARRAY(double) slope;
    THUDI_ARRAY(int) number; // of every unit row: which row it is
} problem;

static double norm_of(const problem *p, const thudi_row_head *row)
{
    double sum = 0;
    for (int k = 0; k < thudi_row_size(row); k++)
    {
        double slope = thudi_row_slope(p->rows, row, k);
        double mass = thudi_mass(p->def->mass, thudi_row_coordinate(p->rows, row, k));
        sum += slope / mass * slope;
    }
    return sqrt(sum);
}

static thud_status push_unit(problem *p, int i, double norm)
{
    thud_row_room room;
    thud_row row = thud_rows_get(p->rows, i, &room);
    int size = thudi_row_size(&p->rows->heads.items[i]);
    THUD_TRY(thudi_array_reserve(&p->allocator, &p->slope, (size_t)size));
    for (int k = 0; k < size; k++)
        p->slope.items[k] = row.slope[k] / norm;
    p->number.items[thud_rows_count(p->unit)] = i;
    // A shift on all rows alike only makes v longer; it is what tells a method how exact to be.
    thud_row unit = {.key = thud_key_number(i),
                     .gap = -1,
                     .shift = p->def->tolerance > 0 ? p->def->tolerance : TOLERANCE,
                     .width = row.width,
                     .count = row.count,
                     .index = row.index,
                     .slope = p->slope.items};
    return thud_rows_push(p->unit, &unit);
}

static thud_status push_units(problem *p)
{
    for (int i = 0; i < p->rows->count; i++)
    {
        const thudi_row_head *row = &p->rows->heads.items[i];
        double norm = norm_of(p, row);
        if ((!p->def->use || p->def->use[i]) && norm > 0)
            THUD_TRY(push_unit(p, i, norm));
    }
    return THUD_OK;
}

static double length_of(const problem *p, const double *v)
{
    double sum = 0;
    for (int k = 0; k < p->rows->dim; k++)
        sum += thudi_mass(p->def->mass, k) * v[k] * v[k];
    return sqrt(sum);
}

// Weights of sum 1.
static void write_weights(const problem *p, const double *y, thud_independence *out, double *weight)
{
    double sum = 0;
    int count = thud_rows_count(p->unit);
    for (int j = 0; j < count; j++)
    {
        sum += y[j];
        out->setting += y[j] > 0;
    }
    for (int j = 0; j < count && weight && sum > 0; j++)
        weight[p->number.items[j]] = y[j] / sum;
}

static void read_bounds(const problem *p, const thud_answer *answer, thud_independence *out,
                        double *good)
{
    double length = length_of(p, answer->u), sum = 0;
    double opening = 1 + answer->certificate.min_lin;
    for (int j = 0; j < thud_rows_count(p->unit); j++)
        sum += answer->mu[j];
    out->least = length > 0 && sum > length ? sum / length : 1;
    out->gamma = opening > 0 && length > 0 ? length / opening : INFINITY;
    // both are bounds apart from rounding
    out->gamma = out->gamma < out->least ? out->least : out->gamma;
    for (int k = 0; k < p->rows->dim && good && isfinite(out->gamma); k++)
        good[k] = answer->u[k] / length;
}

static thud_status solve(problem *p, thud_independence *out, double *good, double *weight)
{
    thud_answer answer;
    thud_projection projection = {.dim = p->rows->dim,
                                  .h = 1,
                                  .mass = p->def->mass,
                                  .w = p->zero,
                                  .rows = p->unit,
                                  .shift_scale = 1};
    thud_status status = thud_project(&projection, p->projector, &answer);
    if (status < 0 && status != THUD_ERR_INFEASIBLE && status != THUD_ERR_NOT_CONVERGED)
        return status;
    out->clusters = answer.effort.clusters;
    out->sweeps = answer.effort.sweeps;
    out->is_stressed = status == THUD_ERR_INFEASIBLE;
    if (out->is_stressed)
    {
        out->gamma = INFINITY;
        out->least = answer.farkas.radius > 1 ? answer.farkas.radius : 1; // shorter v open not all
        write_weights(p, answer.farkas.y, out, weight);
        return THUD_OK;
    }
    read_bounds(p, &answer, out, good);
    write_weights(p, answer.mu, out, weight);
    return THUD_OK;
}

static thud_status measure(problem *p, thud_independence *out, double *good, double *weight)
{
    size_t size = (size_t)p->rows->dim * sizeof(double);
    thud_projector_def def = {
        .exact_limit = p->def->exact_limit > 0 ? p->def->exact_limit : EXACT_LIMIT,
        .sweep_limit = p->def->sweep_limit > 0 ? p->def->sweep_limit : SWEEP_LIMIT,
        .skip_enclosure = true,
        .allocator = &p->allocator};
    THUD_TRY(thud_rows_create(p->rows->dim, &p->allocator, &p->unit));
    THUD_TRY(thudi_array_reserve(&p->allocator, &p->number, (size_t)p->rows->count + 1));
    THUD_TRY(push_units(p));
    *out = (thud_independence){.gamma = 1, .least = 1, .rows = thud_rows_count(p->unit)};
    if (good)
        memset(good, 0, size);
    if (weight)
        memset(weight, 0, (size_t)p->rows->count * sizeof *weight);
    if (out->rows == 0)
        return THUD_OK;
    THUD_TRY(thud_projector_create(&def, &p->projector));
    p->zero = thudi_allocate_zeroed(&p->allocator, size);
    return p->zero ? solve(p, out, good, weight) : THUD_ERR_MEMORY;
}

thud_status thud_independence_measure(const thud_rows *rows, const thud_independence_def *def,
                                      thud_independence *out, double *good, double *weight)
{
    static const thud_independence_def defaults;
    problem p = {.rows = rows, .def = def ? def : &defaults};
    p.allocator = thudi_allocator_or_default(p.def->allocator);
    THUD_TRY(thud_float_check());
    THUD_TRY(rows->status);
    for (int k = 0; k < rows->dim && p.def->mass; k++)
        if (!(p.def->mass[k] > 0) || !isfinite(p.def->mass[k]))
            return THUD_ERR_ARGUMENT;
    thud_status status = measure(&p, out, good, weight);
    thudi_free(&p.allocator, p.zero, (size_t)rows->dim * sizeof *p.zero);
    thudi_array_free(&p.allocator, &p.slope);
    thudi_array_free(&p.allocator, &p.number);
    thud_projector_destroy(p.projector);
    thud_rows_destroy(p.unit);
    return status;
}
