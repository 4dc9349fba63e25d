// Images in a periodic cell for the checker, by counting turns: no code of the world's is used.
#include "verify/spheres/checker_images.h"

#include <math.h>

static const double MOST_TURNS = 1e12;

bool thudi_checked_cell_at(thudi_checked_cell *cell_at, const thud_cell *cell, int dim, double t)
{
    *cell_at = (thudi_checked_cell){.period = cell->period, .shortest = INFINITY};
    for (int k = 0; k < 3; k++)
    {
        double period = cell->period[k];
        if (!(period >= 0) || !isfinite(period) || (k >= dim && period > 0))
            return false;
        if (period > 0)
        {
            cell_at->is_closed = true;
            cell_at->keys = THUD_KEYS_PERIODIC;
            cell_at->shortest = period < cell_at->shortest ? period : cell_at->shortest;
        }
    }
    if (!cell->shear)
        return true;
    return cell->period[0] > 0 && cell->period[1] > 0 &&
           cell->shear(t, &cell_at->shear, cell->user) == 0 && isfinite(cell_at->shear);
}

// Turns that put x within reach of the cell: range[0] .. range[1], and the one that puts it into
// it.
static bool turns_of(double period, double x, double reach, int64_t range[2], int64_t *home)
{
    range[0] = range[1] = *home = 0;
    if (!(period > 0))
        return true;
    if (!(fabs(x) / period < MOST_TURNS) || !(reach / period < 8))
        return false;
    range[0] = (int64_t)ceil((x - period - reach) / period);
    range[1] = (int64_t)floor((x + reach) / period);
    *home = (int64_t)floor(x / period);
    return true;
}

int thudi_checked_cell_images(const thudi_checked_cell *cell_at, int dim, const double *q,
                              double reach, thudi_checked_image *list)
{
    double z = dim == 3 ? q[2] : 0;
    int64_t x_range[2], y_range[2], z_range[2], home[3], turn[3];
    int count = 0;
    if (!turns_of(cell_at->period[1], q[1], reach, y_range, &home[1]) ||
        !turns_of(cell_at->period[2], z, reach, z_range, &home[2]))
        return -1;
    for (turn[2] = z_range[0]; turn[2] <= z_range[1]; turn[2]++)
        for (turn[1] = y_range[0]; turn[1] <= y_range[1]; turn[1]++)
        {
            double along = q[0] - (double)turn[1] * cell_at->shear;
            if (!turns_of(cell_at->period[0], along, reach, x_range, &home[0]))
                return -1;
            for (turn[0] = x_range[0]; turn[0] <= x_range[1]; turn[0]++, count++)
                if (list)
                    list[count] = (thudi_checked_image){
                        .x = {along - (double)turn[0] * cell_at->period[0],
                              q[1] - (double)turn[1] * cell_at->period[1],
                              z - (double)turn[2] * cell_at->period[2]},
                        .turn = {turn[0], turn[1], turn[2]},
                        .is_home = turn[0] == home[0] && turn[1] == home[1] && turn[2] == home[2]};
        }
    return count;
}

// Of the four integers around x / period the one with the two bits.
static int64_t turn_with(double x, double period, uint64_t bits)
{
    if (!(period > 0) || !(fabs(x) / period < MOST_TURNS))
        return 0;
    int64_t least = (int64_t)ceil(x / period) - 2;
    for (int64_t m = least; m < least + 4; m++)
        if (((uint64_t)m & 3) == bits)
            return m;
    return 0;
}

void thudi_checked_cell_turns(const thudi_checked_cell *cell_at, int dim, const double *a,
                              const double *b, int image, int64_t m[3])
{
    uint64_t code = (uint64_t)image;
    m[1] = turn_with(b[1] - a[1], cell_at->period[1], code >> 2 & 3);
    m[0] = turn_with(b[0] - a[0] - (double)m[1] * cell_at->shear, cell_at->period[0], code & 3);
    m[2] = dim == 3 ? turn_with(b[2] - a[2], cell_at->period[2], code >> 4) : 0;
}

void thudi_checked_cell_offset(const thudi_checked_cell *cell_at, const int64_t m[3],
                               double shift[3])
{
    shift[0] = (double)m[0] * cell_at->period[0] + (double)m[1] * cell_at->shear;
    shift[1] = (double)m[1] * cell_at->period[1];
    shift[2] = (double)m[2] * cell_at->period[2];
}

int thudi_checked_cell_image(const int64_t m[3])
{
    return (int)(((uint64_t)m[0] & 3) | ((uint64_t)m[1] & 3) << 2 | ((uint64_t)m[2] & 3) << 4);
}
