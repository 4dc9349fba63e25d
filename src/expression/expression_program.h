// An expression as a flat program, shared by its parser and its evaluation. Operands come before
// the operations that use them; the last one is the value.
#ifndef THUDI_EXPRESSION_PROGRAM_H
#define THUDI_EXPRESSION_PROGRAM_H

#include "core/memory.h"
#include "thud/expression.h"

typedef enum thudi_op
{
    THUDI_OP_CONSTANT,
    THUDI_OP_TIME,
    THUDI_OP_COORDINATE,
    // of one operand
    THUDI_OP_MINUS,
    THUDI_OP_SIN,
    THUDI_OP_COS,
    THUDI_OP_TAN,
    THUDI_OP_ASIN,
    THUDI_OP_ACOS,
    THUDI_OP_ATAN,
    THUDI_OP_SINH,
    THUDI_OP_COSH,
    THUDI_OP_TANH,
    THUDI_OP_EXP,
    THUDI_OP_LOG,
    THUDI_OP_SQRT,
    THUDI_OP_ABS,
    THUDI_OP_STEP,
    THUDI_OP_POWER_CONSTANT, // the exponent is node.constant
    // of two
    THUDI_OP_ADD,
    THUDI_OP_SUBTRACT,
    THUDI_OP_MULTIPLY,
    THUDI_OP_DIVIDE,
    THUDI_OP_POWER,
    THUDI_OP_ATAN2,
    // of several
    THUDI_OP_MIN,
    THUDI_OP_MAX,
    THUDI_OP_HYPOT
} thudi_op;

typedef struct thudi_node
{
    thudi_op op;
    int first, count; // operands: expression->operands.items[first .. first + count)
    double constant;  // of CONSTANT and POWER_CONSTANT
    int coordinate;   // of COORDINATE: which,
    int slot;         // and its place in traits.coordinate
    size_t at;        // the byte of the text where its name or sign is written
    bool time, space; // depends on t, on coordinates
    bool curved;      // its second derivative in t is not 0 everywhere
    bool slope_time;  // the derivative of the value by this node depends on t,
    bool slope_space; // and on coordinates
} thudi_node;

struct thud_expression
{
    thud_allocator allocator;
    thud_expression_traits traits;
    THUDI_ARRAY(thudi_node) nodes;
    THUDI_ARRAY(int) operands;
    THUDI_ARRAY(int) coordinates; // traits.coordinate
    THUDI_ARRAY(char) text;       // traits.text
    int count;                    // nodes,
    int operand_count;
};

static inline const int *thudi_operands(const thud_expression *expression, const thudi_node *node)
{
    return node->count > 0 ? expression->operands.items + node->first : NULL;
}

// Read the text into nodes; dependences on t and coordinates are set, slopes are not.
thud_status thudi_expression_parse(thud_expression *expression, const char *text, size_t length,
                                   const thud_symbols *symbols, thud_fault *fault);

// The value of one node from those of its operands; neither TIME nor COORDINATE.
double thudi_node_value(const thudi_node *node, const int *operands, const double *values);

#endif
