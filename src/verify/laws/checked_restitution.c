// Restitution, as the checker sees it. The memory of a row is its multiplier of the displacement,
// and its impulse that of the velocity. Neither may pull. checked_impact.c verifies the rest.
//
//     mu_i >= 0,   memory_i >= 0
#include "verify/checker.h"
#include "verify/laws/checked_impact.h"

static double verify_row(const thudi_checked_row *row, thud_check *sign)
{
    double mu = row->impulse, kept = row->after[0];
    thudi_checker_keep_worst(sign, kept >= 0 ? 0 : -kept, 0, row->index, row->row.key);
    thudi_checker_keep_worst(sign, mu >= 0 ? 0 : -mu, 0, row->index, row->row.key);
    return kept;
}

const thudi_checked_law thudi_checked_restitution = {
    .law = THUD_LAW_RESTITUTION,
    .name = "restitution",
    .numbers = 1,
    .kept = 1,
    .needs_second_order = true,
    .has_own_displacement = true,
    .needs_all_touching = true,
    .looks_back = true,
    .verify_row = verify_row,
    .verify_step = thudi_checker_verify_impact,
};
