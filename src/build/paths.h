// Paths to doors: on a grid, the distance to the nearest door around all obstacles, and the
// direction to walk in.
#ifndef THUDI_PATHS_H
#define THUDI_PATHS_H

#include "core/memory.h"

// The distance of the point x from the nearest thing in the way; negative inside of it.
typedef double thudi_clearance_fn(const double x[2], void *user);

typedef struct thudi_paths_def
{
    double low[2], high[2]; // the grid covers this, and a little more
    double cell;            // distance between nodes
    const double *doors;    // x and y of both ends each; a person walking out has the first
    int door_count;         // end on the right
    double radius;          // clearance needed
    thudi_clearance_fn *clearance;
    int things; // that clearance measures
    void *user;
} thudi_paths_def;

// Where a node is.
typedef enum thudi_place_kind
{
    THUDI_NOWHERE, // no door can be reached from here
    THUDI_INSIDE,  // a door can be reached
    THUDI_OUTSIDE  // behind a door: the path continues straight
} thudi_place_kind;

typedef struct thudi_paths
{
    int count[2]; // nodes; node i, j is i + count[0] * j
    double low[2], cell;
    double *distance;    // by node, INFINITY where it is not THUDI_INSIDE
    double *direction;   // by node: a unit vector, or 0
    unsigned char *kind; // thudi_place_kind by node
    size_t size;         // of the block that holds all three
} thudi_paths;

enum
{
    THUDI_PATHS_NODES = 1 << 24,
    THUDI_PATHS_WORK = 1 << 30 // nodes times doors and things
};

// How many nodes the grid would have.
double thudi_paths_nodes(const thudi_paths_def *def);

// THUD_ERR_LIMIT: more than THUDI_PATHS_NODES nodes, or THUDI_PATHS_WORK; THUD_ERR_ARGUMENT: door
// *narrow has too little clearance; THUD_ERR_MEMORY.
thud_status thudi_paths_make(const thudi_paths_def *def, const thud_allocator *allocator,
                             thudi_paths *paths, int *narrow);
void thudi_paths_free(const thud_allocator *allocator, thudi_paths *paths);

// The direction at x, interpolated between the nodes around it: a vector no longer than 1, and
// shorter only where paths part.
void thudi_paths_direction(const thudi_paths *paths, const double x[2], double direction[2]);

// Can a door be reached from x, or is x outside?
thudi_place_kind thudi_paths_place(const thudi_paths *paths, const double x[2]);

#endif
