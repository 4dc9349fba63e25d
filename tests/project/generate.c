// Random projections: shapes of rows, then the defects that real contact problems have.
#include "generate.h"

#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

static bool chance(test_random *random, double share)
{
    return test_random_uniform(random, 0, 1) < share;
}

static double power_of_ten(test_random *random, double low, double high)
{
    return pow(10, test_random_uniform(random, low, high));
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static unsigned draw_traits(test_random *random, bool is_infeasible)
{
    static const unsigned shapes[] = {TRAIT_DENSE,    TRAIT_DENSE,   TRAIT_SPARSE, TRAIT_PAIR,
                                      TRAIT_LOW_RANK, TRAIT_INTEGER, TRAIT_CHAIN};
    static const struct
    {
        unsigned trait;
        double share;
    } defects[] = {{TRAIT_DUPLICATE, .2}, {TRAIT_OPPOSITE, .2}, {TRAIT_ZERO, .1},
                   {TRAIT_PARALLEL, .15}, {TRAIT_VERTEX, .2},   {TRAIT_SCALES, .3},
                   {TRAIT_MASS, .5},      {TRAIT_SHIFT, .2}};
    unsigned traits = shapes[test_random_int(random, 0, 6)];
    for (size_t j = 0; j < sizeof defects / sizeof *defects; j++)
        if (chance(random, defects[j].share))
            traits |= defects[j].trait;
    return is_infeasible ? traits | TRAIT_INFEASIBLE : traits;
}

static int draw_dim(test_random *random)
{
    double x = test_random_uniform(random, 0, 1);
    if (x < .03)
        return test_random_int(random, 31, 120);
    return x < .3 ? test_random_int(random, 1, 6) : test_random_int(random, 1, 30);
}

static void draw_masses(test_random *random, problem *p)
{
    double decades = test_random_uniform(random, 0, 6);
    int width = p->width ? p->width : 1;
    if (!(p->traits & TRAIT_MASS))
        return;
    for (int k = 0; k < p->dim; k++)
        p->mass[k] = k % width == 0 ? power_of_ten(random, -decades / 2, decades / 2)
                                    : p->mass[k - k % width];
}

static void draw_points(test_random *random, problem *p)
{
    bool is_exact = p->traits & TRAIT_INTEGER;
    p->h = is_exact ? ldexp(1, -test_random_int(random, 0, 10)) : power_of_ten(random, -4, 0);
    p->speed = is_exact ? 1 : power_of_ten(random, -4, 4);
    double spread = p->speed * power_of_ten(random, -2, 1);
    for (int k = 0; k < p->dim; k++)
    {
        p->inside[k] =
            is_exact ? test_random_int(random, -8, 8) / 8.0 : p->speed * test_random_normal(random);
        p->w[k] = is_exact ? test_random_int(random, -16, 16) / 4.0
                           : p->inside[k] + spread * test_random_normal(random);
    }
}

static void draw_pair(test_random *random, const problem *p, double *slope)
{
    int blocks = p->dim / p->width;
    int a = test_random_int(random, 0, blocks - 1), b = test_random_int(random, 0, blocks - 1);
    double n[3], square = 0;
    for (int c = 0; c < p->width; c++)
    {
        n[c] = test_random_normal(random);
        square += n[c] * n[c];
    }
    for (int c = 0; c < p->width; c++)
    {
        if (a != b)
            slope[a * p->width + c] = -n[c] / sqrt(square);
        slope[b * p->width + c] = n[c] / sqrt(square);
    }
}

static void draw_low_rank(test_random *random, problem *p)
{
    int rank = test_random_int(random, 1, p->dim < 6 ? p->dim : p->dim / 2);
    double *basis = calloc((size_t)rank * (size_t)p->dim, sizeof *basis);
    if (!basis)
        abort();
    for (int j = 0; j < rank * p->dim; j++)
        basis[j] = test_random_normal(random);
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < rank; j++)
        {
            double c = test_random_normal(random);
            for (int k = 0; k < p->dim; k++)
                problem_slope(p, i)[k] += c * basis[j * p->dim + k];
        }
    free(basis);
}

static void draw_row(test_random *random, problem *p, int i)
{
    double *slope = problem_slope(p, i);
    if (p->traits & TRAIT_PAIR)
        draw_pair(random, p, slope);
    else if (p->traits & TRAIT_CHAIN)
    {
        int k = test_random_int(random, 0, p->dim - 1);
        slope[k] = 1;
        if (k > 0)
            slope[k - 1] = -1;
    }
    else if (p->traits & TRAIT_SPARSE)
        for (int j = test_random_int(random, 1, 4); j > 0; j--)
            slope[test_random_int(random, 0, p->dim - 1)] = test_random_normal(random);
    else
        for (int k = 0; k < p->dim; k++)
            slope[k] = p->traits & TRAIT_INTEGER ? test_random_int(random, -3, 3)
                                                 : test_random_normal(random);
}

