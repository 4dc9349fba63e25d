// The force at a site: how large it is, and how fast it changes with the position.
//
// In the norm of M the derivative of M^-1 f is the matrix M^-1/2 (df/dq) M^-1/2; it is found by
// differences, whole if it is small, else along a few directions.
#include "theory/theory.h"

static const double PART_OF_LENGTH = 1e-5;

enum
{
    DIRECTIONS = 16
};

typedef struct slopes
{
    const thud_inclusion *problem;
    const thud_site *site;
    double *q, *low, *high, *along; // length dim each
} slopes;

static thud_status force_at(const slopes *s, const double *q, double *f)
{
    const thud_inclusion *problem = s->problem;
    double h = s->site->h, t = s->site->is_end ? s->site->t - h : s->site->t;
    for (int k = 0; k < problem->dim; k++)
        f[k] = 0;
    if (!problem->impulse)
        return problem->force && problem->force(t + h / 2, q, f, problem->user) != 0
                   ? THUD_ERR_CALLBACK
                   : THUD_OK;
    if (problem->impulse(t, t + h, q, f, problem->user) != 0)
        return THUD_ERR_CALLBACK;
    for (int k = 0; k < problem->dim; k++)
        f[k] /= h;
    return THUD_OK;
}

// M^-1/2 (f(q + way d) - f(q - way d)) / 2 way into high, d = M^-1/2 along.
static thud_status differ(const slopes *s)
{
    double way = PART_OF_LENGTH * s->site->length;
    for (int side = -1; side <= 1; side += 2)
    {
        for (int k = 0; k < s->problem->dim; k++)
            s->q[k] =
                s->site->q[k] + side * way * s->along[k] / sqrt(thudi_mass(s->problem->mass, k));
        THUD_TRY(force_at(s, s->q, side < 0 ? s->low : s->high));
    }
    for (int k = 0; k < s->problem->dim; k++)
        s->high[k] = (s->high[k] - s->low[k]) / (2 * way) / sqrt(thudi_mass(s->problem->mass, k));
    return THUD_OK;
}

static thud_status differ_wholly(const slopes *s, double *matrix, thud_force_bounds *bounds)
{
    int n = s->problem->dim;
    for (int c = 0; c < n; c++)
    {
        for (int k = 0; k < n; k++)
            s->along[k] = k == c;
        THUD_TRY(differ(s));
        for (int k = 0; k < n; k++)
            matrix[k * n + c] = s->high[k];
    }
    bounds->lipschitz = thudi_matrix_norm(matrix, n, matrix + (size_t)n * (size_t)n);
    return THUD_OK;
}

// Directions that follow each other as in the power method, from a start without symmetry.
static thud_status differ_along(const slopes *s, thud_force_bounds *bounds)
{
    int n = s->problem->dim;
    bounds->is_lower = true;
    for (int k = 0; k < n; k++)
        s->along[k] = 1 + (k * 37 % 101) / 101.0;
    for (int pass = 0; pass < DIRECTIONS; pass++)
    {
        double length = 0, change = 0;
        for (int k = 0; k < n; k++)
            length += s->along[k] * s->along[k];
        for (int k = 0; k < n; k++)
            s->along[k] /= sqrt(length);
        THUD_TRY(differ(s));
        for (int k = 0; k < n; k++)
        {
            change += s->high[k] * s->high[k];
            s->along[k] = s->high[k];
        }
        if (sqrt(change) > bounds->lipschitz || isnan(change))
            bounds->lipschitz = sqrt(change);
        if (!(change > 0))
            break;
    }
    return THUD_OK;
}

static thud_status measure(const slopes *s, double *matrix, thud_force_bounds *bounds)
{
    double sum = 0;
    *bounds = (thud_force_bounds){0};
    THUD_TRY(force_at(s, s->site->q, s->low));
    for (int k = 0; k < s->problem->dim; k++)
        sum += s->low[k] / thudi_mass(s->problem->mass, k) * s->low[k];
    bounds->size = sqrt(sum);
    if (!s->problem->force && !s->problem->impulse)
        return THUD_OK;
    return matrix ? differ_wholly(s, matrix, bounds) : differ_along(s, bounds);
}

thud_status thud_force_measure(const thud_inclusion *problem, const thud_site *site,
                               thud_force_bounds *bounds)
{
    thud_allocator allocator = thudi_allocator_or_default(site->allocator);
    bool is_small = problem->dim <= THUDI_DENSE_LIMIT;
    size_t dim = (size_t)problem->dim, count = (4 + (is_small ? 2 * dim : 0)) * dim;
    THUD_TRY(thud_float_check());
    if (!(site->length > 0) || !(site->h > 0))
        return THUD_ERR_ARGUMENT;
    double *room = thudi_allocate_zeroed(&allocator, count * sizeof *room);
    if (!room)
        return THUD_ERR_MEMORY;
    slopes s = {.problem = problem,
                .site = site,
                .q = room,
                .low = room + dim,
                .high = room + 2 * dim,
                .along = room + 3 * dim};
    thud_status status = measure(&s, is_small ? room + 4 * dim : NULL, bounds);
    thudi_free(&allocator, room, count * sizeof *room);
    return status;
}
