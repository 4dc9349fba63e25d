// Obstacles and containers of a world: where they are, what a body sees of them, and the check that
// none moved through a body unseen. Their rows are made in world_obstacle_rows.c.
//
// An obstacle is taken at the end of the step; for what has another side, the way of the body's
// centre in the obstacle's frame must be shorter than its distance (and depth) before the step,
// else the two could have changed sides.
#include "spheres/materials.h"
#include "spheres/obstacles.h"

#include "core/text.h"
#include "core/threads.h"

#include <float.h>
#include <limits.h>
#include <math.h>

// Hidden triangles may stand out by this part of sigma, of which the rows keep half.
static const double SLACK = 0.25;

// A way is not longer than its double times this; and the part of the longest step that is advised.
static const double OUTWARDS = 1 + 64 * DBL_EPSILON, ENOUGH = 0.9;

int thudi_world_keys_of(const thud_solid *solid)
{
    return thud_solid_curving(solid, 0) == THUD_CONCAVE ? THUDI_OBSTACLE_CUTS : 1;
}

static bool is_finite_pose(const thud_pose *pose)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += fabs(pose->position[k]) + fabs(pose->rotation[k]) + fabs(pose->velocity[k]) +
               fabs(pose->turning[k]);
    return isfinite(sum);
}

thud_status thud_world_add_obstacle(thud_world *world, const thud_obstacle_def *def, int *obstacle)
{
    thudi_obstacle added = {.def = *def, .first = world->surface_count};
    thud_solid_def solid = def->solid;
    const char *why = "a number of its pose is not finite";
    if (!thudi_world_has_material(world, def->material))
    {
        thudi_world_fail(world, "obstacle %d: there is no material %d", world->obstacle_count,
                         def->material);
        world->fault_obstacle = world->obstacle_count;
        return THUD_ERR_ARGUMENT;
    }
    solid.allocator = &world->allocator;
    thud_status status = def->motion || is_finite_pose(&def->pose) ? THUD_OK : THUD_ERR_NOT_FINITE;
    if (status >= 0)
        status = thud_solid_create(&solid, &added.solid, &why);
    if (status < 0)
    {
        thudi_world_fail(world, "obstacle %d: %s", world->obstacle_count,
                         status == THUD_ERR_MEMORY ? thud_status_text(status) : why);
        world->fault_obstacle = world->obstacle_count;
        return status;
    }
    long long surfaces =
        (long long)thud_solid_facets(added.solid) * thudi_world_keys_of(added.solid);
    status = surfaces + world->surface_count > INT_MAX ? THUD_ERR_LIMIT : THUD_OK;
    if (status >= 0)
        status = thudi_array_reserve(&world->allocator, &world->obstacles,
                                     (size_t)world->obstacle_count + 1);
    if (status < 0)
    {
        thud_solid_destroy(added.solid);
        return status;
    }
    added.def.solid.triangles = NULL;
    added.placement = thud_pose_place(&def->pose);
    if (obstacle)
        *obstacle = world->obstacle_count;
    world->obstacles.items[world->obstacle_count++] = added;
    world->surface_count += (int)surfaces;
    world->is_ready = false;
    return THUD_OK;
}

void thudi_world_free_obstacles(thud_world *world)
{
    for (int k = 0; k < world->obstacle_count; k++)
        thud_solid_destroy(world->obstacles.items[k].solid);
    thudi_array_free(&world->allocator, &world->obstacles);
    for (int c = 0; c < world->obstacle_chunk_count; c++)
    {
        thudi_obstacle_chunk *chunk = &world->obstacle_chunks.items[c];
        chunk->facings.allocator = &world->allocator;
        thud_facings_free(&chunk->facings);
        thudi_array_free(&world->allocator, &chunk->rows);
    }
    thudi_array_free(&world->allocator, &world->obstacle_chunks);
}

static thud_status pose_at(thud_world *world, int k, double t, thud_pose *pose)
{
    const thud_obstacle_def *def = &world->obstacles.items[k].def;
    *pose = def->pose;
    if (!def->motion)
        return THUD_OK;
    if (def->motion(t, pose, def->user) != 0)
        return THUD_ERR_CALLBACK;
    return is_finite_pose(pose) ? THUD_OK : THUD_ERR_NOT_FINITE;
}

thud_status thudi_world_place_obstacles(thud_world *world, double t)
{
    for (int k = 0; k < world->obstacle_count; k++)
    {
        thud_pose pose;
        if (!world->obstacles.items[k].def.motion)
            continue;
        THUD_TRY(pose_at(world, k, t, &pose));
        world->obstacles.items[k].placement = thud_pose_place(&pose);
    }
    return THUD_OK;
}

int thudi_world_obstacle_of(const thud_world *world, int surface)
{
    int low = 0, high = world->obstacle_count;
    while (high - low > 1)
    {
        int middle = low + (high - low) / 2;
        if (world->obstacles.items[middle].first <= surface)
            low = middle;
        else
            high = middle;
    }
    return low;
}

thud_status thudi_world_reserve_obstacle_chunks(thud_world *world)
{
    int wanted = thudi_world_chunk_count(world);
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->obstacle_chunks, (size_t)wanted));
    for (; world->obstacle_chunk_count < wanted; world->obstacle_chunk_count++)
        world->obstacle_chunks.items[world->obstacle_chunk_count] = (thudi_obstacle_chunk){0};
    return THUD_OK;
}

void thudi_world_predict(const thud_world *world, const thud_moment *at, int i, double x[3])
{
    thudi_world_centre(world, at->q, i, x);
    for (int c = 0; c < world->dim && c < 3; c++)
        x[c] += at->h * at->w[world->dim * i + c];
}