static void draw_slopes(test_random *random, problem *p)
{
    if (p->traits & TRAIT_LOW_RANK)
        draw_low_rank(random, p);
    else
        for (int i = 0; i < p->count; i++)
            draw_row(random, p, i);
}

// How far `inside` is from row i, in the unit of g. Exact for integers.
static double draw_slack(test_random *random, const problem *p, int i)
{
    const double *slope = problem_slope(p, i);
    if (p->traits & TRAIT_VERTEX || chance(random, .2))
        return 0;
    if (p->traits & TRAIT_INTEGER)
        return p->h * test_random_int(random, 0, 8);
    double size = p->h * p->speed * sqrt(dot(slope, slope, p->dim));
    return size * power_of_ten(random, -3, .5);
}

static void set_gap(problem *p, int i, double slack)
{
    p->gap[i] = slack - p->h * dot(problem_slope(p, i), p->inside, p->dim);
}

static void copy_row(problem *p, int to, int from, double factor)
{
    for (int k = 0; k < p->dim; k++)
        problem_slope(p, to)[k] = factor * problem_slope(p, from)[k];
    p->gap[to] = factor * p->gap[from];
}

static void add_duplicates(test_random *random, problem *p)
{
    for (int n = test_random_int(random, 1, 1 + p->count / 3); n > 0; n--)
    {
        int to = test_random_int(random, 0, p->count - 1);
        int from = test_random_int(random, 0, p->count - 1);
        copy_row(p, to, from, chance(random, .5) ? 1 : power_of_ten(random, -1, 1));
    }
}

static void add_opposites(test_random *random, problem *p)
{
    static const double widths[] = {0, 0, 1e-12, 1e-3, 1};
    for (int n = test_random_int(random, 1, 1 + p->count / 4); n > 0; n--)
    {
        int to = test_random_int(random, 0, p->count - 1);
        int from = test_random_int(random, 0, p->count - 1);
        double width = widths[test_random_int(random, 0, 4)];
        if (to == from)
            continue;
        set_gap(p, from, 0);
        copy_row(p, to, from, -1);
        p->gap[to] +=
            width * p->h * p->speed * sqrt(dot(problem_slope(p, to), problem_slope(p, to), p->dim));
    }
}

static void add_zeros(test_random *random, problem *p)
{
    for (int n = test_random_int(random, 1, 1 + p->count / 8); n > 0; n--)
    {
        int i = test_random_int(random, 0, p->count - 1);
        memset(problem_slope(p, i), 0, (size_t)p->dim * sizeof *p->slope);
        p->gap[i] = chance(random, .5) ? 0 : p->h * p->speed;
    }
}

static void add_parallels(test_random *random, problem *p)
{
    for (int n = test_random_int(random, 1, 1 + p->count / 4); n > 0; n--)
    {
        int to = test_random_int(random, 0, p->count - 1);
        int from = test_random_int(random, 0, p->count - 1);
        double *slope = problem_slope(p, to), angle = power_of_ten(random, -15, -3);
        double size = sqrt(dot(problem_slope(p, from), problem_slope(p, from), p->dim));
        if (to == from)
            continue;
        copy_row(p, to, from, 1);
        for (int k = 0; k < p->dim; k++)
            slope[k] += angle * size * test_random_normal(random) / sqrt(p->dim);
        set_gap(p, to, draw_slack(random, p, to));
    }
}

static void add_scales(test_random *random, problem *p)
{
    for (int i = 0; i < p->count; i++)
        copy_row(p, i, i, power_of_ten(random, -12, 12));
}

// Gaps grow by the shift, so that `inside` remains in the shifted K.
static void add_shifts(test_random *random, problem *p)
{
    static const double factors[] = {1, 1, .5, 0};
    p->shift_scale = factors[test_random_int(random, 0, 3)];
    for (int i = 0; i < p->count; i++)
    {
        const double *slope = problem_slope(p, i);
        double size = p->h * p->speed * sqrt(dot(slope, slope, p->dim));
        p->shift[i] = chance(random, .1) ? 0 : size * power_of_ten(random, -10, -5);
        if (!(p->traits & TRAIT_INFEASIBLE))
            p->gap[i] += p->shift_scale * p->shift[i];
    }
}

