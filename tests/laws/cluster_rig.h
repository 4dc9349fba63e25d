// Clusters of bodies at rest that touch, met by one body: shapes at random, and the law of the
// impact by a dense solver of its own.
#ifndef CLUSTER_RIG_H
#define CLUSTER_RIG_H

#include "thud_test.h"

enum
{
    CLUSTER_MOST = 101,         // bodies, the one that comes included
    CLUSTER_CONTACTS_MOST = 600 // twelve of each body at most, each counted once
};

typedef enum cluster_kind
{
    CLUSTER_ROW,    // straight, radii and masses at random
    CLUSTER_BENT,   // the same, but not straight
    CLUSTER_RACK,   // a triangle, or a tetrahedron
    CLUSTER_SQUARE, // a block of a square or cubic lattice
    CLUSTER_DENSE,  // the same of a hexagonal or face-centred one
    CLUSTER_KINDS
} cluster_kind;

typedef struct cluster
{
    cluster_kind kind;
    int dim, count;                                  // the body that comes is the last
    double at[CLUSTER_MOST][3];                      // where it is, the last at the impact
    double radius[CLUSTER_MOST], mass[CLUSTER_MOST]; //
    double coming[3];                                // velocity of the last
    bool is_central;                                 // of the impact
    int contacts, pair[CLUSTER_CONTACTS_MOST][2];    // all that touch at the impact
    double after[CLUSTER_MOST][3], residual;         // by the law; how well it is solved
} cluster;

/// A cluster of up to `most` bodies at rest, turned at random. The body that comes has the speed
/// `speed`, and on `way` before the impact nothing is closer to its path than `margin`. False if no
/// such body was found.
bool cluster_make(cluster *c, test_random *random, int dim, int most, double speed, double way,
                  double margin);

/// u+ = P_C u- + e (P_C u- - u-) over all contacts at once, into after.
void cluster_solve(cluster *c, double e);

/// The name of a kind.
const char *cluster_name(cluster_kind kind);

#endif
