// The pairs of bodies that may be near, found from positions and reaches: the list, how bodies
// move, and the pairs of the list that are near now.
//
//     thudi_near_open       rooms of the bodies
//     thudi_near_measure    the bodies, their means and maxima; the caller then writes reaches
//     thudi_near_cover      a list that covers these reaches
//     thudi_near_open_pairs rooms of the near pairs: a search had its rooms there
//     thudi_near_select     the near pairs of each chunk of bodies
#ifndef THUDI_NEAR_H
#define THUDI_NEAR_H

#include "core/math/four.h"
#include "near/cells_images.h"

// Loops over bodies are cut into chunks, which do not depend on the number of threads.
enum
{
    THUDI_NEAR_CHUNK = 256 // bodies
};

// Pairs with gaps below this part of their radii count as near, whether they move or not, so that
// the smallest gap is known.
#define THUDI_NEAR_MARGIN 1e-2

// The reaches of a list count as smaller by this when it is asked whether it covers what is near.
#define THUDI_NEAR_INWARDS (1 - 0x1p-40)

// The bodies at one time, borrowed. The arrays of positions and velocities have dim numbers per
// body.
typedef struct thudi_near_view
{
    int dim, count;
    const double *q, *radius;
    const double *to, *from;      // v = to - from; from NULL: v = to
    const double *w, *u;          // velocities predicted and before; u NULL: 0
    const thudi_periods *periods; // of the cell, NULL without one
    bool is_sheared;              // its shear depends on time
    double reach_limit;           // the largest reach that a cell allows, INFINITY without one
    double shift_factor;          // the shift of a pair is this times the smaller radius
} thudi_near_view;

// A body as the loops over pairs read it, one line of the cache.
typedef struct thudi_near_body
{
    double q[3], reach; // two bodies are near if their distance is below the sum of their reaches
    double v[3];
    double radius;
} thudi_near_body;

// Results of one chunk of bodies.
typedef struct thudi_near_chunk
{
    double sum[6];                 // of v, and of the way from where the list was made
    double fastest, pull, largest; // squares of |v - mean| and |w - u|; radius
} thudi_near_chunk;

// The means and maxima over all bodies.
typedef struct thudi_near_motion
{
    double mean[3], drift[3]; // of v, and of the way from where the list was made
    double fastest, pull, largest;
} thudi_near_motion;

// How far a list should reach, should it have to be made.
typedef struct thudi_near_request
{
    double ahead; // it covers ways of `ahead` |v - mean|, beyond what is asked for
    double way;   // of the fastest body in a step
    bool again;   // a list was asked for in this step before
} thudi_near_request;

// The list is a cache: it can be made again from the state, and has no influence on any row.
typedef struct thudi_near
{
    thudi_cells cells;         // the list
    bool is_valid;             // it covers q +- reach
    double shortfall;          // of the list when last asked, in radii
    double extra;              // in radii: lists reach farther by it, as they fell short
    double shear;              // of the cell when it was made
    int too_far;               // the body whose reach is more than a cell allows
    THUDI_ARRAY(double) q;     // where it was made
    THUDI_ARRAY(double) reach; // of the list, by body
    THUDI_ARRAY(thudi_near_chunk) chunks;

    // rooms, see thudi_near_open
    thudi_near_body *bodies;
    thudi_pair *pairs; // near pairs; those of a chunk begin where its pairs of the list do
    double *gaps;      // of the near pairs
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

// Memory for so many bodies, in advance: searches then need it for their results alone.
thud_status thudi_near_reserve(thudi_near *near, int dim, size_t count);
void thudi_near_free(thudi_near *near);

// Open the room of the bodies.
thud_status thudi_near_open(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms);

// Write bodies[], with the square of |v - mean| in the place of the reach, and measure the motion.
void thudi_near_measure(thudi_near *near, const thudi_near_view *view, thudi_near_motion *motion);

// What a body takes for the size of all others: at most a few of its own radii, or one large body
// would make small ones near each other that are far apart.
static inline double thudi_near_size(const thudi_near_motion *motion, double radius)
{
    return motion->largest < 4 * radius ? motion->largest : 4 * radius;
}

// Make sure that the list has all pairs of bodies[] that are near. THUD_ERR_STEP: see
// thudi_near_find.
thud_status thudi_near_cover(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms,
                             const thudi_near_motion *motion, const thudi_near_request *request);

// Make the list for view->q and near->reach, which the caller wrote. THUD_ERR_STEP: the reach of
// body too_far is more than the cell allows. THUD_ERR_LIMIT: double precision cannot tell cells,
// or images, apart.
thud_status thudi_near_find(thudi_near *near, const thudi_near_view *view, thud_rooms *rooms);

// Open the rooms of the near pairs and their gaps, for all of the list.
thud_status thudi_near_open_pairs(thudi_near *near, thud_rooms *rooms);

// The near pairs of the chunk whose first body is `start`, b with the image in a periodic cell, and
// their gaps.
static inline thudi_pair *thudi_near_pairs(const thudi_near *near, int start)
{
    return near->pairs + near->cells.first.items[start];
}

static inline double *thudi_near_gaps(const thudi_near *near, int start)
{
    return near->gaps + near->cells.first.items[start];
}

// Write the near pairs of a chunk, with the squares of their distances in the place of gaps. How
// many there are.
int thudi_near_select(thudi_near *near, const thudi_near_view *view, int chunk);

// By how much the list falls short in a cell whose shear depends on time, in radii; 0 if it covers
// all.
double thudi_near_shortfall_sheared(const thudi_near *near, const thudi_near_view *view);

// The numbers of body i in x, as many as there are dimensions, then 0, or anything as the fourth.
static inline four thudi_near_numbers(const thudi_near_view *view, const double *x, int i)
{
    const double *own = x + (size_t)view->dim * (size_t)i;
    if (view->dim == 3 && i + 1 < view->count)
        return four_load(own);
    return (four){own[0], own[1], view->dim == 3 ? own[2] : 0, 0};
}

#endif