thud_facing thudi_world_facing(const thud_world *world, int k, int facet, int i, const double x[3])
{
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    double y[3];
    thud_placement_enter(&obstacle->placement, x, y);
    thud_facing facing = thud_solid_facing(obstacle->solid, facet, y);
    thud_placement_leave(&obstacle->placement, x, &facing);
    facing.distance -= world->radius.items[i];
    return facing;
}

thud_status thudi_world_find_facets(const thud_world *world, int k, const double *q, int i,
                                    double reach, const thud_moment *at,
                                    thudi_obstacle_chunk *chunk)
{
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    double x[3], y[3], radius = world->radius.items[i],
                       shift = thudi_shift_of(&world->shift, radius);
    thud_aim aim = {.keep = radius + shift};
    thudi_world_centre(world, q, i, x);
    thud_placement_enter(&obstacle->placement, x, y);
    if (at)
    {
        double end[3];
        thudi_world_predict(world, at, i, end);
        thud_placement_enter(&obstacle->placement, end, aim.at);
    }
    THUD_TRY(thud_solid_find(obstacle->solid, y, radius + reach, SLACK * shift, at ? &aim : NULL,
                             &chunk->facings));
    for (int n = 0; n < chunk->facings.count; n++)
    {
        thud_facing *facing = &chunk->facings.items[n];
        const double *normal = facing->normal;
        if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0)
        {
            chunk->body = i;
            return THUD_ERR_OVERLAP;
        }
        thud_placement_leave(&obstacle->placement, x, facing);
        facing->distance -= radius;
    }
    return THUD_OK;
}

void thudi_world_fail_obstacle(thud_world *world, int k, int i)
{
    thudi_world_fail(world, "the centre of body %d is on obstacle %d", world->id.items[i], k);
}

static thud_status refuse_step(thud_world *world, int k, const thudi_obstacle_chunk *chunk,
                               const thud_moment *at, thud_rows *rows)
{
    char moved[THUDI_TEXT_NUMBER_SIZE], away[THUDI_TEXT_NUMBER_SIZE], step[THUDI_TEXT_NUMBER_SIZE];
    double enough = ENOUGH * at->h * chunk->room / chunk->way;
    thudi_world_fail(
        world,
        "step too large for obstacle %d: it moves up to %s, body %d is %s away; h = %s "
        "is short enough",
        k, thudi_text_number(moved, chunk->way), world->id.items[chunk->body],
        thudi_text_number(away, chunk->room), thudi_text_number(step, enough));
    return thud_rows_fail_wall(rows, THUD_ERR_STEP, world->wall_count + k, world->message);
}

// The first body of a chunk that the obstacle could have passed.
static void find_passed(const thud_world *world, int k, const thud_sweep *sweep,
                        const thud_placement *before, const double *q, int c)
{
    thudi_obstacle_chunk *chunk = &world->obstacle_chunks.items[c];
    const thud_solid *solid = world->obstacles.items[k].solid;
    double depth = thud_solid_depth(solid);
    chunk->status = THUD_OK;
    for (int i = thudi_world_chunk_start(world, c); i < thudi_world_chunk_start(world, c + 1); i++)
    {
        double x[3], y[3];
        thudi_world_centre(world, q, i, x);
        double way = thud_sweep_at(sweep, x) * OUTWARDS;
        if (way < world->radius.items[i] / 2 && !world->def.radii)
            continue; // it keeps about its radius away from all
        thud_placement_enter(before, x, y);
        double room = thud_solid_nearest(solid, y).distance + depth;
        if (way < room)
            continue;
        chunk->status = THUD_ERR_STEP;
        chunk->body = i;
        chunk->way = way;
        chunk->room = room;
        return;
    }
}

thud_status thudi_world_check_motion(thud_world *world, int k, const thud_moment *at,
                                     thud_rows *rows)
{
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    int chunks = thudi_world_chunk_count(world);
    thud_pose poses[3];
    if (!obstacle->def.motion || isinf(thud_solid_depth(obstacle->solid)))
        return THUD_OK;
    for (int n = 0; n < 3; n++)
        THUD_TRY(pose_at(world, k, at->t - at->h * (2 - n) / 2, &poses[n]));
    thud_placement before = thud_pose_place(&poses[0]);
    thud_sweep sweep = thud_pose_sweep(obstacle->solid, poses, 3, at->h);
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(dynamic) if (world->count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < chunks; c++)
        find_passed(world, k, &sweep, &before, at->q, c);
    for (int c = 0; c < chunks; c++)
        if (world->obstacle_chunks.items[c].status < 0)
            return refuse_step(world, k, &world->obstacle_chunks.items[c], at, rows);
    return THUD_OK;
}

thud_status thudi_world_obstacle_gap(thud_world *world, int k, const double *q, int i, double *gap)
{
    THUD_TRY(thudi_world_reserve_obstacle_chunks(world));
    thudi_obstacle_chunk *chunk = &world->obstacle_chunks.items[0];
    *gap = INFINITY;
    chunk->facings.allocator = &world->allocator;
    thud_status status = thudi_world_find_facets(
        world, k, q, i, THUDI_NEAR_MARGIN * world->radius.items[i], NULL, chunk);
    if (status == THUD_ERR_OVERLAP)
        thudi_world_fail_obstacle(world, k, i);
    THUD_TRY(status);
    if (chunk->facings.count > 0)
        *gap = chunk->facings.items[0].distance;
    return THUD_OK;
}
