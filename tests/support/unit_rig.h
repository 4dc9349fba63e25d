/// What the unit tests share: a state with its work space, bits compared, walls as a problem.
#ifndef UNIT_RIG_H
#define UNIT_RIG_H

#include "thud_test.h"

#include <thud/thud.h>

/// A state and a work space; NULL where creation failed.
typedef struct rig
{
    thud_state *state;
    thud_work *work;
} rig;

rig rig_start(const thud_state_def *state, const thud_work_def *work);
void rig_end(rig *r);

/// A copy of a state that owns its memory.
thud_state *state_twin(const thud_state *state);

/// An empty list of rows.
thud_rows *rows_of(int dim, const thud_allocator *allocator);

bool same_bits(const double *a, const double *b, int count);

/// All that a checkpoint holds, bit for bit.
bool same_state(const thud_state *a, const thud_state *b);

/// Take one step that must fail with `wanted`, leave the state alone and say where it was.
void check_failed_step(const thud_inclusion *problem, rig *r, thud_status wanted);

enum
{
    WALL_DIM = 6,
    WALL_LIMIT = 16
};

/// Half spaces that may move: g_i = normal_i . q - (offset_i + speed_i t), under a force that
/// varies in time, in units of 2^length, 2^time and 2^mass. Every formula is exact under a change
/// of units, so that the bits of a scaled run can be foretold.
typedef struct walls
{
    int dim, count;
    double normal[WALL_LIMIT][WALL_DIM];
    double offset[WALL_LIMIT], speed[WALL_LIMIT];
    double shift;
    double steady[WALL_DIM], drift[WALL_DIM];
    double mass[WALL_DIM], q[WALL_DIM], u[WALL_DIM];
    double h;
    int length, time, weight; ///< the units, as powers of 2
    int order[WALL_LIMIT];    ///< the order of pushing
} walls;

/// A polytope around the origin, a body in it, masses, a force; speeds up to `fastest` outwards.
walls walls_random(test_random *random, double fastest);

/// g_i at (t, q), in the units of w.
double walls_gap(const walls *w, int i, double t, const double *q);

/// The masses must outlive the problem: they are scaled into `mass`.
thud_inclusion walls_problem(walls *w, double mass[WALL_DIM]);

rig walls_start(const walls *w);

#endif
