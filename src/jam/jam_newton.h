// Newton's method for the largest diameter t that the spheres can have where they are,
//
//     max t - sum s_i |x_i|^2 / 2   over   z_c = d_c + n_c . (x_b - x_a) - t >= 0   for near pairs,
//
// with x the moves since distances were measured and s_i what holds them back. Its conditions,
// which an interior point method approaches with mu -> 0, are forces y >= 0 with
//
//     A y = s x,   sum y = 1,   y z = mu.
#ifndef THUDI_JAM_NEWTON_H
#define THUDI_JAM_NEWTON_H

#include "jam/jam.h"
#include "jam/jam_factor.h"

// Numbers of pairs belong to those in jam->contacts, which have the forces y.
typedef struct jam_newton
{
    thud_jam *jam;
    jam_factor factor;
    int count;                   // of the pairs looked at
    double t, mu;                // mu: the mean of y z
    double residual;             // |A y - s x|
    double *z, *w, *dz, *dy, *k; // by pair; w: y / z, k: what y z is to become
    double *x, *dx, *size;       // by coordinate; size: what a change of t does to the positions
    double *stiff;               // by body: s
    double dt;
    THUDI_ARRAY(double) numbers;
    THUDI_ARRAY(thud_jam_contact) before;
} jam_newton;

// How far a step may go, up to 1, before z or y vanishes.
typedef struct jam_reach
{
    double primal, dual;
} jam_reach;

// Starts from zeros, with `jam` set; to be ended whatever it returns.
thud_status thudi_jam_newton_start(jam_newton *newton);
void thudi_jam_newton_end(jam_newton *newton);

// Measure all pairs that are near for spheres of diameter t, which must not overlap; x = 0. Forces
// of pairs that were looked at before stay.
thud_status thudi_jam_newton_measure(jam_newton *newton);
// Likewise, and forget the forces: y z is the same for all, and sum y = 1.
thud_status thudi_jam_newton_restart(jam_newton *newton);

// mu, w and the residual.
void thudi_jam_newton_residual(jam_newton *newton);

// The next step, by Mehrotra's predictor and corrector: into dx, dt, dz, dy. To be called after
// weigh. With `hold` mu stays as large as it is. With `together` z and y are to go equally far.
thud_status thudi_jam_newton_step(jam_newton *newton, bool hold, bool together, jam_reach *reach);

// The most that a body may move before a pair that was not looked at could overlap.
double thudi_jam_newton_safe_move(const jam_newton *newton);

#endif
