// Spheres that hit each other: cradles, simultaneous hits, radii that grow.
#include "catalogue.h"

// --- three spheres on a line in space ------------------------------------------------------

static cat_scene line_of_three(const char *name, const double mass[3], const double x[3],
                               const double u[3])
{
    cat_scene scene = {.name = name,
                       .problem = {.dim = 9},
                       .end = 1.5,
                       .width = 3,
                       .pair_count = 2,
                       .pairs = {{0, 1}, {1, 2}},
                       .radius = {{.5}, {.5}, {.5}},
                       .leg_count = 2,
                       .legs = {{.start = 0}, {.start = .7}}};
    double common =
        (mass[0] * u[0] + mass[1] * u[1] + mass[2] * u[2]) / (mass[0] + mass[1] + mass[2]);
    for (size_t i = 0; i < 9; i++)
        scene.mass[i] = mass[i / 3];
    for (size_t i = 0; i < 3; i++)
    {
        scene.q[3 * i] = x[i];
        scene.u[3 * i] = scene.legs[0].u[3 * i] = u[i];
        scene.legs[1].u[3 * i] = common;
    }
    // the first contact stops the first sphere, the last one the last
    scene.legs[1].atom[0] = mass[0] * (u[0] - common);
    scene.legs[1].atom[1] = mass[2] * (common - u[2]);
    scene_finish(&scene);
    return scene;
}

cat_scene scene_cradle(const char *name, const double mass[3])
{
    return line_of_three(name, mass, (double[]){0, 1.7, 2.7}, (double[]){1, 0, 0});
}

cat_scene scene_squeeze(void)
{
    return line_of_three("V07-squeeze", (double[]){1, 2, 3}, (double[]){0, 1.7, 3.4},
                         (double[]){1, 0, -1});
}

static void cradle_table(cat_scene scene, double c_mass, double common, double atom_1,
                         double atom_2)
{
    CHECK_NEAR(scene.legs[1].u[0], common, 1e-15);
    CHECK_NEAR(scene.legs[1].atom[0], atom_1, 1e-15);
    CHECK_NEAR(scene.legs[1].atom[1], atom_2, 1e-15);
    scene.c_mass = c_mass;
    scene_table(&scene, NULL, NULL);
}

void case_V07_equal(void)
{
    cradle_table(scene_cradle("V07-equal", (double[]){1, 1, 1}), .43, 1. / 3, 2. / 3, 1. / 3);
}

void case_V07_123(void)
{
    cradle_table(scene_cradle("V07-123", (double[]){1, 2, 3}), .54, 1. / 6, 5. / 6, .5);
}

void case_V07_squeeze(void)
{
    cradle_table(scene_squeeze(), 1.29, -1. / 3, 4. / 3, 2);
}

// --- one sphere hits several that touch each other -----------------------------------------

cat_scene scene_three_discs(void)
{
    double s = sqrt(3);
    cat_scene scene = {
        .name = "V08-2d",
        .problem = {.dim = 6},
        .q = {-.613, 0, s / 2, .5, s / 2, -.5},
        .u = {1},
        .end = 1.2,
        .width = 2,
        .pair_count = 3,
        .pairs = {{0, 1}, {0, 2}, {1, 2}},
        .radius = {{.5}, {.5}, {.5}},
        .leg_count = 2,
        .legs = {
            {.start = 0, .u = {1}},
            {.start = .613, .u = {.4, 0, .3, s / 10, .3, -s / 10}, .atom = {s / 5, s / 5, 0}}}};
    scene_finish(&scene);
    // the contacts open quadratically, so that nodes are not exact and the constants are measured
    scene.c_u = .43;
    scene.c_q = .19;
    scene.c_mass = .29;
    return scene;
}

void case_V08_2d(void)
{
    cat_scene scene = scene_three_discs();
    scene_table(&scene, NULL, NULL);
}

/// The same in space: a sphere along the axis of three that touch each other. The normals make
/// the cosine c = sqrt(2/3) with the axis. Atoms a on the three hits and none between the
/// targets, which part: a - c (1 - 3 a c) = 0 says that no hit closes or opens, so
/// a = c / (1 + 3 c^2) = c / 3; the first sphere keeps 1 - 3 a c = 1/3, a target gets 3 c a / 3 =
/// 2/9 along the axis and a / sqrt 3 = sqrt 2 / 9 outwards.
void case_V08_3d(void)
{
    double c = sqrt(2. / 3), a = c / 3, out = sqrt(2) / 9, ring = 1 / sqrt(3);
    cat_scene scene = {
        .name = "V08-3d",
        .problem = {.dim = 12},
        .q = {-.613},
        .u = {1},
        .end = 1.2,
        .width = 3,
        .pair_count = 6,
        .pairs = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}, {1, 3}},
        .radius = {{.5}, {.5}, {.5}, {.5}},
        .leg_count = 2,
        .legs = {{.start = 0, .u = {1}}, {.start = .613, .u = {1. / 3}, .atom = {a, a, a}}}};
    for (size_t k = 0; k < 3; k++)
    {
        double angle = 2 * CATALOGUE_PI * (double)k / 3, *q = scene.q + 3 * (k + 1);
        double *u = scene.legs[1].u + 3 * (k + 1);
        q[0] = c;
        q[1] = ring * cos(angle);
        q[2] = ring * sin(angle);
        u[0] = 2. / 9;
        u[1] = out * cos(angle);
        u[2] = out * sin(angle);
    }
    scene_finish(&scene);
    scene.c_u = .46;
    scene.c_q = .20;
    scene.c_mass = .23;
    scene_table(&scene, NULL, NULL);
}

// --- two spheres grow until they touch, then push each other apart -------------------------

static void exact_growing(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    // the centres are 1/2 + t^2/4 apart after t = 1, and the centre of mass never moves
    static const double along[3] = {.6, 0, .8};
    double moved = t < 1 ? 0 : (t * t - 1) / 4, speed = t < 1 ? 0 : t / 2;
    for (int i = 0; i < 3; i++)
    {
        q[i] = scene->q[i] - .75 * moved * along[i];
        q[3 + i] = scene->q[3 + i] + .25 * moved * along[i];
        u[i] = -.75 * speed * along[i];
        u[3 + i] = .25 * speed * along[i];
    }
    mass[0] = t < 1 ? 0 : .375 * t; // atom and density are equal
}

void case_V09a(void)
{
    cat_scene scene = {.name = "V09a",
                       .problem = {.dim = 6},
                       .mass = {1, 1, 1, 3, 3, 3},
                       .q = {0, 0, 0, .75 * .6, 0, .75 * .8},
                       .end = 1.8,
                       .smooth = {.gap_tt = .5},
                       .width = 3,
                       .pair_count = 1,
                       .pairs = {{0, 1}},
                       .radius = {{.3, 0, .1}, {.2, 0, .15}},
                       .exact = exact_growing,
                       .events = {1},
                       .event_count = 1,
                       .c_u = .28,
                       .c_q = .10,
                       .c_mass = .58};
    scene_finish(&scene);
    scene_table(&scene, NULL, NULL);
}
