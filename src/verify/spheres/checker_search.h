/// The search for all pairs of spheres and walls that a step could bring together: what its files
/// share.
#ifndef THUD_CHECKER_SEARCH_H
#define THUD_CHECKER_SEARCH_H

#include "verify/checker.h"
#include "verify/spheres/checker_images.h"
#include "verify/spheres/checker_obstacles.h"
#include "verify/spheres/checker_pairs.h"

typedef struct thudi_search
{
    const thud_verify_spheres_def *def;
    const thud_inclusion *problem;
    const thudi_checked_law *law; ///< of the problem
    const thud_state *before, *after;
    double *radius, *normal, *offset; ///< at the time of the call
    double *extent;                   ///< r + e of every body, for walls and obstacles
    double *apart;                    ///< the same for pairs
    thudi_place *places;              ///< room for all bodies
    thudi_checker memory;             ///< for its allocator alone
    thudi_checked_cell cell_at;
    double mean[3][3]; ///< of h u', of the displacement and of h w; 0 unless periodic
    const double *q;
    thud_rows *rows;
    thudi_obstacles obstacles;
} thudi_search;

/// Two bodies, low < high, and which image of the second is meant.
typedef struct thudi_image_pair
{
    int low, high;
    int image; // in the key
    double shift[3], distance;
} thudi_image_pair;

static inline const double *thudi_search_centre(const thudi_search *s, int body)
{
    return s->q + (size_t)s->def->dim * (size_t)body;
}

static inline int thudi_search_material(const thudi_search *s, int body)
{
    return s->def->material ? s->def->material[body] : 0;
}

/// See thudi_spheres_add_law.
static inline void thudi_search_add_law(const thudi_search *s, thud_row *row, double r, int a,
                                        int b)
{
    thudi_spheres_add_law(s->def, s->law, r, a, b, row);
}

/// How far bodies reach, into extent and apart; false for numbers that no answer can be had of.
bool thudi_search_find_reach(thudi_search *s, const thud_moment *at);

/// Push all pairs that are near.
thud_status thudi_search_push_pairs(thudi_search *s);
/// The pair that is named by a key, whether it is near, and its row.
thudi_image_pair thudi_search_pair(const thudi_search *s, thud_key key);
bool thudi_search_is_near_pair(const thudi_search *s, const thudi_image_pair *c);
thud_status thudi_search_push_pair(thudi_search *s, const thudi_image_pair *c);

/// The same for walls.
thud_status thudi_search_push_walls(thudi_search *s);
double thudi_search_wall_gap(const thudi_search *s, int wall, int body);
bool thudi_search_is_near_wall(const thudi_search *s, double gap, int body);
thud_status thudi_search_push_wall(thudi_search *s, int wall, int body, double gap);

#endif
