// Near pairs of spheres by cells: no absolute length, any mixture of sizes, none missed.
//
// A body of size 2 reach is put on the level of cells with side 2^e, the next power of two. Bodies
// of one level are met in the 3^dim cells around; bodies of a coarser level from the finer one. So
// every pair within reach is found exactly once, whatever the sizes.
#ifndef THUDI_CELLS_H
#define THUDI_CELLS_H

#include "core/memory.h"

typedef struct thudi_pair
{
    int a, b; // a < b
} thudi_pair;

typedef struct thudi_cells
{
    thud_allocator allocator;
    THUDI_ARRAY(int) level;    // by body: exponent of its cell side
    THUDI_ARRAY(int64_t) cell; // by body: its cell on its own level, three numbers
    THUDI_ARRAY(int) start;    // by bucket: where its bodies start in order
    THUDI_ARRAY(int) order;    // bodies by bucket
    THUDI_ARRAY(int) levels;   // the exponents in use, increasing
    THUDI_ARRAY(thudi_pair) pairs;
    int level_count;
    int pair_count;
    uint64_t mask; // buckets - 1
} thudi_cells;

void thudi_cells_free(thudi_cells *cells);

// Find all pairs with |q_b - q_a| < reach_a + reach_b into cells->pairs, in an order that depends
// on the input alone. q has dim (2 or 3) numbers per body. THUD_ERR_LIMIT for positions more than
// 2^60 cells from the origin.
thud_status thudi_cells_find(thudi_cells *cells, int dim, int count, const double *q,
                             const double *reach);

#endif
