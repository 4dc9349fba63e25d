// The mean of f(s, q) over a step:  f_n = (1/h) * integral of f(s, q_n) ds over [t_n, t_n+1].
//
// Each piece between breaks, declared or found (step/kinks.h), is tried with one 15-point Kronrod
// rule. Where that is not enough the piece is mapped by s = a + (b - a) phi(x), phi' = 140 x^3 (1 -
// x)^3, which flattens integrable singularities at its ends, and bisected in x until every part
// passes. Close to an end f cannot be known better than the spacing of the doubles allows: a part
// also passes when its error is that of rounding t. Only + - * / and sqrt are used, so the bits do
// not depend on the processor.
#include "step/quadrature.h"

#include "core/mass.h"
#include "core/memory.h"
#include "step/kinks.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Nodes and weights of Gauss (7) and Kronrod (15) on [-1, 1], from the middle outwards: odd entries
// of the Kronrod nodes are not Gauss nodes.
static const double NODE[8] = {
    0.0,
    0.207784955007898467600689403773245,
    0.405845151377397166906606412076961,
    0.586087235467691130294144691693013,
    0.741531185599394439863864773280788,
    0.864864423359769072789712788640926,
    0.949107912342758524526189684047851,
    0.991455371120812639206854697526329,
};
static const double KRONROD[8] = {
    0.209482141084727828012999174891714, 0.204432940075298892414161999234649,
    0.190350578064785409913256402421014, 0.169004726639267902826583426598550,
    0.140653259715525918745189590510238, 0.104790010322250183839876322541518,
    0.063092092629978553290700663189204, 0.022935322010529224963732008058970,
};
static const double GAUSS[8] = {
    0.417959183673469387755102040816327, 0, 0.381830050505118944950369775488975, 0,
    0.279705391489276667901467771423780, 0, 0.129484966168869693270611432679082, 0,
};

// The value at +1 of the polynomial through the 15 nodes, in the order in which they are visited.
static const double AT_END[15] = {
    -0.11292917291898187,  0.13978343178290886, 0.091687296848571284, -0.17457035156224193,
    -0.073778979644262707, 0.22117597022489355, 0.057719118618911644, -0.29141869591999175,
    -0.043250815978174144, 0.42004719972088489, 0.030438309530368069, -0.70667399340457671,
    -0.01845157704696352,  1.4539837311033141,  0.00623852864534031,
};

// No part is bisected more often than this; by then it is below the resolution of time.
enum
{
    DEEPEST = 50
};

// What the spacing of the doubles leaves unknown may be this part of the integral of |f|. A
// singularity that can be integrated leaves far less (1e-7 of an inverse root); one that cannot
// leaves all of it.
static const double COARSEST = 1e-3;

// Of half a part: where f is asked for next to its ends, which may be singular.
static const double INSET = 0x1p-43;

// Of the piece: shorter parts get the tolerance of this one, or they would share it into nothing.
static const double LEAST_SHARE = 0x1p-10;

// Of the integral of |f|: what the sums of a rule round away.
static const double SUM_ROUNDING = 8 * DBL_EPSILON;

// One piece [start, end] between breaks; mapped: integrate in x over [0, 1] through phi.
typedef struct piece
{
    double start, end;
    bool mapped;
} piece;

// phi(x) = x^4 (35 - 84 x + 70 x^2 - 20 x^3) for x <= 1/2
static double phi(double x)
{
    double square = x * x;
    return square * square * (35 + x * (-84 + x * (70 - 20 * x)));
}

// The time at parameter x of the piece and the factor ds/dx there. The distance is taken from the
// nearer end, so that it keeps its precision where f may be singular.
static double time_at(const piece *p, double x, double *factor)
{
    double length = p->end - p->start;
    double y = 1 - x, s;
    *factor = p->mapped ? length * 140 * (x * x * x) * (y * y * y) : length;
    if (p->mapped)
        s = x < 0.5 ? p->start + length * phi(x) : p->end - length * phi(y);
    else
        s = p->start + length * x;
    if (s <= p->start)
        return nextafter(p->start, p->end);
    return s >= p->end ? nextafter(p->end, p->start) : s;
}

