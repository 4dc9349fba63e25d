// The constraints near a position, asked of the problem itself.
//
// A problem pushes what could matter in a step. A world of spheres takes what the prediction w and
// the velocity u could close: here u = 0 and every body is predicted to move by reach / 2 at least,
// so that any gap up to reach could be closed.
#include "core/memory.h"
#include "thud/hypotheses.h"

static thud_status call_gaps(const thud_inclusion *problem, const thud_site *site, double *u,
                             thud_rows *rows)
{
    double *w = u + problem->dim;
    for (int k = 0; k < problem->dim; k++)
        w[k] = site->reach / (2 * site->h);
    thud_moment at = {.phase = THUD_LINEARISE,
                      .t = site->t,
                      .h = site->h,
                      .q = site->q,
                      .u = u,
                      .w = w,
                      .multipliers = site->multipliers,
                      .multiplier_count = site->multiplier_count};
    int failed = problem->gaps(&at, rows, problem->user);
    THUD_TRY(thud_rows_status(rows));
    return failed ? THUD_ERR_CALLBACK : THUD_OK;
}

thud_status thud_site_rows(const thud_inclusion *problem, const thud_site *site, thud_rows *rows)
{
    thud_allocator allocator = thudi_allocator_or_default(site->allocator);
    size_t size = 2 * (size_t)problem->dim * sizeof(double);
    thud_rows_clear(rows);
    THUD_TRY(thud_float_check());
    if (!(site->reach > 0) || !(site->h > 0) || thud_rows_dim(rows) != problem->dim)
        return THUD_ERR_ARGUMENT;
    if (!problem->gaps)
        return THUD_OK;
    double *u = thudi_allocate_zeroed(&allocator, size);
    if (!u)
        return THUD_ERR_MEMORY;
    thud_status status = call_gaps(problem, site, u, rows);
    thudi_free(&allocator, u, size);
    if (status >= 0)
        thud_rows_sort(rows);
    return status;
}
