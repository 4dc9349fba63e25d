// Solids (spheres and capsules) that rays find quickly: a tree of spheres, eight to a node, so that
// one vector register holds a number of all of them.
#ifndef THUDI_SOLID_TREE_H
#define THUDI_SOLID_TREE_H

#include "core/memory.h"
#include "picture/vec.h"

enum
{
    THUDI_TREE_WIDTH = 8
};

// All points within `radius` of the segment from `a` to `b`; a sphere when these are the same.
typedef struct thudi_solid
{
    thudi_vec a, b;
    double radius;
} thudi_solid;

// Spheres around the children, slightly too large: rounding loses none.
typedef struct thudi_tree_node
{
    float x[THUDI_TREE_WIDTH], y[THUDI_TREE_WIDTH], z[THUDI_TREE_WIDTH], r[THUDI_TREE_WIDTH];
    int link[THUDI_TREE_WIDTH]; // a node, or -1 - solid
    int count;
} thudi_tree_node;

typedef struct thudi_tree
{
    const thudi_solid *solids; // borrowed
    int count;
    THUDI_ARRAY(thudi_tree_node) nodes; // the root is the first
    int node_count;
    THUDI_ARRAY(int) order; // work space: solids by node
    double slack;           // by which spheres are too large
} thudi_tree;

// Coordinates should be of order 1: the tree's own are floats.
thud_status thudi_tree_build(thudi_tree *tree, const thud_allocator *allocator,
                             const thudi_solid *solids, int count);
void thudi_tree_free(thudi_tree *tree, const thud_allocator *allocator);

typedef struct thudi_ray
{
    thudi_vec from, along; // along is a unit vector
} thudi_ray;

// The first solid that the ray meets before `limit`, or -1; *t is where.
int thudi_tree_nearest(const thudi_tree *tree, const thudi_ray *ray, double limit, double *t);

// Where the ray enters the solid; INFINITY if it does not, or starts inside.
double thudi_solid_enter(const thudi_solid *solid, const thudi_ray *ray);

// The part of a round light that is seen along the ray: its disc has the given tangent of its
// angular radius. Spheres only; `skip` is not looked at.
double thudi_tree_light(const thudi_tree *tree, const thudi_ray *ray, double tangent, int skip);

// The part of the sky above the surface at `point` that spheres within `reach` leave free.
double thudi_tree_sky(const thudi_tree *tree, thudi_vec point, thudi_vec normal, double reach,
                      int skip);

#endif
