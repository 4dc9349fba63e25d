// The mean force f_n = (1/h) * integral over [t_n, t_n+1] of f(s, q_n) ds, by double exponential
// quadrature on every piece [a, b] between the times where f is not smooth (checker_kinks.c):
//
//     x(s) = 1 / (1 + exp(-pi sinh s)),   integral = (b - a) * sum over s = j 2^-level of
//                                                    2^-level x'(s) f(a + x(s) (b - a)),
//     x'(s) = pi cosh(s) x (1 - x)
//
// which converges exponentially where f is analytic inside the piece, whatever integrable
// singularity sits at an end. Abscissae are kept as distances from the nearer end, so that such a
// singularity is resolved to 1e-300 at t = 0 and to one ulp elsewhere. A piece that does not
// converge is halved, which finds jumps and kinks no declaration names. The error is estimated by
// the last change, and what is left of it widens the tolerance of the certificates that use f_n.
#include "verify/checker.h"
#include "verify/checker_functions.h"

#include <float.h>

#define PI 3.14159265358979323846
#define LEVELS 6          // the last level has 2^6 abscissae per unit of s
#define LARGEST_S 6.08    // exp(pi sinh s) still fits
#define DEPTH 60          // halvings of a piece
#define EVALUATIONS 50000 // beyond this pieces are halved no more
#define FEWEST_ULPS 1e4   // pieces shorter than this are halved no more
#define WANTED 1e-14      // change of a piece, relative to the integral of |f|
#define WORST 1e-7        // error of the mean, relative to the mean of |f|, to give a verdict on

// One integration. Arrays have length dim; `sum` to `change` belong to the piece in hand.
typedef struct quadrature
{
    thudi_checker *checker;
    double length;       // of the step as the times have it
    double *value[2];    // f at one abscissa, or at two
    double *noise;       // how much f changes within a few ulps of t, by rounding alone
    thudi_sum *sum;      // of x' f
    double *sum_size;    // of x' |f|
    double factor;       // sum times this is the integral
    double *last;        // the integral at the last level
    double *change;      // its difference from the level before
    thudi_sum *integral; // of the pieces done
    double *largest;     // largest integral of |f| seen on any piece
    double *low, *high;  // least and largest f at the abscissae of the piece
    bool is_cut;         // into pieces that may be as short as the spacing of the numbers
    int evaluations;
} quadrature;

static thud_status evaluate(quadrature *quad, double t, double *value)
{
    const thud_inclusion *problem = quad->checker->problem;
    quad->evaluations++;
    return problem->force(t, quad->checker->before->q, value, problem->user) ? THUD_ERR_CALLBACK
                                                                             : THUD_OK;
}

// Add the abscissa at distance |inwards| from an end of the piece.
static thud_status add_abscissa(quadrature *quad, double end, double inwards, double weight)
{
    double t = end + inwards, *value = quad->value[0];
    if (t == end) // never at an end, where f may be singular or belong to the next piece
        t = nextafter(end, inwards > 0 ? INFINITY : -INFINITY);
    thud_status status = evaluate(quad, t, value);
    for (int k = 0; status == THUD_OK && k < quad->checker->dim; k++)
    {
        quad->sum[k] = thudi_sum_plus_product(quad->sum[k], weight, value[k]);
        quad->sum_size[k] += weight * fabs(value[k]);
        quad->low[k] = fmin(quad->low[k], value[k]);
        quad->high[k] = fmax(quad->high[k], value[k]);
    }
    return status;
}

// The abscissae that a level adds to those before it: all for level 0, then every other one.
static thud_status add_level(quadrature *quad, double a, double b, int level)
{
    double step = ldexp(1, -level), length = b - a;
    for (int j = level > 0; j * step <= LARGEST_S; j += level > 0 ? 2 : 1)
    {
        double s = j * step;
        double x = 1 / (1 + thudi_checker_exp(PI * thudi_checker_sinh(s)));
        double weight = PI * thudi_checker_cosh(s) * x * (1 - x);
        thud_status status = add_abscissa(quad, a, x * length, weight);
        if (status == THUD_OK && j > 0)
            status = add_abscissa(quad, b, -x * length, weight);
        if (status != THUD_OK)
            return status;
    }
    return THUD_OK;
}

