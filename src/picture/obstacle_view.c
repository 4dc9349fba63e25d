// The obstacles of a scene as triangles and lines, for pictures.
#include "picture/obstacle_view.h"

static thud_status visit_one(const thud_render_def *def, int obstacle, double t,
                             const thud_allocator *allocator, thudi_obstacle_fn *draw, void *user)
{
    const thud_scene_obstacle *entry = &def->scene->obstacles[obstacle];
    thud_surface surface = {.triangle_count = 0};
    thud_pose pose;
    thud_model_pose(def->model, obstacle, t, &pose);
    thud_placement at = thud_pose_place(&pose);
    thud_status status = thud_surface_make(&entry->solid, def->scene->dim, allocator, &surface);
    thud_surface shown = surface; // a copy: `surface` must be freed with all its triangles
    if (entry->show == THUD_SHOW_OUTLINE)
        shown.triangle_count = 0;
    if (status >= 0)
        status = draw(&shown, &at, user);
    thud_surface_free(&surface, allocator);
    return status;
}

thud_status thudi_obstacles_visit(const thud_render_def *def, double t,
                                  const thud_allocator *allocator, thudi_obstacle_fn *draw,
                                  void *user)
{
    thud_status status = THUD_OK;
    for (int i = 0; i < def->scene->obstacle_count && status >= 0; i++)
        if (def->scene->obstacles[i].show != THUD_SHOW_HIDDEN)
            status = visit_one(def, i, t, allocator, draw, user);
    return status;
}
