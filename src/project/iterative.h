// What the iterative methods share: the dual problem, its sweep and its stopping rule.
//
// With x = mu and U = w + M^-1 G^T x carried along, row i has the constraint velocity
//     v_i = (gap_i - shift_i) / h + slope_i . U,
// the dual objective f(x) has gradient v, and A_ii = |slope_i|^2 in the M^-1 metric. The residual
// of row i is |min(A_ii x_i, v_i)|; a method stops when it is at most stop_i for every row.
#ifndef THUDI_ITERATIVE_H
#define THUDI_ITERATIVE_H

#include "project/projector.h"

// A pair row as the sweep reads it: everything in one place, nothing it does not need.
typedef struct thudi_link
{
    int a, b;          // first coordinates of its blocks; b = a for a single block
    double slope_a[3]; // of block a
    double slope_b[3]; // of block b, 0 for a single block
    double diagonal;   // A_ii
    double inverse;    // 1 / A_ii, 0 for a zero row
    double level;      // (gap - shift) / h
    double x, before;  // multiplier, and that of the sweep before
} thudi_link;

// The problem as the sweeps see it. Arrays by row unless said; all live in the projector.
typedef struct thudi_iteration
{
    const thud_projection *problem;
    thud_effort *effort;
    int rows, dim;
    int sweep_limit;      // 0: none
    double *inverse_mass; // by coordinate
    double *level;        // (gap - shift) / h
    double *inverse;      // 1 / A_ii, 0 for a zero row
    double *stop;         // largest residual allowed
    double *inverse_stop; // one over it
    thudi_link *links;    // when all rows are pair rows of one width, else NULL
    int width;            // their width
    double *x;            // the multipliers
    double *before;       // those of the sweep before, or scratch
    double *mark;         // those when growth was last looked at
    double *velocity;     // U, by coordinate
    double *velocity_before;
    double *saved;    // those to go back to
    double *gradient; // scratch
} thudi_iteration;

// What one sweep from y = x + beta (x - before) saw.
typedef struct thudi_sweep
{
    double turn;     // sum of (y - x_new) (x_new - x): > 0 when momentum points uphill
    double worst;    // largest residual over stop, as seen on the way
    double decrease; // f(x_new) - f(y), exactly, <= 0
} thudi_sweep;

// Fill an iteration from a task: scales, stop rule, warm start, U.
thud_status thudi_iteration_begin(const thudi_task *task, thudi_iteration *it);

// velocity = w + M^-1 G^T x.
void thudi_iteration_velocity(const thudi_iteration *it, const double *x, double *velocity);

// One forward Gauss-Seidel sweep with momentum beta; U must hold w + M^-1 G^T y on entry. On
// return x is the new iterate, before the old one, and U belongs to x.
thudi_sweep thudi_iteration_sweep(thudi_iteration *it, double beta);

// U = w + M^-1 G^T x anew, then the largest residual over stop.
double thudi_iteration_evaluate(thudi_iteration *it);

// Keep the present multipliers; go back to the ones kept, without momentum.
void thudi_iteration_save(thudi_iteration *it);
void thudi_iteration_restore(thudi_iteration *it);

// Has x grown along a direction that proves the problem infeasible since the last call? If so the
// direction is left in task->y.
bool thudi_iteration_is_hopeless(const thudi_task *task, thudi_iteration *it);

// Copy x to the task's mu.
void thudi_iteration_end(const thudi_task *task, thudi_iteration *it);

#endif
