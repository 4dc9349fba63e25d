// Steps of a model judged by the independent checker: the scene as it wants it.
#include "core/memory.h"
#include "thud/model_verify.h"

#include <math.h>
#include <string.h>

// A model with what the checker wants of it.
typedef struct judged
{
    const thud_model *model;
    thud_model_parts parts;
    THUDI_ARRAY(thud_check_obstacle) obstacles;
} judged;

static int write_shapes(double t, double *radius, double *normal, double *offset, void *user)
{
    const judged *j = user;
    thud_model_radii(j->model, t, radius);
    for (int i = 0; i < j->parts.scene->wall_count; i++)
    {
        thud_plane plane;
        thud_model_wall(j->model, i, t, &plane);
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
static thud_status make_rows(const judged *j, const thud_direction *directions, int count,
                             thud_rows **rows)
{
    int dim = j->parts.scene->dim, bodies = j->parts.scene->body_count;
    *rows = NULL;
    if (count == 0)
        return THUD_OK;
    THUD_TRY(thud_rows_create(thud_model_problem(j->model)->dim, &j->parts.allocator, rows));
    for (int i = 0; i < count; i++)
    {
        double slope[3] = {0, 0, 0};
        int body = (int)thud_key_read(directions[i].key, THUD_KEYS_OPEN).b;
        if (is_direction(&directions[i], dim) && body < bodies)
            memcpy(slope, directions[i].normal, sizeof slope);
        int index = body < bodies ? body * dim : 0;
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

static thud_status make_obstacles(judged *j)
{
    size_t count = (size_t)j->parts.scene->obstacle_count;
    THUD_TRY(thudi_array_reserve(&j->parts.allocator, &j->obstacles, count));
    for (size_t i = 0; i < count; i++)
    {
        const thud_obstacle_def *from = &j->parts.obstacles[i];
        j->obstacles.items[i] = (thud_check_obstacle){.solid = from->solid,
                                                      .pose = from->pose,
                                                      .motion = from->motion,
                                                      .user = from->user,
                                                      .material = from->material};
    }
    return THUD_OK;
}

// The world as the checker wants it.
static thud_check_spheres_def spheres_of(judged *j)
{
    const thud_scene *scene = j->parts.scene;
    const thud_model_parts *parts = &j->parts;
    return (thud_check_spheres_def){
        .dim = scene->dim,
        .count = scene->body_count,
        .wall_count = scene->wall_count,
        .cell = thud_model_cell(j->model),
        .obstacles = j->obstacles.items,
        .obstacle_count = scene->obstacle_count,
        .shapes = write_shapes,
        .user = j,
        .shift = 2 * scene->tol,
        .material = parts->material,
        .wall_material = parts->table ? parts->material + scene->body_count : NULL,
        .material_count = parts->material_count,
        .restitution = scene->law == THUD_LAW_RESTITUTION ? parts->table : NULL,
        .glue = scene->law == THUD_LAW_GLUE ? parts->table : NULL};
}

thud_status thud_model_judge_recorded(thud_model *model, const thud_state *before,
                                      const thud_state *after, const double *mean_force,
                                      const thud_direction *directions, int count,
                                      thud_verdict *verdict)
{
    judged j = {.model = model, .parts = thud_model_look(model)};
    const thud_inclusion *problem = thud_model_problem(model);
    bool has_world = j.parts.scene->kind == THUD_SCENE_SPHERES;
    thud_check_def def = {.mean_force = mean_force,
                          .accuracy = has_world ? j.parts.scene->tol_a : 0,
                          .exact_limit = EXACT_LIMIT,
                          .allocator = &j.parts.allocator};
    THUD_TRY(thud_float_check());
    if (!has_world)
        return thud_check_step(problem, before, after, &def, verdict);
    thud_rows *rows = NULL;
    def.strict = true;
    THUD_TRY(make_rows(&j, directions, count, &rows));
    thud_status status = make_obstacles(&j);
    if (status >= 0)
    {
        thud_check_spheres_def spheres = spheres_of(&j);
        spheres.cuts = rows;
        spheres.cuts_only = true;
        status = thud_check_spheres(problem, &spheres, before, after, &def, verdict);
    }
    thudi_array_free(&j.parts.allocator, &j.obstacles);
    thud_rows_destroy(rows);
    return status;
}

thud_status thud_model_judge(thud_model *model, const thud_state *before, const thud_state *after,
                             const double *mean_force, thud_verdict *verdict)
{
    return thud_model_judge_recorded(model, before, after, mean_force, NULL, 0, verdict);
}
