/// The search for all pairs of spheres and walls that a step could bring together: what its files
/// share.
#ifndef THUD_CHECKER_SEARCH_H
#define THUD_CHECKER_SEARCH_H

#include "verify/checker.h"
#include "verify/spheres/checker_images.h"
#include "verify/spheres/checker_obstacles.h"
#include "verify/spheres/checker_pairs.h"

/// All that a row between two spheres is made of.
typedef struct thudi_sight
{
    const thud_verify_spheres_def *def;
    const thudi_checked_law *law; ///< of the problem
    const double *q;
    double *radius; ///< of every body
    thudi_checked_cell cell_at;
} thudi_sight;

typedef struct thudi_search
{
    const thud_verify_spheres_def *def;
    const thud_inclusion *problem;
    const thudi_checked_law *law; ///< of the problem
    const thud_state *before, *after;
    thudi_sight at;           ///< at the time of the call, unless that looks back
    thudi_sight back;         ///< at the start of the step, of a law that looks back
    double *normal, *offset;  ///< of the walls at the time of the call
    double *extent;           ///< r + e of every body, for walls and obstacles
    double *apart;            ///< the same for pairs
    thud_allocator allocator; ///< of all memory
    double mean[3][3];        ///< of h u', of the displacement and of h w; 0 unless periodic
    thudi_row_list *list;     ///< of the call
    thud_rows *trial;         ///< a list for one row, which tests a pair before its key is kept
    thudi_obstacles obstacles;
} thudi_search;

/// Two bodies, low < high, and which image of the second is meant.
typedef struct thudi_image_pair
{
    int low, high;
    int image; // in the key
    double shift[3], distance;
} thudi_image_pair;

static inline const double *thudi_sight_centre(const thudi_sight *sight, int body)
{
    return sight->q + (size_t)sight->def->dim * (size_t)body;
}

static inline int thudi_sight_material(const thudi_sight *sight, int body)
{
    return sight->def->material ? sight->def->material[body] : 0;
}

/// The pair that is named by a key.
thudi_image_pair thudi_sight_pair(const thudi_sight *sight, thud_key key);
/// A thudi_make_row_fn: the row of a pair. maker: a thudi_sight.
thud_row thudi_sight_row(thud_key key, const void *maker, thud_row_room *room);

/// How far bodies reach, into extent and apart; false for numbers that no answer can be had of.
bool thudi_search_find_reach(thudi_search *s, const thudi_sight *sight, const thud_moment *at);

/// Add all pairs that are near.
thud_status thudi_search_push_pairs(thudi_search *s);
bool thudi_search_is_near_pair(const thudi_search *s, const thudi_image_pair *c);
/// Add a pair as seen by sight.
thud_status thudi_search_push_pair(thudi_search *s, const thudi_sight *sight,
                                   const thudi_image_pair *c);

/// The same for walls.
thud_status thudi_search_push_walls(thudi_search *s);
double thudi_search_wall_gap(const thudi_search *s, const thudi_sight *sight, int wall, int body);
bool thudi_search_is_near_wall(const thudi_search *s, double gap, int body);
thud_status thudi_search_push_wall(thudi_search *s, const thudi_sight *sight, int wall, int body,
                                   double gap);

#endif
