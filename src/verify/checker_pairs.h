/// Pairs of bodies that could be near, found by sorting. The world's search by cells shares nothing
/// with this.
#ifndef THUD_CHECKER_PAIRS_H
#define THUD_CHECKER_PAIRS_H

#include "thud/base.h"

typedef struct thudi_place
{
    int strip, body;
    double low, high;    ///< along the axis of sorting
    double x[3], extent; ///< of the body: side by side for the sweep
} thudi_place;

/// Called for two bodies. Anything but THUD_OK ends the search.
typedef thud_status thudi_compare_fn(int a, int b, void *user);

typedef struct thudi_pairs
{
    int dim, count;
    const double *q, *extent; ///< dim and 1 per body
    thudi_place *places;      ///< room for count
    thudi_compare_fn *compare;
    void *user;
    int axes[2]; ///< written here: of the strips, and of the sorting
    double from; ///< written here: where the strips begin
} thudi_pairs;

/// Compare all pairs with |q_b - q_a| <= extent_a + extent_b, and some others, each once. Returns
/// what the last comparison said.
thud_status thudi_pairs_compare(thudi_pairs *pairs);

#endif
