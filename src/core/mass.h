// The mass of a coordinate, for problems that may leave their masses out.
#ifndef THUDI_MASS_H
#define THUDI_MASS_H

#include <stddef.h>

// m of coordinate k, in kg where the problem has units; without an array all masses are 1.
static inline double thudi_mass(const double *mass, int k)
{
    return mass ? mass[k] : 1;
}

#endif
