// The projection as a linear complementarity problem for Siconos: z >= 0, A z + b >= 0, in
// complement, with A the Gram matrix of the unit rows in the mass metric.
#include "siconos_oracle.h"

#ifdef THUD_SICONOS

#include <math.h>
#include <stdlib.h>

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

/// The rows that have a slope, at unit length.
typedef struct unit_rows
{
    int size;
    int *row;
    double *a, *norm, *b;
} unit_rows;

static double norm_of(const problem *p, int i)
{
    double square = 0;
    for (int k = 0; k < p->dim; k++)
        square += problem_slope(p, i)[k] * problem_slope(p, i)[k] / p->mass[k];
    return sqrt(square);
}

static unit_rows unit_rows_create(const problem *p)
{
    size_t d = (size_t)p->dim, n = (size_t)p->count;
    unit_rows r = {.row = calloc(n + 1, sizeof *r.row), .a = calloc(n * d + 2 * n + 1, 8)};
    if (!r.row || !r.a)
        abort();
    r.norm = r.a + n * d;
    r.b = r.norm + n;
    for (int i = 0; i < p->count; i++)
    {
        double norm = norm_of(p, i), *a = r.a + (size_t)r.size * d;
        if (!(norm > 0))
            continue;
        r.b[r.size] = (p->gap[i] - p->shift_scale * p->shift[i]) / (p->h * norm);
        for (int k = 0; k < p->dim; k++)
        {
            a[k] = problem_slope(p, i)[k] / (norm * sqrt(p->mass[k]));
            r.b[r.size] += a[k] * sqrt(p->mass[k]) * p->w[k];
        }
        r.norm[r.size] = norm;
        r.row[r.size++] = i;
    }
    return r;
}

static void unit_rows_destroy(unit_rows *r)
{
    free(r->row);
    free(r->a);
}

static NumericsMatrix *gram(const unit_rows *r, int dim)
{
    NumericsMatrix *matrix = NM_create(NM_DENSE, r->size, r->size);
    for (int i = 0; i < r->size; i++)
        for (int j = 0; j <= i; j++)
        {
            double sum = 0;
            for (int k = 0; k < dim; k++)
                sum += r->a[(size_t)i * (size_t)dim + (size_t)k] *
                       r->a[(size_t)j * (size_t)dim + (size_t)k];
            matrix->matrix0[i * r->size + j] = sum;
            matrix->matrix0[j * r->size + i] = sum;
        }
    return matrix;
}

static int solve_lcp(const problem *p, unit_rows *r, double *z)
{
    // Whether solver_options_delete frees the options themselves differs from version to version:
    // they are made once and kept.
    static SolverOptions *options;
    if (!options)
        options = solver_options_create(SICONOS_LCP_LEMKE);
    double *slack = calloc((size_t)r->size + 1, sizeof *slack);
    LinearComplementarityProblem *lcp = newLCP();
    if (!slack || !lcp || !options)
        abort();
    numerics_set_verbose(0);
    lcp->size = r->size;
    lcp->M = gram(r, p->dim);
    lcp->q = r->b;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 20 * r->size + 100;
    options->filterOn = false; // the answer is judged here, in the metric of the problem
    int info = linearComplementarity_driver(lcp, z, slack, options);
    lcp->q = NULL; // it is ours
    freeLinearComplementarityProblem(lcp);
    free(slack);
    return info;
}

static void set_answer(const problem *p, const unit_rows *r, const double *z, double *u, double *mu)
{
    for (int i = 0; i < p->count; i++)
        mu[i] = 0;
    for (int j = 0; j < r->size; j++)
        mu[r->row[j]] = z[j] > 0 ? z[j] / r->norm[j] : 0;
    for (int k = 0; k < p->dim; k++)
    {
        u[k] = p->w[k];
        for (int i = 0; i < p->count; i++)
            u[k] += mu[i] * problem_slope(p, i)[k] / p->mass[k];
    }
}

static bool zero_rows_hold(const problem *p)
{
    for (int i = 0; i < p->count; i++)
        if (norm_of(p, i) == 0 && p->gap[i] < p->shift_scale * p->shift[i])
            return false;
    return true;
}

oracle_result oracle_solve(const problem *p, double *u, double *mu)
{
    unit_rows r = unit_rows_create(p);
    double *z = calloc((size_t)r.size + 1, sizeof *z);
    if (!z)
        abort();
    bool is_solved = zero_rows_hold(p) && (r.size == 0 || solve_lcp(p, &r, z) == 0);
    set_answer(p, &r, z, u, mu);
    free(z);
    unit_rows_destroy(&r);
    return is_solved ? ORACLE_SOLVED : ORACLE_FAILED;
}

#else

oracle_result oracle_solve(const problem *p, double *u, double *mu)
{
    (void)p, (void)u, (void)mu;
    return ORACLE_ABSENT;
}

#endif
