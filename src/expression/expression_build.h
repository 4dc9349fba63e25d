// Programs built node by node, with constant parts computed on the way.
#ifndef THUDI_EXPRESSION_BUILD_H
#define THUDI_EXPRESSION_BUILD_H

#include "expression/expression_program.h"
#include "expression/expression_text.h"

typedef struct thudi_builder
{
    thud_expression *expression;
    const thudi_source *source;
    THUDI_ARRAY(double) constant; // of every node that is one, by its number
} thudi_builder;

// Append a node without operands; *out is its number.
thud_status thudi_build_node(thudi_builder *b, const thudi_node *node, int *out);
thud_status thudi_build_constant(thudi_builder *b, double value, int *out);

// Append an operation on earlier nodes, whose name or sign is at byte `at` of the source. The
// constant ones among them are replaced where they can be; *out is the number of the result.
thud_status thudi_build_operation(thudi_builder *b, thudi_op op, const int *operands, int count,
                                  size_t at, int *out);

#endif
