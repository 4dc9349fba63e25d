/// Random solids of every kind, and their distances found by search over their surfaces.
#ifndef SOLID_RIG_H
#define SOLID_RIG_H

#include "thud/solids.h"
#include "thud_test.h"

/// A random def of a kind (all but THUD_MESH), of a size about 1 and anywhere near the origin.
thud_solid_def solid_rig_def(test_random *random, thud_solid_kind kind);

/// The solid, or NULL with a failed check.
thud_solid *solid_rig_make(const thud_solid_def *def);

/// A random point near it; in a container, where its distance formula is a distance.
void solid_rig_point(test_random *random, const thud_solid_def *def, double x[3]);

/// The signed distance of x to one facet: the smallest over a net of points of its surface, refined
/// by a pattern search in long double, with a sign by a test of its own.
long double solid_rig_distance(const thud_solid_def *def, int facet, const long double x[3]);

/// Write a mesh of `count` random triangles of the given size in a unit cube.
void solid_rig_triangles(test_random *random, int count, double size, double *triangles);

#endif
