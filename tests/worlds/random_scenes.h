/// Scenes drawn at random as text: hoppers with gates, solids, meshes and containers, of all laws.
#ifndef RANDOM_SCENES_H
#define RANDOM_SCENES_H

#include "thud_test.h"

typedef struct random_scene
{
    char text[8000];
    size_t used;
    int dim;
    char law; ///< 'd' inelastic, 'e' restitution, 'g' glue
} random_scene;

/// Draw scene number n of a seed.
void random_scene_draw(random_scene *scene, uint64_t seed, int n);

/// Draw a world of glue whose sizes are 1 : 3000, with bodies that graze each other fast.
void random_scene_graze(random_scene *scene, uint64_t seed, int n);

#endif
