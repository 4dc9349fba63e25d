// A1, A2, A3 and A5: gradients and time derivatives of the constraints at a site.
//
// With g_0, g_1, g_2 at t, t + s, t + 2 s, s a quarter of a step:
//     dg/dt = (-3 g_0 + 4 g_1 - g_2) / 2 s,   d^2 g/dt^2 = (g_0 - 2 g_1 + g_2) / s^2,
// and the same for gradients, with s < 0 at the end of a run: so no time is asked for where nothing
// may be defined.
#include "theory/theory.h"

static const double PART_OF_STEP = 0.25;
// Of |g| and |slope| |q|: what differences in time are not to be believed below, in ulps.
static const double NOISE = 64 * 0x1p-52;

double thudi_slope_norm(const thud_inclusion *problem, const thud_rows *rows, int i)
{
    const thudi_row_head *row = &rows->heads.items[i];
    double sum = 0;
    for (int k = 0; k < thudi_row_size(row); k++)
    {
        double slope = thudi_row_slope(rows, row, k);
        sum += slope / thudi_mass(problem->mass, thudi_row_coordinate(rows, row, k)) * slope;
    }
    return sqrt(sum);
}

static double step_of(const thud_site *site)
{
    return (site->is_end ? -PART_OF_STEP : PART_OF_STEP) * site->h;
}

// How exactly g is known there.
static double noise_of(const thud_site *site, const thud_rows *rows, int i)
{
    const thudi_row_head *row = &rows->heads.items[i];
    double size = fabs(row->gap);
    for (int k = 0; k < thudi_row_size(row); k++)
        size += fabs(thudi_row_slope(rows, row, k) * site->q[thudi_row_coordinate(rows, row, k)]);
    return NOISE * size;
}

// |d(slope)/dt| in the M^-1 norm.
static double turning(const thud_inclusion *problem, const thud_rows *const at[3], const int i[3],
                      double step)
{
    const thudi_row_head *row = &at[0]->heads.items[i[0]];
    double sum = 0, size = 0;
    for (int k = 0; k < thudi_row_size(row); k++)
    {
        double slope[3];
        for (int j = 0; j < 3; j++)
        {
            slope[j] = thudi_row_slope(at[j], &at[j]->heads.items[i[j]], k);
            size += fabs(slope[j]);
        }
        double rate = (-3 * slope[0] + 4 * slope[1] - slope[2]) / (2 * step);
        sum += rate / thudi_mass(problem->mass, thudi_row_coordinate(at[0], row, k)) * rate;
    }
    return 2 * fabs(step) * sqrt(sum) > NOISE * size ? sqrt(sum) : 0;
}

static void differ(const thud_inclusion *problem, const thud_site *site,
                   const thud_rows *const at[3], const int i[3], thud_bounds *bounds)
{
    double step = step_of(site), g[3], noise = noise_of(site, at[0], i[0]);
    thud_key key = at[0]->heads.items[i[0]].key;
    for (int j = 0; j < 3; j++)
        g[j] = at[j]->heads.items[i[j]].gap;
    double first = -3 * g[0] + 4 * g[1] - g[2], second = g[0] - 2 * g[1] + g[2];
    if (!(fabs(first) <= noise))
        thudi_raise(&bounds->gap_t, fabs(first / (2 * step)), key);
    if (!(fabs(second) <= noise))
        thudi_raise(&bounds->gap_tt, fabs(second) / (step * step), key);
    thudi_raise(&bounds->slope_t, turning(problem, at, i, step), key);
}

// All three lists are sorted; rows that are not in all of them are passed over.
static void differ_all(const thud_inclusion *problem, const thud_site *site,
                       const thud_rows *const at[3], thud_bounds *bounds)
{
    int i[3] = {0, 0, 0};
    for (; i[0] < at[0]->count; i[0]++)
    {
        const thudi_row_head *row = &at[0]->heads.items[i[0]];
        bool found = true;
        for (int j = 1; j < 3; j++)
        {
            while (i[j] < at[j]->count && thud_key_before(at[j]->heads.items[i[j]].key, row->key))
                i[j]++;
            found = found && i[j] < at[j]->count &&
                    thud_key_same(at[j]->heads.items[i[j]].key, row->key) &&
                    thudi_row_size(&at[j]->heads.items[i[j]]) == thudi_row_size(row);
        }
        if (found)
            differ(problem, site, at, i, bounds);
    }
}

// The theorem needs the lower bound only near the boundary.
static void measure_slopes(const thud_inclusion *problem, const thud_site *site,
                           const thud_rows *rows, thud_bounds *bounds)
{
    *bounds = (thud_bounds){.rows = rows->count, .alpha = {.value = INFINITY}};
    for (int i = 0; i < rows->count; i++)
    {
        double norm = thudi_slope_norm(problem, rows, i);
        thud_key key = rows->heads.items[i].key;
        if (rows->heads.items[i].gap <= site->reach && !(norm >= bounds->alpha.value))
            bounds->alpha = (thud_extreme){norm, key};
        thudi_raise(&bounds->beta, norm, key);
    }
}

thud_status thud_bounds_measure(const thud_inclusion *problem, const thud_site *site,
                                thud_bounds *bounds)
{
    thud_rows *rows[3] = {NULL, NULL, NULL};
    thud_status status = site->length > 0 ? THUD_OK : THUD_ERR_ARGUMENT;
    for (int j = 0; j < 3 && status >= 0; j++)
    {
        thud_site later = *site;
        later.t = site->t + j * step_of(site);
        status = thud_rows_create(problem->dim, site->allocator, &rows[j]);
        if (status >= 0)
            status = thud_site_rows(problem, &later, rows[j]);
    }
    if (status >= 0)
    {
        const thud_rows *const at[3] = {rows[0], rows[1], rows[2]};
        measure_slopes(problem, site, rows[0], bounds);
        differ_all(problem, site, at, bounds);
        status = thudi_curvature_measure(problem, site, rows[0], bounds);
    }
    for (int j = 0; j < 3; j++)
        thud_rows_destroy(rows[j]);
    return status;
}

double thud_safe_step(const thud_bounds *bounds, double reach, double gamma)
{
    double speed = bounds->beta.value * bounds->gap_t.value * gamma;
    return speed > 0 ? reach * bounds->alpha.value / speed : INFINITY;
}
