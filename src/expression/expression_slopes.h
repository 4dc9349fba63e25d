// The derivatives of single operations.
#ifndef THUDI_EXPRESSION_SLOPES_H
#define THUDI_EXPRESSION_SLOPES_H

#include "expression/expression_program.h"

// Of an operation with one or two operands, which are its only arguments.
typedef struct thudi_slopes
{
    double first[2];     // by each operand
    double second[2][2]; // by each pair of them
} thudi_slopes;

// value: that of the node, from thudi_node_value.
thudi_slopes thudi_node_slopes(const thudi_node *node, const int *operands, const double *values,
                               double value);

// Which operand a MIN or MAX has taken.
int thudi_node_chosen(const thudi_node *node, const int *operands, const double *values);

#endif
