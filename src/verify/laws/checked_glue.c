// Glue, as the checker sees it. A row that was pressed together pulls until the same impulse is
// paid back. Its memory gamma <= 0 is what it still owes.
//
//     nu_i = mu_i - gamma_i >= 0                      gamma before the step
//     memory after = max(gamma_min, -nu_i)            gamma_min of the materials
#include "verify/checker.h"

#include <float.h>

// The memory is the difference of two numbers, which the solver rounds a few times on the way.
#define MEMORY_ULPS (8 * DBL_EPSILON)

static void read_numbers(const thud_check_spheres_def *def, size_t entry, thud_row *row)
{
    row->glue = def->glue ? def->glue[entry] : 0;
}

static double verify_row(const thudi_checked_row *row, thud_check *sign)
{
    double mu = row->impulse, owed = row->before[0], kept = row->after[0];
    double nu = mu - owed, wanted = -nu > row->row.glue ? -nu : row->row.glue;
    thud_key key = row->row.key;
    thudi_exam_note(sign, nu >= 0 ? 0 : -nu, row->rounding, row->index, key);
    thudi_exam_note(sign, owed <= 0 ? 0 : owed, 0, row->index, key);
    thudi_exam_note(sign, kept == wanted ? 0 : fabs(kept - wanted),
                    MEMORY_ULPS * (fabs(mu) + fabs(owed)), row->index, key);
    return nu;
}

const thudi_checked_law thudi_checked_glue = {
    .name = "glue",
    .kept = 1,
    .needs_second_order = true,
    .owes_memories = true,
    .spreads_impulses = true,
    .read_numbers = read_numbers,
    .verify_row = verify_row,
};
