// The walls of a scene of spheres: planes by expressions of time, and added to the world.
#include "build/model.h"

#include <math.h>

// The plane through a point: normal . x >= normal . point. The normal is brought to a size of about
// 1 by a power of two, which changes no bit of its direction, so that its square is in range.
static void plane_at(const thud_model *model, const thud_scene_plane *from, double t,
                     thud_plane *plane)
{
    double largest = 0;
    *plane = (thud_plane){0};
    for (int k = 0; k < model->scene->dim && k < 3; k++)
    {
        plane->normal[k] = thudi_model_value(model, &from->normal[k], t);
        largest = fmax(largest, fabs(plane->normal[k]));
    }
    int exponent = 0;
    (void)frexp(largest, &exponent);
    for (int k = 0; k < model->scene->dim && k < 3; k++)
    {
        if (largest > 0 && isfinite(largest))
            plane->normal[k] = ldexp(plane->normal[k], -exponent);
        plane->offset += plane->normal[k] * thudi_model_value(model, &from->point[k], t);
    }
}

void thud_model_wall(const thud_model *model, int wall, double t, thud_plane *plane)
{
    double square = 0;
    plane_at(model, &model->scene->walls[wall].plane, t, plane);
    for (int k = 0; k < 3; k++)
        square += plane->normal[k] * plane->normal[k];
    double length = sqrt(square);
    for (int k = 0; k < 3; k++)
        plane->normal[k] /= length;
    plane->offset /= length;
}

static int move_wall(double t, thud_plane *plane, void *user)
{
    const thudi_wall_motion *motion = user;
    plane_at(motion->model, &motion->model->scene->walls[motion->wall].plane, t, plane);
    return 0;
}

// A wall that does not turn and moves at constant speed has no acceleration between nodes. For
// other walls the bounds are not known.
static thud_smoothness wall_smoothness(const thud_model *model, const thud_scene_wall *wall)
{
    const thud_scene *scene = model->scene;
    for (int k = 0; k < scene->dim; k++)
        if (wall->plane.normal[k].kind != THUD_VARYING_CONSTANT ||
            !thudi_model_is_affine(model, &wall->plane.point[k]))
            return (thud_smoothness){NAN, NAN};
    return (thud_smoothness){0, 0};
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
        plane_at(model, &wall->plane, scene->start, &def.plane);
        if (wall->moves)
            def.motion = move_wall;
        if (model->table)
            def.material = model->material[scene->body_count + i];
        THUD_TRY(thud_world_add_wall(model->world, &def, NULL));
    }
    return THUD_OK;
}
