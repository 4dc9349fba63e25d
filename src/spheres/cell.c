// A periodic cell for code that looks at a world from outside: wrapping, and the images in keys.
#include "thud/cell.h"

#include "near/cells_images.h"
#include "rows/key.h"

#include <limits.h>
#include <math.h>
#include <string.h>

bool thud_cell_is_periodic(const thud_cell *cell)
{
    return cell->period[0] > 0 || cell->period[1] > 0 || cell->period[2] > 0;
}

void thud_cell_wrap(const thud_cell *cell, double shear, double x[3])
{
    for (int k = 2; k >= 0; k--) // y before x, because of the shear
    {
        if (!(cell->period[k] > 0))
            continue;
        double m = floor((x[k] - cell->low[k]) / cell->period[k]);
        x[k] -= m * cell->period[k];
        if (k == 1)
            x[0] -= m * shear;
    }
}

void thud_cell_image(const thud_cell *cell, double shear, thud_key key, const double a[3],
                     const double b[3], int image[3], double shift[3])
{
    thudi_periods periods = {.shear = shear};
    double m[3];
    memcpy(periods.length, cell->period, sizeof periods.length);
    thudi_image_of(&periods, a, b, thudi_key_image(key) << THUDI_IMAGE_AT, m, shift);
    for (int k = 0; k < 3; k++)
        image[k] = fabs(m[k]) < INT_MAX ? (int)m[k] : m[k] < 0 ? -INT_MAX : INT_MAX;
}

void thud_cell_pair(const thud_cell *cell, thud_key key, int *a, int *b)
{
    *a = thudi_key_high(key);
    *b = thudi_key_low(key, thud_cell_is_periodic(cell) ? THUD_KEYS_PERIODIC : THUD_KEYS_OPEN);
}
