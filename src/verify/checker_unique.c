// Are the rows that touch independent, so that a step has one set of multipliers only? By
// orthogonalising their slopes in the metric of M^-1. What is nearly dependent counts as dependent.
#include "verify/checker.h"

// Of its length: what must be left of a slope that the others do not make up.
static const double LEFT = 1e-5;

// Rows with slacks up to so many shifts touch: a row that the solver keeps at its shift may miss it
// by half.
static const double TOUCHING = 1.5;

// A row that glue held before the step is one of those that it is solved with, open or not.
static bool touches(const thudi_checker *checker, int i)
{
    thud_row_room room;
    double shift = thudi_checker_row(checker, i, &room).shift;
    return thudi_checker_memory_before(checker, i) != 0 ||
           thudi_sum_value(checker->lin_x[i]) <= TOUCHING * shift + checker->allowed[i];
}

static double inner(const double *a, const double *b, int dim)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += a[k] * b[k];
    return sum;
}

// Take from v what the unit vectors in `base` make up, twice, as rounding would have it; false if
// too little is left. v is then of unit length.
static bool is_new(const double *base, int count, double *v, int dim)
{
    double length = sqrt(inner(v, v, dim));
    for (int n = 0; n < 2 * count; n++)
    {
        const double *unit = base + (size_t)(n % count) * (size_t)dim;
        double part = inner(unit, v, dim);
        for (int k = 0; k < dim; k++)
            v[k] -= part * unit[k];
    }
    double left = sqrt(inner(v, v, dim));
    for (int k = 0; k < dim; k++)
        v[k] /= left;
    return left > LEFT * length;
}

thud_status thudi_checker_is_unique(thudi_checker *checker, bool *is_unique)
{
    size_t dim = (size_t)checker->dim, size = dim * dim * sizeof(double);
    int count = 0;
    double *base = thudi_checker_allocate(checker, size);
    if (!base)
        return THUD_ERR_MEMORY;
    *is_unique = true;
    for (int i = 0; i < checker->row_count && *is_unique; i++)
    {
        if (!touches(checker, i))
            continue;
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        double *v = base + (size_t)count * dim;
        *is_unique = count < checker->dim;
        for (int e = 0; *is_unique && e < thudi_row_length(&row); e++)
        {
            int k = thudi_row_coordinate(&row, e);
            v[k] = row.slope[e] / sqrt(thudi_checker_mass(checker, k));
        }
        *is_unique = *is_unique && is_new(base, count++, v, checker->dim);
    }
    thudi_checker_release(checker, base, size);
    return THUD_OK;
}
