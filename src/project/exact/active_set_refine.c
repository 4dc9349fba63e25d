// The answer of the dual active set, refined in doubled precision against the caller's own numbers:
// what is left is the rounding of mu and u themselves.
#include "project/exact/active_set.h"

#include <float.h>
#include <string.h>

// Of its scale: a residual below this is the rounding of mu itself, and another pass is in vain.
static const double REFINED = DBL_EPSILON / 4;

// Of its scale and noise: a row this close to its bound is tight apart from rounding.
static const double TIGHT = 64 * DBL_EPSILON;

enum
{
    REFINE_LIMIT = 6
};

// mu in the caller's scale for the present z.
static void write_mu(const thudi_dual *d)
{
    memset(d->task->mu, 0, (size_t)d->rows * sizeof *d->task->mu);
    for (int j = 0; j < d->set->count; j++)
    {
        int i = d->set->active[j];
        d->task->mu[i] = d->set->z[j] / d->set->norm[i];
    }
}

// gap_i + h slope_i . u with the refined velocity.
static double lin_of(const thudi_dual *d, int i)
{
    double offset = thudi_dual_offset(d, i);
    return thudi_dd_value(thudi_lin_exact(d->problem, i, offset, d->set->u));
}

// The residuals of the active rows in doubled precision; returns the worst over its scale.
static double active_residuals(thudi_dual *d, double *residual)
{
    thudi_active_set *set = d->set;
    const thud_projection *p = d->problem;
    double worst = 0;
    thudi_velocity(p, d->task->mu, set->u, set->reach);
    for (int j = 0; j < set->count; j++)
    {
        int i = set->active[j];
        double lin = lin_of(d, i);
        residual[j] = -lin / p->h / set->norm[i];
        worst = fmax(worst, fabs(lin) / thudi_row_scale(p, i, set->reach));
    }
    return worst;
}

void thudi_dual_refine(thudi_dual *d)
{
    thudi_active_set *set = d->set;
    double *residual = set->direction, before = INFINITY;
    write_mu(d);
    for (int pass = 0; pass < REFINE_LIMIT; pass++)
    {
        double worst = active_residuals(d, residual);
        d->task->effort->polished++;
        if (!(worst > REFINED) || worst > before / 2)
            break;
        before = worst;
        thudi_orthogonal_solve_transposed(&set->basis, residual);
        thudi_orthogonal_solve(&set->basis, residual);
        for (int j = 0; j < set->count; j++)
        {
            int i = set->active[j];
            d->task->mu[i] += residual[j] / set->norm[i];
            set->z[j] = d->task->mu[i] * set->norm[i];
        }
    }
    thudi_velocity(d->problem, d->task->mu, set->u, set->reach);
    for (int k = 0; k < d->dim; k++)
    {
        thudi_dd change = thudi_dd_add(set->u[k], (thudi_dd){-d->problem->w[k], 0});
        set->x[k] = thudi_dd_value(change) / set->root[k];
    }
}

void thudi_dual_refine_and_clip(thudi_dual *d)
{
    thudi_dual_refine(d);
    for (int i = 0; i < d->rows; i++)
        d->task->mu[i] = fmax(0, d->task->mu[i]);
}

int thudi_dual_most_violated_exactly(const thudi_dual *d, double *violation)
{
    const thudi_active_set *set = d->set;
    const thud_projection *p = d->problem;
    double worst_ulps = THUDI_DUAL_ULPS;
    int worst = -1;
    for (int i = 0; i < d->rows; i++)
    {
        if (set->place[i] != THUDI_OUTSIDE)
            continue;
        double lin = lin_of(d, i);
        if (lin >= 0)
            continue;
        double ulps = -lin / (DBL_EPSILON * thudi_row_scale(p, i, set->reach));
        if (ulps > worst_ulps)
        {
            worst = i;
            worst_ulps = ulps;
            *violation = -lin / p->h / set->norm[i];
        }
    }
    return worst;
}

thud_status thudi_dual_count_tight(thudi_dual *d)
{
    thudi_active_set *set = d->set;
    const thud_projection *p = d->problem;
    *d->task->tight = 0;
    *d->task->unique = true;
    for (int i = 0; i < d->rows; i++)
    {
        if (set->norm[i] == 0)
            continue;
        double lin = lin_of(d, i);
        double scale = thudi_row_scale(p, i, set->reach) + thudi_row_noise(p, i);
        if (fabs(lin) > TIGHT * scale)
            continue;
        d->task->is_tight[i] = true;
        ++*d->task->tight;
        if (set->place[i] >= 0 || !*d->task->unique)
            continue;
        double norm;
        THUD_TRY(thudi_stop_status(d->task->projector->stop));
        THUD_TRY(thudi_dual_split(d, i, &norm));
        if (norm <= THUDI_NEARLY_DEPENDENT || set->basis.count == d->dim)
            *d->task->unique = false;
        else
            thudi_orthogonal_append(&set->basis, norm);
    }
    return THUD_OK;
}
