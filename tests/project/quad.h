/// The projection in 113-bit arithmetic, by a method of its own: the truth Thud is held against.
///
/// In the variable x = M^1/2 v with rows of unit slope a_i:  a_i . x + b_i >= 0.
#ifndef PROJECTION_QUAD_H
#define PROJECTION_QUAD_H

#include "problem.h"

__extension__ typedef __float128 quad;

typedef struct quad_problem
{
    int dim, count;
    quad *a;     ///< count rows of length dim, each of length 1 or 0
    quad *b;     ///< gap / (h norm); the gap itself for a row without slope
    quad *norm;  ///< |slope_i| in the M^-1 norm
    quad *start; ///< M^1/2 w
    quad *root;  ///< square roots of the masses
} quad_problem;

/// A solution with what it is worth.
typedef struct quad_solution
{
    quad *x;         ///< length dim, the sum start + sum_i z_i a_i
    quad *z;         ///< multipliers of the unit rows, >= 0
    quad *violation; ///< (-a_i . x - b_i)+
    quad bound;      ///< |x - P x0| for K enlarged by `violation`
    quad doubt;      ///< about |x - P x0| where the active rows are the right ones: no root
    bool is_solved;
} quad_solution;

quad quad_sqrt(quad square);
static inline quad quad_abs(quad x)
{
    return x < 0 ? -x : x;
}

/// gap: the gaps to use, length count.
quad_problem *quad_problem_create(const problem *p, const quad *gap);
void quad_problem_destroy(quad_problem *q);

/// a_i . x + b_i
quad quad_row(const quad_problem *q, int i, const quad *x);

/// Solve by a dual active set, from nothing.
quad_solution *quad_solve(const quad_problem *q);
void quad_solution_destroy(quad_solution *s);

#endif