// The last row is made minus a positive sum of some others, with too small a gap: K is empty.
static void add_contradiction(test_random *random, problem *p)
{
    int last = p->count - 1, terms = test_random_int(random, 1, p->count < 6 ? p->count - 1 : 5);
    double *slope = problem_slope(p, last), size = 0;
    memset(slope, 0, (size_t)p->dim * sizeof *slope);
    p->gap[last] = 0;
    for (; terms > 0; terms--)
    {
        int i = test_random_int(random, 0, last - 1);
        double y = p->traits & TRAIT_INTEGER ? test_random_int(random, 1, 3)
                                             : test_random_uniform(random, .2, 2);
        for (int k = 0; k < p->dim; k++)
            slope[k] -= y * problem_slope(p, i)[k];
        p->gap[last] -= y * p->gap[i];
        size += y * (fabs(p->gap[i]) +
                     p->h * p->speed * sqrt(dot(problem_slope(p, i), problem_slope(p, i), p->dim)));
    }
    if (p->traits & TRAIT_INTEGER || size == 0)
        p->gap[last] -= p->h;
    else
        p->gap[last] -= size * power_of_ten(random, -6, 0);
}

static void draw_warm(test_random *random, problem *p)
{
    p->is_warm = p->count > 0 && chance(random, .3);
    bool is_garbage = chance(random, .5);
    for (int i = 0; i < p->count; i++)
    {
        double size = p->speed * power_of_ten(random, -3, 3);
        p->warm[i] = chance(random, .4) ? size : 0;
        if (is_garbage && chance(random, .5))
            p->warm[i] = power_of_ten(random, -300, 300) * (chance(random, .5) ? 1 : -1);
    }
}

static void add_defects(test_random *random, problem *p)
{
    if (p->count == 0)
        return;
    if (p->traits & TRAIT_DUPLICATE)
        add_duplicates(random, p);
    if (p->traits & TRAIT_PARALLEL)
        add_parallels(random, p);
    if (p->traits & TRAIT_OPPOSITE)
        add_opposites(random, p);
    if (p->traits & TRAIT_ZERO)
        add_zeros(random, p);
    if (p->traits & TRAIT_INFEASIBLE)
        add_contradiction(random, p);
    if (p->traits & TRAIT_SCALES)
        add_scales(random, p);
    if (p->traits & TRAIT_SHIFT)
        add_shifts(random, p);
}

static problem *generate(uint64_t seed, bool is_infeasible, bool unit_mass, int most)
{
    test_random random = test_random_start(seed);
    unsigned traits = draw_traits(&random, is_infeasible);
    int dim = draw_dim(&random), width = 0;
    dim = dim > most ? most : dim;
    if (unit_mass)
        traits &= ~(unsigned)TRAIT_MASS;
    if (traits & TRAIT_PAIR)
    {
        width = test_random_int(&random, 2, 3);
        dim = width * ((dim + width - 1) / width);
    }
    problem *p = problem_create(dim, test_random_int(&random, is_infeasible ? 2 : 0, 3 * dim));
    p->seed = seed;
    p->traits = traits;
    p->width = width;
    draw_masses(&random, p);
    draw_points(&random, p);
    draw_slopes(&random, p);
    for (int i = 0; i < p->count; i++)
        set_gap(p, i, draw_slack(&random, p, i));
    add_defects(&random, p);
    draw_warm(&random, p);
    p->traits |= chance(&random, .5) ? TRAIT_ORIGIN : 0;
    for (int k = 0; k < dim; k++)
        p->origin[k] = p->h * p->inside[k];
    return p;
}

problem *generate_problem(uint64_t seed)
{
    return generate(seed, seed % 12 == 0, false, 120);
}

problem *generate_feasible(uint64_t seed, bool unit_mass)
{
    return generate(seed, false, unit_mass, 30);
}

const char *generate_describe(const problem *p, char *text)
{
    static const char *const names[] = {
        "dense", "sparse",   "pair",   "low-rank", "integer", "chain", "doubled",    "slots",
        "zero",  "parallel", "vertex", "scales",   "mass",    "shift", "infeasible", "origin"};
    int length = sprintf(text, "dim %d rows %d", p->dim, p->count);
    for (int j = 0; j < 16; j++)
        if (p->traits & 1u << j)
            length += sprintf(text + length, " %s", names[j]);
    if (p->is_warm)
        sprintf(text + length, " warm");
    return text;
}
