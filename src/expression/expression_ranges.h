// Ranges of an expression over a stretch of time, coordinates fixed: of the value and of its slope
// in t. They contain the true ones, rounding included.
#ifndef THUDI_EXPRESSION_RANGES_H
#define THUDI_EXPRESSION_RANGES_H

#include "expression/expression_program.h"
#include "thud/inclusion.h"

// A function of time at whose zeros an expression jumps or bends: an argument of step or abs, the
// first of atan2 (which jumps behind the origin), or the difference of one argument of min or max
// from the least or largest of those before it.
typedef struct thudi_kink
{
    const thud_expression *expression;
    int node;     // of the expression,
    int argument; // and which of its arguments: from 1 on for min and max
} thudi_kink;

// The kinks that depend on t (and on no coordinate, if `alone`) into kinks[0 ..), unless it is
// NULL; how many there are.
int thudi_expression_kinks(const thud_expression *expression, bool alone, thudi_kink *kinks);

// The range over [from, to] at q; room as for thud_expression_value. from = to: low and high are
// the value as thud_expression_value computes it, without slopes.
thud_kink_range thudi_kink_range(const thudi_kink *kink, double from, double to, const double *q,
                                 double *room);

#endif
