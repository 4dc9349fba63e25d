/// The worked example of docs/solvers.md and docs/certificates.md: two disks on a floor, and a
/// third one that falls between them. Five rows, six coordinates.
#ifndef THREE_DISKS_H
#define THREE_DISKS_H

#include "thud/project.h"

enum
{
    THREE_DISKS_DIM = 6,
    THREE_DISKS_ROWS = 5
};

/// The rows in the order in which they are pushed.
extern const char *const three_disks_names[THREE_DISKS_ROWS];

typedef struct three_disks
{
    thud_rows *rows;
    thud_projection problem; ///< warm is set
} three_disks;

/// pairs: rows of width 2, which are swept in packs; else the same rows of general shape, which are
/// swept one by one. False if there is no memory.
bool three_disks_begin(three_disks *disks, bool pairs);
void three_disks_end(three_disks *disks);

/// Solve with at most so many sweeps, 0 for no limit; exactly: by the exact method instead. The
/// answer belongs to the projector.
thud_status three_disks_solve(const three_disks *disks, int sweeps, bool exactly,
                              thud_projector **projector, thud_answer *answer);

#endif
