// Bodies by cells, for finding out whether a place is free.
//
// A body is put on the level whose cells are just larger than it, or on the present level if that
// is coarser. Places are asked for bodies that never get larger, and the present level goes down
// with them; so a question looks at a few cells of each level that is not finer than the body.
#ifndef THUDI_FILL_CELLS_H
#define THUDI_FILL_CELLS_H

#include "bodies/fill.h"
#include "core/memory.h"

// Reaches are made larger by this, as distances are rounded.
static const double THUDI_FILL_OUTWARDS = 1 + 1e-9;

enum
{
    THUDI_FILL_LEVELS = 42
};

typedef struct thudi_fill_cells
{
    int dim;
    double gap;
    double low[3], size[3]; // of the region's box; bodies beyond it are held at its border
    int finest;             // side of a cell on level 0: 2^finest
    int present;            // level
    bool has_any[THUDI_FILL_LEVELS];
    double reach[THUDI_FILL_LEVELS]; // the largest radius of the level's bodies, and half the gap
    const thud_sphere *there, *spheres;
    int there_count;
    uint64_t mask;          // buckets - 1
    THUDI_ARRAY(int) first; // by bucket: a body, or -1
    THUDI_ARRAY(int) next;  // by body: the next of its bucket, or -1
} thudi_fill_cells;

// Start without bodies. Body i is there[i], or spheres[i - there_count]; count of both together.
// The region's box, low and size, is finite and has a side > 0.
thud_status thudi_fill_cells_start(thudi_fill_cells *cells, const thud_allocator *allocator,
                                   int count);
void thudi_fill_cells_free(thudi_fill_cells *cells, const thud_allocator *allocator);

// The level for bodies of this radius.
int thudi_fill_cells_level(const thudi_fill_cells *cells, double radius);

// Forget all bodies, and work on this level from now on.
void thudi_fill_cells_clear(thudi_fill_cells *cells, int level);
void thudi_fill_cells_add(thudi_fill_cells *cells, int body);

// Whether a body there would keep its distance from all bodies. Its level is the present one.
bool thudi_fill_cells_are_free(const thudi_fill_cells *cells, const thud_sphere *sphere,
                               thudi_fill_effort *effort);

// The same for all images of it in the fill's periodic cell.
bool thudi_fill_is_free(const thudi_fill *fill, const thudi_fill_cells *cells,
                        const thud_sphere *sphere, thudi_fill_effort *effort);

// Does the region fill the periodic cell along axis k, so that it has no border there? Is a body
// small enough not to meet itself?
bool thudi_fill_spans(const thudi_fill *fill, int k);
bool thudi_fill_fits_cell(const thudi_fill *fill, double radius);

#endif
