// An obstacle as a picture sees it.
#include "picture/obstacle_view.h"

thud_status thudi_obstacle_see(const thud_render_def *def, int obstacle, double t,
                               const thud_allocator *allocator, thud_surface *surface,
                               thud_placement *at)
{
    const thud_scene *scene = def->scene;
    thud_pose pose;
    *surface = (thud_surface){.triangle_count = 0};
    thud_model_pose(def->model, obstacle, t, &pose);
    *at = thud_pose_place(&pose);
    return thud_surface_make(&scene->obstacles[obstacle].solid, scene->dim, allocator, surface);
}
