/// A world with obstacles whose every step is judged by a look at all bodies and all facets, and by
/// the independent checker.
#ifndef OBSTACLE_RIG_H
#define OBSTACLE_RIG_H

#include "thud_test.h"

#include <thud/thud.h>
#include <thud/verify.h>

enum
{
    RIG_OBSTACLES = 8
};

typedef struct obstacle_rig
{
    thud_world *world;
    thud_work *work;
    thud_inclusion problem;
    thud_state *state;  ///< of the world
    thud_state *before; ///< the state that the last step started from
    double tol;
    thud_world_def def; ///< with its tables, which must outlive the rig
    thud_obstacle_def defs[RIG_OBSTACLES];
    thud_solid *solids[RIG_OBSTACLES]; ///< made anew, for the judge alone
    int obstacle_count;
    // the worst over all steps
    double min_gap;
    int most_rounds;
    double impulse;                 ///< sum of all
    double values[THUD_CERT_COUNT]; ///< of the certificates; <= 1 is good
} obstacle_rig;

/// tol and tol_a default to a study: 1e-8, 1e-6. False when it fails.
bool obstacle_rig_open(obstacle_rig *rig, const thud_world_def *def);
void obstacle_rig_close(obstacle_rig *rig);
void obstacle_rig_ball(obstacle_rig *rig, double radius, double x, double y, double z, double vx,
                       double vy, double vz);
void obstacle_rig_add(obstacle_rig *rig, const thud_obstacle_def *def);
thud_status obstacle_rig_prepare(obstacle_rig *rig);

/// Ask the checker of the step from rig->before to `after`. with_cuts: tell it the cuts.
thud_verdict obstacle_rig_check(obstacle_rig *rig, const thud_state *after, bool with_cuts);

/// One step. If it is taken, no gap is negative and all certificates hold.
thud_status obstacle_rig_step(obstacle_rig *rig);

/// Take steps, each of which must succeed; false after the first that does not.
bool obstacle_rig_steps(obstacle_rig *rig, int count);

/// A motion: about z through the origin, at the speed that user points to.
int obstacle_rig_turn(double t, thud_pose *pose, void *user);

#endif
