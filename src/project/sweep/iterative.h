// What the iterative methods share: the dual problem, its sweep and its stopping rule.
//
// With x = mu and U = w + M^-1 G^T x carried along, row i has the constraint velocity
//     v_i = (gap_i - shift_i) / h + slope_i . U,
// the dual objective f(x) has gradient v, and A_ii = |slope_i|^2 in the M^-1 metric. The residual
// of row i is |min(A_ii x_i, v_i)|; a method stops when it is at most stop_i for every row.
#ifndef THUDI_ITERATIVE_H
#define THUDI_ITERATIVE_H

#include "project/projector.h"
#include "project/sweep/packs.h"

// The residual over its tolerance, as a sweep saw it on the way, from which on all residuals are
// tested: later rows of the same sweep may have mended what it saw.
static const double THUDI_WORTH_A_TEST = 1.5;

// The problem as the sweeps see it. Arrays by row unless said. All are rooms.
typedef struct thudi_iteration
{
    const thud_projection *problem;
    thud_effort *effort;
    int rows, dim;
    int sweep_limit;           // 0: none
    double *inverse_mass;      // by coordinate
    double *level;             // (gap - shift) / h
    double *inverse;           // 1 / A_ii, 0 for a zero row
    double *tolerance;         // largest residual allowed
    double *inverse_tolerance; // one over it
    double *x;                 // the multipliers
    double *before;            // those of the sweep before, or scratch
    double *mark;              // those when growth was last looked at (accelerated gradient)
    double *velocity;          // U, by coordinate
    double *velocity_before;
    double *saved;    // those to go back to
    double *gradient; // scratch
} thudi_iteration;

// Fill an iteration from a task: scales, stop rule, warm start, U.
thud_status thudi_iteration_begin(const thudi_task *task, thudi_iteration *it);

// velocity = w + M^-1 G^T x.
void thudi_iteration_velocity(const thudi_iteration *it, const double *x, double *velocity);

// U <- U + beta (U - U_before), then one forward Gauss-Seidel sweep with that momentum. On return x
// is the new iterate, before the old one, and U belongs to x.
thudi_sweep thudi_iteration_sweep(thudi_iteration *it, double beta);

// U = w + M^-1 G^T x computed again, then the largest residual over stop.
double thudi_iteration_evaluate(thudi_iteration *it);

// Keep the present multipliers; go back to the ones kept, without momentum.
void thudi_iteration_save(thudi_iteration *it);
void thudi_iteration_restore(thudi_iteration *it);

// Has x grown since `mark` held it along a direction that proves the task's problem infeasible? If
// so *grown, and the direction is left in task->y. length: |U|. Both by row of the problem.
thud_status thudi_has_grown(const thudi_task *task, const double *x, const double *mark,
                            double length, bool *grown);

#endif
