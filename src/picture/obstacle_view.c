// The obstacles of a scene as a picture sees them.
#include "picture/obstacle_view.h"

static thud_status visit_one(const thud_render_def *def, int obstacle, double t,
                             const thud_allocator *allocator, thudi_obstacle_fn *see, void *user)
{
    const thud_scene_obstacle *entry = &def->scene->obstacles[obstacle];
    thud_surface surface = {.triangle_count = 0};
    thud_pose pose;
    thud_model_pose(def->model, obstacle, t, &pose);
    thud_placement at = thud_pose_place(&pose);
    thud_status status = thud_surface_make(&entry->solid, def->scene->dim, allocator, &surface);
    thud_surface shown = surface; // the other one is freed whole
    if (entry->show == THUD_SHOW_OUTLINE)
        shown.triangle_count = 0;
    if (status >= 0)
        status = see(&shown, &at, user);
    thud_surface_free(&surface, allocator);
    return status;
}

thud_status thudi_obstacles_visit(const thud_render_def *def, double t,
                                  const thud_allocator *allocator, thudi_obstacle_fn *see,
                                  void *user)
{
    thud_status status = THUD_OK;
    for (int i = 0; i < def->scene->obstacle_count && status >= 0; i++)
        if (def->scene->obstacles[i].show != THUD_SHOW_HIDDEN)
            status = visit_one(def, i, t, allocator, see, user);
    return status;
}
