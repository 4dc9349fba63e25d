// One answer against its certificate: every figure is computed again in 113-bit arithmetic.
#include "judge.h"

#include "thud_test.h"

#include <float.h>
#include <stdlib.h>

// Sums of some hundred terms in 113 bits are known to this share of the terms.
static const quad OWN_ROUNDING = 1e-32;

static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

static quad quad_max(quad a, quad b)
{
    return a > b ? a : b;
}

judge_exact *judge_exact_create(const problem *p, const double *u, const double *mu)
{
    size_t d = (size_t)p->dim, n = (size_t)p->count;
    judge_exact *e = calloc(1, sizeof *e);
    quad *block = calloc(2 * d + 2 * n + 1, sizeof *block), square = 0;
    if (!e || !block)
        abort();
    e->u = block;
    e->effect = block + d;
    e->lin = e->effect + d;
    e->scale = e->lin + n;
    for (int k = 0; k < p->dim; k++)
    {
        quad push = 0;
        for (int i = 0; i < p->count; i++)
        {
            push += (quad)mu[i] * problem_slope(p, i)[k];
            e->effect[k] += quad_abs((quad)mu[i] * problem_slope(p, i)[k]) / p->mass[k];
        }
        e->u[k] = u[k];
        quad r = p->mass[k] * ((quad)u[k] - p->w[k]) - push;
        square += r * r / p->mass[k];
    }
    e->stationarity = quad_sqrt(square);
    for (int i = 0; i < p->count; i++)
    {
        e->lin[i] = p->gap[i];
        e->scale[i] = fabs(p->gap[i]);
        for (int k = 0; k < p->dim; k++)
        {
            quad step = (quad)p->h * problem_slope(p, i)[k];
            e->lin[i] += step * u[k];
            e->scale[i] += quad_abs(step) * (fabs(p->w[k]) + e->effect[k]);
        }
    }
    return e;
}

void judge_exact_destroy(judge_exact *e)
{
    if (e)
        free(e->u);
    free(e);
}

double judge_norm(const problem *p, const double *v)
{
    quad square = 0;
    for (int k = 0; k < p->dim; k++)
        square += (quad)p->mass[k] * v[k] * v[k];
    return (double)quad_sqrt(square);
}

// u = w + M^-1 G^T mu but for the rounding of u, in every coordinate.
static void check_stationarity(const problem *p, const thud_answer *answer, const judge_exact *e,
                               judge_tally *tally)
{
    double worst = 0;
    for (int k = 0; k < p->dim; k++)
    {
        quad exact = p->w[k];
        for (int i = 0; i < p->count; i++)
            exact += (quad)answer->mu[i] * problem_slope(p, i)[k] / p->mass[k];
        quad size = fabs(p->w[k]) + e->effect[k];
        if (size > 0)
            worst = larger(worst, (double)(quad_abs(exact - e->u[k]) / size));
    }
    CHECK_AT_MOST(worst, DBL_EPSILON);
    CHECK(e->stationarity <= answer->certificate.stationarity);
    tally->stationarity = larger(tally->stationarity, worst);
}

static void check_lin(const problem *p, const thud_answer *answer, const judge_exact *e,
                      judge_tally *tally)
{
    quad least = 0;
    double worst = 0, beyond = 0;
    for (int i = 0; i < p->count; i++)
    {
        quad size = fabs(p->gap[i]);
        for (int k = 0; k < p->dim; k++)
            size += quad_abs((quad)p->h * problem_slope(p, i)[k] * answer->u[k]);
        if (size > 0)
            worst = larger(worst, (double)(quad_abs(e->lin[i] - answer->lin[i]) / size));
        else
            CHECK(answer->lin[i] == 0);
        if (e->lin[i] < 0)
            beyond = larger(beyond, (double)(-e->lin[i] / size / DBL_EPSILON));
        quad sure = e->lin[i] + OWN_ROUNDING * e->scale[i];
        least = i == 0 || sure < least ? sure : least;
    }
    CHECK_AT_MOST(worst, 2 * DBL_EPSILON);
    if (p->count > 0)
        CHECK(answer->certificate.min_lin <= least);
    CHECK(answer->certificate.violation >= -least);
    CHECK(answer->certificate.violation >= 0);
    tally->lin = larger(tally->lin, worst);
    tally->plain_ulps = larger(tally->plain_ulps, beyond);
    tally->plain_beyond += beyond > 8;
}

// What the gap of row i was made from, when the problem says so.
static quad origin_size(const problem *p, int i)
{
    quad size = 0;
    for (int k = 0; k < p->dim && p->traits & TRAIT_ORIGIN; k++)
        size += fabs(problem_slope(p, i)[k] * p->origin[k]);
    return size;
}

// The size that kkt is relative to in row i: that of violation_ulps, with the shift, the sizes
// the gap was made from, and the lengths of the vectors.
static quad kkt_size(const problem *p, const judge_exact *e, int i, quad length)
{
    quad square = 0, size = e->scale[i] + p->shift_scale * p->shift[i] + origin_size(p, i);
    for (int k = 0; k < p->dim; k++)
        square += (quad)problem_slope(p, i)[k] * problem_slope(p, i)[k] / p->mass[k];
    return size + p->h * quad_sqrt(square) * length;
}

