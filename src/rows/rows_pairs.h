// Pair rows written where they belong, many at once: a run of rows behind those there are, open to
// all threads until it is taken.
#ifndef THUDI_ROWS_PAIRS_H
#define THUDI_ROWS_PAIRS_H

#include "rows/rows.h"

typedef struct thudi_rows_run
{
    int width, blocks; // of every row
    size_t entry;      // number of its first entry
    uint32_t block;    // and block
    thudi_row_head *heads;
    double *slope;
    int *starts;
} thudi_rows_run;

// Make room for `count` rows of `blocks` blocks behind the rows there are.
thud_status thudi_rows_open(thud_rows *rows, int width, int blocks, int count, thudi_rows_run *run);

// Take the first `count` rows of the run, all written. falls: their keys do not increase; it need
// not tell of the first one. Needs memory only if they do not, or the first is not above the last
// row there is.
thud_status thudi_rows_take(thud_rows *rows, const thudi_rows_run *run, int count, bool falls);

// Is a row such as thud_rows_push takes, its law and blocks being right? For loops without
// branches.
static inline bool thudi_rows_is_finite(double gap, double shift, const double normal[3])
{
    // NaN for all that is not finite
    return gap * 0 + shift * 0 + normal[0] * 0 + normal[1] * 0 + normal[2] * 0 == 0;
}

// Write row i of a run: convex, -normal on block a (none if blocks is 1), +normal on block b.
// width and blocks are those of the run: known to the compiler, it is much faster.
static inline void thudi_rows_write(const thudi_rows_run *run, int width, int blocks, size_t i,
                                    const thud_pair_row *row)
{
    int *start = run->starts + i * (size_t)blocks;
    double *slope = run->slope + i * (size_t)(blocks * width);
    if (blocks == 2)
    {
        *start++ = row->a;
        for (int k = 0; k < width; k++)
            *slope++ = -row->normal[k];
    }
    *start = row->b;
    for (int k = 0; k < width; k++)
        slope[k] = row->normal[k];
    run->heads[i] = (thudi_row_head){
        .key = row->key,
        .gap = row->gap,
        .shift = row->shift,
        .first = run->entry + i * (size_t)(blocks * width),
        .width = (unsigned)width,
        .kind = THUD_CONVEX,
        .block_first = run->block + (uint32_t)(i * (size_t)blocks),
        .count = blocks,
        .size = blocks * width,
    };
}

#endif
