/// What the checker knows of a contact law: one const object per law, in src/verify/laws.
///
/// The solver has a table of laws of its own. This one is written apart from it on purpose: a
/// mistake in one of them then shows as a step that fails.
#ifndef THUD_CHECKED_LAW_H
#define THUD_CHECKED_LAW_H

#include "thud/verify.h"

typedef struct thudi_checker thudi_checker; // checker.h

/// One row with the multiplier that the record stores for it.
typedef struct thudi_checked_row
{
    thud_row row;
    int index;            ///< of the row in the order of keys, for the verdict
    double impulse;       ///< mu of the step; 0 if the record stores none
    double rounding;      ///< of mu: 0, or a few ulps if mu was scaled to another step and back
    const double *before; ///< the numbers that the law kept of this row before the step, else 0
    const double *after;  ///< the same after the step
} thudi_checked_row;

typedef struct thudi_checked_law
{
    thud_law law;
    const char *name;
    int numbers; ///< that a pair of materials has, as in thud_verify_spheres_def.numbers
    /// Numbers that the record keeps per row beside the impulse. With 0 every memory must be 0.
    int kept;
    bool needs_second_order;
    /// The displacement is h x with x = w + M^-1 sum memory_i grad g_i, and u' is another velocity.
    /// FEASIBLE and COMPLEMENTARITY then verify x, and verify_step must verify MOTION.
    bool has_own_displacement;
    /// Every row that touches changes the answer, with or without an impulse. The solver then lists
    /// all of them, and the checker excuses none.
    bool needs_all_touching;
    /// Memories of before are impulses that rows still owe. Each must have a row in this step,
    /// however far its bodies are apart. They move bodies, so their rounding is allowed for.
    bool owes_memories;
    /// Where rows depend on each other the solver spreads the impulses over all of them by sweeps.
    /// It stops at half the shift of a row.
    bool spreads_impulses;
    /// verify_step reads checker->node: the rows of the step once more, at (t_n, q_n).
    bool looks_back;
    /// Verify impulse and kept numbers of one row into SIGN. Return the load: what must be 0 where
    /// the row is open.
    double (*verify_row)(const thudi_checked_row *row, thud_check *sign);
    /// Verify what the law demands of the step as a whole. NULL: no more than the nine
    /// certificates.
    thud_status (*verify_step)(thudi_checker *checker);
} thudi_checked_law;

/// The law's object, NULL for a number that is no law.
const thudi_checked_law *thudi_checked_law_of(thud_law law);

#endif
