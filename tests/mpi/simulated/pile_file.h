// A projection in a file that many processes map: they share its memory.
//
//     head | rows | normals | blocks | mass | w | origin | force | warm | marks
//
// Each array begins at a multiple of 64 bytes. Blocks and normals are those of rows.h. Marks are
// -1; a process that marks bodies takes the marks away before it lets others go on.
#ifndef PILE_FILE_H
#define PILE_FILE_H

#include "rows/rows.h"

#include <thud/project.h>

enum
{
    PILE_LINE = 64, // bytes
    PILE_ARRAYS = 9
};

typedef struct pile_head
{
    double h, accuracy, tolerance_share, shift_scale;
    thud_bricks bricks;
    size_t rows, slopes, blocks, dim;
    size_t place[PILE_ARRAYS + 1]; // of each array, and of the end: bytes from the head on
} pile_head;

static inline size_t pile_round_up(size_t size)
{
    return (size + PILE_LINE - 1) / PILE_LINE * PILE_LINE;
}

#endif
