// Rigid motion of solids: from rotation vectors to frames, and how far a step may take them.
#include "solids/shape.h"

#include "core/math/elementary.h"

#include <string.h>

// turn v = v + sin a (n x v) + (1 - cos a) n x (n x v), column by column.
static void fill_turn(const double axis[3], double sine, double versine, double turn[3][3])
{
    for (int k = 0; k < 3; k++)
    {
        double unit[3] = {k == 0, k == 1, k == 2}, once[3], twice[3];
        thudi_cross(axis, unit, once);
        thudi_cross(axis, once, twice);
        for (int i = 0; i < 3; i++)
            turn[i][k] = unit[i] + sine * once[i] + versine * twice[i];
    }
}

thud_placement thud_pose_place(const thud_pose *pose)
{
    thud_placement placement;
    double axis[3], across[3];
    memcpy(placement.origin, pose->position, sizeof placement.origin);
    memcpy(placement.velocity, pose->velocity, sizeof placement.velocity);
    memcpy(axis, pose->rotation, sizeof axis);
    double angle = thudi_normalise(axis);
    double half = thudi_sin(angle / 2), versine = 2 * half * half, sine = thudi_sin(angle);
    fill_turn(axis, sine, versine, placement.turn);
    // spin = J turning: the whole of what is along the axis, and a turned part of what is across
    double along = thudi_dot(axis, pose->turning);
    double keep = angle > 0 ? sine / angle : 1, swing = angle > 0 ? versine / angle : 0;
    thudi_cross(axis, pose->turning, across);
    for (int k = 0; k < 3; k++)
        placement.spin[k] =
            keep * pose->turning[k] + (1 - keep) * along * axis[k] + swing * across[k];
    return placement;
}

void thud_placement_enter(const thud_placement *placement, const double x[3], double y[3])
{
    double from[3];
    thudi_subtract(x, placement->origin, from);
    for (int k = 0; k < 3; k++)
        y[k] = placement->turn[0][k] * from[0] + placement->turn[1][k] * from[1] +
               placement->turn[2][k] * from[2];
}

void thud_placement_leave(const thud_placement *placement, const double x[3], thud_facing *facing)
{
    double normal[3], point[3], from[3], speed[3];
    memcpy(normal, facing->normal, sizeof normal);
    memcpy(point, facing->point, sizeof point);
    for (int k = 0; k < 3; k++)
    {
        facing->normal[k] = thudi_dot(placement->turn[k], normal);
        facing->point[k] = placement->origin[k] + thudi_dot(placement->turn[k], point);
    }
    thudi_subtract(x, placement->origin, from);
    thudi_cross(placement->spin, from, speed);
    thudi_along(speed, 1, placement->velocity, speed);
    facing->rate = -thudi_dot(facing->normal, speed);
}

// The larger of what the ends of a piece are apart and what its slopes would make of it.
static double piece(const double a[3], const double b[3], const double slope_a[3],
                    const double slope_b[3], double h)
{
    double apart[3];
    thudi_subtract(b, a, apart);
    double way = thudi_vector_length(apart), before = h * thudi_vector_length(slope_a);
    double after = h * thudi_vector_length(slope_b);
    way = before > way ? before : way;
    return after > way ? after : way;
}

static const double PARALLEL = 1e-12; // sine of the angle
static const double FAINT = 1e-11;    // what that allows an axis to turn, in all

static bool is_parallel(const double a[3], const double b[3])
{
    double across[3];
    thudi_cross(a, b, across);
    return thudi_vector_length(across) <=
           PARALLEL * thudi_vector_length(a) * thudi_vector_length(b);
}

bool thud_solid_hides_turning(const thud_solid *solid, const thud_pose *pose)
{
    switch (solid->def.kind)
    {
    case THUD_BALL:
    case THUD_INSIDE_BALL:
        return is_parallel(pose->rotation, solid->def.points[0]) &&
               is_parallel(pose->turning, solid->def.points[0]);
    case THUD_CAPSULE:
    case THUD_CYLINDER:
    case THUD_INSIDE_DRUM:
    case THUD_INSIDE_CONE:
        return is_parallel(solid->def.points[0], solid->axis) &&
               is_parallel(pose->rotation, solid->axis) && is_parallel(pose->turning, solid->axis);
    default:
        return false;
    }
}

// |spin| <= |turning|, so that the way of the rotation vector bounds the angle.
thud_sweep thud_pose_sweep(const thud_solid *solid, const thud_pose *poses, int count, double h)
{
    thud_sweep sweep = {.size = solid->size};
    bool is_hidden = true;
    memcpy(sweep.origin, poses[0].position, sizeof sweep.origin);
    for (int i = 0; i < count; i++)
        is_hidden = is_hidden && thud_solid_hides_turning(solid, &poses[i]);
    for (int i = 0; i + 1 < count; i++)
    {
        const thud_pose *a = &poses[i], *b = &poses[i + 1];
        double part = h / (count - 1);
        sweep.shift += piece(a->position, b->position, a->velocity, b->velocity, part);
        sweep.angle += piece(a->rotation, b->rotation, a->turning, b->turning, part);
    }
    if (is_hidden && sweep.angle > FAINT)
        sweep.angle = FAINT;
    return sweep;
}

double thud_sweep_most(const thud_sweep *sweep)
{
    return sweep->shift + (sweep->angle > 0 ? sweep->angle * sweep->size : 0);
}

double thud_sweep_at(const thud_sweep *sweep, const double x[3])
{
    double arm[3];
    thudi_subtract(x, sweep->origin, arm);
    double length = thudi_vector_length(arm) + sweep->shift;
    length = length < sweep->size ? length : sweep->size;
    return sweep->shift + sweep->angle * length;
}
