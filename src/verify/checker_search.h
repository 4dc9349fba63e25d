/// The search of the checker for pairs of spheres: what its files share.
#ifndef THUD_CHECKER_SEARCH_H
#define THUD_CHECKER_SEARCH_H

#include "checker.h"
#include "checker_images.h"
#include "checker_obstacles.h"

typedef struct thudi_place
{
    int strip, body;
    double low, high;    // along the axis of sorting
    double x[3], extent; // of the body: side by side for the sweep
    int64_t turn[3];     // as of a sight
    bool is_home;
} thudi_place;

// Two bodies, low < high, and which image of the second is meant.
typedef struct thudi_couple
{
    int low, high;
    uint64_t code;
    double shift[3], distance;
} thudi_couple;

typedef struct thudi_search
{
    const thud_check_spheres_def *def;
    const thud_inclusion *problem;
    const thud_state *before, *after;
    double *radius, *normal, *offset; // at the time of the call
    double *extent;                   // r + e of every body, for walls and obstacles
    double *apart;                    // the same for pairs
    thudi_place *places;              // sorted by strip, then by low
    int place_count;
    thudi_exam memory; // for its allocator alone
    thudi_ring ring;
    double mean[3][3]; // of h u', of the displacement and of h w; 0 unless periodic
    const double *q;
    thud_rows *rows;
    thudi_obstacles obstacles;
} thudi_search;

/// The centre of a body where the search looks.
static inline const double *thudi_search_centre(const thudi_search *s, int body)
{
    return s->q + (size_t)s->def->dim * (size_t)body;
}

/// The couple named by a key of two bodies that exist.
thudi_couple thudi_search_couple(const thudi_search *s, uint64_t key);
bool thudi_search_is_near(const thudi_search *s, const thudi_couple *couple);

thud_status thudi_search_push(thudi_search *s, const thudi_couple *couple);

/// Push all pairs that are near.
thud_status thudi_search_pairs(thudi_search *s);

/// What the law needs to know of a row between two materials, the smaller radius being r.
void thudi_search_add_law(const thudi_search *s, thud_row *row, double r, int a, int b);
int thudi_search_material(const thudi_search *s, int body);

#endif
