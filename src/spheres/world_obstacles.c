// Obstacles and containers of a world: their rows, the check that none was missed, and the check
// that none moved through a body unseen.
//
//     g = distance(x) - r, a row per facet that is near; hidden triangles of a mesh give none
//     (thud_solid_find), as the rows of those in front keep the body away from them.
//
// A concave g is bounded by its tangent from above: CHECK adds a cut at the trial position until
// g(trial) >= sigma/2. An obstacle is taken at the end of the step; for what has another side, the
// way of the body's centre in the obstacle's frame must be shorter than its distance (and depth)
// before the step, else the two could have changed sides.
#include "spheres/world.h"

#include "core/text.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum
{
    CUTS = 8 // keys for the cuts of a concave facet; later ones share the last
};

// Hidden triangles may stand out by this part of sigma, of which the rows keep half.
static const double SLACK = 0.25;

static int keys_of(const thud_solid *solid)
{
    return thud_solid_curving(solid, 0) == THUD_CONCAVE ? CUTS : 1;
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
    solid.allocator = &world->allocator;
    thud_status status = def->motion || is_finite_pose(&def->pose) ? THUD_OK : THUD_ERR_NOT_FINITE;
    if (status >= 0)
        status = thud_solid_create(&solid, &added.solid, &why);
    if (status < 0)
    {
        thudi_world_say(world, "obstacle %d: %s", world->obstacle_count,
                        status == THUD_ERR_MEMORY ? thud_status_text(status) : why);
        return status;
    }
    long long surfaces = (long long)thud_solid_facets(added.solid) * keys_of(added.solid);
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
    world->facings.allocator = &world->allocator;
    thud_facings_free(&world->facings);
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

static double shift_of(const thud_world *world, int i)
{
    return world->shift_factor * world->radius.items[i];
}

static void centre_of(const thud_world *world, const double *q, int i, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = k < world->dim ? q[world->dim * i + k] : 0;
}

// Where body i would go without constraints.
static void prediction_of(const thud_world *world, const thud_moment *at, int i, double x[3])
{
    centre_of(world, at->q, i, x);
    for (int c = 0; c < world->dim && c < 3; c++)
        x[c] += at->h * at->w[world->dim * i + c];
}

// The gap of body i and one facet, were its centre at x, seen in the world.
static thud_facing look(const thud_world *world, int k, int facet, int i, const double x[3])
{
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    double y[3];
    thud_placement_enter(&obstacle->placement, x, y);
    thud_facing facing = thud_solid_look(obstacle->solid, facet, y);
    thud_placement_leave(&obstacle->placement, x, &facing);
    facing.distance -= world->radius.items[i];
    return facing;
}

// Fill world->facings with the facets that have gaps <= reach, gaps in place of distances. at: the
// moment whose prediction says where the body is going, or NULL.
static thud_status find_near(thud_world *world, int k, const double *q, int i, double reach,
                             const thud_moment *at)
{
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    double x[3], y[3], radius = world->radius.items[i];
    thud_aim aim = {.keep = radius + shift_of(world, i)};
    world->facings.allocator = &world->allocator;
    centre_of(world, q, i, x);
    thud_placement_enter(&obstacle->placement, x, y);
    if (at)
    {
        double end[3];
        prediction_of(world, at, i, end);
        thud_placement_enter(&obstacle->placement, end, aim.at);
    }
    THUD_TRY(thud_solid_find(obstacle->solid, y, radius + reach, SLACK * shift_of(world, i),
                             at ? &aim : NULL, &world->facings));
    for (int n = 0; n < world->facings.count; n++)
    {
        thud_facing *facing = &world->facings.items[n];
        const double *normal = facing->normal;
        if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0)
        {
            thudi_world_say(world, "the centre of body %d is on obstacle %d", world->id.items[i],
                            k);
            return THUD_ERR_OVERLAP;
        }
        thud_placement_leave(&obstacle->placement, x, facing);
        facing->distance -= radius;
    }
    return THUD_OK;
}

static thud_status push(const thud_world *world, int k, const thud_facing *facing, int cut, int i,
                        thud_rows *rows)
{
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    int index = world->dim * i,
        surface = obstacle->first + keys_of(obstacle->solid) * facing->facet;
    return thud_rows_push(
        rows, &(thud_row){.key = thudi_world_surface_key(surface + cut, world->id.items[i]),
                          .gap = facing->distance,
                          .shift = shift_of(world, i),
                          .kind = thud_solid_curving(obstacle->solid, facing->facet),
                          .width = world->dim,
                          .count = 1,
                          .index = &index,
                          .slope = facing->normal});
}

// How far body i moved, or would with velocity v in time h.
static double way_of(const thud_world *world, const double *to, const double *from, int i, double h)
{
    double sum = 0;
    for (int k = 0; k < world->dim; k++)
    {
        double way = to[world->dim * i + k] - (from ? from[world->dim * i + k] : 0);
        sum += way * way;
    }
    return h * sqrt(sum);
}

static thud_status refuse_step(thud_world *world, int k, int i, double way, double room,
                               const thud_moment *at, thud_rows *rows)
{
    char moved[THUDI_NUMBER_SIZE], away[THUDI_NUMBER_SIZE], step[THUDI_NUMBER_SIZE];
    double enough = 0.9 * at->h * room / way;
    thudi_world_say(world,
                    "step too large for obstacle %d: it moves up to %s, body %d is %s away; "
                    "h = %s would do",
                    k, thudi_text_number(moved, way), world->id.items[i],
                    thudi_text_number(away, room), thudi_text_number(step, enough));
    return thud_rows_refuse(rows, THUD_ERR_STEP, world->message);
}