static void start_piece(quadrature *quad)
{
    for (int k = 0; k < quad->checker->dim; k++)
    {
        quad->sum[k] = (thudi_sum){0, 0};
        quad->sum_size[k] = quad->last[k] = quad->change[k] = 0;
        quad->low[k] = INFINITY;
        quad->high[k] = -INFINITY;
    }
}

// Refine the piece until it settles. *settled is false if it did not.
static thud_status refine_piece(quadrature *quad, double a, double b, bool *settled)
{
    *settled = false;
    start_piece(quad);
    for (int level = 0; level <= LEVELS && !*settled; level++)
    {
        thud_status status = add_level(quad, a, b, level);
        if (status != THUD_OK)
            return status;
        quad->factor = ldexp(b - a, -level);
        *settled = level >= 3; // fewer abscissae may agree by accident
        for (int k = 0; k < quad->checker->dim; k++)
        {
            double now = thudi_sum_value(quad->sum[k]) * quad->factor;
            if (!isfinite(now))
                return THUD_ERR_NOT_FINITE;
            quad->change[k] = fabs(now - quad->last[k]);
            quad->last[k] = now;
            quad->largest[k] = fmax(quad->largest[k], quad->sum_size[k] * quad->factor);
            double wanted = WANTED * quad->largest[k] + 4 * quad->noise[k] * (b - a);
            *settled = *settled && quad->change[k] <= wanted;
        }
    }
    return THUD_OK;
}

// What lies beyond the outermost abscissa, a distance d from the end, is judged by how f changes
// from d to 4d: nothing for a continuous f, and all of the tail for 1 / sqrt.
static thud_status estimate_end(quadrature *quad, double end, double inwards)
{
    double outermost = thudi_checker_exp(-PI * thudi_checker_sinh(LARGEST_S)) * inwards;
    double ulp = nextafter(end, inwards > 0 ? INFINITY : -INFINITY) - end;
    double d = fabs(outermost) > fabs(ulp) ? outermost : ulp;
    thud_status status = evaluate(quad, end + d, quad->value[0]);
    if (status == THUD_OK)
        status = evaluate(quad, end + 4 * d, quad->value[1]);
    for (int k = 0; status == THUD_OK && k < quad->checker->dim; k++)
        quad->checker->force_error[k] += 8 * fabs(d * (quad->value[0][k] - quad->value[1][k]));
    return status;
}

// Abscissae are rounded, by the checker and by the step: in a short piece that tells. A change of f
// by d within the piece is off by half an ulp of t at both.
static double rounding_of(const quadrature *quad, int k, double t)
{
    double ulp = nextafter(fabs(t), INFINITY) - fabs(t);
    return quad->is_cut ? 2 * ulp * (quad->high[k] - quad->low[k]) : 0;
}

static thud_status accept_piece(quadrature *quad, double a, double b)
{
    thudi_checker *checker = quad->checker;
    for (int k = 0; k < checker->dim; k++)
    {
        quad->integral[k] = thudi_sum_plus(quad->integral[k], quad->last[k]);
        checker->force_size[k] += quad->sum_size[k] * quad->factor;
        checker->force_error[k] += quad->change[k] + rounding_of(quad, k, fmax(fabs(a), fabs(b)));
    }
    thud_status status = estimate_end(quad, a, b - a);
    return status == THUD_OK ? estimate_end(quad, b, a - b) : status;
}

static thud_status integrate_piece(quadrature *quad, double a, double b, int depth)
{
    bool settled;
    thud_status status = refine_piece(quad, a, b, &settled);
    if (status != THUD_OK)
        return status;
    double ulps = (b - a) / (DBL_EPSILON * fmax(fabs(a), fabs(b)));
    if (settled || depth == DEPTH || quad->evaluations > EVALUATIONS || ulps < FEWEST_ULPS)
        return accept_piece(quad, a, b);
    double middle = a + (b - a) / 2;
    status = integrate_piece(quad, a, middle, depth + 1);
    return status == THUD_OK ? integrate_piece(quad, middle, b, depth + 1) : status;
}

