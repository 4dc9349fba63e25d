// Steps of a model judged by the independent checker: the scene as it wants it.
#include "build/model.h"

#include <math.h>
#include <string.h>

static int write_shapes(double t, double *radius, double *normal, double *offset, void *user)
{
    const thud_model *model = user;
    thud_model_radii(model, t, radius);
    for (int i = 0; i < model->scene->wall_count; i++)
    {
        thud_plane plane;
        thud_model_wall(model, i, t, &plane);
        memcpy(normal + 3 * (size_t)i, plane.normal, sizeof plane.normal);
        offset[i] = plane.offset;
    }
    return 0;
}

// Clusters of up to so many coordinates are solved exactly (exact_limit of thud_projector_def), so
// that a scene which has no more is.
enum
{
    EXACT_LIMIT = 90
};

static bool is_direction(const thud_direction *direction, int dim)
{
    const double *n = direction->normal;
    return isfinite(n[0] + n[1] + n[2]) && (dim == 3 || n[2] == 0);
}

// The directions as rows of which the checker takes keys and slopes. What is none gets no length,
// which the checker will not have.
static thud_status make_rows(const thud_model *model, const thud_direction *directions, int count,
                             thud_rows **rows)
{
    int dim = model->scene->dim;
    *rows = NULL;
    if (count == 0)
        return THUD_OK;
    THUD_TRY(thud_rows_create(model->problem.dim, &model->allocator, rows));
    for (int i = 0; i < count; i++)
    {
        double slope[3] = {0, 0, 0};
        int body = (int)thud_key_read(directions[i].key, THUD_KEYS_OPEN).b;
        if (is_direction(&directions[i], dim) && body < model->scene->body_count)
            memcpy(slope, directions[i].normal, sizeof slope);
        int index = body < model->scene->body_count ? body * dim : 0;
        thud_status status = thud_rows_push(*rows, &(thud_row){.key = directions[i].key,
                                                               .width = dim,
                                                               .count = 1,
                                                               .index = &index,
                                                               .slope = slope});
        if (status < 0)
        {
            thud_rows_destroy(*rows);
            return status;
        }
    }
    return THUD_OK;
}

// The world as the checker wants it.
static thud_check_spheres_def spheres_of(thud_model *model)
{
    const thud_scene *scene = model->scene;
    return (thud_check_spheres_def){
        .dim = scene->dim,
        .count = scene->body_count,
        .wall_count = scene->wall_count,
        .cell = thud_model_cell(model),
        .obstacles = model->judged,
        .obstacle_count = scene->obstacle_count,
        .shapes = write_shapes,
        .user = model,
        .shift = 2 * scene->tol,
        .material = model->material,
        .wall_material = model->table ? model->material + scene->body_count : NULL,
        .material_count = model->sides_of_table,
        .restitution = scene->law == THUD_LAW_RESTITUTION ? model->table : NULL,
        .glue = scene->law == THUD_LAW_GLUE ? model->table : NULL};
}

thud_status thud_model_judge_recorded(thud_model *model, const thud_state *before,
                                      const thud_state *after, const double *mean_force,
                                      const thud_direction *directions, int count,
                                      thud_verdict *verdict)
{
    thud_check_def def = {.mean_force = mean_force,
                          .accuracy = model->world ? model->scene->tol_a : 0,
                          .exact_limit = EXACT_LIMIT,
                          .allocator = &model->allocator};
    THUD_TRY(thud_float_check());
    if (!model->world)
        return thud_check_step(&model->problem, before, after, &def, verdict);
    thud_check_spheres_def spheres = spheres_of(model);
    def.strict = true;
    thud_rows *rows = NULL;
    THUD_TRY(make_rows(model, directions, count, &rows));
    spheres.cuts = rows;
    spheres.cuts_only = true;
    thud_status status =
        thud_check_spheres(&model->problem, &spheres, before, after, &def, verdict);
    thud_rows_destroy(rows);
    return status;
}

thud_status thud_model_judge(thud_model *model, const thud_state *before, const thud_state *after,
                             const double *mean_force, thud_verdict *verdict)
{
    return thud_model_judge_recorded(model, before, after, mean_force, NULL, 0, verdict);
}
