// The functions and constants that every expression may use, and help with names that are unknown.
#ifndef THUDI_EXPRESSION_NAMES_H
#define THUDI_EXPRESSION_NAMES_H

#include "expression/expression_program.h"

typedef struct thudi_function
{
    const char *name;
    thudi_op op;
    int arguments; // 0: one or more
} thudi_function;

// The function of that name, or NULL.
const thudi_function *thudi_function_find(const char *name, size_t length);

// The value of a constant of that name: pi or e.
bool thudi_constant_find(const char *name, size_t length, double *value);

// The place of a name in a list, or -1.
int thudi_name_find(const char *name, size_t length, const char *const *names, int count);

// Set marks[i] for every names[i] that an expression, which must be sound, uses.
void thudi_names_mark(const char *text, size_t length, const char *const *names, int count,
                      bool *marks);

// What to do about an unknown name: "did you mean ...?", or which names there are; may be "".
void thudi_name_hint(const char *name, size_t length, bool is_call, const thud_symbols *symbols,
                     char hint[256]);

#endif
