/// Expressions computed from their text in quadruple precision, written apart from the library.
#ifndef QUAD_INTERPRETER_H
#define QUAD_INTERPRETER_H

#include "quad_reference.h"

#include <stdbool.h>

/// The text knows the coordinates x0 ... x3, the time t, and the parameter k.
typedef struct quad_place
{
    quad t, x[4], k;
} quad_place;

/// Well-formed text at a place; *margin (unless NULL) becomes the smallest distance of any
/// operation on the way from where it is not smooth, and negative when a number there is larger
/// than 300.
quad quad_interpret(const char *text, const quad_place *place, double *margin);

#endif
