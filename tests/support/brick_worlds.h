/// Eight worlds in which clusters of more than 200 bodies are cut into bricks of 4 diameters, so
/// that small worlds have many: pile, drum, sheared, sizes, gas, restitution, glue, crowd. The
/// campaign has three more that are large: pile-10000, pile-100000, hub-10000.
#ifndef BRICK_WORLDS_H
#define BRICK_WORLDS_H

#include "thud_test.h"

#include <thud/team.h>

typedef struct brick_world
{
    const char *name, *text; ///< text: of the scene
    double diameter;         ///< of its usual bodies
    int steps;               ///< of a run
} brick_world;

/// The world of this name; NULL and a failure if there is none.
const brick_world *brick_world_find(const char *name);
/// The eight.
const brick_world *brick_world_list(int *count);

typedef struct brick_world_result
{
    uint64_t hash;      ///< over all states
    int swept;          ///< steps in which a cluster was large enough to be swept
    int joined;         ///< steps in which missing rows joined the first projection
    int sweeps;         ///< of all steps
    thud_status status; ///< of the last step
} brick_world_result;

/// Run a world with so many threads, by a team or alone (NULL).
brick_world_result brick_world_run(const brick_world *world, int threads, thud_team *team);

#endif
