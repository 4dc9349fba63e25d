/// A copy of what thud_project answered, which outlives the projector's next use.
#ifndef PROJECTION_OUTCOME_H
#define PROJECTION_OUTCOME_H

#include "problem.h"

typedef struct outcome
{
    thud_status status;
    int dim, count;
    thud_answer answer;   ///< its arrays are copies, rows in the order of the problem
    double *u, *mu, *lin; ///< the same arrays; 0 unless solved
} outcome;

/// Solve p with its rows pushed in `order` (NULL: as they are). projector: NULL for a fresh one.
outcome *outcome_solve(const problem *p, const int *order, thud_projector *projector);
void outcome_destroy(outcome *o);

#endif
