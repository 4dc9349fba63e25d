// How far the checker's directions of solids may be from the solver's: both are rounded where a
// body is turned into the frame of the solid, and where its distance is the difference of large
// numbers.
#include "verify/spheres/checker_obstacles.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Of turning a direction out of its frame, and of each place that a distance is taken between.
static const double TURN_ULPS = 16 * DBL_EPSILON;
static const double PLACE_ULPS = 4 * DBL_EPSILON;

static double length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

bool thudi_obstacles_is_row(const thud_row *row)
{
    return thud_key_read(row->key, THUD_KEYS_OPEN).kind == THUD_KEY_SURFACE && row->count == 1;
}

// From y to the corner of a triangle that is farthest, or to the origin of the frame: a direction
// that is off by an angle moves its plane there by that times this.
static double lever_of(const thud_solid_def *solid, int facet, const double y[3])
{
    double largest = solid->kind == THUD_MESH ? 0 : length(y);
    for (int c = 0; c < 3 && solid->kind == THUD_MESH; c++)
    {
        const double *corner = solid->triangles + 9 * (size_t)facet + 3 * (size_t)c;
        double way[3] = {y[0] - corner[0], y[1] - corner[1], y[2] - corner[2]};
        largest = fmax(largest, length(way));
    }
    return largest;
}

// A body that touches has its foot on the solid within a radius.
double thudi_obstacles_row_error(const thudi_obstacles *obstacles, const thud_row *row, double *gap)
{
    const thud_state *before = obstacles->before;
    thud_key_parts parts = thud_key_read(row->key, THUD_KEYS_OPEN);
    int surface = (int)parts.a, body = (int)parts.b;
    int dim = obstacles->def->dim, k = 0;
    *gap = 0;
    for (; k < obstacles->def->obstacle_count; k++)
    {
        const thud_solid_def *solid = &obstacles->def->obstacles[k].solid;
        int count = thudi_facet_count(solid) * thudi_facet_keys(solid);
        if (surface < count)
            break;
        surface -= count;
    }
    if (k == obstacles->def->obstacle_count || body >= obstacles->def->count)
        return 0;
    const thud_verify_obstacle *obstacle = &obstacles->def->obstacles[k];
    thud_pose pose = obstacle->pose;
    double end = fma((double)(before->n + 1), before->h, before->t0), x[3] = {0, 0, 0}, y[3];
    if (obstacle->motion && obstacle->motion(end, &pose, obstacle->user) != 0)
        return 0;
    thudi_frame frame = thudi_frame_of(&pose);
    memcpy(x, before->q + (size_t)dim * (size_t)body, (size_t)dim * sizeof *x);
    thudi_frame_in(&frame, x, y);
    double row_error = TURN_ULPS + PLACE_ULPS * (length(x) + length(y) + length(pose.position)) /
                                       obstacles->radius[body];
    *gap = row_error * lever_of(&obstacle->solid, surface, y);
    return row_error;
}
