// A world of disks or spheres, and the checker's own view of it.
#ifndef WORLD_RIG_H
#define WORLD_RIG_H

#include "models_rig.h"

enum
{
    WORLD_BODIES = 64,
    WORLD_WALLS = 6,
    WORLD_MATERIALS = 3
};

typedef struct world_rig
{
    thud_world_def def;
    double table[WORLD_MATERIALS * WORLD_MATERIALS * THUD_NUMBERS_MAX]; // e or gamma_min
    thud_sphere spheres[WORLD_BODIES];
    thud_plane walls[WORLD_WALLS]; // with unit normals
    int wall_material[WORLD_WALLS];
    double swing, rate; // the first wall is at its offset and swing sin(rate t)
    double growth;      // radii are those given times 1 + growth t
    int count, wall_count;
    int material[WORLD_BODIES];
    thud_verify_spheres_def judge;
    thud_world *world;
    track way;
} world_rig;

// The same for every pair of materials.
void world_fill_table(world_rig *rig, double value);

// Make the world of def, spheres, walls and table (of `law`), and start it on its way.
bool world_open(world_rig *rig, thud_law law, const thud_projector_def *projector);
void world_close(world_rig *rig);

#endif
