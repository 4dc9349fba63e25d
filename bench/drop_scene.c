// The drop scene: equal spheres on a jittered lattice above the floor of a box.
#include "drop_scene.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

double drop_box_of(int count)
{
    return (ceil(sqrt((double)count / DROP_LAYERS)) + 0.2) * 2.1 * DROP_RADIUS;
}

double drop_mass(void)
{
    return 2500 * 4.0 / 3 * 3.14159265358979323846 * DROP_RADIUS * DROP_RADIUS * DROP_RADIUS;
}

// splitmix64, uniform in [-1, 1)
static double jitter(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

void drop_fill(thud_sphere *spheres, int count, double box)
{
    double pitch = 1.05 * 2 * DROP_RADIUS, amplitude = 0.02 * 2 * DROP_RADIUS;
    int side = (int)(box / pitch);
    double margin = (box - (side - 1) * pitch) / 2;
    uint64_t state = 12345;
    for (int i = 0; i < count; i++)
    {
        int layer = i / (side * side), column = i % side, row = i / side % side;
        thud_sphere *s = &spheres[i];
        *s = (thud_sphere){.radius = DROP_RADIUS, .mass = drop_mass()};
        s->center[0] = margin + column * pitch + amplitude * jitter(&state);
        s->center[1] = margin + row * pitch + amplitude * jitter(&state);
        s->center[2] = DROP_RADIUS + 0.05 + layer * pitch + amplitude * jitter(&state);
    }
}

thud_world *drop_world(const thud_world_def *def, const thud_sphere *spheres, int count, double box)
{
    thud_world *world = NULL;
    double low[3] = {0, 0, 0}, high[3] = {box, box, INFINITY};
    if (thud_world_create(def, &world) >= 0 &&
        (thud_world_add(world, spheres, count, NULL) < 0 ||
         thud_world_add_box(world, low, high, NULL) < 0 ||
         thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) < 0))
    {
        thud_world_destroy(world);
        world = NULL;
    }
    return world;
}

double drop_step_tol(const drop_quality *quality, double h)
{
    return quality->tol_is_fixed
               ? 0
               : thud_step_tol(quality->tol, quality->tol_a, h, DROP_GRAVITY, DROP_RADIUS);
}

// As drop_fill says, but lower by `by`.
static thud_world *lowered(int count, double box, double by, double h, const drop_quality *quality,
                           const thud_allocator *allocator)
{
    thud_world_def def = {.h = h,
                          .gravity = {0, 0, -DROP_GRAVITY},
                          .tol = quality->tol,
                          .tol_a = quality->tol_a,
                          .step_tol = drop_step_tol(quality, h),
                          .allocator = allocator};
    thud_sphere *spheres = calloc((size_t)count, sizeof *spheres);
    thud_world *world = NULL;
    if (spheres)
    {
        drop_fill(spheres, count, box);
        for (int i = 0; i < count; i++)
            spheres[i].center[2] -= by;
        world = drop_world(&def, spheres, count, box);
    }
    free(spheres);
    return world;
}

thud_world *drop_scene_in(int count, double box, double h, const drop_quality *quality,
                          const thud_allocator *allocator)
{
    return lowered(count, box, 0, h, quality, allocator);
}

thud_world *drop_heap(int count, int layers, double h, const drop_quality *quality,
                      const thud_allocator *allocator, int *given)
{
    int side = (int)ceil(layers > 0 ? sqrt((double)count / layers) : cbrt(count));
    *given = (count + side * side - 1) / (side * side);
    return lowered(count, (side + 0.5) * 2.1 * DROP_RADIUS, 0.049, h, quality, allocator);
}

thud_world *drop_scene(int count, double box, double h, const drop_quality *quality, double drag)
{
    thud_world *world = drop_scene_in(count, box, h, quality, NULL);
    if (world && thud_world_set_drag(world, drag) < 0)
    {
        thud_world_destroy(world);
        world = NULL;
    }
    return world;
}
