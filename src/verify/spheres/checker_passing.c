// Whether a moving obstacle could have changed sides with a body within a step: the way of the
// body's centre, fixed, in the frame of the obstacle, as a chain of chords, must be shorter than
// its distance before the step and how deep it may be inside. What turns about its own axis, or a
// ball about its centre, is where it was: of these the way of axis or centre counts.
#include "verify/checker_functions.h"
#include "verify/spheres/checker_obstacles.h"

#include <math.h>
#include <string.h>

enum
{
    CHORDS = 16
};

// How deep a point may be in a solid and still be nearer to where it came in.
static double depth_of(const thud_solid_def *solid)
{
    double ends[3];
    switch (solid->kind)
    {
    case THUD_BOX:
        for (int k = 0; k < 3; k++)
            ends[k] = (solid->points[1][k] - solid->points[0][k]) / 2;
        return fmin(ends[0], fmin(ends[1], ends[2]));
    case THUD_CYLINDER:
        for (int k = 0; k < 3; k++)
            ends[k] = (solid->points[1][k] - solid->points[0][k]) / 2;
        return fmin(solid->radius, thudi_checker_length3(ends[0], ends[1], ends[2]));
    case THUD_BALL:
    case THUD_CAPSULE:
        return solid->radius;
    case THUD_TRIANGLE:
    case THUD_MESH:
        return 0;
    default:
        return INFINITY;
    }
}

static double distance_of(const thud_solid_def *solid, const double y[3])
{
    double least = INFINITY;
    for (int facet = 0; facet < thudi_facet_count(solid); facet++)
        least = fmin(least, thudi_facet_view_from(solid, facet, y).distance);
    return least;
}

// The way of the fixed point x in the frame of the obstacle.
static double travel_of_point(const thudi_frame frames[CHORDS + 1], const double x[3])
{
    double y[3], last[3] = {0, 0, 0}, way = 0;
    for (int i = 0; i <= CHORDS; i++)
    {
        thudi_frame_in(&frames[i], x, y);
        if (i > 0)
            way += thudi_checker_length3(y[0] - last[0], y[1] - last[1], y[2] - last[2]);
        memcpy(last, y, sizeof last);
    }
    return way;
}

// The way of the centre of a ball, or of an axis whose direction stays; INFINITY for all others.
static double travel_of_axis(const thud_solid_def *solid, const thudi_frame frames[CHORDS + 1])
{
    bool is_ball = solid->kind == THUD_BALL;
    double axis[3], first[3] = {0, 0, 0}, now[3], point[3], last[3] = {0, 0, 0}, way = 0;
    if (!is_ball && solid->kind != THUD_CAPSULE && solid->kind != THUD_CYLINDER)
        return INFINITY;
    for (int k = 0; k < 3; k++)
        axis[k] = is_ball ? 0 : solid->points[1][k] - solid->points[0][k];
    double rounding = 1e-10 * thudi_checker_length3(axis[0], axis[1], axis[2]);
    for (int i = 0; i <= CHORDS; i++)
    {
        thudi_frame_turn_out(&frames[i], axis, now);
        thudi_frame_turn_out(&frames[i], solid->points[0], point);
        if (i == 0)
            memcpy(first, now, sizeof first);
        for (int k = 0; k < 3; k++)
            point[k] += frames[i].origin[k];
        if (thudi_checker_length3(now[0] - first[0], now[1] - first[1], now[2] - first[2]) >
            rounding)
            return INFINITY;
        if (i > 0)
            way +=
                thudi_checker_length3(point[0] - last[0], point[1] - last[1], point[2] - last[2]);
        memcpy(last, point, sizeof last);
    }
    return way;
}

thud_status thudi_obstacles_passing(const thudi_obstacles *obstacles, int k, int body, double *room)
{
    const thud_verify_obstacle *obstacle = &obstacles->def->obstacles[k];
    const thud_state *before = obstacles->before;
    int dim = obstacles->def->dim;
    double x[3] = {0, 0, 0}, first[3], depth = depth_of(&obstacle->solid);
    thudi_frame frames[CHORDS + 1];
    *room = INFINITY;
    if (isinf(depth))
        return THUD_OK;
    memcpy(x, before->q + (size_t)dim * (size_t)body, (size_t)dim * sizeof *x);
    for (int i = 0; i <= CHORDS; i++)
    {
        double t = fma((double)before->n + (double)i / CHORDS, before->h, before->t0);
        thud_pose pose = obstacle->pose;
        if (obstacle->motion(t, &pose, obstacle->user) != 0)
            return THUD_ERR_CALLBACK;
        frames[i] = thudi_frame_of(&pose);
    }
    double way = fmin(travel_of_point(frames, x), travel_of_axis(&obstacle->solid, frames));
    thudi_frame_in(&frames[0], x, first);
    if (way >= obstacles->radius[body] / 4) // else nothing comes near: it kept its radius away
        *room = distance_of(&obstacle->solid, first) + depth - way;
    return THUD_OK;
}
