/// The rows of obstacles, as the checker finds them.
#ifndef THUD_CHECKER_OBSTACLES_H
#define THUD_CHECKER_OBSTACLES_H

#include "verify/checked_law.h"
#include "verify/spheres/checker_solids.h"

/// Triangles of one mesh along one axis.
typedef struct thudi_sorted
{
    double low;
    int facet;
} thudi_sorted;

/// A triangle near one body, in the frame of its mesh.
typedef struct thudi_near_triangle
{
    int facet;
    thudi_facet_view view;
    double lin; ///< distance - r + h normal . u'
} thudi_near_triangle;

/// A row of an obstacle on the step's record.
typedef struct thudi_recorded
{
    int body, surface, row;
} thudi_recorded;

typedef struct thudi_obstacles
{
    const thud_verify_spheres_def *def;
    const thudi_checked_law *law;
    const thud_state *before, *after;
    const double *radius, *extent; ///< of every body at the time of the call
    thudi_sorted **sorted;         ///< of every obstacle that is a mesh, else NULL
    double *widest;                ///< the widest of its triangles along that axis
    thudi_near_triangle *near;     ///< room for all triangles of the largest mesh
    thudi_recorded *recorded;      ///< sorted by body, then surface
    int recorded_count;
    bool has_stray; ///< the record has a direction that is none, or none of a row
    void *block;
    size_t size;
} thudi_obstacles;

/// Make room and sort; obstacles->def, before, after are set. False: no memory.
bool thudi_obstacles_open(thudi_obstacles *obstacles, const thud_allocator *allocator);
void thudi_obstacles_close(thudi_obstacles *obstacles, const thud_allocator *allocator);

/// Push all that could matter at at->t, at->q. Return THUD_OK, or an error.
thud_status thudi_obstacles_push(thudi_obstacles *obstacles, const thud_moment *at,
                                 thud_rows *rows);

/// The keys of rows that count however far apart: number n of them, false if it came before.
int thudi_far_count(const thudi_obstacles *all);
bool thudi_far_key(const thudi_obstacles *all, int n, thud_key *key);

/// Push a row of an obstacle once more, with its gap at at->t. Of what does not move it is the
/// same, of what does the distance of the facet counts.
thud_status thudi_obstacles_push_again(const thudi_obstacles *obstacles, const thud_moment *at,
                                       const thud_row *known, thud_rows *rows);

/// Is a row that the checker pushed one of an obstacle? By how much may its slopes be off, each,
/// and its gap?
bool thudi_obstacles_is_row(const thud_row *row);
double thudi_obstacles_row_error(const thudi_obstacles *obstacles, const thud_row *row,
                                 double *gap);

/// sigma of a row with the smaller radius r.
double thudi_spheres_shift(const thud_verify_spheres_def *def, double r);

/// Write the shift of a row and the numbers of its law, for materials a and b and the smaller
/// radius r.
void thudi_spheres_add_law(const thud_verify_spheres_def *def, const thudi_checked_law *law,
                           double r, int a, int b, thud_row *row);

/// How much longer the way of obstacle k in the step could be before it might have changed sides
/// with a body; INFINITY for containers and slow ones.
thud_status thudi_obstacles_passing(const thudi_obstacles *obstacles, int k, int body,
                                    double *room);

#endif
