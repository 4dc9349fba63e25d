// A random fill in a periodic cell: a place is free if it is so for every image of the body.
#include "bodies/fill_cells.h"

#include <math.h>

// Of a period: a region at least this long fills it, up to rounding.
static const double SPANNING = 1 - 1e-12;

enum
{
    MOST_IMAGES = 8 // to either side
};

bool thudi_fill_spans(const thudi_fill *fill, int k)
{
    double period = fill->cell.period[k], side = fill->region.high[k] - fill->region.low[k];
    return period > 0 && !fill->region.is_ball && side >= period * SPANNING;
}

bool thudi_fill_fits_cell(const thudi_fill *fill, double radius)
{
    for (int k = 0; k < fill->dim; k++)
        if (fill->cell.period[k] > 0 && !(2 * radius + fill->gap < fill->cell.period[k]))
            return false;
    return true;
}

// Along a periodic axis an image farther than this from the cell meets nothing in it.
static double reach_of(const thudi_fill_cells *cells, double radius)
{
    double largest = radius;
    for (int level = 0; level < THUDI_FILL_LEVELS; level++)
        largest = cells->reach[level] > largest ? cells->reach[level] : largest;
    return (radius + largest + cells->gap) * THUDI_FILL_OUTWARDS;
}

static void range_of(const thudi_fill *fill, int k, double x, double reach, int range[2])
{
    double period = fill->cell.period[k], low = fill->cell.low[k];
    range[0] = range[1] = 0;
    if (!(period > 0))
        return;
    // farther away are only images of bodies too large for the cell, which no model takes
    double first = ceil((low - reach - x) / period),
           last = floor((low + period + reach - x) / period);
    range[0] = first > -MOST_IMAGES ? (int)first : -MOST_IMAGES;
    range[1] = last < MOST_IMAGES ? (int)last : MOST_IMAGES;
}

bool thudi_fill_is_free(const thudi_fill *fill, const thudi_fill_cells *cells,
                        const thud_sphere *sphere, thudi_fill_effort *effort)
{
    if (!thud_cell_is_periodic(&fill->cell))
        return thudi_fill_cells_are_free(cells, sphere, effort);
    double reach = reach_of(cells, sphere->radius), period = fill->cell.period[0];
    double shear = period > 0 ? fill->shear - period * floor(fill->shear / period) : 0;
    int x[2], y[2], z[2], m[3];
    range_of(fill, 1, sphere->center[1], reach, y);
    range_of(fill, 2, sphere->center[2], reach, z);
    for (m[2] = z[0]; m[2] <= z[1]; m[2]++)
        for (m[1] = y[0]; m[1] <= y[1]; m[1]++)
        {
            thud_sphere image = *sphere;
            double along = sphere->center[0] + m[1] * shear;
            image.center[1] += m[1] * fill->cell.period[1];
            image.center[2] += m[2] * fill->cell.period[2];
            range_of(fill, 0, along, reach, x);
            for (m[0] = x[0]; m[0] <= x[1]; m[0]++)
            {
                image.center[0] = along + m[0] * period;
                if (!thudi_fill_cells_are_free(cells, &image, effort))
                    return false;
            }
        }
    return true;
}