// How much of |f| may be due to the rounding of s, for f like a power of the distance to an end.
static double blur_at(const piece *p, double s)
{
    double distance = fmin(s - p->start, p->end - s);
    return fmin(1, DBL_EPSILON * fabs(s) / distance);
}

// |v| in the metric of the problem: forces in M^-1, velocities in M.
static double length_of(const thud_inclusion *problem, const double *v)
{
    double sum = 0, largest = 0;
    for (int k = 0; k < problem->dim; k++)
        largest = fmax(largest, fabs(v[k]));
    if (largest == 0)
        return 0;
    int exponent;
    (void)frexp(largest, &exponent); // an exact scale, so that squares neither over- nor underflow
    for (int k = 0; k < problem->dim; k++)
    {
        double m = thudi_mass(problem->mass, k), x = ldexp(v[k], -exponent);
        sum += x * x * (problem->order == THUD_FIRST_ORDER ? m : 1 / m);
    }
    return ldexp(sqrt(sum), exponent);
}

static thud_status evaluate(thudi_quadrature *rule, double t, double *f)
{
    const thud_inclusion *problem = rule->problem;
    if (rule->evaluations >= rule->limit)
        return THUD_ERR_QUADRATURE;
    if (rule->stop && thudi_is_stopped(rule->stop))
        return THUD_ERR_STOPPED;
    rule->evaluations++;
    if (problem->force(t, rule->q, f, problem->user) != 0)
        return THUD_ERR_CALLBACK;
    for (int k = 0; k < problem->dim; k++)
        if (!isfinite(f[k]))
        {
            rule->bad = k;
            rule->bad_time = t;
            rule->bad_value = f[k];
            return THUD_ERR_NOT_FINITE;
        }
    return THUD_OK;
}

// What one rule found: the integral of |f|, |kronrod - gauss|, and what rounding s may do to it.
typedef struct finding
{
    double size, error, blur;
} finding;

// One rule on parameters [low, high]; the integral is left in the first dim numbers of scratch.
static thud_status apply(thudi_quadrature *rule, const piece *p, double low, double high,
                         finding *found)
{
    int dim = rule->problem->dim;
    double *kronrod = rule->scratch, *gauss = kronrod + dim, *f = gauss + dim, *ends = f + dim;
    double half = (high - low) / 2, middle = low + half;
    memset(kronrod, 0, 5 * (size_t)dim * sizeof *kronrod);
    *found = (finding){0};
    for (int j = 0; j < 15; j++)
    {
        int node = (j + 1) / 2;
        double factor, x = middle + (j % 2 ? half : -half) * NODE[node];
        double s = time_at(p, x, &factor);
        THUD_TRY(evaluate(rule, s, f));
        factor *= half;
        for (int k = 0; k < dim; k++)
        {
            kronrod[k] += KRONROD[node] * factor * f[k];
            gauss[k] += GAUSS[node] * factor * f[k];
            ends[k] += AT_END[j == 0 ? 0 : j % 2 ? j + 1 : j - 1] * factor * f[k];
            ends[dim + k] += AT_END[j] * factor * f[k];
        }
        double size = KRONROD[node] * factor * length_of(rule->problem, f);
        found->size += size;
        found->blur += p->mapped ? size * blur_at(p, s) : 0;
    }
    for (int k = 0; k < dim; k++)
        gauss[k] -= kronrod[k];
    found->error = 4 * length_of(rule->problem, gauss);
    // No node lies in the outermost 0.4 %: a jump there shows only against a value at the end.
    for (int side = 0; side < 2; side++)
    {
        double factor, inset = half * INSET;
        double s = time_at(p, side ? high - inset : low + inset, &factor);
        THUD_TRY(evaluate(rule, s, f));
        for (int k = 0; k < dim; k++)
            ends[side * dim + k] -= f[k] * factor * half;
        const double *miss = ends + (size_t)side * (size_t)dim;
        found->error += (1 - NODE[7]) * length_of(rule->problem, miss);
    }
    return THUD_OK;
}

