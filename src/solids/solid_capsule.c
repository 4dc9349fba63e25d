// A capsule: all points within a radius of a segment.
#include "solids/shape.h"

static const char *check(const thud_solid_def *def)
{
    return def->radius >= 0 ? NULL : "the radius must be at least 0";
}

static void prepare(thud_solid *solid)
{
    thudi_solid_axis(solid);
    solid->facets = 1;
    solid->size = thudi_points_size(&solid->def, 2) + solid->def.radius;
    solid->depth = solid->def.radius;
}

void thudi_segment_nearest(const double a[3], const double b[3], const double x[3],
                           double nearest[3])
{
    double along[3], from[3];
    thudi_subtract(b, a, along);
    thudi_subtract(x, a, from);
    double square = thudi_dot(along, along), product = thudi_dot(from, along);
    if (!(product > 0) || !(square > 0))
        thudi_along(a, 0, along, nearest);
    else if (product >= square)
        thudi_along(b, 0, along, nearest);
    else
        thudi_along(a, product / square, along, nearest);
}

static void find_facing(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    double nearest[3], radius = solid->def.radius;
    thudi_segment_nearest(solid->def.points[0], solid->def.points[1], x, nearest);
    thudi_subtract(x, nearest, facing->normal);
    double length = thudi_normalise(facing->normal);
    if (!(length > 0) && radius > 0)
        for (int k = 0; k < 3; k++)
            facing->normal[k] = solid->side[k]; // on the axis: a shortest way out
    facing->distance = length - radius;
    thudi_along(nearest, radius, facing->normal, facing->point);
}

const thudi_shape thudi_shape_capsule = {
    .check = check, .prepare = prepare, .find_facing = find_facing};
