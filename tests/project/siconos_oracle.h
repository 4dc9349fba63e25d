/// The projection as a linear complementarity problem, solved by Siconos (Lemke's method).
#ifndef PROJECTION_SICONOS_ORACLE_H
#define PROJECTION_SICONOS_ORACLE_H

#include "problem.h"

typedef enum oracle_result
{
    ORACLE_ABSENT, ///< built without Siconos
    ORACLE_SOLVED, ///< u and mu hold its answer
    ORACLE_FAILED  ///< it says so itself: a ray (no solution) or no end
} oracle_result;

/// u[0 .. dim) and mu[0 .. count) receive the answer.
oracle_result oracle_solve(const problem *p, double *u, double *mu);

#endif
