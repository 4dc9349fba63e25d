// The units of packs: powers of two, so that the largest stop and the lightest mass lie in [1/2,
// 1).
#ifndef THUDI_PACKS_UNITS_H
#define THUDI_PACKS_UNITS_H

#include "project/sweep/packs.h"

// Masses, or stops, further apart than this cannot be swept together: doubles have 53 bits.
static const double THUDI_MOST_APART = 0x1p60;

// Choose the units of packs that are laid out, and compute `pull`. All members of a team get the
// same units. THUD_NEWS when numbers are too far apart for packs. status: an error that other
// members do not know yet. speed: the largest |w| of a coordinate; shortest: of all stops; both in
// these units.
thud_status thudi_packs_choose_units(const thudi_packing *packing, thud_status status,
                                     thudi_packs *packs, double *speed, double *shortest);

#endif
