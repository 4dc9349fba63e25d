// What rows and velocities measure, in the metric of the masses and in doubled precision: for the
// methods and for the certificates.
#include "certify/certificate.h"

#include <string.h>

// Do all blocks of a row start at multiples of unit, which is their width?
static inline __attribute__((always_inline)) bool has_unit(const thud_rows *rows,
                                                           const thudi_row_head *row, unsigned unit)
{
    if (row->form == unit)
        return row->a % unit == 0 && row->b % unit == 0;
    int count = thudi_row_count(row), width = (int)unit;
    return count == 0 ||
           (thudi_row_width(row) == width && thudi_row_start(rows, row, 0) % width == 0 &&
            thudi_row_start(rows, row, count - 1) % width == 0);
}

// A constant that the compiler may divide by.
static inline __attribute__((always_inline)) thudi_row_survey survey(const thud_rows *rows,
                                                                     int unit)
{
    bool common = true, shifted = true;
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        shifted = shifted && row->shift > 0;
        common = common && has_unit(rows, row, (unsigned)unit);
    }
    return (thudi_row_survey){common ? unit : 1, shifted};
}

thudi_row_survey thudi_survey_rows(const thud_projection *problem)
{
    const thud_rows *rows = problem->rows;
    int unit = rows && rows->count > 0 ? thudi_row_width(&rows->heads.items[0]) : 1;
    if (!rows)
        return (thudi_row_survey){1, true};
    if (unit > 1 && problem->dim % unit == 0)
        return unit == 3 ? survey(rows, 3) : survey(rows, 2);
    return (thudi_row_survey){1, false};
}

// Coordinate k of slope_i in the M^-1 metric.
static double metric_slope(const thud_projection *problem, double slope, int coordinate)
{
    return problem->mass ? slope / sqrt(problem->mass[coordinate]) : slope;
}

// For slopes whose squares over- or underflow: by an exact scale, so that the bits are those of the
// plain sum.
static double scaled_row_norm(const thud_projection *problem, int i)
{
    thudi_entries row;
    thudi_row_open(problem->rows, i, &row);
    double largest = 0, sum = 0;
    for (int k = 0; k < row.size; k++)
        largest = fmax(largest, fabs(metric_slope(problem, row.slope[k], row.index[k])));
    if (largest == 0)
        return 0;
    int exponent;
    (void)frexp(largest, &exponent);
    for (int k = 0; k < row.size; k++)
    {
        double x = ldexp(metric_slope(problem, row.slope[k], row.index[k]), -exponent);
        sum += x * x;
    }
    return ldexp(sqrt(sum), exponent);
}

double thudi_row_norm(const thud_projection *problem, int i)
{
    thudi_entries row;
    thudi_row_open(problem->rows, i, &row);
    double sum = 0;
    for (int k = 0; k < row.size; k++)
    {
        double x = metric_slope(problem, row.slope[k], row.index[k]);
        sum += x * x;
    }
    return sum > THUDI_LEAST_SQUARE && sum < THUDI_LARGEST_SQUARE ? sqrt(sum)
                                                                  : scaled_row_norm(problem, i);
}

void thudi_velocity(const thud_projection *problem, const double *mu, thudi_dd *u, double *reach)
{
    const thud_rows *rows = problem->rows;
    memset(u, 0, (size_t)problem->dim * sizeof *u);
    memset(reach, 0, (size_t)problem->dim * sizeof *reach);
    for (int i = 0; rows && i < rows->count; i++)
    {
        thudi_entries row;
        thudi_row_open(rows, i, &row);
        for (int k = 0; k < row.size && mu[i] != 0; k++)
        {
            u[row.index[k]] = thudi_dd_add_product(u[row.index[k]], row.slope[k], mu[i]);
            reach[row.index[k]] += fabs(row.slope[k] * mu[i]);
        }
    }
    for (int k = 0; k < problem->dim; k++)
    {
        thudi_dd change = thudi_dd_divide(u[k], thudi_mass(problem->mass, k));
        u[k] = thudi_dd_add(change, (thudi_dd){problem->w[k], 0});
        reach[k] = fabs(problem->w[k]) + reach[k] / thudi_mass(problem->mass, k);
    }
}

thudi_dd thudi_lin_exact(const thud_projection *problem, int i, double offset, const thudi_dd *u)
{
    thudi_entries row;
    thudi_row_open(problem->rows, i, &row);
    thudi_dd speed = {0, 0};
    for (int k = 0; k < row.size; k++)
        speed = thudi_dd_add(speed, thudi_dd_scale(u[row.index[k]], row.slope[k]));
    return thudi_dd_add(thudi_two_sum(row.head->gap, -offset), thudi_dd_scale(speed, problem->h));
}

double thudi_row_scale(const thud_projection *problem, int i, const double *reach)
{
    thudi_entries row;
    thudi_row_open(problem->rows, i, &row);
    double sum = 0;
    for (int k = 0; k < row.size; k++)
        sum += fabs(row.slope[k]) * reach[row.index[k]];
    return fabs(row.head->gap) + thudi_shift(problem, i) + problem->h * sum;
}

double thudi_row_noise(const thud_projection *problem, int i)
{
    thudi_entries row;
    double sum = 0;
    if (!problem->origin)
        return 0;
    thudi_row_open(problem->rows, i, &row);
    for (int k = 0; k < row.size; k++)
        sum += fabs(row.slope[k] * problem->origin[row.index[k]]);
    return sum;
}

double thudi_length(const thud_projection *problem, const double *v)
{
    thudi_exact_four squares;
    thudi_exact_four_clear(&squares);
    for (int k = 0; k < problem->dim; k += 4)
    {
        int count = problem->dim - k; // of those that are there, the first four are loaded
        four x = four_load_first(v + k, count), m = four_of(1);
        if (problem->mass)
            m = four_load_first(problem->mass + k, count);
        thudi_exact_four_add(&squares, m * x * x);
    }
    return sqrt(thudi_exact_four_total(&squares));
}
