// The search for near pairs of spheres in cells. It knows no absolute length, takes any mixture of
// sizes, and misses no pair.
//
// Bodies are sorted into levels by reach: level 0 has those with more than half of the largest
// reach, level 1 those with more than a quarter, and so on. Each level has a grid of cells, whose
// side is a little more than twice the largest reach of the level. So the bodies of a near pair of
// one level are in the same cell or in adjacent ones. Pairs of two levels are found from the finer
// one, in the cells of the coarser one around the body. So every pair within reach is found once,
// and a large body costs no more than its neighbours.
//
// A grid repeats itself: cells whose numbers are equal modulo a power of two share a bucket. There
// are at most some four buckets for each body. Along each axis there are at least 4, so the 3^dim
// cells around a body are in different buckets. The other cells in these buckets are at least two
// sides away from it, too far for a pair.
//
// A place is the number of a body in the order of the buckets.
#ifndef THUDI_CELLS_H
#define THUDI_CELLS_H

#include "core/memory.h"
#include "core/rooms.h"

typedef struct thudi_pair
{
    int a, b; // a < b
} thudi_pair;

typedef struct thudi_cell_level
{
    int count;              // bodies
    int end;                // they are the places from the end of the level before to here
    double largest;         // reach
    double low[3], high[3]; // the box around its centres
    double inverse;         // 1 / side of a cell
    int64_t mask[3];        // buckets along each axis - 1
    int shift[3];           // bucket = first_bucket + sum of (cell & mask) << shift
    int first_bucket;
} thudi_cell_level;

// The body at a place, as the search reads it.
typedef struct thudi_cell_place
{
    double x[3], reach;
} thudi_cell_place;

// A part of the places that one thread searches at a time, and what it found: its pairs are in
// thudi_cells.found[first .. first + count). There is memory for `room` pairs.
typedef struct thudi_cell_slice
{
    size_t first, room, count;
    int64_t tested; // pairs whose distance was computed
} thudi_cell_slice;

typedef struct thudi_cells
{
    thud_allocator allocator;
    int dim, count;
    double low[3], high[3];   // the box around all centres
    double smallest, largest; // reach
    int level_count, bucket_count;
    THUDI_ARRAY(thudi_cell_level) levels; // coarse to fine
    int slice_count;
    THUDI_ARRAY(thudi_cell_slice) slices;

    // rooms that are open during a search
    thudi_cell_place *places; // in the order of the buckets
    int *bucket;              // by body
    int *body;                // by place
    int *start;               // by bucket: its first place; and two more
    thudi_pair *found;        // in the order of the search

    // the result: a is near partner[first[a] .. first[a + 1]), all above a, increasing
    int pair_count;
    int64_t tested; // pairs whose distance was computed to find them
    THUDI_ARRAY(int) first;
    THUDI_ARRAY(int) partner;
} thudi_cells;

void thudi_cells_free(thudi_cells *cells);

// Find all pairs with |q_b - q_a| < reach_a + reach_b. q has dim (2 or 3) numbers per body. The
// search opens rooms, and closes them before it returns.
// THUD_ERR_LIMIT for positions that are not finite or more than 2^60 reaches apart, and for reaches
// whose squares would over- or underflow.
thud_status thudi_cells_find(thudi_cells *cells, thud_rooms *rooms, int dim, int count,
                             const double *q, const double *reach);

// The two halves of it: put all bodies into cells; search and sort the pairs. They leave their
// rooms open.
thud_status thudi_cells_fill(thudi_cells *cells, thud_rooms *rooms, const double *q,
                             const double *reach);
thud_status thudi_cells_search(thudi_cells *cells, thud_rooms *rooms);

// Sort numbers that are all different.
void thudi_cells_sort(int *items, int count);

// Loops over fewer bodies than this run on one thread.
#define THUDI_CELLS_THREADS_FROM 4000

#endif
