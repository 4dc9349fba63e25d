// Worlds of unequal spheres.
#include "sizes_scene.h"

#include "bodies/distribution.h"
#include "bodies/generators.h"

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;
static const double GAP = 0.02; // radii between small ones and large one, at the start
static const double PITCH = 2.1, SPIRAL_PITCH = 2.3; // radii between centres, about

const char *sizes_name(sizes_kind kind)
{
    static const char *const names[SIZES_KINDS] = {"even",    "spread", "cap",
                                                   "covered", "hollow", "wide"};
    return names[kind];
}

static double mass_of(double radius)
{
    return 2500 * 4.0 / 3 * PI * radius * radius * radius;
}

static thud_sphere sphere_at(double radius, double x, double y, double z)
{
    return (thud_sphere){.center = {x, y, z}, .radius = radius, .mass = mass_of(radius)};
}

// A square lattice just above the floor of a box.
static void make_floor(sizes_scene *scene)
{
    int side = (int)ceil(sqrt(scene->count));
    double r = scene->smallest, pitch = PITCH * r;
    scene->largest = r;
    scene->width = side * pitch;
    for (int i = 0; i < scene->count; i++)
    {
        int column = i % side, row = i / side;
        scene->spheres[i] =
            sphere_at(r, (column + 0.5) * pitch, (row + 0.5) * pitch, (1 + GAP) * r);
    }
}

// Small ones along a spiral from the pole down; `fraction` of the surface belongs to them.
static void make_sphere(sizes_scene *scene, double fraction)
{
    double r = scene->smallest, far = scene->largest + (1 + GAP) * r;
    int small = scene->count - 1;
    scene->spheres[0] = sphere_at(scene->largest, 0, 0, 0);
    if (scene->kind == SIZES_HOLLOW)
        scene->spheres[0].mass = 100 * mass_of(r);
    for (int i = 0; i < small; i++)
    {
        double z = 1 - 2 * fraction * (i + 0.5) / small, turn = PI * (3 - sqrt(5)) * i;
        double out = sqrt(1 - z * z);
        scene->spheres[1 + i] = sphere_at(r, far * out * cos(turn), far * out * sin(turn), far * z);
    }
}

// Bodies fill a third of the box.
static bool make_wide(sizes_scene *scene)
{
    thudi_distribution law = {.kind = THUDI_DRAW_LOGNORMAL,
                              .a = scene->smallest * sqrt(scene->largest / scene->smallest),
                              .b = log(scene->largest / scene->smallest) / 9,
                              .min = scene->smallest,
                              .max = scene->largest};
    thudi_random random = thudi_random_start(5);
    double volume = 0, r;
    for (int i = 0; i < scene->count && thudi_distribution_draw(&law, &random, &r) >= 0; i++)
        volume += 4.0 / 3 * PI * r * r * r;
    scene->width = cbrt(3 * volume);
    scene->width = scene->width > 2.5 * scene->largest ? scene->width : 2.5 * scene->largest;
    thudi_fill fill = {
        .dim = 3, .count = scene->count, .attempts = 10000, .radius = law, .seed = 5};
    for (int k = 0; k < 3; k++)
        fill.region.high[k] = scene->width;
    int placed;
    if (thudi_fill_make(&fill, NULL, 0, NULL, scene->spheres, &placed) < 0)
        return false;
    scene->largest = 0;
    scene->smallest = INFINITY;
    for (int i = 0; i < scene->count; i++)
    {
        double radius = scene->spheres[i].radius;
        scene->spheres[i].mass = mass_of(radius);
        scene->largest = fmax(scene->largest, radius);
        scene->smallest = fmin(scene->smallest, radius);
    }
    return true;
}

bool sizes_make(sizes_kind kind, int count, double ratio, sizes_scene *scene)
{
    double r = 1e-3, share = (count - 1) * SPIRAL_PITCH * SPIRAL_PITCH / (4 * PI);
    *scene = (sizes_scene){.kind = kind, .count = count, .smallest = r, .largest = ratio * r};
    scene->spheres = calloc((size_t)count, sizeof *scene->spheres);
    bool fine = scene->spheres != NULL;
    if (kind == SIZES_COVERED || kind == SIZES_HOLLOW)
        scene->largest = sqrt(share) * r;
    if (fine && kind == SIZES_EVEN)
        make_floor(scene);
    else if (fine && kind == SIZES_WIDE)
        fine = make_wide(scene);
    else if (fine)
        make_sphere(scene, kind == SIZES_CAP ? fmin(1, share / (ratio * ratio)) : 1);
    scene->h = sqrt(0.01 * scene->smallest / SIZES_GRAVITY);
    return fine;
}

void sizes_free(sizes_scene *scene)
{
    free(scene->spheres);
    scene->spheres = NULL;
}

// Towards body 0, which is pulled back as much.
static int pull_inwards(double t, int count, const int *id, const double *q, double *force,
                        void *user)
{
    const thud_sphere *spheres = user;
    (void)t;
    for (int i = 1; i < count; i++)
    {
        double d[3], sum = 0;
        for (int k = 0; k < 3; k++)
        {
            d[k] = q[3 * (size_t)i + (size_t)k] - q[k];
            sum += d[k] * d[k];
        }
        double pull = spheres[id[i]].mass * SIZES_GRAVITY / sqrt(sum);
        for (int k = 0; k < 3; k++)
        {
            force[3 * (size_t)i + (size_t)k] -= pull * d[k];
            force[k] += pull * d[k];
        }
    }
    return 0;
}

static bool is_boxed(const sizes_scene *scene)
{
    return scene->kind == SIZES_EVEN || scene->kind == SIZES_WIDE;
}

thud_world_def sizes_def(const sizes_scene *scene, double tol, double tol_a)
{
    thud_world_def def = {
        .h = scene->h, .tol = tol, .tol_a = tol_a, .force_is_steady = true, .user = scene->spheres};
    if (is_boxed(scene))
        def.gravity[2] = -SIZES_GRAVITY;
    else
        def.force = pull_inwards;
    return def;
}

thud_world *sizes_world(const sizes_scene *scene, double tol, double tol_a,
                        const thud_allocator *allocator)
{
    thud_world_def def = sizes_def(scene, tol, tol_a);
    double low[3] = {0, 0, 0}, high[3] = {scene->width, scene->width, INFINITY};
    thud_world *world = NULL;
    def.allocator = allocator;
    if (thud_world_create(&def, &world) >= 0 &&
        (thud_world_add(world, scene->spheres, scene->count, NULL) < 0 ||
         (is_boxed(scene) && thud_world_add_box(world, low, high, NULL) < 0) ||
         thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) < 0))
    {
        thud_world_destroy(world);
        world = NULL;
    }
    return world;
}
