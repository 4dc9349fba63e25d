// A world of spheres that is judged at every step by brute force: all pairs, all walls, no cells.
#ifndef SPHERE_RIG_H
#define SPHERE_RIG_H

#include "world_checks.h"

#include <thud/spheres.h>
#include <thud/verify.h>

enum
{
    RIG_WALLS = 8,
    RIG_ALL_PAIRS = 300 // up to so many bodies the checker sees every pair
};

typedef struct sphere_rig
{
    thud_world *world;
    thud_work *work;
    thud_state *before; // the state that the last step started from
    thud_world_def def; // with the defaults filled in
    thud_wall_def walls[RIG_WALLS];
    int wall_count;
    int sweep_limit;    // of the projection, 0 for its own
    bool may_lack_room; // THUD_NEWS_NO_ROOM is expected
    bool may_be_slack;  // rows with a negligible impulse may be open, as the rule to stop allows

    // of the step that is judged
    double cutoff;      // pairs farther apart cannot meet in it
    double size;        // largest coordinate and radius
    const double *from; // the position where pairs are chosen
    double choice_time;

    // the worst over all steps
    int steps, again, most_rounds;
    double min_gap, balance, slack, values[THUD_CERT_COUNT];
} sphere_rig;

/// Create the world; false when it fails (and is counted as a failure).
bool rig_open(sphere_rig *rig, const thud_world_def *def);
void rig_close(sphere_rig *rig);

void rig_wall(sphere_rig *rig, const thud_wall_def *def);
void rig_plane(sphere_rig *rig, double nx, double ny, double nz, double offset);
void rig_box(sphere_rig *rig, double low, double high, double height); // last axis: 0 .. height

/// Prepare the world and make work space and copies of its size. Again after every change.
thud_status rig_prepare(sphere_rig *rig, thud_overlap_rule rule, thud_start *start);

/// One step. If it is taken all certificates are checked, if not that nothing has changed.
thud_status rig_step(sphere_rig *rig);

/// Take steps, each of which must succeed; false after the first that does not.
bool rig_steps(sphere_rig *rig, int count);

/// count bodies on a jittered grid of the given spacing and width from the height upwards.
void rig_pour(sphere_rig *rig, int count, double radius_low, double radius_high, int width,
              double floor, uint64_t seed);

/// The smallest gap of all pairs and walls at time t, by trying all.
double rig_smallest_gap(const sphere_rig *rig, double t, const double *q);

/// Momentum and angular momentum about the origin of the present state.
void rig_momenta(const sphere_rig *rig, double linear[3], double angular[3]);

bool rig_same_state(const thud_state *a, const thud_state *b);
void rig_say(const sphere_rig *rig, const char *name);

#endif
