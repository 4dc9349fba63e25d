// Worlds of unequal spheres: one large body that many small ones touch, and sizes over four orders
// of magnitude; beside them equal ones, to compare with.
#ifndef SIZES_SCENE_H
#define SIZES_SCENE_H

#include <thud/spheres.h>

typedef enum sizes_kind
{
    SIZES_EVEN,    // equal spheres, side by side on a floor
    SIZES_SPREAD,  // small ones all over a large one, apart from each other
    SIZES_CAP,     // small ones side by side on a large one
    SIZES_COVERED, // the large one just so large that they cover it
    SIZES_HOLLOW,  // the same, the large one a hundred times as heavy as a small one
    SIZES_WIDE,    // radii from a lognormal law over the ratio, in a box
    SIZES_KINDS
} sizes_kind;

typedef struct sizes_scene
{
    sizes_kind kind;
    int count;
    double largest, smallest; // radius
    double width;             // of the box, for SIZES_EVEN and SIZES_WIDE
    double h;                 // what falls in this time is a hundredth of the smallest radius
    thud_sphere *spheres;     // the large one first
} sizes_scene;

static const double SIZES_GRAVITY = 9.81;

const char *sizes_name(sizes_kind kind);

// count bodies, the large one among them. False when memory is lacking.
bool sizes_make(sizes_kind kind, int count, double ratio, sizes_scene *scene);
void sizes_free(sizes_scene *scene);

// What its world is made from: small bodies are pulled to the large one, or to the floor.
thud_world_def sizes_def(const sizes_scene *scene, double tol, double tol_a);

// The world of a scene, which must outlive it, prepared; NULL when that failed.
thud_world *sizes_world(const sizes_scene *scene, double tol, double tol_a,
                        const thud_allocator *allocator);

#endif
