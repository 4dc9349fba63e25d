// A table of names, each with a number.
#ifndef THUDI_NAMES_H
#define THUDI_NAMES_H

#include "core/memory.h"

typedef struct thudi_name
{
    const char *text; // borrowed
    size_t length;
    int value;
} thudi_name;

// Zero it and set the allocator to begin.
typedef struct thudi_names
{
    thud_allocator allocator;
    THUDI_ARRAY(thudi_name) slots; // a power of two of them, free where text is NULL
    size_t count;
} thudi_names;

// The entry of a name, or NULL.
const thudi_name *thudi_names_find(const thudi_names *names, const char *text, size_t length);

// Add a name that is not there. THUD_ERR_MEMORY, THUD_ERR_LIMIT.
thud_status thudi_names_add(thudi_names *names, const char *text, size_t length, int value);

void thudi_names_free(thudi_names *names);

#endif
