/// A periodic cell: some axes of space are closed to rings, and a shear may move its images.
///
/// Along axis k with period L_k > 0 every body has images at all q + m L_k, m integer. With a shear
/// the images along y are displaced along x too, by S(t) for each period (Lees and Edwards):
///
///     image m of q:   q + (m_x L_x + m_y S(t), m_y L_y, m_z L_z)
///
/// Positions are never wrapped: a body that has gone around has coordinates larger by a period. So
/// nothing jumps, and a body has the velocity of its own coordinates, not that of an image. A pair
/// a < b keeps  |q_b - q_a - shift(m)| >= r_a + r_b  for every m; a body never meets its own image,
/// as periods are longer than two radii.
///
/// In a world with a cell ids are below 2^25 and the key of a pair holds an image (thud/key.h),
/// image = sum of (m_k mod 4) << 2 k. Those m that can be near differ by less than 4, so the key
/// and the two positions tell m.
#ifndef THUD_CELL_H
#define THUD_CELL_H

#include "thud/key.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Write S(t). Return 0, or anything else to fail the step.
typedef int thud_shear_fn(double t, double *shear, void *user);

/// All zero: no axis is periodic.
typedef struct thud_cell
{
    double period[3];     ///< L_k; 0: the axis is not periodic
    double low[3];        ///< where the cell begins: for thud_cell_wrap alone
    thud_shear_fn *shear; ///< NULL: none; else x and y must be periodic
    double shear_t;       ///< bound of |S'|, for the bound between nodes; NAN: not known
    double shear_tt;      ///< bound of |S''|; NAN: not known
    void *user;           ///< handed to shear
} thud_cell;

/// Is any axis periodic?
THUD_API bool thud_cell_is_periodic(const thud_cell *cell);

/// Move x, 3 numbers, into low[k] <= x[k] < low[k] + period[k] on the periodic axes, but for
/// rounding. shear: S at the time, 0 without one.
THUD_API void thud_cell_wrap(const thud_cell *cell, double shear, double x[3]);

/// The image of the pair with this key whose bodies are at a and b (3 numbers each): m, and the
/// shift that makes b - a - shift the vector between the centres. Both 0 in a cell that is not
/// periodic; m is cut to what an int holds.
THUD_API void thud_cell_image(const thud_cell *cell, double shear, thud_key key, const double a[3],
                              const double b[3], int image[3], double shift[3]);

/// The ids of a key of two bodies.
THUD_API void thud_cell_pair(const thud_cell *cell, thud_key key, int *a, int *b);

#ifdef __cplusplus
}
#endif

#endif
