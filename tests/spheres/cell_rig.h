// A world in a periodic cell, every step judged twice: by the checker's own search, and by rows of
// all images around every pair.
#ifndef CELL_RIG_H
#define CELL_RIG_H

#include "world_checks.h"

#include <thud/spheres.h>
#include <thud/verify.h>

enum
{
    CELL_WALLS = 4,
    CELL_ALL_IMAGES = 60 // up to so many bodies all images are tried
};

typedef struct cell_rig
{
    thud_world_def def; // with the defaults filled in
    thud_world *world;
    thud_work *work;
    thud_inclusion problem;
    thud_state *state, *before;
    thud_plane planes[CELL_WALLS]; // unit normals
    int wall_count;
    bool may_lack_room;
    int steps, contacts, across; // rows with an impulse, and those through the border
    double min_gap, values[THUD_CERT_COUNT];
} cell_rig;

bool cell_open(cell_rig *rig, const thud_world_def *def);
void cell_close(cell_rig *rig);
void cell_add(cell_rig *rig, double x, double y, double z, double radius, double vx, double vy,
              double vz);
void cell_wall(cell_rig *rig, double nx, double ny, double nz, double offset);

/// Bodies at random places without overlap through any image, `fill` of the volume at most.
void cell_scatter(cell_rig *rig, test_random *random, int count, double low, double high,
                  double speed);

/// Prepare and make work space and copies.
thud_status cell_start(cell_rig *rig, thud_overlap_rule rule);

/// One step that is judged; steps that must all succeed.
thud_status cell_step(cell_rig *rig);
bool cell_steps(cell_rig *rig, int count);

/// What the checker says of a state that could follow rig->before.
thud_status cell_judge(const cell_rig *rig, const thud_state *after, thud_verdict *verdict);

double cell_radius(const cell_rig *rig, double t, int i);
double cell_shear(const cell_rig *rig, double t);
void cell_momentum(const cell_rig *rig, double p[3]);
uint64_t cell_hash(const cell_rig *rig);

#endif
