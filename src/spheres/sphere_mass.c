// Masses from densities: density times 4/3 pi r^3, for disks density times pi r^2.
#include "core/math/geometry.h"
#include "thud/spheres.h"

double thud_sphere_mass(int dim, double radius, double density)
{
    double volume =
        dim == 3 ? 4.0 / 3.0 * THUDI_PI * radius * radius * radius : THUDI_PI * radius * radius;
    return density * volume;
}
