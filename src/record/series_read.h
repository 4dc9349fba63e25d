// series.csv read back: names of columns, and a row of numbers for every step.
#ifndef THUDI_SERIES_READ_H
#define THUDI_SERIES_READ_H

#include "core/memory.h"
#include "thud/text.h"

#include <stdio.h>

typedef struct thudi_series
{
    int column_count;
    size_t row_count;
    THUDI_ARRAY(double) values; // row by row
    THUDI_ARRAY(char) names;    // one after the other, each ended by a null byte
    size_t names_size;
} thudi_series;

// Read folder/series.csv. The header has names, quoted where they must be; numbers may be nan, inf
// and -inf; a last line that is not ended was cut off, and is left out. THUD_ERR_IO,
// THUD_ERR_MEMORY, or THUD_ERR_RECORD with the place.
thud_status thudi_series_read(const char *folder, const thud_allocator *allocator,
                              thudi_series *series, thud_fault *fault);
// The same from an open file; the folder is for messages.
thud_status thudi_series_parse(FILE *file, const char *folder, const thud_allocator *allocator,
                               thudi_series *series, thud_fault *fault);
void thudi_series_free(thudi_series *series, const thud_allocator *allocator);

// Where the last whole line among the first `size` bytes ends; 0 if there is none. Returns errno's
// of an error.
int thudi_series_find_line(int fd, int64_t size, int64_t *end);

// The column of that name, or -1.
int thudi_series_find(const thudi_series *series, const char *name);

#endif
