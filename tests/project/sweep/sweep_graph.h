/// Random projections with pair rows, for the tests of sweeps.
#ifndef SWEEP_GRAPH_H
#define SWEEP_GRAPH_H

#include "project/projector.h"
#include "project/sweep/packs.h"
#include "thud_test.h"

enum
{
    SWEEP_GRAPH_BRICK_LIMIT = 4096, // bodies: more are cut into bricks
    SWEEP_GRAPH_BRICK_SIDE = 12     // lattice constants
};

typedef struct sweep_graph
{
    int width, bodies;
    double *mass, *w, *q, *force, *warm; // by coordinate; warm by row
    thud_rows *rows;
    thud_bricks bricks;
    thud_projection problem;
} sweep_graph;

/// Bodies on a jittered lattice, rows between neighbours, `star` rows more from body 0, and a floor
/// under every tenth body.
sweep_graph sweep_graph_make(test_random *random, int width, int bodies, int star, bool walls);
void sweep_graph_free(sweep_graph *graph);

/// One row more, from body a (-1: none) to b, along a random unit vector.
void sweep_graph_push(sweep_graph *graph, test_random *random, int a, int b);

/// The problem, with a first guess for its rows.
const thud_projection *sweep_graph_problem(sweep_graph *graph, test_random *random);

/// All rows of a problem for thudi_packs_begin, with marks in a room. allocator: NULL for the C
/// library's. rooms: zeroed, and to be freed by the caller.
thud_status sweep_graph_open(const thud_projection *problem, const thud_allocator *allocator,
                             thud_rooms *rooms, thudi_packing *packing);

/// The marks are -1, as they were.
void sweep_graph_check_marks(const thudi_packing *packing);

/// Both, and thudi_packs_begin between.
thud_status sweep_graph_pack(const thud_projection *problem, thud_rooms *rooms, thudi_packs *packs);

#endif
