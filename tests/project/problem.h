/// A projection with dense rows that a test can build, alter, copy and hand to Thud.
#ifndef PROJECTION_PROBLEM_H
#define PROJECTION_PROBLEM_H

#include "thud/project.h"

typedef enum problem_trait
{
    TRAIT_DENSE = 1 << 0,     ///< rows with all coordinates
    TRAIT_SPARSE = 1 << 1,    ///< rows of one to four coordinates
    TRAIT_PAIR = 1 << 2,      ///< rows of one or two blocks, pushed in the pair shape
    TRAIT_LOW_RANK = 1 << 3,  ///< rows in a subspace: dependent on each other
    TRAIT_INTEGER = 1 << 4,   ///< small integers: all sums exact, many ties
    TRAIT_CHAIN = 1 << 5,     ///< neighbours on a line
    TRAIT_DUPLICATE = 1 << 6, ///< copies of rows, some of them scaled
    TRAIT_OPPOSITE = 1 << 7,  ///< slots, some without width
    TRAIT_ZERO = 1 << 8,      ///< rows without slope
    TRAIT_PARALLEL = 1 << 9,  ///< rows at angles of 1e-15 to 1e-3 to others
    TRAIT_VERTEX = 1 << 10,   ///< all rows through one point
    TRAIT_SCALES = 1 << 11,   ///< rows times 1e-12 .. 1e12
    TRAIT_MASS = 1 << 12,     ///< masses of a ratio up to 1e6
    TRAIT_SHIFT = 1 << 13,    ///< shifts that count
    TRAIT_INFEASIBLE = 1 << 14,
    TRAIT_ORIGIN = 1 << 15 ///< gaps are declared to be known to rounding only
} problem_trait;

typedef struct problem
{
    uint64_t seed;
    unsigned traits;
    int dim, count;
    int width; ///< 2 or 3: rows are pushed in the pair shape; 0: in the general one
    double h;
    double shift_scale;
    double speed;               ///< the size of velocities here
    double *mass, *w, *inside;  ///< length dim; inside: in K but for rounding
    double *origin;             ///< h times inside: the sizes that the gaps were made from
    double *slope;              ///< count rows of length dim
    double *gap, *shift, *warm; ///< length count
    bool is_warm;
} problem;

problem *problem_create(int dim, int count);
problem *problem_copy(const problem *from);
void problem_destroy(problem *p);

static inline double *problem_slope(const problem *p, int i)
{
    return p->slope + (size_t)i * (size_t)p->dim;
}

/// The rows as Thud takes them, with key = number. order: row order[i] is pushed i-th; NULL: as
/// they are.
thud_rows *problem_rows(const problem *p, const int *order);

/// What thud_project takes; borrows p and rows.
thud_projection problem_projection(const problem *p, const thud_rows *rows);

#endif
