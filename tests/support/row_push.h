/// Rows without a meaning, for tests of what is said of rows alone.
#ifndef ROW_PUSH_H
#define ROW_PUSH_H

#include <stdlib.h>
#include <thud/rows.h>

/// An empty list for rows of so many coordinates.
static inline thud_rows *rows_for(int dim)
{
    thud_rows *rows = NULL;
    if (thud_rows_create(dim, NULL, &rows) != THUD_OK)
        abort();
    return rows;
}

/// Push a row with a key of its own and gap 1; it must be taken.
static inline void push_row(thud_rows *rows, int count, const int *index, const double *slope)
{
    thud_row row = {.key = thud_key_number(thud_rows_count(rows) + 1),
                    .gap = 1,
                    .count = count,
                    .index = index,
                    .slope = slope};
    if (thud_rows_push(rows, &row) != THUD_OK)
        abort();
}

#endif