// How many ulps a row may be violated by: 8 by design, twice that at a vertex of many rows. Rows
// within 1e-12 of being dependent may conflict by as much: then kkt alone is promised.
static double ulps_allowed(const problem *p)
{
    return p->traits & TRAIT_PARALLEL ? 1e-12 / DBL_EPSILON : p->traits & TRAIT_VERTEX ? 16 : 8;
}

// |w| + |u - w|
static quad total_length(const problem *p, const judge_exact *e)
{
    quad square = 0;
    for (int k = 0; k < p->dim; k++)
        square += p->mass[k] * (e->u[k] - p->w[k]) * (e->u[k] - p->w[k]);
    return judge_norm(p, p->w) + quad_sqrt(square);
}

// The definitions in project.h, row by row.
static void check_residuals(const problem *p, const thud_answer *answer, const judge_exact *e,
                            judge_tally *tally)
{
    quad backward = 0, kkt = 0, ulps = 0, excess = 0, largest = 0, length = total_length(p, e);
    for (int i = 0; i < p->count; i++)
    {
        quad shifted = e->lin[i] - (quad)p->shift_scale * p->shift[i];
        bool is_loaded = answer->mu[i] > 0;
        largest = quad_max(largest, e->scale[i]);
        quad change = is_loaded ? quad_abs(e->lin[i]) : -e->lin[i];
        backward = quad_max(backward, change - OWN_ROUNDING * e->scale[i]);
        quad miss = is_loaded ? quad_abs(shifted) : -shifted;
        if (miss > 0)
            kkt = quad_max(kkt, miss / kkt_size(p, e, i, length));
        if (e->lin[i] < 0)
        {
            ulps = quad_max(ulps, -e->lin[i] / e->scale[i] / DBL_EPSILON);
            excess = quad_max(excess, -e->lin[i] / (e->scale[i] + origin_size(p, i)) / DBL_EPSILON);
        }
    }
    const thud_certificate *c = &answer->certificate;
    CHECK_AT_MOST((double)kkt, 1e-12);
    CHECK_AT_MOST(c->kkt, 1e-12);
    CHECK_AT_MOST((double)excess, ulps_allowed(p));
    CHECK(backward <= c->backward);
    CHECK(kkt <= c->kkt * (1 + 1e-9) + 1e-18); // lin - shift is rounded once more
    CHECK(ulps <= c->violation_ulps * (1 + 1e-9) + 1e-9);
    // outwards, but not by more than doubled precision needs
    CHECK_AT_MOST(c->backward, (double)(backward * (1 + 1e-9) + 1e-27 * largest));
    tally->kkt = larger(tally->kkt, larger((double)kkt, c->kkt));
    tally->ulps = larger(tally->ulps, larger((double)ulps, c->violation_ulps));
}

static void check_counts(const problem *p, const thud_answer *answer)
{
    int loaded = 0, tight = 0;
    double least = INFINITY;
    for (int i = 0; i < p->count; i++)
    {
        CHECK(answer->mu[i] >= 0 && isfinite(answer->mu[i]));
        least = fmin(least, answer->mu[i]);
        loaded += answer->mu[i] > 0;
        tight += answer->is_tight[i];
        CHECK(answer->is_tight[i] || answer->mu[i] == 0);
    }
    if (p->count > 0)
        CHECK(answer->certificate.min_impulse == least);
    CHECK(answer->tight == tight && tight >= loaded);
    CHECK(!answer->unique || answer->tight <= p->dim);
    CHECK(answer->farkas.y == NULL);
}

// `inside` is in K but for half an ulp, so K relaxed by an ulp has its nearest point to w no
// farther away. An answer that makes no use of the ulp may be farther, but not by much: rows at
// tiny angles must not send it away.
static void check_distance(const problem *p, const thud_answer *answer)
{
    quad own = 0, known = 0;
    for (int k = 0; k < p->dim; k++)
    {
        quad a = (quad)answer->u[k] - p->w[k], b = (quad)p->inside[k] - p->w[k];
        own += p->mass[k] * a * a;
        known += p->mass[k] * b * b;
    }
    CHECK(quad_sqrt(own) <= quad_sqrt(known) * (1 + 1e-6));
}

void judge_answer(const problem *p, const thud_answer *answer, judge_tally *tally)
{
    judge_exact *e = judge_exact_create(p, answer->u, answer->mu);
    check_counts(p, answer);
    check_stationarity(p, answer, e, tally);
    check_lin(p, answer, e, tally);
    check_residuals(p, answer, e, tally);
    check_distance(p, answer);
    tally->solved++;
    judge_exact_destroy(e);
}

