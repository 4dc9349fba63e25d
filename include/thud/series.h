/// The series of a run, series.csv, read back: line by line, or as one table. (library thud_run)
#ifndef THUD_SERIES_H
#define THUD_SERIES_H

#include "thud/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_series thud_series; ///< the series of a run being read, line by line

/// Open series.csv of a run directory and read the names of its columns. THUD_ERR_IO, or
/// THUD_ERR_RECORD with the place of what is wrong.
THUD_API thud_status thud_series_open(const char *folder, const thud_allocator *allocator,
                                      thud_series **out, thud_fault *fault);
THUD_API void thud_series_close(thud_series *series); ///< NULL is allowed
THUD_API int thud_series_columns(const thud_series *series);
/// The name of a column, "" when there is no such column.
THUD_API const char *thud_series_name(const thud_series *series, int column);

/// Read the next line. `values` has room for one number per column; numbers may be nan, inf or
/// -inf. *over becomes true when no whole line is left. THUD_ERR_IO, THUD_ERR_RECORD.
THUD_API thud_status thud_series_next(thud_series *series, double *values, bool *over,
                                      thud_fault *fault);
/// Read the last whole line instead, without those before it: cheap, and safe while a run is being
/// written. *found: there is one. thud_series_line means nothing afterwards.
THUD_API thud_status thud_series_last(thud_series *series, double *values, bool *found,
                                      thud_fault *fault);
/// The line of the file that was read last, counted from 1.
THUD_API int thud_series_line(const thud_series *series);

/// All lines of series.csv. Values may be changed, and row_count may be made smaller.
typedef struct thud_series_table
{
    int column_count;
    size_t row_count;
    double *values;           ///< row by row, column_count numbers each
    const char *const *names; ///< of the columns
} thud_series_table;

/// Read series.csv of a run directory. The header has names, quoted where they must be; numbers may
/// be nan, inf and -inf; a last line that has no newline was cut off, and is left out. THUD_ERR_IO,
/// THUD_ERR_MEMORY, or THUD_ERR_RECORD with the place; *out is NULL then.
THUD_API thud_status thud_series_table_read(const char *folder, const thud_allocator *allocator,
                                            thud_series_table **out, thud_fault *fault);
THUD_API void thud_series_table_destroy(thud_series_table *table); ///< NULL is allowed

/// The first column of that name, or -1.
THUD_API int thud_series_table_find(const thud_series_table *table, const char *name);

#ifdef __cplusplus
}
#endif

#endif
