/// Pairs of bodies that could be near, found by sorting. The world's search by cells shares nothing
/// with this.
#ifndef THUD_CHECKER_PAIRS_H
#define THUD_CHECKER_PAIRS_H

#include "thud/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Where a body is, or is seen. The caller says which body, where and how far it reaches; what its
/// images are (checker_images.h) is not looked at here.
typedef struct thudi_place
{
    int strip, body;
    double low, high; ///< written here, as strip is: along the axis of sorting
    double x[3], extent;
    int64_t turn[3];
    bool is_home;
} thudi_place;

/// Called for two places. Anything but THUD_OK ends the search.
typedef thud_status thudi_compare_fn(const thudi_place *a, const thudi_place *b, void *user);

typedef struct thudi_pairs
{
    int dim;
    size_t count;
    thudi_place *places; ///< in any order; sorted here
    thudi_compare_fn *compare;
    void *user;
    int axes[2]; ///< written here: of the strips, and of the sorting
    double from; ///< written here: where the strips begin
} thudi_pairs;

/// Compare all pairs with |x_b - x_a| <= extent_a + extent_b, and some others, each once. Returns
/// what the last comparison said.
thud_status thudi_pairs_compare(thudi_pairs *pairs);

#endif
