/// Where the bodies of a periodic cell are seen: the checker's own arithmetic of images.
#ifndef THUD_CHECKER_IMAGES_H
#define THUD_CHECKER_IMAGES_H

#include "thud/cell.h"

/// The cell at the time of a call.
typedef struct thudi_checked_cell
{
    const double *period;
    double shear;
    bool is_closed;      ///< any axis is periodic
    double shortest;     ///< period
    thud_key_space keys; ///< of the rows
} thudi_checked_cell;

/// One of the places where a body is seen in the cell 0 <= x < period, and around it.
typedef struct thudi_checked_image
{
    double x[3];
    int64_t turn[3]; ///< how often it went around to get here from q
    bool is_home;    ///< it is in the cell
} thudi_checked_image;

/// false if a number is not finite, or the shear cannot be told.
bool thudi_checked_cell_at(thudi_checked_cell *cell_at, const thud_cell *cell, int dim, double t);

/// All sights of the body at q within `reach` of the cell, into list unless it is NULL; how many,
/// -1 if they cannot be counted.
int thudi_checked_cell_images(const thudi_checked_cell *cell_at, int dim, const double *q,
                              double reach, thudi_checked_image *list);

/// The image that is named by the key of the bodies at a and b, see thud_key_parts.
void thudi_checked_cell_turns(const thudi_checked_cell *cell_at, int dim, const double *a,
                              const double *b, int image, int64_t m[3]);

/// m_x L_x + m_y S, m_y L_y, m_z L_z.
void thudi_checked_cell_offset(const thudi_checked_cell *cell_at, const int64_t m[3],
                               double shift[3]);

/// The image that names m in a key.
int thudi_checked_cell_image(const int64_t m[3]);

#endif
