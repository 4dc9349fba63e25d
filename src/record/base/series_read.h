// series.csv read back: names of columns, and a row of numbers for every step.
#ifndef THUDI_SERIES_READ_H
#define THUDI_SERIES_READ_H

#include "core/memory.h"
#include "thud/series.h"

#include <stdio.h>

typedef struct thudi_series
{
    int column_count;
    size_t row_count;
    THUDI_ARRAY(double) values; // row by row
    THUDI_ARRAY(char) names;    // one after the other, each ended by a null byte
    size_t names_size;
} thudi_series;

// Open series.csv of a run directory.
thud_status thudi_series_file(const char *folder, FILE **file, thud_fault *fault);

// Read all of it from an open file, as thud_series_table_read does; the folder is for messages.
// Free in any case.
thud_status thudi_series_parse(FILE *file, const char *folder, const thud_allocator *allocator,
                               thudi_series *series, thud_fault *fault);
void thudi_series_free(thudi_series *series, const thud_allocator *allocator);

// Where the last whole line among the first `size` bytes ends; 0 if there is none. Returns errno's
// of an error.
int thudi_series_find_line(int fd, int64_t size, int64_t *end);

#endif
