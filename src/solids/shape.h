// What a kind of solid is made of: one table entry, and what all kinds work with.
//
// A new kind is one file that defines a thudi_shape, one line in THUD_SOLID_LIST and one in the
// table of solid.c. Code that knows kinds by name: pose.c here, obstacle_surface.c and
// surface_round.c in src/shapes, and checker_solids.c in src/verify/spheres.
#ifndef THUDI_SHAPE_H
#define THUDI_SHAPE_H

#include "core/math/geometry.h"
#include "core/memory.h"
#include "thud/solids.h"

typedef struct thudi_mesh_tree thudi_mesh_tree;

typedef struct thudi_shape
{
    // What is wrong with a def of finite numbers, or NULL.
    const char *(*check)(const thud_solid_def *def);
    // Fill what the others need: axis, length, size, depth, facets.
    void (*prepare)(thud_solid *solid);
    // distance, normal and point of a facet as x sees it; facet and rate are set already.
    void (*find_facing)(const thud_solid *solid, const double x[3], thud_facing *facing);
    // The first `concave` facets are concave, the others convex.
    int concave;
    bool may_be_infinite; // points may have infinite coordinates
} thudi_shape;

struct thud_solid
{
    thud_allocator allocator;
    thud_solid_def def; // triangles NULL: the tree has them
    const thudi_shape *shape;
    int facets;
    double axis[3], side[3]; // of what has an axis: unit vectors, along it and at right angles
    double length;           // of the axis
    double size, depth;      // see thud_solid_size and thud_solid_depth
    thudi_mesh_tree *tree;   // of a mesh, else NULL
};

extern const thudi_shape thudi_shape_box, thudi_shape_ball, thudi_shape_capsule,
    thudi_shape_cylinder, thudi_shape_triangle, thudi_shape_mesh, thudi_shape_inside_box,
    thudi_shape_inside_drum, thudi_shape_inside_cone, thudi_shape_inside_ball;

// Fill axis, side and length from the first two points.
void thudi_solid_axis(thud_solid *solid);

// Height of x over the first point along the axis, and the vector from the axis to x as a length
// and a unit vector (side where x is on the axis).
void thudi_solid_cylindrical(const thud_solid *solid, const double x[3], double *height,
                             double *radius, double outward[3]);

// The largest norm of the first `count` points.
double thudi_points_size(const thud_solid_def *def, int count);

// The nearest point of a triangle (9 numbers), its distance, and the unit vector from it to x.
void thudi_triangle_facing(const double *corners, const double x[3], thud_facing *facing);

// The nearest point of a segment.
void thudi_segment_nearest(const double a[3], const double b[3], const double x[3],
                           double nearest[3]);

// The tree of a mesh.
thud_status thudi_mesh_tree_create(const double *triangles, int count,
                                   const thud_allocator *allocator, thudi_mesh_tree **out);
void thudi_mesh_tree_destroy(thudi_mesh_tree *tree);
double thudi_mesh_tree_size(const thudi_mesh_tree *tree);
const double *thudi_mesh_tree_triangle(const thudi_mesh_tree *tree, int facet); // its 9 numbers

// The nearest triangle with a distance <= reach; else distance is INFINITY.
thud_facing thudi_mesh_tree_nearest(const thudi_mesh_tree *tree, const double x[3], double reach);

// Append every triangle within reach, in no order. Given the facing of one, leave out that one and,
// in whole branches, others behind its plane but for slack.
thud_status thudi_mesh_tree_find(const thudi_mesh_tree *tree, const double x[3], double reach,
                                 const thud_facing *front, double slack, thud_facings *list);

thud_status thudi_facings_add(thud_facings *list, const thud_facing *facing);

// |v|, whatever its size.
double thudi_vector_length(const double v[3]);

// Make v a unit vector and return the length it had; v stays 0 if it is 0.
double thudi_normalise(double v[3]);

#endif
