/// Fills and lattices to test: laws, regions, and what must hold of every result.
#ifndef FILL_RIG_H
#define FILL_RIG_H

#include "bodies/fill.h"

/// Some law of radii with values around `radius`; kinds: 0 to 4.
thudi_distribution fill_rig_law(int kind, double radius);

/// A fill of dimension 2 or 3, in a box or a ball; the shapes are not symmetric.
thudi_fill fill_rig_make(int dim, bool is_ball, int law, int count, uint64_t seed);

/// Check, pair by pair, that the distances are kept, that all bodies are inside, that the fields
/// that no one asked for are 0; with the expressions of the world.
void fill_rig_check(const thudi_fill *fill, const thud_sphere *there, int there_count,
                    const thud_sphere *spheres);

/// The same fill without cells, by trying against all bodies: what thudi_fill_make must give, bit
/// for bit. Returns how many were placed.
int fill_rig_slow(const thudi_fill *fill, const thud_sphere *there, int there_count,
                  thud_sphere *spheres);

/// A number that tells bodies from others by their bits.
uint64_t fill_rig_hash(const thud_sphere *spheres, int count);

#endif
