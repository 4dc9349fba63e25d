// Adds the plane walls of a scene to the world of spheres, and evaluates their expressions of time.
#include "build/model.h"

#include <math.h>

// Evaluate a plane of the scene at time t: normal . x >= normal . point. The normal is divided by a
// power of two, which makes its largest component at least 1/2 and less than 1. So its square
// cannot overflow. This division is exact: the direction keeps all its bits.
static void evaluate_plane(const thud_model *model, const thud_scene_plane *expressions, double t,
                           thud_plane *plane)
{
    double largest = 0; // |component| of the normal
    *plane = (thud_plane){0};
    for (int k = 0; k < model->scene->dim && k < 3; k++)
    {
        plane->normal[k] = thudi_model_value(model, &expressions->normal[k], t);
        largest = fmax(largest, fabs(plane->normal[k]));
    }
    int exponent = 0;
    (void)frexp(largest, &exponent);
    for (int k = 0; k < model->scene->dim && k < 3; k++)
    {
        if (largest > 0 && isfinite(largest))
            plane->normal[k] = ldexp(plane->normal[k], -exponent);
        plane->offset += plane->normal[k] * thudi_model_value(model, &expressions->point[k], t);
    }
}

void thud_model_wall(const thud_model *model, int wall, double t, thud_plane *plane)
{
    double length_squared = 0;
    evaluate_plane(model, &model->scene->walls[wall].plane, t, plane);
    for (int k = 0; k < 3; k++)
        length_squared += plane->normal[k] * plane->normal[k];
    double length = sqrt(length_squared);
    for (int k = 0; k < 3; k++)
        plane->normal[k] /= length;
    plane->offset /= length;
}

// The thud_plane_fn of a wall that moves.
static int move_wall(double t, thud_plane *plane, void *user)
{
    const thudi_wall_motion *motion = user;
    evaluate_plane(motion->model, &motion->model->scene->walls[motion->wall].plane, t, plane);
    return 0;
}

// Bounds on how the wall's gap varies in time. Both are 0 for a wall with a constant normal and a
// constant velocity. NAN means unknown: the bounds of other walls are not computed.
static thud_smoothness wall_smoothness(const thud_model *model, const thud_scene_wall *wall)
{
    const thud_scene *scene = model->scene;
    for (int k = 0; k < scene->dim; k++)
        if (wall->plane.normal[k].kind != THUD_VARYING_CONSTANT ||
            !thudi_model_is_affine(model, &wall->plane.point[k]))
            return (thud_smoothness){.gap_tt = NAN, .gap_tq = NAN};
    return (thud_smoothness){.gap_tt = 0, .gap_tq = 0};
}

thud_status thudi_model_walls(thud_model *model)
{
    const thud_scene *scene = model->scene;
    if (scene->wall_count == 0)
        return THUD_OK;
    model->motions = thudi_allocate_zeroed(&model->allocator,
                                           (size_t)scene->wall_count * sizeof *model->motions);
    if (!model->motions)
        return THUD_ERR_MEMORY;
    for (int i = 0; i < scene->wall_count; i++)
    {
        const thud_scene_wall *wall = &scene->walls[i];
        model->motions[i] = (thudi_wall_motion){model, i};
        thud_wall_def def = {.smooth = wall_smoothness(model, wall), .user = &model->motions[i]};
        evaluate_plane(model, &wall->plane, scene->start, &def.plane);
        if (wall->moves)
            def.motion = move_wall;
        if (model->table) // `material` holds the bodies first, then the walls
            def.material = model->material[scene->body_count + i];
        THUD_TRY(thud_world_add_wall(model->world, &def, NULL));
    }
    return THUD_OK;
}
