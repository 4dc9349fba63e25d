// Bricks: cubes of space, and the classes of rows within and between them.
//
//     brick   b_k = floor(q_k / s_k)          vertex  v_k = floor(q_k / s_k + 1/2)      k = x, y, z
//     S       the k in which the bodies of a row have different b_k; S is empty: class 0
//     patch   of a row of class S: v_k for k in S, b_k for all other k
//
// A row is regular if both bodies have the same v_k for all k in S. A body has one b and one v, and
// so it is in at most one patch of a class. Hence two patches of one class share no body: threads
// may sweep them side by side, in any order. This holds for every choice of sides and frames; good
// ones make few rows irregular.
//
// On a periodic axis s_k divides the period, and b_k, v_k count modulo the number of bricks. In a
// sheared cell the bodies above and below the face y = 0 are in frames that slide. Rows through the
// face take both bodies in the frame below it: a body that is nearest to the face has a second b_x
// and v_x, which count in the classes with y.
#ifndef THUDI_BRICKS_H
#define THUDI_BRICKS_H

#include "thud/project.h"

enum
{
    // In this order, so that few rows depend on rows of later classes: corners, edges, faces.
    THUDI_INSIDE, // within a brick
    THUDI_XYZ,
    THUDI_XY,
    THUDI_XZ,
    THUDI_YZ,
    THUDI_X,
    THUDI_Y,
    THUDI_Z,
    THUDI_IRREGULAR,
    THUDI_CLASSES
};

// The cut of space, of a width of 2 or 3 coordinates.
typedef struct thudi_grid
{
    int width;
    double side[3];
    int count[3];  // bricks in a period; 0: the axis is not periodic
    double period; // of y in a sheared cell, else 0
    double shear;
} thudi_grid;

// Where a body is. Numbers are at least 0.
typedef struct thudi_brick_place
{
    int brick[3], vertex[3];
    int face_brick, face_vertex; // b_x and v_x in the frame below the sheared face
} thudi_brick_place;

thudi_grid thudi_grid_of(const thud_bricks *bricks, int width);

// The place of a body at q, and in `inside` its position in the brick, from 0 to 1 on each axis.
thudi_brick_place thudi_brick_place_of(const thudi_grid *grid, const double *q, double inside[3]);

// The class of a row between two bodies, and the code of its patch: equal codes are one patch. The
// code is 0 in the classes INSIDE and IRREGULAR.
int thudi_brick_class(const thudi_grid *grid, const thudi_brick_place *a,
                      const thudi_brick_place *b, uint64_t *patch);

#endif