// Nothing changed sides while obstacle k moved: see above.
static thud_status check_motion(thud_world *world, int k, const thud_moment *at, thud_rows *rows)
{
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    double depth = thud_solid_depth(obstacle->solid);
    thud_pose poses[3];
    if (!obstacle->def.motion || isinf(depth))
        return THUD_OK;
    for (int n = 0; n < 3; n++)
        THUD_TRY(pose_at(world, k, at->t - at->h * (2 - n) / 2, &poses[n]));
    thud_placement before = thud_pose_place(&poses[0]);
    thud_sweep sweep = thud_pose_sweep(obstacle->solid, poses, 3, at->h);
    for (int i = 0; i < world->count; i++)
    {
        double x[3], y[3];
        centre_of(world, at->q, i, x);
        double way = thud_sweep_at(&sweep, x) * (1 + 64 * DBL_EPSILON);
        if (way < world->radius.items[i] / 2 && !world->def.radii)
            continue; // it keeps about its radius away from all
        thud_placement_enter(&before, x, y);
        double room = thud_solid_nearest(obstacle->solid, y).distance + depth;
        if (!(way < room))
            return refuse_step(world, k, i, way, room, at, rows);
    }
    return THUD_OK;
}

// A cut of a concave gap: its tangent where the centre is at x, if the gap is below `least` there.
static thud_status cut_concave(const thud_world *world, int k, int facet, const thud_moment *at,
                               int i, const double x[3], double least, thud_rows *rows)
{
    thud_facing facing = look(world, k, facet, i, x);
    if (facing.distance >= least)
        return THUD_OK;
    for (int c = 0; c < world->dim && c < 3; c++)
        facing.distance += facing.normal[c] * (at->q[world->dim * i + c] - x[c]);
    return push(world, k, &facing, world->round < CUTS ? world->round : CUTS - 1, i, rows);
}

// The row of a facet that is near. That of a concave one is its tangent where the prediction goes,
// if that is too far: most often it is the only one needed.
static thud_status push_near(thud_world *world, int k, const thud_facing *facing,
                             const thud_moment *at, int i, thud_rows *rows)
{
    const thud_solid *solid = world->obstacles.items[k].solid;
    double x[3];
    int before = thud_rows_count(rows);
    prediction_of(world, at, i, x);
    if (thud_solid_curving(solid, facing->facet) == THUD_CONCAVE)
        THUD_TRY(cut_concave(world, k, facing->facet, at, i, x, shift_of(world, i), rows));
    return thud_rows_count(rows) > before ? THUD_OK : push(world, k, facing, 0, i, rows);
}

thud_status thudi_world_push_obstacles(thud_world *world, const thud_moment *at, double pull,
                                       thud_rows *rows)
{
    world->round = 0;
    for (int k = 0; k < world->obstacle_count; k++)
    {
        if (!world->is_opening)
            THUD_TRY(check_motion(world, k, at, rows));
        for (int i = 0; i < world->count; i++)
        {
            double own = way_of(world, at->w, NULL, i, at->h);
            double beside = at->h * sqrt(world->near.ring.items[i]);
            double reach = 2 * shift_of(world, i) + 2 * at->h * pull;
            reach += own > beside ? own : beside;
            THUD_TRY(find_near(world, k, at->q, i, reach, at));
            for (int n = 0; n < world->facings.count; n++)
                THUD_TRY(push_near(world, k, &world->facings.items[n], at, i, rows));
        }
    }
    return THUD_OK;
}

static thud_status check_near(thud_world *world, int k, const thud_moment *at, int i,
                              thud_rows *rows)
{
    const thudi_obstacle *obstacle = &world->obstacles.items[k];
    double x[3], y[3], shift = shift_of(world, i);
    centre_of(world, at->trial, i, x);
    for (int n = 0; n < world->facings.count; n++)
    {
        const thud_facing *facing = &world->facings.items[n];
        double lin = facing->distance;
        for (int c = 0; c < world->dim && c < 3; c++)
            lin += facing->normal[c] * (x[c] - at->q[world->dim * i + c]);
        if (thud_solid_curving(obstacle->solid, facing->facet) == THUD_CONCAVE)
            THUD_TRY(cut_concave(world, k, facing->facet, at, i, x, shift / 2, rows));
        else if (lin < thudi_world_least(world, shift, 0))
            THUD_TRY(push(world, k, facing, 0, i, rows));
    }
    if (world->facings.count == 0)
        return THUD_OK;
    thud_placement_enter(&obstacle->placement, x, y); // hidden facets count here
    thud_rows_note_gap(rows,
                       thud_solid_nearest(obstacle->solid, y).distance - world->radius.items[i]);
    return THUD_OK;
}

// Distances change by no more than a body moves: every facet that could be violated is looked at.
thud_status thudi_world_check_obstacles(thud_world *world, const thud_moment *at, thud_rows *rows)
{
    world->round++;
    for (int k = 0; k < world->obstacle_count; k++)
        for (int i = 0; i < world->count; i++)
        {
            double margin = THUDI_WORLD_MARGIN * world->radius.items[i];
            double way = way_of(world, at->trial, at->q, i, 1);
            THUD_TRY(find_near(world, k, at->q, i, way + shift_of(world, i) + margin, at));
            THUD_TRY(check_near(world, k, at, i, rows));
        }
    return THUD_OK;
}

thud_status thudi_world_obstacle_gap(thud_world *world, int k, const double *q, int i, double *gap)
{
    *gap = INFINITY;
    THUD_TRY(find_near(world, k, q, i, THUDI_WORLD_MARGIN * world->radius.items[i], NULL));
    if (world->facings.count > 0)
        *gap = world->facings.items[0].distance;
    return THUD_OK;
}
