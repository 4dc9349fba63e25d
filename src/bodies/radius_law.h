// Radii drawn from a distribution.
#ifndef THUDI_RADIUS_LAW_H
#define THUDI_RADIUS_LAW_H

#include "bodies/generators.h"
#include "core/math/random_numbers.h"

// Draw one radius. THUD_ERR_LIMIT: 1,000,000 draws, none within [min, max].
thud_status thudi_radius_draw(const thudi_radius_law *law, thudi_random *random, double *radius);

#endif
