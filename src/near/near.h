// What the search for near pairs and walls keeps: bodies as it reads them, and what it found.
#ifndef THUDI_NEAR_H
#define THUDI_NEAR_H

#include "near/cells.h"

// A body as the loops over pairs read it, one line of the cache.
typedef struct thudi_near_body
{
    double q[3], reach; // what is near is found by these alone
    double v[3];        // LINEARISE: w; CHECK: trial - q
    double radius;
} thudi_near_body;

// A body near a wall.
typedef struct thudi_at_wall
{
    int body;
    uint32_t walls; // by bit: those that may be near; all if there are more
} thudi_at_wall;

// What one chunk of bodies has to tell. Chunks do not depend on the number of threads.
typedef struct thudi_near_chunk
{
    double sum[6];                 // of v, and of the way from where the list was made
    double fastest, pull, largest; // squares of |v - mean| and |w - u|; radius
    double least_gap;              // at the trial position
    bool coincides;                // two centres
    int first_row;                 // of those that are pushed
    int pair_count;                // near pairs, see thudi_near_pairs
    int wall_count;                // bodies near a wall, from near.at_wall[first body] on
} thudi_near_chunk;

// The means and maxima over all bodies.
typedef struct thudi_near_motion
{
    double mean[3], drift[3]; // of v, and of the way from where the list was made
    double fastest, pull, largest;
} thudi_near_motion;

// The pairs that may be near, and scratch to find those that are. All of it can be made again from
// the state: a cache, without influence on any row.
typedef struct thudi_near
{
    bool is_valid;             // the list in cells covers q +- reach
    double shortfall;          // of the list when last asked, in radii
    double extra;              // in radii: what lists reach farther, as they fell short
    double shear;              // of the cell when it was made
    THUDI_ARRAY(double) q;     // where it was made
    THUDI_ARRAY(double) reach; // of the list, by body
    THUDI_ARRAY(thudi_near_chunk) chunks;

    // rooms of one phase
    thudi_near_body *bodies; // at the moment looked at
    double *speed;           // by body: square of the largest relative speed near it
    double *ring;            // by body: the largest of its neighbours' and its own
    thudi_at_wall *at_wall;  // by chunk: bodies near a wall
    thudi_pair *pairs;       // by chunk, from the place of its pairs in the list on: near pairs
    double *gaps;            // of the near pairs
} thudi_near;

#endif
