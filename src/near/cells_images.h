// Near pairs in a periodic cell: the search by cells among the bodies, moved into one cell, and
// ghosts of those that are near its border.
#ifndef THUDI_CELLS_IMAGES_H
#define THUDI_CELLS_IMAGES_H

#include "near/cells.h"

#include <math.h>

// A partner in a list of near pairs is image << 25 | body, image = sum of (m_k mod 4) << 2 k.
enum
{
    THUDI_IMAGE_AT = 25,
    THUDI_IMAGE_BODY = (1 << THUDI_IMAGE_AT) - 1
};

typedef struct thudi_periods
{
    double length[3]; // 0: not periodic
    double shear;     // images along y are displaced along x by it
} thudi_periods;

// Find all pairs with |q_b - q_a - offset(m)| < reach_a + reach_b, a < b, into the list of cells;
// partners are as above, and increase. The search opens rooms, and closes them before it returns.
// Every reach is below a period, and there are fewer than 2^25 bodies.
thud_status thudi_images_find(thudi_cells *cells, thud_rooms *rooms, const thudi_periods *periods,
                              int dim, int count, const double *q, const double *reach);

// The integer next to x that is `image` modulo 4.
static inline double thudi_image_near(double x, int image)
{
    return image + 4 * floor((x - image) * 0.25 + 0.5);
}

// m of the image of b that is meant by the upper bits of a partner, and its offset. The vectors
// between centres are formed with the next functions and in no other way.
static inline void thudi_image_of(const thudi_periods *periods, const double a[3],
                                  const double b[3], int partner, double m[3], double offset[3])
{
    const double *length = periods->length;
    int code = partner >> THUDI_IMAGE_AT;
    m[1] = length[1] > 0 ? thudi_image_near((b[1] - a[1]) / length[1], code >> 2 & 3) : 0;
    double x = b[0] - a[0] - m[1] * periods->shear;
    m[0] = length[0] > 0 ? thudi_image_near(x / length[0], code & 3) : 0;
    m[2] = length[2] > 0 ? thudi_image_near((b[2] - a[2]) / length[2], code >> 4 & 3) : 0;
    offset[0] = m[0] * length[0] + m[1] * periods->shear;
    offset[1] = m[1] * length[1];
    offset[2] = m[2] * length[2];
}

// The offset alone; 0 without a cell, when periods is NULL.
static inline void thudi_image_offset(const thudi_periods *periods, const double a[3],
                                      const double b[3], int partner, double offset[3])
{
    double m[3];
    offset[0] = offset[1] = offset[2] = 0;
    if (periods)
        thudi_image_of(periods, a, b, partner, m, offset);
}

static inline double thudi_image_between(double a, double b, double offset)
{
    return b - a - offset;
}

#endif
