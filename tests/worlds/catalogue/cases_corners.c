// Impacts on planes: corners of every angle, and a wall in the metric of unequal masses.
#include "catalogue.h"

/// u+ = P_C(u-) and its atoms at the vertex of the corner { y >= 0, x sin a - y cos a >= 0 } of
/// interior angle a, for a velocity that points into the corner.
static void corner_impact(double a, const double *u, double *after, double *atom)
{
    double into = u[0] * sin(a) - u[1] * cos(a); // second normal's component
    if (a <= CATALOGUE_PI / 2 + 1e-9)
    {
        // both walls hold: -u = atom_1 (0, 1) + atom_2 (sin a, -cos a)
        atom[1] = -u[0] / sin(a);
        atom[0] = -u[1] + atom[1] * cos(a);
        after[0] = after[1] = 0;
        return;
    }
    // obtuse, coming in along or near the first wall: the second alone stops it
    atom[0] = 0;
    atom[1] = -into;
    after[0] = u[0] - into * sin(a);
    after[1] = u[1] + into * cos(a);
}

static cat_scene corner(const char *name, double degrees)
{
    double a = degrees * CATALOGUE_PI / 180;
    return (cat_scene){.name = name,
                       .problem = {.dim = 2},
                       .plane_count = 2,
                       .planes = {{.count = 1, .index = {1}, .slope = {1}},
                                  {.count = 2, .index = {0, 1}, .slope = {sin(a), -cos(a)}}}};
}

cat_scene scene_corner(const char *name, double degrees)
{
    cat_scene scene = corner(name, degrees);
    cat_leg *legs = scene.legs;
    scene.end = 3;
    scene.q[0] = 1.5;
    scene.q[1] = .1;
    scene.u[0] = -1;
    scene.u[1] = -.25;
    scene.leg_count = 3;
    legs[0] = (cat_leg){.start = 0, .u = {-1, -.25}};
    legs[1] = (cat_leg){.start = .4, .u = {-1, 0}, .atom = {.25}};
    legs[2] = (cat_leg){.start = 1.5};
    corner_impact(degrees * CATALOGUE_PI / 180, legs[1].u, legs[2].u, legs[2].atom);
    scene_finish(&scene);
    return scene;
}

cat_scene scene_vertex(const char *name, double degrees)
{
    cat_scene scene = corner(name, degrees);
    double a = degrees * CATALOGUE_PI / 180, toward[2] = {cos(.35 * a), sin(.35 * a)};
    cat_leg *legs = scene.legs;
    scene.end = 2;
    scene.leg_count = 2;
    legs[1] = (cat_leg){.start = 1.1 / 1.3};
    for (int i = 0; i < 2; i++)
    {
        scene.q[i] = 1.1 * toward[i];
        scene.u[i] = legs[0].u[i] = -1.3 * toward[i];
    }
    corner_impact(a, legs[0].u, legs[1].u, legs[1].atom);
    scene_finish(&scene);
    return scene;
}

/// The table, after a look at the last impact: its atoms and the velocity it leaves.
static void corner_table(cat_scene scene, double c_mass, double atom_1, double atom_2, double speed)
{
    const cat_leg *last = &scene.legs[scene.leg_count - 1];
    CHECK_NEAR(last->atom[0], atom_1, 5e-9);
    CHECK_NEAR(last->atom[1], atom_2, 5e-9);
    CHECK_NEAR(hypot(last->u[0], last->u[1]), speed, 1e-8);
    scene.c_mass = c_mass;
    scene_table(&scene, NULL, NULL);
}

void case_V06_40(void)
{
    corner_table(scene_corner("V06-40", 40), .97, 1.19175359, 1.55572383, 0);
}

void case_V06_90(void)
{
    corner_table(scene_corner("V06-90", 90), .63, 0, 1, 0);
}

void case_V06_130(void)
{
    corner_table(scene_corner("V06-130", 130), .48, 0, .76604444, .64278761);
}

void case_V06_vertex_50(void)
{
    corner_table(scene_vertex("V06-vertex-50", 50), 1.05, 1.43126014, 1.61848578, 0);
}

void case_V06_vertex_140(void)
{
    corner_table(scene_vertex("V06-vertex-140", 140), .84, 0, 1.299802,
                 hypot(.01738011, .01458365));
}

cat_scene scene_masses(void)
{
    cat_scene scene = {
        .name = "V13",
        .problem = {.dim = 2},
        .mass = {1, 4},
        .q = {.6, .3},
        .u = {-1, -.5},
        .end = 1.4,
        .plane_count = 1,
        .planes = {{.count = 2, .index = {0, 1}, .slope = {1, 1}}},
        .leg_count = 2,
        .legs = {{.start = 0, .u = {-1, -.5}}, {.start = .6, .u = {.2, -.2}, .atom = {1.2}}},
        .c_mass = .78};
    scene_finish(&scene);
    return scene;
}

void case_V13(void)
{
    cat_scene scene = scene_masses();
    scene_table(&scene, NULL, NULL);
}
