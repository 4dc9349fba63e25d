// The volume that a ball and a box have in common, in closed form.
#ifndef THUDI_SPHERE_BOX_H
#define THUDI_SPHERE_BOX_H

// In two dimensions: of a disk and a rectangle. Exact up to rounding, which is below 1e-14 of the
// ball's volume.
double thudi_sphere_box(int dim, const double *center, double radius, const double *low,
                        const double *high);

#endif
