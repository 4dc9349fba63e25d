// The rows by what they touch: for each unit of coordinates the rows that have an entry there, so
// that sums over rows can be taken unit by unit, by any number of threads, each in the order of the
// rows.
#ifndef THUDI_COLUMNS_H
#define THUDI_COLUMNS_H

#include "core/memory.h"
#include "thud/project.h"

typedef struct thudi_entry
{
    int row;
    int at; // its entries there are slope[first + at .. first + at + unit)
} thudi_entry;

typedef struct thudi_columns
{
    int unit;                         // coordinates in a unit
    int count;                        // units
    THUDI_ARRAY(size_t) first;        // by unit: its entries are entry[first[k] .. first[k + 1])
    THUDI_ARRAY(thudi_entry) entries; // by unit, then by row
} thudi_columns;

// The width of the blocks, when all rows are pair rows whose blocks start at its multiples; else 1.
int thudi_common_unit(const thud_projection *problem);

thud_status thudi_columns_fill(const thud_projection *problem, const thud_allocator *allocator,
                               thudi_columns *columns);

void thudi_columns_free(thudi_columns *columns, const thud_allocator *allocator);

#endif
