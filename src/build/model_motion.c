// How long the step of a scene of spheres may be: by its gravity, and by how far walls, obstacles
// and radii move within one.
#include "build/model.h"
#include "core/math/geometry.h"
#include "scene/scene_data.h"

#include <math.h>

double thud_model_suggested_step(const thud_model *model)
{
    const thud_scene *scene = model->scene;
    double gravity[3] = {0}, square = 0, smallest = INFINITY;
    for (int i = 0; i < scene->body_count; i++)
        if (scene->bodies[i].sphere.radius < smallest)
            smallest = scene->bodies[i].sphere.radius;
    thudi_model_gravity(model, scene->start, gravity);
    for (int k = 0; k < 3; k++)
        square += gravity[k] * gravity[k];
    return square > 0 && scene->body_count > 0 ? THUDI_STEP_PART * sqrt(smallest / sqrt(square))
                                               : 0;
}

enum
{
    LOOKS = 1000 // at the run, for its fastest wall
};

// How far the plane of a wall moves in a step, at a body: by the planes at both ends of the step.
static double wall_motion(const thud_model *model, int wall, double t)
{
    const thud_scene *scene = model->scene;
    thud_plane before, after;
    double largest = 0;
    thud_model_wall(model, wall, t, &before);
    thud_model_wall(model, wall, t + scene->step, &after);
    int stride = 1 + scene->body_count / 10;
    for (int i = 0; i < scene->body_count; i += stride)
    {
        double moved = before.offset - after.offset;
        for (int k = 0; k < scene->dim && k < 3; k++)
            moved += (after.normal[k] - before.normal[k]) * scene->bodies[i].sphere.center[k];
        largest = fmax(largest, fabs(moved));
    }
    return largest;
}

// By how much a law of growth changes in the step after t, the most of all.
static double growth_motion(const thud_model *model, double t)
{
    const thud_scene *scene = model->scene;
    const thud_scene_growth *last = NULL;
    double largest = 0;
    for (int i = 0; i < scene->body_count; i++)
    {
        const thud_scene_growth *growth = scene->bodies[i].growth;
        if (growth == last)
            continue;
        last = growth;
        double change = thud_scene_growth_at(growth, t + scene->step, model->room) -
                        thud_scene_growth_at(growth, t, model->room);
        largest = fabs(change) > largest ? fabs(change) : largest;
    }
    return largest;
}

// The largest motion found, and what moves so.
typedef struct fastest
{
    double moved;
    int wall;
} fastest;

static void consider(fastest *f, double moved, int wall)
{
    if (moved > f->moved)
        *f = (fastest){moved, wall};
}

double thud_model_largest_motion(const thud_model *model, int *wall)
{
    const thud_scene *scene = model->scene;
    double smallest = INFINITY, widest = 0;
    fastest f = {0, -1};
    for (int i = 0; i < scene->body_count; i++)
    {
        smallest = fmin(smallest, scene->bodies[i].sphere.radius);
        widest = fmax(widest, scene->bodies[i].sphere.radius);
    }
    for (int i = 0; i < LOOKS; i++)
    {
        // not a whole part of the run, so that a period does not hide
        double t = scene->start + (scene->end - scene->start) * fmod(i * THUDI_GOLDEN, 1);
        for (int w = 0; w < scene->wall_count; w++)
            consider(&f, scene->walls[w].moves ? wall_motion(model, w, t) : 0, w);
        for (int o = 0; o < scene->obstacle_count; o++)
            consider(&f, thudi_model_obstacle_motion(model, o, t), scene->wall_count + o);
        consider(&f, growth_motion(model, t) * widest, -1);
    }
    *wall = f.wall;
    return f.moved > 0 ? f.moved / smallest : 0;
}