// The formula of the forward bound: with K enlarged by the violations u is in K, so s >= 0.
static quad forward_formula(const problem *p, const thud_answer *answer, const judge_exact *e)
{
    quad sum = 0, r = e->stationarity;
    for (int i = 0; i < p->count; i++)
        if (e->lin[i] > 0)
            sum += answer->mu[i] * e->lin[i] / p->h;
    return r / 2 + quad_sqrt(r * r / 4 + sum);
}

static quad distance_to(const problem *p, const double *u, const quad_problem *q, const quad *x)
{
    quad square = 0;
    for (int k = 0; k < p->dim; k++)
    {
        quad step = q->root[k] * u[k] - x[k];
        square += step * step;
    }
    return quad_sqrt(square);
}

// x is not quite P_K w: it violates rows by s->violation. In K enlarged by that u and x both
// lie, and both bounds hold with their terms enlarged, so the sum bounds their distance.
static void compare_true(const problem *p, const thud_answer *answer, const quad_problem *q,
                         const quad_solution *s, judge_tally *tally)
{
    quad extra = 0, forward = answer->certificate.forward;
    quad distance = distance_to(p, answer->u, q, s->x);
    double size = judge_norm(p, p->w) + (double)distance_to(p, p->w, q, s->x);
    for (int i = 0; i < p->count; i++)
        extra += answer->mu[i] * q->norm[i] * s->violation[i];
    quad allowed = quad_sqrt(forward * forward + extra) + s->bound;
    if (!s->is_solved || allowed > 1.01 * forward + 1e-22 * size)
    {
        tally->unresolved++;
        return;
    }
    tally->resolved++;
    if (distance > allowed)
        test_fail(__FILE__, __LINE__, "|u - P_K w| = %.17g, certified %.17g", (double)distance,
                  (double)forward);
    if (forward > 1e-22 * size)
        tally->forward = larger(tally->forward, (double)(distance / forward));
    if (!(p->traits & (TRAIT_SHIFT | TRAIT_PARALLEL | TRAIT_OPPOSITE)) && size > 0)
        tally->distance = larger(tally->distance, (double)distance / size);
}

void judge_forward(const problem *p, const thud_answer *answer, judge_tally *tally)
{
    judge_exact *e = judge_exact_create(p, answer->u, answer->mu);
    quad *gap = calloc((size_t)p->count + 1, sizeof *gap);
    if (!gap)
        abort();
    quad formula = forward_formula(p, answer, e);
    CHECK(formula <= answer->certificate.forward);
    if (formula > 1e-20 * judge_norm(p, p->w))
        tally->looseness =
            larger(tally->looseness, (double)(answer->certificate.forward / formula));
    for (int i = 0; i < p->count; i++)
        gap[i] = e->lin[i] < 0 ? p->gap[i] - e->lin[i] : (quad)p->gap[i];
    quad_problem *q = quad_problem_create(p, gap);
    quad_solution *s = quad_solve(q);
    compare_true(p, answer, q, s, tally);
    quad_solution_destroy(s);
    quad_problem_destroy(q);
    free(gap);
    judge_exact_destroy(e);
}

void judge_farkas(const problem *p, const thud_answer *answer, judge_tally *tally)
{
    const thud_farkas *f = &answer->farkas;
    quad sum = 0, square = 0, total = 0, unit = 0;
    REQUIRE(f->y != NULL);
    for (int i = 0; i < p->count; i++)
    {
        quad norm = 0;
        for (int k = 0; k < p->dim; k++)
            norm += (quad)problem_slope(p, i)[k] * problem_slope(p, i)[k] / p->mass[k];
        CHECK(f->y[i] >= 0 && isfinite(f->y[i]));
        sum += (quad)f->y[i] * p->gap[i];
        total += f->y[i] * quad_sqrt(norm);
        unit += norm > 0 ? 0 : f->y[i];
    }
    for (int k = 0; k < p->dim; k++)
    {
        quad r = 0;
        for (int i = 0; i < p->count; i++)
            r += (quad)f->y[i] * problem_slope(p, i)[k];
        square += r * r / p->mass[k];
    }
    quad residual = quad_sqrt(square);
    CHECK(sum < 0);
    CHECK_NEAR(f->sum, (double)sum, 1e-9 * (double)quad_abs(sum));
    CHECK(residual <= f->residual);
    CHECK_NEAR((double)(total + unit), 1, 1e-9);
    if (residual > 0)
        CHECK(f->radius <= -sum / (p->h * residual));
    // The certificate cannot tell a residual below 1e-28 from 0.
    CHECK(f->radius >= .5 * (double)(-sum / (p->h * (residual + 1e-28))));
    // Rows at angles of 1e-12 contradict each other with residuals of that size, and the radius
    // within which they do is what counts.
    double ratio = f->radius / judge_norm(p, p->w);
    if (p->traits & TRAIT_PARALLEL)
        CHECK(ratio >= 1e6);
    else
        CHECK_AT_MOST((double)residual, 1e-12);
    tally->infeasible++;
    tally->residual = larger(tally->residual, (double)residual);
    tally->radius = tally->infeasible == 1 ? ratio : fmin(tally->radius, ratio);
}