// The least change of f over a few ulps at three places, so that no jump passes for noise.
static thud_status measure_noise(quadrature *quad)
{
    for (int i = 0; i < 3; i++)
    {
        double t = quad->checker->t + (0.21 + 0.29 * i) * quad->length;
        double next = t + 4 * (nextafter(t, INFINITY) - t);
        thud_status status = evaluate(quad, t, quad->value[0]);
        if (status == THUD_OK)
            status = evaluate(quad, next, quad->value[1]);
        if (status != THUD_OK)
            return status;
        for (int k = 0; k < quad->checker->dim; k++)
        {
            double change = fabs(quad->value[1][k] - quad->value[0][k]);
            if (i == 0 || change < quad->noise[k])
                quad->noise[k] = change;
        }
    }
    return THUD_OK;
}

static thud_status integrate_step(quadrature *quad)
{
    thudi_checker *checker = quad->checker;
    thudi_times times;
    double from = checker->t;
    thud_status status = thudi_checker_find_times(checker, &times);
    quad->is_cut = checker->problem->kinks && times.count > 0;
    for (int i = 0; i <= times.count && status == THUD_OK; i++)
    {
        double to = i < times.count ? times.at[i] : checker->t_next;
        if (nextafter(from, INFINITY) < to) // numbers lie in between
            status = integrate_piece(quad, from, to, 0);
        from = fmax(from, to);
    }
    thudi_checker_free_times(checker, &times);
    return status;
}

static thud_status divide(quadrature *quad)
{
    thudi_checker *checker = quad->checker;
    double largest = 0, error = 0;
    for (int k = 0; k < checker->dim; k++)
    {
        checker->force[k] = thudi_sum_value(quad->integral[k]) / quad->length;
        checker->force_size[k] /= quad->length;
        checker->force_error[k] /= quad->length;
        largest = fmax(largest, checker->force_size[k]);
        error = fmax(error, checker->force_error[k]);
    }
    checker->verdict.force_error = error > 0 ? error / largest : 0;
    return error <= WORST * largest ? THUD_OK : THUD_ERR_QUADRATURE;
}

static thud_status integrate(thudi_checker *checker)
{
    size_t dim = (size_t)checker->dim;
    size_t size = dim * (2 * sizeof(thudi_sum) + 9 * sizeof(double));
    void *block = thudi_checker_allocate(checker, size);
    if (!block)
        return THUD_ERR_MEMORY;
    quadrature quad = {.checker = checker, .length = checker->t_next - checker->t, .sum = block};
    quad.integral = quad.sum + dim;
    quad.value[0] = (double *)(quad.integral + dim);
    quad.value[1] = quad.value[0] + dim;
    quad.noise = quad.value[1] + dim;
    quad.sum_size = quad.noise + dim;
    quad.last = quad.sum_size + dim;
    quad.change = quad.last + dim;
    quad.largest = quad.change + dim;
    quad.low = quad.largest + dim;
    quad.high = quad.low + dim;
    thud_status status = measure_noise(&quad);
    if (status == THUD_OK)
        status = integrate_step(&quad);
    if (status == THUD_OK)
        status = divide(&quad);
    thudi_checker_release(checker, block, size);
    return status;
}

// f_n except for the drag, from the best source there is: the record, the problem's own integral,
// one value of a steady force, and only then quadrature.
static thud_status find_force(thudi_checker *checker)
{
    const thud_inclusion *problem = checker->problem;
    const double *q = checker->before->q, *known = checker->def.mean_force;
    int failed = 0;
    if (!known && !problem->impulse && problem->force && !problem->force_is_steady)
        return integrate(checker);
    if (!known && problem->impulse)
        failed = problem->impulse(checker->t, checker->t_next, q, checker->force, problem->user);
    else if (!known && problem->force)
        failed = problem->force(checker->t, q, checker->force, problem->user);
    if (failed)
        return THUD_ERR_CALLBACK;
    for (int k = 0; k < checker->dim; k++)
    {
        if (known)
            checker->force[k] = known[k];
        else if (problem->impulse)
            checker->force[k] /= checker->h;
        checker->force_size[k] = fabs(checker->force[k]);
    }
    return THUD_OK;
}

thud_status thudi_checker_find_force(thudi_checker *checker)
{
    thud_status status = find_force(checker);
    if (status < 0 || checker->def.mean_force) // a record includes the drag
        return status;
    for (int k = 0; k < checker->dim; k++)
    {
        double drag =
            checker->problem->drag * thudi_checker_mass(checker, k) * checker->before->u[k];
        checker->force[k] -= drag;
        checker->force_size[k] += fabs(drag);
    }
    return THUD_OK;
}
