/// Packs of spheres or disks that settle in a box under gravity and drag, and what is measured.
#ifndef PACK_SCENE_H
#define PACK_SCENE_H

#include "thud/thud.h"

#include <stdbool.h>
#include <stdint.h>

/// Radii are near 1, densities and gravity 1, so that times are in sqrt(r / g).
typedef struct pack_def
{
    int dim, count;
    int columns; ///< bodies along each horizontal axis at the start
    uint64_t seed;
    double h, drag;
    double tol, tol_a; ///< 0 for the defaults of the world
    thud_method method;
} pack_def;

typedef struct pack
{
    thud_world *world;
    thud_work *work;
    thud_inclusion problem;
    double drag, weight;
    double m_g_r; ///< sum of m g r
    double *u_before;
} pack;

/// What the last step left, in the units named.
typedef struct pack_figures
{
    double energy_scale;    ///< kinetic energy / sum of m g r
    double floor_force;     ///< over the weight
    double virial;          ///< sum lambda slope . q over sum m g z
    double balance;         ///< |F_floor - W - M dV / h| / W
    double kinetic, height; ///< kinetic and potential energy
    int positive;           ///< multipliers above the given level
    int floor_only;         ///< bodies with one of them, at the floor
} pack_figures;

/// False when anything failed; free it all the same.
bool pack_start(const pack_def *def, pack *p);
void pack_free(pack *p);

/// One step; its status.
thud_status pack_step(pack *p);

/// level: multipliers count where lambda > level times the mean weight of a body.
pack_figures pack_measure(const pack *p, double level);

#endif
