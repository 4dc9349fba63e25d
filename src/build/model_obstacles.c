// Obstacles of a scene in its world: moved by expressions, named by keys, asked for forces.
#include "build/model.h"
#include "core/math/exact_four.h"
#include "core/math/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Sine of the angle between two axes that count as one.
static const double PARALLEL = 1e-12;

void thud_model_pose(const thud_model *model, int obstacle, double t, thud_pose *pose)
{
    const thud_scene_obstacle *from = &model->scene->obstacles[obstacle];
    *pose = (thud_pose){.position = {0}};
    for (int k = 0; k < 3; k++)
    {
        thud_jet jet = {0};
        thud_varying_differentiate(&from->position[k], t, NULL, model->room, &jet);
        pose->position[k] = jet.value;
        pose->velocity[k] = jet.t;
        jet = (thud_jet){0};
        thud_varying_differentiate(&from->rotation[k], t, NULL, model->room, &jet);
        pose->rotation[k] = jet.value;
        pose->turning[k] = jet.t;
    }
}

static int move_obstacle(double t, thud_pose *pose, void *user)
{
    const thudi_model_obstacle *obstacle = user;
    thud_model_pose(obstacle->model, obstacle->index, t, pose);
    return 0;
}

// Does it move at constant velocity, and turn, if it does, at a constant rate about one axis?
static bool is_steady(const thud_model *model, const thud_scene_obstacle *obstacle,
                      const thud_pose *pose)
{
    for (int k = 0; k < 3; k++)
        if (!thudi_model_is_affine(model, &obstacle->position[k]) ||
            !thudi_model_is_affine(model, &obstacle->rotation[k]))
            return false;
    const double *a = pose->rotation, *b = pose->turning;
    double cross[3];
    thudi_cross(a, b, cross);
    return thudi_norm(cross) <= PARALLEL * thudi_norm(a) * thudi_norm(b);
}

// The bounds of thud_obstacle_def.smooth for a steady motion: a body that touches has its centre
// within `reach` of the origin of the frame. Points of the frame pass it with
// V = |v| + W reach and A = W^2 reach + 2 W |v|.
static thud_smoothness smoothness_of(const thud_model *model, int k, bool grows)
{
    const thud_scene *scene = model->scene;
    const thud_scene_obstacle *obstacle = &scene->obstacles[k];
    const thud_solid *solid = model->obstacles[k].solid;
    thud_pose pose;
    double smallest = INFINITY, largest = 0;
    thud_model_pose(model, k, scene->start, &pose);
    if (!obstacle->moves)
        return (thud_smoothness){0, 0};
    if (grows || !is_steady(model, obstacle, &pose))
        return (thud_smoothness){NAN, NAN};
    for (int i = 0; i < scene->body_count; i++)
    {
        double r = scene->bodies[i].sphere.radius;
        smallest = r < smallest ? r : smallest;
        largest = r > largest ? r : largest;
    }
    double v = thudi_norm(pose.velocity), w = thudi_norm(pose.turning);
    double reach = w > 0 ? thud_solid_size(solid) + 2 * largest : 0;
    double speed = v + w * reach, bend = w * w * reach + 2 * w * v;
    if (!isfinite(speed) || !isfinite(bend))
        return (thud_smoothness){NAN, NAN};
    if (isinf(thud_solid_depth(solid)))
        return (thud_smoothness){bend, w};
    return (thud_smoothness){speed * speed / smallest + bend, speed / smallest + w};
}

static thud_status add_obstacle(thud_model *model, int k, bool grows, int *surfaces)
{
    const thud_scene_obstacle *from = &model->scene->obstacles[k];
    thudi_model_obstacle *to = &model->obstacles[k];
    thud_solid_def solid = from->solid;
    solid.allocator = &model->allocator;
    *to = (thudi_model_obstacle){.model = model, .index = k, .first = *surfaces};
    THUD_TRY(thud_solid_create(&solid, &to->solid, NULL));
    to->facets = thud_solid_facets(to->solid);
    to->keys = thud_solid_curving(to->solid, 0) == THUD_CONCAVE ? 8 : 1;
    *surfaces += to->facets * to->keys;
    thud_obstacle_def def = {
        .solid = from->solid, .material = thudi_model_material(model, from->material), .user = to};
    thud_model_pose(model, k, model->scene->start, &def.pose);
    def.motion = from->moves ? move_obstacle : NULL;
    def.smooth = smoothness_of(model, k, grows);
    model->added[k] = def;
    return thud_world_add_obstacle(model->world, &def, NULL);
}

thud_status thudi_model_obstacles(thud_model *model, bool grows)
{
    size_t count = (size_t)model->scene->obstacle_count;
    int surfaces = 0;
    if (count == 0)
        return THUD_OK;
    model->obstacles = thudi_allocate_zeroed(&model->allocator, count * sizeof *model->obstacles);
    model->added = thudi_allocate_zeroed(&model->allocator, count * sizeof *model->added);
    if (!model->obstacles || !model->added)
        return THUD_ERR_MEMORY;
    for (int k = 0; k < model->scene->obstacle_count; k++)
        THUD_TRY(add_obstacle(model, k, grows, &surfaces));
    return THUD_OK;
}

void thudi_model_obstacles_free(thud_model *model)
{
    size_t count = (size_t)model->scene->obstacle_count;
    for (size_t k = 0; k < count && model->obstacles; k++)
        thud_solid_destroy(model->obstacles[k].solid);
    thudi_free(&model->allocator, model->obstacles, count * sizeof *model->obstacles);
    thudi_free(&model->allocator, model->added, count * sizeof *model->added);
}