// The integral so far: its value, that of |f|, and the sums of the errors accepted.
typedef struct total
{
    double *sum;
    double size, error, blur;
} total;

static void accept(const thudi_quadrature *rule, const finding *found, total *all)
{
    for (int k = 0; k < rule->problem->dim; k++)
        all->sum[k] += rule->scratch[k];
    all->size += found->size;
    all->error += found->error;
    all->blur += found->blur;
}

// Bisect the mapped piece, depth first, so that only the ends of the waiting parts are kept.
static thud_status bisect(thudi_quadrature *rule, const piece *p, double scale, total *all)
{
    double high[DEEPEST + 1], low = 0;
    int waiting = 0;
    high[0] = 1;
    while (waiting >= 0)
    {
        finding found;
        THUD_TRY(apply(rule, p, low, high[waiting], &found));
        scale = fmax(scale, all->size + found.size);
        double share = fmax(high[waiting] - low, LEAST_SHARE);
        bool fine = found.error <= fmax(rule->tolerance / 4 * scale * share,
                                        4 * found.blur + SUM_ROUNDING * found.size);
        if (fine || waiting == DEEPEST)
        {
            accept(rule, &found, all);
            low = high[waiting--];
        }
        else
        {
            high[waiting + 1] = low + (high[waiting] - low) / 2;
            waiting++;
        }
    }
    return THUD_OK;
}

static thud_status integrate_piece(thudi_quadrature *rule, double start, double end, total *all)
{
    finding found;
    piece p = {start, end, false};
    THUD_TRY(apply(rule, &p, 0, 1, &found));
    if (found.error <= rule->tolerance / 16 * found.size)
    {
        accept(rule, &found, all);
        return THUD_OK;
    }
    p.mapped = true;
    return bisect(rule, &p, found.size, all);
}

// The pieces of a stretch without declared breaks.
static thud_status integrate_stretch(thudi_quadrature *rule, double start, double end, total *all)
{
    thudi_kink_search search = {.kinks = rule->problem->kinks, .q = rule->q};
    double low = start;
    while (search.kinks)
    {
        double next;
        thud_status status = thudi_kinks_next(&search, low, end, &next);
        rule->lost = search.lost;
        THUD_TRY(status);
        if (next >= end)
            break;
        if (nextafter(low, next) < next) // there are numbers in between
            THUD_TRY(integrate_piece(rule, low, next, all));
        low = next;
    }
    return integrate_piece(rule, low, end, all);
}

thud_status thudi_quadrature_mean(thudi_quadrature *rule, double start, double end, double *mean)
{
    const thud_inclusion *problem = rule->problem;
    total all = {.sum = mean};
    rule->error = INFINITY; // until known
    rule->lost = -1;
    double low = start;
    memset(mean, 0, (size_t)problem->dim * sizeof *mean);
    for (int b = 0; b < problem->break_count; b++)
        if (problem->breaks[b] > low && problem->breaks[b] < end)
        {
            THUD_TRY(integrate_stretch(rule, low, problem->breaks[b], &all));
            low = problem->breaks[b];
        }
    THUD_TRY(integrate_stretch(rule, low, end, &all));
    for (int k = 0; k < problem->dim; k++)
        mean[k] /= end - start;
    rule->error = all.size > 0 ? (all.error + 8 * all.blur) / all.size : 0;
    bool coarse = rule->error > COARSEST; // not so of NAN: what overflows is found by the step
    bool fine = all.error <= rule->tolerance * all.size + 8 * all.blur && !coarse;
    return fine ? THUD_OK : THUD_ERR_QUADRATURE;
}
