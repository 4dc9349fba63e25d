// The search for near pairs of bodies. A list of pairs that may be near is kept over several steps;
// each step selects the pairs of the list that are near now. The functions are called in this
// order:
//
//     thudi_near_open        opens the room of the bodies
//     thudi_near_measure     writes the bodies, and their means and maxima
//     (the caller)           writes the reach of each body
//     thudi_near_needs_list  does the list lack pairs within these reaches?
//     thudi_near_make_list   if so, makes a new one
//     thudi_near_open_pairs  opens the rooms of all near pairs; only now is their number bounded.
//                            A caller that needs few pairs at a time can do without
//     thudi_near_begin       for each chunk of bodies
//     thudi_near_select      writes near pairs of the chunk
//
// Two bodies are near if their distance is below the sum of their reaches.
#ifndef THUDI_NEAR_H
#define THUDI_NEAR_H

#include "core/math/exact_four.h"
#include "core/math/four.h"
#include "near/cells_images.h"
#include "near/shift.h"

// Loops over bodies are cut into chunks, which do not depend on the number of threads.
enum
{
    THUDI_NEAR_CHUNK = 256 // bodies
};

// Pairs with gaps below this part of their radii are near even if they do not move. So the smallest
// gap of a step is known if it is that small.
#define THUDI_NEAR_MARGIN 1e-2

// The reaches of a list are multiplied by this when they are compared: more than their rounding.
#define THUDI_NEAR_INWARDS (1 - 0x1p-40)

// The bodies at one time. All pointers are borrowed. q, to, from, w and u have dim numbers per
// body. v is a velocity when rows are made, and the displacement of a step when missing rows are
// looked for.
typedef struct thudi_near_view
{
    int dim, count;
    const double *q, *radius;
    const double *to, *from;      // v = to - from; v = to if from is NULL
    const double *w, *u;          // predicted velocities, and those before; u NULL: all 0
    const thudi_periods *periods; // of the periodic cell, NULL without one
    bool is_sheared;              // the cell's shear depends on time
    double reach_limit;           // the largest reach that a cell allows, INFINITY without one
    thudi_shift shift;            // the shift of a pair, by its smaller radius
} thudi_near_view;

// A body as the loops over pairs read it: 64 bytes, one cache line.
typedef struct thudi_near_body
{
    double q[3], reach;
    double v[3];
    double radius;
} thudi_near_body;

// What one chunk of bodies adds to thudi_near_motion.
typedef struct thudi_near_chunk
{
    double fastest;         // largest |v - mean|^2
    double velocity_change; // largest |w - u|^2
    double largest;         // radius
} thudi_near_chunk;

// The means and maxima over all bodies.
typedef struct thudi_near_motion
{
    double mean[3];         // of v
    double drift[3];        // mean displacement since the list was made
    double fastest;         // largest |v - mean|, in the unit of v
    double velocity_change; // largest |w - u|
    double largest;         // radius
} thudi_near_motion;

// How far a list should reach if a new one is made.
typedef struct thudi_near_request
{
    double ahead;  // the list also covers displacements of `ahead` |v - mean|
    double travel; // length: the displacement of the fastest body in a step, less the mean
    bool again;    // this step has already used the list, for its first rows
} thudi_near_request;

// The list is a cache: it follows from the state, and has no influence on any row.
typedef struct thudi_near
{
    thudi_cells cells;         // the list
    bool is_valid;             // the list has all pairs that were near at q, by these reaches
    double shortfall;          // in radii: what a reach of the list lacked when last compared
    double extra;              // in radii: part of the skin when bodies are fast, see near_list.c
    double shear;              // of the cell when the list was made
    int too_far;               // the body whose reach is more than the cell allows
    THUDI_ARRAY(double) q;     // positions when the list was made
    THUDI_ARRAY(double) reach; // by body, when the list was made
    THUDI_ARRAY(thudi_near_chunk) chunks;

    // rooms, see thudi_near_open and thudi_near_open_pairs
    thudi_near_body *bodies;
    thudi_exact_four *sums; // of each part, see near_motion.c
    int parts;              // of the bodies, while they are measured: one for each thread
    thudi_pair *pairs;      // near pairs, by chunk
    double *gaps;           // of the near pairs; squares of their distances at first
} thudi_near;