int thudi_model_obstacle_of(const thud_model *model, thud_key key, int *facet)
{
    thud_key_parts parts = thud_key_read(key, thud_scene_keys(model->scene));
    int surface = (int)parts.a, low = 0, high = model->scene->obstacle_count;
    *facet = 0;
    if (parts.kind != THUD_KEY_SURFACE || high == 0)
        return -1;
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        if (model->obstacles[middle].first <= surface)
            low = middle;
        else
            high = middle;
    }
    const thudi_model_obstacle *found = &model->obstacles[low];
    *facet = (surface - found->first) / found->keys;
    return *facet < found->facets ? low : -1;
}

void thudi_model_foot(const thud_model *model, int obstacle, int facet, double t, const double x[3],
                      double foot[3])
{
    const thud_solid *solid = model->obstacles[obstacle].solid;
    thud_pose pose;
    double y[3];
    thud_model_pose(model, obstacle, t, &pose);
    thud_placement placement = thud_pose_place(&pose);
    thud_placement_enter(&placement, x, y);
    thud_facing facing = thud_solid_facing(solid, facet, y);
    thud_placement_leave(&placement, x, &facing);
    memcpy(foot, facing.point, sizeof facing.point);
}

double thudi_model_obstacle_motion(const thud_model *model, int obstacle, double t)
{
    const thud_scene *scene = model->scene;
    thud_pose poses[2];
    double largest = 0;
    if (!scene->obstacles[obstacle].moves)
        return 0;
    thud_model_pose(model, obstacle, t, &poses[0]);
    thud_model_pose(model, obstacle, t + scene->step, &poses[1]);
    thud_sweep sweep = thud_pose_sweep(model->obstacles[obstacle].solid, poses, 2, scene->step);
    int stride = 1 + scene->body_count / 10;
    for (int i = 0; i < scene->body_count; i += stride)
    {
        double moved = thud_sweep_at(&sweep, scene->bodies[i].sphere.center);
        largest = moved > largest ? moved : largest;
    }
    return largest;
}

enum
{
    LOOKS = 100 // at the run
};

// Does it turn, and do nothing else, in a way that cannot be seen?
static bool only_turns(const thud_model *model, int obstacle)
{
    const thud_scene *scene = model->scene;
    double turned = 0, moved = 0;
    for (int i = 0; i < LOOKS; i++)
    {
        // not a whole part of the run, so that a period does not hide
        double t = scene->start + (scene->end - scene->start) * fmod(i * THUDI_GOLDEN, 1);
        thud_pose pose;
        thud_model_pose(model, obstacle, t, &pose);
        if (!thud_solid_hides_turning(model->obstacles[obstacle].solid, &pose))
            return false;
        turned += thudi_norm(pose.turning);
        moved += thudi_norm(pose.velocity);
    }
    return turned > 0 && moved == 0;
}

int thud_model_turning_in_place(const thud_model *model)
{
    const thud_scene *scene = model->scene;
    int found = -1;
    for (int i = 0; i < scene->wall_count; i++)
        if (scene->walls[i].moves)
            return -1;
    for (int i = 0; i < scene->obstacle_count; i++)
    {
        if (!scene->obstacles[i].moves)
            continue;
        if (!only_turns(model, i))
            return -1;
        found = found < 0 ? scene->wall_count + i : found;
    }
    return found;
}

void thudi_model_obstacle_force(const thud_model *model, int obstacle, const thud_view *view,
                                double force[3])
{
    const thud_report *report = view->report;
    thudi_exact_four sums;
    double sum[4];
    int facet;
    thudi_exact_four_clear(&sums);
    for (int i = report ? thud_rows_count(report->rows) - 1 : -1; i >= 0; i--)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(report->rows, i, &room);
        if (thud_key_read(row.key, THUD_KEYS_OPEN).kind ==
            THUD_KEY_PAIR) // sorted: no more of walls and obstacles
            break;
        if (thudi_model_obstacle_of(model, row.key, &facet) != obstacle)
            continue;
        four slope = four_load_first(row.slope, model->scene->dim);
        thudi_exact_four_add(&sums, slope * -report->impulse[i] / thudi_model_span(view));
    }
    thudi_exact_four_values(&sums, sum);
    for (int k = 0; k < 3; k++)
        force[k] = sum[k];
}

bool thudi_model_pose_fault(const thud_model *model, int obstacle, double t, char *text,
                            size_t size)
{
    thud_pose pose;
    char number[THUD_NUMBER_SIZE];
    thud_model_pose(model, obstacle, t, &pose);
    const double *parts[] = {pose.position, pose.rotation, pose.velocity, pose.turning};
    static const char *const names[] = {"position", "rotation", "velocity", "turning"};
    for (int i = 0; i < 12; i++)
    {
        double x = parts[i / 3][i % 3];
        if (isfinite(x))
            continue;
        (void)snprintf(text, size, "the %s of wall '%s' is %s", names[i / 3],
                       model->scene->obstacles[obstacle].name, thud_number_write(number, x));
        return true;
    }
    return false;
}

int thud_model_directions(const thud_model *model, const thud_rows *rows, thud_direction *out)
{
    int count = 0, facet;
    if (model->scene->obstacle_count == 0)
        return 0;
    for (int i = 0; i < thud_rows_count(rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        int obstacle = thudi_model_obstacle_of(model, row.key, &facet);
        if (obstacle < 0)
            continue;
        const thud_solid *solid = model->obstacles[obstacle].solid;
        if (thud_solid_kind_of(solid) != THUD_MESH &&
            thud_solid_curving(solid, facet) != THUD_CONCAVE)
            continue;
        out[count] = (thud_direction){.key = row.key};
        memcpy(out[count++].normal, row.slope, (size_t)model->scene->dim * sizeof *row.slope);
    }
    return count;
}
