// How far two answers to one problem may be apart, and the report of what was seen.
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>

static quad *shifted_gaps(const problem *p)
{
    quad *gap = calloc((size_t)p->count + 1, sizeof *gap);
    if (!gap)
        abort();
    for (int i = 0; i < p->count; i++)
        gap[i] = p->gap[i] - (quad)p->shift_scale * p->shift[i];
    return gap;
}

static quad lin_of(const problem *p, const quad *gap, int i, const double *u)
{
    quad lin = gap[i];
    for (int k = 0; k < p->dim; k++)
        lin += (quad)p->h * problem_slope(p, i)[k] * u[k];
    return lin;
}

// With s = lin / h:  |u1 - u2|^2 = (u1 - u2).(r1 - r2) + sum (mu1 - mu2)(s1 - s2)
//   <= |u1 - u2| |r1 - r2| + sum mu1 (s1+ + s2-) + mu2 (s2+ + s1-).
static quad cross_terms(const problem *p, const double *u1, const double *mu1, const double *u2,
                        const double *mu2)
{
    quad *gap = shifted_gaps(p), sum = 0;
    for (int i = 0; i < p->count; i++)
    {
        quad s1 = lin_of(p, gap, i, u1) / p->h, s2 = lin_of(p, gap, i, u2) / p->h;
        sum += mu1[i] * ((s1 > 0 ? s1 : 0) + (s2 < 0 ? -s2 : 0));
        sum += mu2[i] * ((s2 > 0 ? s2 : 0) + (s1 < 0 ? -s1 : 0));
    }
    free(gap);
    return sum;
}

quad judge_pair_bound(const problem *p, const double *u1, const double *mu1, const double *u2,
                      const double *mu2, quad *distance)
{
    quad square = 0, apart = 0;
    for (int k = 0; k < p->dim; k++)
    {
        quad step = (quad)u1[k] - u2[k], r = p->mass[k] * step;
        for (int i = 0; i < p->count; i++)
            r -= ((quad)mu1[i] - mu2[i]) * problem_slope(p, i)[k];
        square += r * r / p->mass[k];
        apart += p->mass[k] * step * step;
    }
    quad r = quad_sqrt(square);
    *distance = quad_sqrt(apart);
    return r / 2 + quad_sqrt(r * r / 4 + cross_terms(p, u1, mu1, u2, mu2));
}

void judge_report(const judge_tally *t)
{
    printf("  solved %d, proved infeasible %d\n", t->solved, t->infeasible);
    printf("  worst: kkt %.3g, violation %.3g ulps, stationarity %.3g, lin %.3g\n", t->kkt, t->ulps,
           t->stationarity, t->lin);
    printf("  violation in ulps of |gap| + h |slope| |u|: worst %.3g, above 8 in %d answers\n",
           t->plain_ulps, t->plain_beyond);
    printf("  true projection: known %d, not resolved %d; worst |u - P_K w| / certified %.6f,\n"
           "    certified / formula %.6f, |u - P_K w| / (|w| + |u - w|) %.3g\n",
           t->resolved, t->unresolved, t->forward, t->looseness, t->distance);
    if (t->infeasible > 0)
        printf("  Farkas: worst residual %.3g, least radius / |w| %.3g\n", t->residual, t->radius);
    if (t->lcp_agreed + t->lcp_failed > 0)
        printf("  Siconos: agrees %d (to 1e-9: %d, worst %.3g), gave up %d, too rough %d; "
               "finds infeasible %d\n",
               t->lcp_agreed, t->lcp_close, t->lcp_distance, t->lcp_failed, t->lcp_rough,
               t->lcp_infeasible);
}
