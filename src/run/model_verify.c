// Steps of a model verified by the independent checker: the scene in the checker's terms.
#include "thud/model_verify.h"
#include "core/memory.h"

#include <math.h>
#include <string.h>

static int write_shapes(double t, double *radius, double *normal, double *offset, void *user)
{
    const thud_model *model = user;
    const thud_scene *scene = thud_model_scene(model);
    thud_model_radii(model, t, radius);
    for (int i = 0; i < scene->wall_count; i++)
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

// The directions as rows of which the checker takes keys and slopes. What is not a direction gets
// length 0, which the checker rejects.
static thud_status make_rows(const thud_model *model, const thud_direction *directions, int count,
                             thud_rows **rows)
{
    const thud_scene *scene = thud_model_scene(model);
    int dim = scene->dim;
    *rows = NULL;
    if (count == 0)
        return THUD_OK;
    THUD_TRY(thud_rows_create(thud_model_problem(model)->dim, thud_model_allocator(model), rows));
    for (int i = 0; i < count; i++)
    {
        double slope[3] = {0, 0, 0};
        int body = (int)thud_key_read(directions[i].key, THUD_KEYS_OPEN).b;
        if (is_direction(&directions[i], dim) && body < scene->body_count)
            memcpy(slope, directions[i].normal, sizeof slope);
        int index = body < scene->body_count ? body * dim : 0;
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

// The world as the checker wants it; its obstacles are to be freed.
static thud_status describe(thud_model *model, thud_verify_obstacle **obstacles,
                            thud_verify_spheres_def *spheres)
{
    const thud_scene *scene = thud_model_scene(model);
    thud_model_world world = thud_model_world_of(model);
    size_t count = (size_t)scene->obstacle_count;
    *obstacles =
        thudi_allocate_zeroed(thud_model_allocator(model), (count + 1) * sizeof **obstacles);
    if (!*obstacles)
        return THUD_ERR_MEMORY;
    for (size_t k = 0; k < count; k++)
    {
        const thud_obstacle_def *def = &world.obstacles[k];
        (*obstacles)[k] = (thud_verify_obstacle){.solid = def->solid,
                                                 .pose = def->pose,
                                                 .motion = def->motion,
                                                 .user = def->user,
                                                 .material = def->material};
    }
    *spheres = (thud_verify_spheres_def){.dim = scene->dim,
                                         .count = scene->body_count,
                                         .wall_count = scene->wall_count,
                                         .cell = thud_model_cell(model),
                                         .obstacles = *obstacles,
                                         .obstacle_count = scene->obstacle_count,
                                         .shapes = write_shapes,
                                         .user = model,
                                         .shift = 2 * scene->tol,
                                         .step_shift = 2 * thud_model_step_tol(model),
                                         .most_shift = 2 * THUD_MOST_TOL,
                                         .material = world.material,
                                         .wall_material = world.wall_material,
                                         .material_count = world.material_count,
                                         .numbers = world.numbers};
    return THUD_OK;
}

static thud_status verify_spheres(thud_model *model, const thud_state *before,
                                  const thud_state *after, const thud_rows *rows,
                                  thud_verify_def *def, thud_verdict *verdict)
{
    size_t count = (size_t)thud_model_scene(model)->obstacle_count + 1;
    thud_verify_obstacle *obstacles;
    thud_verify_spheres_def spheres;
    THUD_TRY(describe(model, &obstacles, &spheres));
    def->strict = true;
    spheres.cuts = rows;
    spheres.cuts_only = true;
    thud_status status =
        thud_verify_spheres(thud_model_problem(model), &spheres, before, after, def, verdict);
    thudi_free(def->allocator, obstacles, count * sizeof *obstacles);
    return status;
}

thud_status thud_model_verify_recorded(thud_model *model, const thud_state *before,
                                       const thud_state *after, const double *mean_force,
                                       const thud_direction *directions, int count,
                                       thud_verdict *verdict)
{
    const thud_scene *scene = thud_model_scene(model);
    bool is_world = scene->kind == THUD_SCENE_SPHERES;
    thud_verify_def def = {.mean_force = mean_force,
                           .accuracy = is_world ? scene->tol_a : 0,
                           .exact_limit = EXACT_LIMIT,
                           .allocator = thud_model_allocator(model)};
    THUD_TRY(thud_float_check());
    if (!is_world)
        return thud_verify_step(thud_model_problem(model), before, after, &def, verdict);
    thud_rows *rows = NULL;
    THUD_TRY(make_rows(model, directions, count, &rows));
    thud_status status = verify_spheres(model, before, after, rows, &def, verdict);
    thud_rows_destroy(rows);
    return status;
}

thud_status thud_model_verify(thud_model *model, const thud_state *before, const thud_state *after,
                              const double *mean_force, thud_verdict *verdict)
{
    return thud_model_verify_recorded(model, before, after, mean_force, NULL, 0, verdict);
}
