// The range of every colour over a whole run: one rule for pictures and pages.
#ifndef THUDI_COLOR_RANGE_H
#define THUDI_COLOR_RANGE_H

#include "colors/ticks.h"
#include "thud/show.h"
#include "thud/snapshot.h"

enum
{
    THUDI_SCALE_TICKS = 4 // about so many steps on a scale of colours
};

typedef struct thudi_color_range
{
    double low, high;
    bool is_cut; // values of frames looked at are above it
} thudi_color_range;

typedef struct thudi_ranges
{
    thudi_color_range color[THUD_COLOR_COUNT];
} thudi_ranges;

// Look at 64 frames of the log at most, evenly spread, whichever of them are shown: a colour means
// the same in every picture of a run. Of speeds and pressures that are not 0 the largest hundredth
// is above the range. Frames that cannot be read are left out. Wanted has a bit 1 << color for each
// colour to look at. THUD_ERR_MEMORY with a fault.
thud_status thudi_ranges_find(thudi_ranges *ranges, const thud_snapshot_def *run,
                              thud_snapshot_reader *reader, unsigned wanted, thud_fault *fault);

// Chains of a frame are thickest from this force on: 99 in 100 of its contacts do not exceed it,
// rounded up to a tick. 0 without contacts. There is room for as many numbers as the frame has
// contacts.
double thudi_chains_force(const thud_snapshot *snapshot, double *room);

// The ticks of a scale with that range, so many at most.
thudi_ticks thudi_range_ticks(const thudi_color_range *range, thud_color color, int most);

#endif
