// Glue, as the checker sees it. A row that was pressed together pulls until the same impulse is
// paid back. Its memory gamma <= 0 is what it still owes.
//
//     nu_i = mu_i - gamma_i >= 0                      gamma before the step
//     memory after = max(gamma_min, -nu_i)            gamma_min of the materials
#include "verify/checker.h"

#include <float.h>

// The memory is the difference of two numbers, which the solver rounds a few times on the way.
#define MEMORY_ULPS (8 * DBL_EPSILON)

static double verify_row(const thudi_checked_row *row, thud_check *sign)
{
    double mu = row->impulse, owed = row->before[0], kept = row->after[0];
    double least = row->row.numbers ? row->row.numbers[0] : 0; // gamma_min
    double nu = mu - owed, wanted = -nu > least ? -nu : least;
    thud_key key = row->row.key;
    thudi_checker_keep_worst(sign, nu >= 0 ? 0 : -nu, row->rounding, row->index, key);
    thudi_checker_keep_worst(sign, owed <= 0 ? 0 : owed, 0, row->index, key);
    thudi_checker_keep_worst(sign, kept == wanted ? 0 : fabs(kept - wanted),
                             MEMORY_ULPS * (fabs(mu) + fabs(owed)), row->index, key);
    return nu;
}

const thudi_checked_law thudi_checked_glue = {
    .law = THUD_LAW_GLUE,
    .name = "glue",
    .numbers = 1,
    .kept = 1,
    .needs_second_order = true,
    .owes_memories = true,
    .spreads_impulses = true,
    .verify_row = verify_row,
};
