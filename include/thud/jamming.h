/// Jammed packings of equal spheres in a periodic cube of side 1, with a proof that there is no
/// room to grow.
///
/// Points at random grow to spheres: each step enlarges all diameters by a part (the growth),
/// shakes the centres by some of that, and moves them to the nearest positions without overlap, one
/// projection of thud/project.h. Where the linearised constraints have no solution the growth is
/// halved. From a growth of 1e-5 on an interior point method takes the packing to where it has no
/// room to first order. What remains in the end is a network of contacts, closed to rounding, and
/// forces y > 0 that are in balance: a Farkas vector. A step of the method takes count^(7/3) in
/// time and count^(5/3) in memory.
///
/// What it proves. Let contact c join the images of bodies a and b at distance d_c along the unit
/// vector n_c, let D be the diameter and y_c >= 0 any forces with sum y_c D = 1, and r_i = the sum
/// of the forces on body i. If spheres of diameter D (1 + s) have no overlap after displacements
/// x_i, then
///
///     s <= sum y_c (d_c - D) + sum y_c |x_b - x_a|^2 / (2 d_c) + sum |r_i| |x_i|,
///
/// as D (1 + s) <= |d_c n_c + x_b - x_a| <= d_c + n_c . (x_b - x_a) + |x_b - x_a|^2 / (2 d_c); take
/// the sum of these, each times y_c. No linearisation is left in it. So the diameters can grow by
/// the part `room` at most to first order, and by more only if neighbours in the network are moved
/// against each other by a finite distance.
#ifndef THUD_JAMMING_H
#define THUD_JAMMING_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_jam thud_jam;

enum
{
    THUD_JAM_LEAST = 30,   ///< spheres: with fewer a pair could meet in two images
    THUD_JAM_MOST = 100000 ///< the search for neighbours takes count^2
};

/// What a packing looks like while it grows.
typedef struct thud_jam_progress
{
    int step;        ///< projections so far, and steps of the interior point method
    double fraction; ///< of the cube that is filled
    double growth;   ///< the part that a step enlarges diameters by
} thud_jam_progress;

/// Return 0, or anything else to stop with THUD_STOPPED.
typedef int thud_jam_fn(const thud_jam_progress *progress, void *user);

typedef struct thud_jam_def
{
    int count;                       ///< THUD_JAM_LEAST to THUD_JAM_MOST
    uint64_t seed;                   ///< of the random points
    double growth;                   ///< of the diameter in the first steps; 0 means 1/64
    thud_jam_fn *progress;           ///< called after every step; NULL for none
    void *user;                      ///< handed to progress
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_jam_def;

/// A contact of the network.
typedef struct thud_jam_contact
{
    int a, b;         ///< bodies, a < b
    double normal[3]; ///< unit, from a to the nearest image of b
    double distance;  ///< of the centres, at least the diameter
    double force;     ///< > 0; sum of force times diameter is 1
} thud_jam_contact;

/// A jammed packing. Views, as long as the object lives.
typedef struct thud_jam_view
{
    int count;
    const double *q;                  ///< 3 numbers each, 0 <= q < 1
    double diameter;                  ///< the smallest distance of any two centres, images included
    double fraction;                  ///< pi count diameter^3 / 6
    const thud_jam_contact *contacts; ///< the network, sorted by a, then b
    int contact_count;
    const bool *is_rattler; ///< no contact of the network holds it, length count
    int rattler_count;
    int isostatic; ///< 3 (bodies of the network - 1) + 1, the fewest contacts that can jam them
    // the certificate
    double room;      ///< sum y_c (d_c - D), rounded upwards
    double curvature; ///< sum y_c / (2 d_c): times the square of the largest |x_b - x_a|
    double residual;  ///< sum |r_i|, rounded upwards: times the largest |x_i|
    double imbalance; ///< the largest |r_i| as a part of the mean force
    // how it went
    int steps;     ///< projections that enlarged the spheres
    int refusals;  ///< projections that found no room
    int newton;    ///< steps of the interior point method
    int retreats;  ///< times the spheres were made smaller again, where nothing was proved
    double growth; ///< the last growth that was tried
} thud_jam_view;

/// Make a packing. THUD_ERR_NOT_CONVERGED when no network in balance was found after 20 retreats,
/// THUD_STOPPED (and *out NULL) when progress said so, THUD_ERR_ARGUMENT, THUD_ERR_MEMORY. The same
/// bits on every machine, whatever the number of threads.
THUD_API thud_status thud_jam_create(const thud_jam_def *def, thud_jam **out);
THUD_API void thud_jam_destroy(thud_jam *jam); ///< NULL is allowed
THUD_API thud_jam_view thud_jam_packing(const thud_jam *jam);

/// A packing in a periodic cube of side 1 and its network, as they may be found in files.
typedef struct thud_packing
{
    int count;
    const double *q; ///< 3 numbers each, 0 <= q < 1
    double diameter;
    const thud_jam_contact *contacts; ///< sorted by a, then b
    int contact_count;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_packing;

/// What follows from a packing.
typedef struct thud_packing_verdict
{
    bool has_overlap;  ///< two centres are nearer than the diameter, by more than rounding
    double nearest;    ///< the smallest distance of two centres
    int wrong_contact; ///< the first that is out of order, has no force > 0, or another distance or
                       ///< normal than its bodies; -1 for none, and only then the following are set
    int held;          ///< bodies of the network
    double scale;      ///< sum of force times diameter
    double room, curvature, residual, imbalance; ///< as in thud_jam_view, with forces over scale
} thud_packing_verdict;

#ifdef __cplusplus
}
#endif

#endif
