// A world of first order whose every step is judged by the checker.
#ifndef CROWD_RIG_H
#define CROWD_RIG_H

#include "thud_test.h"

#include <thud/thud.h>
#include <thud/verify.h>

enum
{
    CROWD_WALLS = 4,
    CROWD_OBSTACLES = 4
};

typedef struct crowd_rig
{
    thud_world_def def;   // user is set by crowd_open
    thud_sphere *persons; // borrowed
    const double *wish;   // velocity wanted, two numbers each; NULL for none
    int count;
    thud_plane walls[CROWD_WALLS]; // with unit normals
    int wall_count;
    thud_verify_obstacle obstacles[CROWD_OBSTACLES]; // that stand still
    int obstacle_count;
    thud_world *world;
    thud_inclusion problem;
    thud_state *state, *before;
    thud_work *work;
    thud_verify_spheres_def judge;
    double min_gap; // over all steps
} crowd_rig;

// Two dimensions, first order, masses as given; false, which is counted, when it cannot be made.
bool crowd_open(crowd_rig *rig);
void crowd_close(crowd_rig *rig);

// Steps, each judged; false when one failed, which is counted.
bool crowd_steps(crowd_rig *rig, int count);

// The multiplier of a key, 0 if it has none.
double crowd_multiplier(const crowd_rig *rig, thud_key key);

#endif
