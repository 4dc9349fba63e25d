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

// To begin, set all to zero, then set the allocator.
typedef struct thudi_names
{
    thud_allocator allocator;
    THUDI_ARRAY(thudi_name) slots; // their number is a power of two; text is NULL in a free slot
    size_t count;
} thudi_names;

// The entry of a name, or NULL.
const thudi_name *thudi_names_find(const thudi_names *names, const char *text, size_t length);

// Add a name that the table does not hold yet. THUD_ERR_MEMORY, THUD_ERR_LIMIT.
thud_status thudi_names_add(thudi_names *names, const char *text, size_t length, int value);

void thudi_names_free(thudi_names *names);

#endif
