// Obstacles as scenes write them: the words for their shapes, and what made their triangles.
#ifndef THUDI_OBSTACLE_ENTRY_H
#define THUDI_OBSTACLE_ENTRY_H

#include "thud/solids.h"

// Every word for a shape: X(name, word, solid, flat). flat: allowed in two dimensions.
#define THUDI_OBSTACLE_LIST(X)                                                                     \
    X(SOLID_BOX, "solid_box", THUD_BOX, true)                                                      \
    X(BALL, "ball", THUD_BALL, true)                                                               \
    X(CAPSULE, "capsule", THUD_CAPSULE, true)                                                      \
    X(CYLINDER, "cylinder", THUD_CYLINDER, false)                                                  \
    X(TRIANGLE, "triangle", THUD_TRIANGLE, true)                                                   \
    X(MESH, "mesh", THUD_MESH, false)                                                              \
    X(HOPPER, "hopper", THUD_MESH, true)                                                           \
    X(MOVING_BOX, "box", THUD_INSIDE_BOX, true)                                                    \
    X(DRUM, "drum", THUD_INSIDE_DRUM, false)                                                       \
    X(CONE, "cone", THUD_INSIDE_CONE, false)                                                       \
    X(SHELL, "shell", THUD_INSIDE_BALL, true)

typedef enum thudi_obstacle_word
{
#define THUDI_OBSTACLE_ENUM(name, word, solid, flat) THUDI_OBSTACLE_##name,
    THUDI_OBSTACLE_LIST(THUDI_OBSTACLE_ENUM)
#undef THUDI_OBSTACLE_ENUM
        THUDI_OBSTACLE_WORDS
} thudi_obstacle_word;

// A funnel of flat sides about the z axis, its outlet at z = 0, with an upright bin on top. Radii
// are those of inscribed circles. In two dimensions it has two sides, left and right of x = 0.
typedef struct thudi_hopper
{
    double outlet, top; // radii
    double height, bin; // of the funnel, and of the bin above it
    int sides;
} thudi_hopper;

typedef struct thudi_obstacle_entry
{
    thudi_obstacle_word word;
    int index; // of the obstacle
    // mesh
    const char *path;
    double scale;
    int first_triangle; // index among the triangles of the file
    thudi_hopper hopper;
} thudi_obstacle_entry;

// How many triangles a hopper has, and the triangles: 9 numbers each.
int thudi_hopper_count(const thudi_hopper *hopper, int dim);
void thudi_hopper_make(const thudi_hopper *hopper, int dim, double *triangles);

#endif
