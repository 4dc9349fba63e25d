// Inelastic contacts, as the checker sees them: a row pushes and never pulls, and remembers
// nothing.
//
//     mu_i >= 0
#include "verify/checker.h"

static double verify_row(const thudi_checked_row *row, thud_check *sign)
{
    double mu = row->impulse;
    thudi_checker_keep_worst(sign, mu >= 0 ? 0 : -mu, 0, row->index, row->row.key);
    return mu;
}

const thudi_checked_law thudi_checked_inelastic = {
    .law = THUD_LAW_INELASTIC,
    .name = "inelastic",
    .verify_row = verify_row,
};
