// Radii drawn from a distribution.
#ifndef THUDI_DISTRIBUTION_H
#define THUDI_DISTRIBUTION_H

#include "bodies/generators.h"
#include "core/math/random_numbers.h"

// Draw one radius. THUD_ERR_LIMIT: 1,000,000 draws, none within [min, max].
thud_status thudi_distribution_draw(const thudi_distribution *distribution, thudi_random *random,
                                    double *radius);

#endif
