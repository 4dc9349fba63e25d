/// Contact problems of a size that real scenes have, with sparse rows.
#ifndef PROJECTION_SCENE_H
#define PROJECTION_SCENE_H

#include "thud/project.h"

typedef struct scene
{
    int dim;
    double h;
    double *mass, *w; ///< length dim
    thud_rows *rows;
} scene;

scene *scene_create(int dim);
void scene_destroy(scene *s);
thud_projection scene_projection(const scene *s, const double *warm);

/// A random dense pack of spheres in a box, moving downwards and at random; candidates are pairs
/// closer than `reach` radii. Gaps are multiplied by `squeeze`: near 0 the pack is jammed.
scene *scene_spheres(int count, double reach, double squeeze, uint64_t seed);

/// side^3 equal spheres that fill a box exactly: every gap is 0, and the rows are dependent.
scene *scene_crystal(int side, uint64_t seed);

/// Columns of rigid boxes on a floor, four corner contacts under each: one too many.
scene *scene_boxes(int columns, int levels, uint64_t seed);

/// Rods on a line between walls that are a little too close to be ignored.
scene *scene_chain(int count, uint64_t seed);

/// Rows of `filled` coordinates each, around a point they all admit.
scene *scene_random(int dim, int count, int filled, uint64_t seed);

/// (primal - dual) / primal in 113-bit arithmetic; `primal` receives 1/2 |u - w|_M^2.
double scene_duality_gap(const scene *s, const double *u, const double *mu, double *primal);

#endif