static inline int thudi_near_chunk_count(int bodies)
{
    return bodies / THUDI_NEAR_CHUNK + (bodies % THUDI_NEAR_CHUNK > 0);
}

// The first body of a chunk; behind the last chunk, the number of bodies.
static inline int thudi_near_chunk_start(int bodies, int chunk)
{
    return chunk <= bodies / THUDI_NEAR_CHUNK ? chunk * THUDI_NEAR_CHUNK : bodies;
}

// Reserve memory for `count` bodies. A search then allocates only for its results.
thud_status thudi_near_reserve(thudi_near *near, int dim, size_t count);
void thudi_near_free(thudi_near *near);

// Open the room of the bodies.
thud_status thudi_near_open(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms);

// Write bodies[] and the motion. Each body's reach is |v - mean|^2 until the caller writes it.
void thudi_near_measure(thudi_near *near, const thudi_near_view *view, thudi_near_motion *motion);

// The radius that a body assumes for all others, as a bound: the largest, but at most 4 of its own
// radii. Without the limit one large body would make small bodies near that are far apart.
static inline double thudi_near_size(const thudi_near_motion *motion, double radius)
{
    return motion->largest < 4 * radius ? motion->largest : 4 * radius;
}

// Does the list lack near pairs of bodies[]? If so, this writes how far a new one shall reach.
bool thudi_near_needs_list(thudi_near *near, const thudi_near_view *view,
                           const thudi_near_motion *motion, const thudi_near_request *request);

// Make the new list. The room of the bodies is not read and may be closed. Errors are those of
// thudi_near_find.
thud_status thudi_near_make_list(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms);

// Make the list from view->q and near->reach; the caller wrote the reaches. THUD_ERR_STEP: the
// reach of body too_far is more than the cell allows. THUD_ERR_LIMIT: double precision cannot tell
// cells or images apart.
thud_status thudi_near_find(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms);

// Open the rooms of the near pairs and their gaps, large enough for all pairs of the list.
thud_status thudi_near_open_pairs(thudi_near *near, thud_rooms *rooms);

// A place in the list: what is left of the pairs of one chunk.
typedef struct thudi_near_place
{
    int body;      // the first one of the next pair
    int pair, end; // the next pair, and the one behind the last
} thudi_near_place;

thudi_near_place thudi_near_begin(const thudi_near *near, const thudi_near_view *view, int chunk);

// Test the next `most` pairs of the list, or those that are left, and move the place behind them.
// Write the near ones and the squares of their distances; `pairs` and `squares` have room for
// `most` each. Returns how many are near. In a periodic cell b of a pair holds the image too, see
// cells_images.h.
int thudi_near_select(const thudi_near *near, const thudi_near_view *view, int most,
                      thudi_near_place *place, thudi_pair *pairs, double *squares);

// By how much the list falls short in a cell whose shear depends on time: the maximum, in radii; 0
// if it has all near pairs.
double thudi_near_shortfall_sheared(const thudi_near *near, const thudi_near_view *view);

// The dim numbers of body i in x, and 0 as the third in two dimensions. The fourth is of no use: in
// three dimensions it belongs to the next body.
static inline four thudi_near_numbers(const thudi_near_view *view, const double *x, int i)
{
    const double *own = x + (size_t)view->dim * (size_t)i;
    if (view->dim == 3 && i + 1 < view->count)
        return four_load(own);
    return (four){own[0], own[1], view->dim == 3 ? own[2] : 0, 0};
}

#endif
