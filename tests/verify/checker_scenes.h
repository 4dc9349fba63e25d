/// Steps known in closed form, for the tests of the checker, which have no solver to ask.
#ifndef CHECKER_SCENES_H
#define CHECKER_SCENES_H

#include "thud/verify.h"

enum
{
    SCENE_DIM = 9, ///< most coordinates of any scene
    SCENE_ROWS = 4 ///< most constraints of any scene
};

/// One step: the problem, where it starts, its mean force, and the answer by hand.
typedef struct checker_scene
{
    const char *name;
    thud_inclusion problem;
    double t0;
    int64_t n;
    double h;
    double q[SCENE_DIM], u[SCENE_DIM];
    double mean_force[SCENE_DIM];
    double wanted_u[SCENE_DIM];
    double wanted_mu[SCENE_ROWS]; ///< in the order of keys, which are 1, 2, ...
    int row_count;
} checker_scene;

/// Both ends of a step, in memory of its own.
typedef struct scene_step
{
    thud_state before, after;
    double q0[SCENE_DIM], u0[SCENE_DIM], q1[SCENE_DIM], u1[SCENE_DIM];
    thud_multiplier kept0[SCENE_ROWS + 1], kept1[SCENE_ROWS + 1];
} scene_step;

extern const checker_scene scenes[];
extern const int scene_count;

/// Take the step by sweeps over the rows until they change no more, without the row of key
/// `dropped` (0: with all rows). The states point into *step, which must not move.
void scene_take_step(const checker_scene *scene, uint64_t dropped, scene_step *step);

/// Point the states of a copied step into the copy.
void scene_rebind(scene_step *step);

#endif
