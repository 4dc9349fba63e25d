// A world in a periodic cell: what may be in it, and what its messages say of a search.
#include "spheres/cell.h"
#include "spheres/obstacles.h"

#include "core/text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char axis_names[] = "xyz";

// Two reaches are less than two periods, so keys distinguish images: see thud/cell.h.
static const double reach_part = 0.95;

thud_status thudi_world_read_cell(thud_world *world, const thud_cell *cell)
{
    world->keys = THUD_KEYS_OPEN;
    world->body_mask = INT_MAX;
    world->reach_limit = INFINITY;
    for (int k = 0; k < 3; k++)
    {
        double period = k < world->dim ? cell->period[k] : 0;
        if (!(period >= 0) || !isfinite(period) || !isfinite(cell->low[k]))
            return period < 0 ? THUD_ERR_ARGUMENT : THUD_ERR_NOT_FINITE;
        world->periods.length[k] = world->def.cell.period[k] = period;
        if (!(period > 0))
            continue;
        world->is_periodic = true;
        world->keys = THUD_KEYS_PERIODIC;
        world->body_mask = THUDI_IMAGE_BODY;
        world->reach_limit =
            reach_part * period < world->reach_limit ? reach_part * period : world->reach_limit;
    }
    if (cell->shear && !(cell->period[0] > 0 && cell->period[1] > 0))
        return THUD_ERR_ARGUMENT;
    return cell->shear_t < 0 || cell->shear_tt < 0 ? THUD_ERR_ARGUMENT : THUD_OK;
}

thud_status thudi_world_shear_at(thud_world *world, double t)
{
    const thud_cell *cell = &world->def.cell;
    if (!cell->shear)
        return THUD_OK;
    if (cell->shear(t, &world->periods.shear, cell->user) != 0)
        return THUD_ERR_CALLBACK;
    world->bricks.shear = world->periods.shear;
    return isfinite(world->periods.shear) ? THUD_OK : THUD_ERR_NOT_FINITE;
}

// Walls along the periodic axes, and no body as large as to meet itself.
thud_status thudi_world_check_cell(thud_world *world)
{
    const double *length = world->periods.length;
    double largest = 0;
    if (!world->is_periodic)
        return THUD_OK;
    for (int i = 0; i < world->count; i++)
        largest = world->radius.items[i] > largest ? world->radius.items[i] : largest;
    for (int k = 0; k < world->dim; k++)
    {
        char own[THUDI_TEXT_NUMBER_SIZE], needed[THUDI_TEXT_NUMBER_SIZE];
        for (int w = 0; w < world->wall_count && length[k] > 0; w++)
            if (world->planes.items[w].normal[k] != 0)
            {
                thudi_world_fail(world, "wall %d stands across the periodic axis %c", w,
                                 axis_names[k]);
                return THUD_ERR_ARGUMENT;
            }
        if (!(length[k] > 0) || length[k] > 2 * largest)
            continue;
        thudi_world_fail(world,
                         "cell too short for its spheres: its period along %c is %s, it must be "
                         "more than %s",
                         axis_names[k], thudi_text_number(own, length[k]),
                         thudi_text_number(needed, 2 * largest));
        return THUD_ERR_LIMIT;
    }
    return THUD_OK;
}

// Is an obstacle the same everywhere along axis k?
static bool is_endless(const thudi_obstacle *obstacle, int k)
{
    const thud_solid_def *solid = &obstacle->def.solid;
    const thud_pose *pose = &obstacle->def.pose;
    if (obstacle->def.motion || pose->rotation[0] != 0 || pose->rotation[1] != 0 ||
        pose->rotation[2] != 0)
        return false;
    if (solid->kind == THUD_BOX || solid->kind == THUD_INSIDE_BOX)
        return isinf(solid->points[0][k]) && isinf(solid->points[1][k]);
    if (solid->kind != THUD_INSIDE_DRUM || !solid->is_open)
        return false;
    for (int other = 0; other < 3; other++)
        if (other != k && solid->points[0][other] != solid->points[1][other])
            return false;
    return true;
}

thud_status thudi_world_check_obstacles_fit(thud_world *world)
{
    for (int o = 0; o < world->obstacle_count; o++)
        for (int k = 0; k < world->dim; k++)
            if (world->periods.length[k] > 0 && !is_endless(&world->obstacles.items[o], k))
            {
                thudi_world_fail(world,
                                 "obstacle %d is not the same all along the periodic axis %c: only "
                                 "endless boxes and open drums that do not move are",
                                 o, axis_names[k]);
                world->fault_obstacle = o;
                return THUD_ERR_ARGUMENT;
            }
    return THUD_OK;
}

// g = |d| - r_a - r_b with d' = - m S' e_x: |g''| <= (m S')^2 / |d| + |m S''| and |n'| <= |m S'| /
// |d|, |d| above the smallest radius; m is bounded by how far apart bodies are along y.
bool thudi_world_smooth_shear(thud_world *world, const double *q)
{
    const thud_cell *cell = &world->def.cell;
    size_t dim = (size_t)world->dim;
    double low = q[1], high = q[1], smallest = world->radius.items[0];
    for (int i = 0; i < world->count; i++)
    {
        double y = q[dim * (size_t)i + 1], r = world->radius.items[i];
        low = y < low ? y : low;
        high = y > high ? y : high;
        smallest = r < smallest ? r : smallest;
    }
    double images = floor((high - low) / cell->period[1]) + 2, speed = images * cell->shear_t;
    world->smooth.gap_tt =
        world->own_smooth.gap_tt + speed * speed / smallest + images * cell->shear_tt;
    world->smooth.gap_tq = world->own_smooth.gap_tq + speed / smallest;
    return !isnan(world->smooth.gap_tt) && !isnan(world->smooth.gap_tq);
}

static thud_status refuse_reach(thud_world *world, int i, double reach)
{
    char far[THUDI_TEXT_NUMBER_SIZE], limit[THUDI_TEXT_NUMBER_SIZE];
    thudi_world_fail(world,
                     "step too large for the cell: within it, body %d could meet others up to %s "
                     "from its centre; a period allows %s",
                     world->id.items[i], thudi_text_number(far, reach),
                     thudi_text_number(limit, world->reach_limit));
    return THUD_ERR_STEP;
}

thud_status thudi_world_fail_search(thud_world *world, thud_status status)
{
    if (status == THUD_ERR_STEP)
        return refuse_reach(world, world->near.too_far,
                            world->near.reach.items[world->near.too_far]);
    if (status == THUD_ERR_LIMIT && world->is_periodic)
        thudi_world_fail(world,
                         "a body is too far from the cell, or the shear is too large: double "
                         "precision cannot tell images apart there");
    return status;
}

void thudi_world_offset_at(const thud_world *world, const double *q, int a, int partner,
                           double offset[3])
{
    double x[2][3] = {{0}};
    size_t size = (size_t)world->dim * sizeof *q;
    int b = thudi_world_partner(world, partner);
    memcpy(x[0], q + (size_t)world->dim * (size_t)a, size);
    memcpy(x[1], q + (size_t)world->dim * (size_t)b, size);
    thudi_world_offset(world, x[0], x[1], partner, offset);
}
