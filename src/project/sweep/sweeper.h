// What the Gauss-Seidel methods work on: rows of any shape, or pair rows in packs.
//
// With x = mu and U = w + M^-1 G^T x carried along, row i has the constraint velocity
//     v_i = (gap_i - shift_i) / h + slope_i . U,
// the dual objective f(x) has gradient v, and A_ii = |slope_i|^2 in the M^-1 metric. The residual
// of row i is |min(A_ii x_i, v_i)|; a method stops when it is at most stop_i for every row.
#ifndef THUDI_SWEEPER_H
#define THUDI_SWEEPER_H

#include "project/sweep/iterative.h"

typedef struct thudi_sweeper
{
    const thudi_task *task;
    bool packed; // by packs, else by rows in `it`
    thudi_packs packs;
    thudi_iteration it; // of the rows
    double *mark;       // by row: multipliers when growth was last looked at, in a room; else NULL
} thudi_sweeper;

// Begin at the task's first guess, with packs if its rows suit them. The rooms that are opened,
// here and below, are for the caller of the method to close.
thud_status thudi_sweeper_begin(const thudi_task *task, thudi_sweeper *sweeper);

// Extrapolate with momentum beta, then one forward Gauss-Seidel sweep: x is the new iterate then,
// before the old one, and U belongs to x. Errors: THUD_ERR_STOPPED, before the sweep, if a stop was
// requested; no memory; the error of another member of a team.
thud_status thudi_sweeper_sweep(thudi_sweeper *sweeper, double beta, thudi_sweep *seen);

// U = w + M^-1 G^T x computed again, then the largest residual over stop.
double thudi_sweeper_evaluate(thudi_sweeper *sweeper);

// Look for rows that are missing at the present velocity, and sweep them too from now on. *added
// counts them; it is 0 where the task must not look.
thud_status thudi_sweeper_look(thudi_sweeper *sweeper, int *added);

// Keep the present multipliers; go back to the ones kept, without momentum.
void thudi_sweeper_save(thudi_sweeper *sweeper);
void thudi_sweeper_restore(thudi_sweeper *sweeper);

// Have the multipliers grown since the last call along a direction that proves the problem
// infeasible? If so *grown, and the direction is left in task->y.
thud_status thudi_sweeper_find_growth(thudi_sweeper *sweeper, bool *grown);

// Copy x to the task's mu.
void thudi_sweeper_end(thudi_sweeper *sweeper);

#endif
