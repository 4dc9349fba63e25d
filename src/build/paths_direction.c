// The direction of the path at a point, interpolated between the nodes around it.
#include "build/paths.h"

#include <math.h>

// The lower left node of the cell that holds x, or the nearest cell; part: where in it, 0 to 1.
static int cell_of(const thudi_paths *paths, const double x[2], double part[2])
{
    int at[2];
    for (int k = 0; k < 2; k++)
    {
        double place = (x[k] - paths->low[k]) / paths->cell, last = paths->count[k] - 2;
        double whole = place >= 0 ? floor(place) : 0;
        whole = whole <= last ? whole : last;
        at[k] = (int)whole;
        part[k] = place - whole;
        part[k] = part[k] > 0 ? part[k] : 0;
        part[k] = part[k] < 1 ? part[k] : 1;
    }
    return at[0] + paths->count[0] * at[1];
}

void thudi_paths_direction(const thudi_paths *paths, const double x[2], double direction[2])
{
    double part[2];
    int node = cell_of(paths, x, part), row = paths->count[0];
    const double *d = paths->direction;
    for (int k = 0; k < 2; k++)
    {
        size_t a = 2 * (size_t)node + (size_t)k, b = 2 * (size_t)(node + row) + (size_t)k;
        double below = d[a] + part[0] * (d[a + 2] - d[a]);
        double above = d[b] + part[0] * (d[b + 2] - d[b]);
        direction[k] = below + part[1] * (above - below);
    }
    // the mean is shorter where neighbours disagree; it gets length 1 unless it is shorter than 1/2
    double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
    for (int k = 0; k < 2; k++)
        direction[k] /= length > 0.5 ? length : 0.5;
}

thudi_place_kind thudi_paths_place(const thudi_paths *paths, const double x[2])
{
    double part[2];
    int node = cell_of(paths, x, part), row = paths->count[0];
    const unsigned char *kind = paths->kind + node;
    thudi_place_kind all[4] = {kind[0], kind[1], kind[row], kind[row + 1]};
    thudi_place_kind best = THUDI_NOWHERE;
    for (int i = 0; i < 4; i++)
        if (all[i] == THUDI_INSIDE || best == THUDI_NOWHERE)
            best = all[i];
    return best;
}
