/// A world with obstacles whose every step is judged by a look at all bodies and all facets.
#ifndef OBSTACLE_RIG_H
#define OBSTACLE_RIG_H

#include "thud_test.h"

#include <thud/thud.h>

enum
{
    RIG_OBSTACLES = 8
};

typedef struct obstacle_rig
{
    thud_world *world;
    thud_work *work;
    thud_inclusion problem;
    thud_state *state; ///< of the world
    thud_obstacle_def defs[RIG_OBSTACLES];
    thud_solid *solids[RIG_OBSTACLES]; ///< made anew, for the judge alone
    int obstacle_count;
    // the worst over all steps
    double min_gap;
    int most_rounds;
    double impulse; ///< sum of all
} obstacle_rig;

/// tol and tol_a default to a study: 1e-8, 1e-6. False when it fails.
bool obstacle_rig_open(obstacle_rig *rig, const thud_world_def *def);
void obstacle_rig_close(obstacle_rig *rig);
void obstacle_rig_ball(obstacle_rig *rig, double radius, double x, double y, double z, double vx,
                       double vy, double vz);
void obstacle_rig_add(obstacle_rig *rig, const thud_obstacle_def *def);
thud_status obstacle_rig_prepare(obstacle_rig *rig);

/// One step. If it is taken, no gap is negative.
thud_status obstacle_rig_step(obstacle_rig *rig);

/// Take steps, each of which must succeed; false after the first that does not.
bool obstacle_rig_steps(obstacle_rig *rig, int count);

#endif
