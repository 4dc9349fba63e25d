/// A number that may depend on time: a constant, an expression or a table. (library thud_scene)
///
/// Every number of a scene that may change during a run has this one type: points and normals of
/// walls, poses, gravity, growth, shear, wanted velocities, forces, impulses, gaps, planes and
/// points of measures, exact solutions. thud/scene.h has a visitor over all of them.
#ifndef THUD_VARYING_H
#define THUD_VARYING_H

#include "thud/expression.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where something was written, for errors found later.
typedef struct thud_place
{
    const char *file;
    int line, column;
} thud_place;

typedef enum thud_varying_kind
{
    THUD_VARYING_NONE,       ///< not given
    THUD_VARYING_CONSTANT,   ///< `value`
    THUD_VARYING_EXPRESSION, ///< `expression`, of t, and of coordinates where the scene allows them
    THUD_VARYING_TABLE       ///< `table`, of t
} thud_varying_kind;

/// The natural cubic spline through knots. It is twice differentiable.
typedef struct thud_knots
{
    int count;                       ///< at least 2
    const double *t, *value, *curve; ///< times, in order; values and second derivatives there
} thud_knots;

/// All zero: not given.
typedef struct thud_varying
{
    thud_varying_kind kind;
    double value; ///< of a constant
    /// The text as written, also of a constant; NULL if there is none.
    const thud_expression *expression;
    const thud_knots *table; ///< NULL unless it is a table
    thud_place place;        ///< all zero where the scene does not write it
} thud_varying;

/// Does the scene give it?
static inline bool thud_varying_is_given(const thud_varying *varying)
{
    return varying->kind != THUD_VARYING_NONE;
}

/// The value at t; 0 if not given. NAN outside the times of a table, with a tolerance
/// for rounding. room: thud_varying_room numbers of scratch memory, no two threads the same.
THUD_API double thud_varying_at(const thud_varying *varying, double t, double *room);

/// The value at t where the coordinates are q.
THUD_API double thud_varying_at_point(const thud_varying *varying, double t, const double *q,
                                      double *room);

/// Value and derivatives at t, all 0 if not given. The arrays of the jet are as
/// thud_expression_differentiate wants them; q is NULL where no coordinate appears.
THUD_API void thud_varying_differentiate(const thud_varying *varying, double t, const double *q,
                                         double *room, thud_jet *jet);

/// How many numbers of scratch memory an evaluation needs.
THUD_API int thud_varying_room(const thud_varying *varying);

/// Does it depend on t?
THUD_API bool thud_varying_uses_time(const thud_varying *varying);

/// What is known of a number x between two times.
typedef struct thud_varying_bounds
{
    double x_t;  ///< at least |x'|; NAN where no bound is known
    double x_tt; ///< at least |x''|; NAN where no bound is known
    int kink;    ///< the column of the first abs, step, min or max of t in its text; 0: none
} thud_varying_bounds;

/// Bounds from a to b: known for constants, for expressions that are affine in t, for tables. x_t
/// of an expression in coordinates and t is not known. room: as for thud_varying_at.
THUD_API thud_varying_bounds thud_varying_bound(const thud_varying *varying, double a, double b,
                                                double *room);

#ifdef __cplusplus
}
#endif

#endif
