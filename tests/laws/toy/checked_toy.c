// Contacts that count, as the checker sees them. While a contact lasts its three numbers follow
// from those before the step and from its impulse; a contact without an impulse has none.
//
//     mu_i >= 0
//     sum' - sum = toy mu_i,   steps' - steps = 1,   largest' = largest, or mu_i if that is larger
#include "verify/checker.h"

#include <float.h>

// The sum is rounded once here and once by the solver.
#define SUM_ULPS (8 * DBL_EPSILON)

static double verify_row(const thudi_checked_row *row, thud_check *sign)
{
    const double *numbers = row->row.numbers, *before = row->before, *after = row->after;
    double mu = row->impulse, wanted[3] = {0, 0, 0}, allowed = 0;
    thud_key key = row->row.key;
    if (numbers && mu > 0)
    {
        wanted[0] = before[0] + numbers[0] * mu;
        wanted[1] = before[1] + 1;
        wanted[2] = mu >= numbers[1] && mu > before[2] ? mu : before[2];
        allowed = SUM_ULPS * (fabs(before[0]) + numbers[0] * mu);
    }
    thudi_checker_keep_worst(sign, mu >= 0 ? 0 : -mu, 0, row->index, key);
    thudi_checker_keep_worst(sign, fabs(after[0] - wanted[0]), allowed, row->index, key);
    thudi_checker_keep_worst(sign, fabs(after[1] - wanted[1]), 0, row->index, key);
    thudi_checker_keep_worst(sign, fabs(after[2] - wanted[2]), row->rounding, row->index, key);
    return mu;
}

const thudi_checked_law thudi_checked_toy = {
    .law = THUD_LAW_TOY,
    .name = "toy",
    .numbers = 2,
    .kept = 3,
    .verify_row = verify_row,
};
