/// What the checker knows of a contact law: one const object per law, in src/verify/laws.
///
/// The solver has another table of laws. The two share no code on purpose: a mistake in one of them
/// then makes a step fail.
#ifndef THUD_CHECKED_LAW_H
#define THUD_CHECKED_LAW_H

#include "thud/verify.h"

typedef struct thudi_checker thudi_checker; // checker.h

/// One row with the multiplier that the record stores for it.
typedef struct thudi_checked_row
{
    thud_row row;
    int index;            ///< position of the row in the order of keys, for the verdict
    double impulse;       ///< mu of the step; 0 if the record stores none
    double rounding;      ///< error of mu: 0, or 8 ulps if mu was scaled to another step and back
    const double *before; ///< numbers kept of this row before the step; 0 if none were stored
    const double *after;  ///< the same after the step
} thudi_checked_row;

/// The properties of a law. A field that is 0, false or NULL means: as with inelastic contacts.
typedef struct thudi_checked_law
{
    thud_law law;
    const char *name;
    int numbers; ///< count per pair of materials, as in thud_verify_spheres_def.numbers
    /// Count of numbers that the record keeps per row, not counting the impulse. If it is 0, every
    /// memory must be 0.
    int kept;
    bool needs_second_order;
    /// The displacement is h x with x = w + M^-1 sum memory_i grad g_i, and u' differs from x.
    /// FEASIBLE and COMPLEMENTARITY then verify x, and verify_step must verify MOTION.
    bool has_own_displacement;
    /// Every row that touches changes the answer, with or without an impulse. The solver then must
    /// list all of them, and the checker allows no exception.
    bool needs_all_touching;
    /// A memory before the step is an impulse that the row has yet to give back. It must have a row
    /// in this step, at any distance of its bodies. It moves bodies, so tolerances include its
    /// rounding.
    bool owes_memories;
    /// Where rows are linearly dependent, the solver spreads the impulses over all of them by
    /// sweeps. Its tolerance is then half the shift of a row.
    bool spreads_impulses;
    /// verify_step reads checker->node: the rows of the step, evaluated at (t_n, q_n).
    bool looks_back;
    /// Verify impulse and kept numbers of one row, into the certificate SIGN. Returns the load: the
    /// impulse that must be 0 where the row is open.
    double (*verify_row)(const thudi_checked_row *row, thud_check *sign);
    /// Verify what the law demands of the step as a whole. NULL: nothing more than the nine
    /// certificates.
    thud_status (*verify_step)(thudi_checker *checker);
} thudi_checked_law;

/// The object of a law; NULL if the number is not one of a law.
const thudi_checked_law *thudi_checked_law_of(thud_law law);

#endif
