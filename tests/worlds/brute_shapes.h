/// Distances from solids by simple formulas, written apart from the library.
#ifndef BRUTE_SHAPES_H
#define BRUTE_SHAPES_H

#include <thud/solids.h>

typedef struct brute_view
{
    double distance, normal[3];
} brute_view;

/// x of the world in the frame of a pose, and a direction of the frame in the world.
void brute_enter(const thud_pose *pose, const double x[3], double y[3]);
void brute_turn(const thud_pose *pose, const double n[3], double out[3]);

/// Facets of a solid, and one of them seen from x of the world. INFINITY for a bound that is none.
int brute_facets(const thud_solid_def *solid);
brute_view brute_look(const thud_solid_def *solid, const thud_pose *pose, int facet,
                      const double x[3]);

/// Is the facet concave?
bool brute_is_concave(const thud_solid_def *solid, int facet);

/// The distance of x from the plane with unit normal n of the world that is a tangent of the
/// concave facet 0, or that has the triangle of a mesh behind it; NAN if n is no such normal.
double brute_tangent(const thud_solid_def *solid, const thud_pose *pose, int facet,
                     const double n[3], const double x[3]);

#endif
