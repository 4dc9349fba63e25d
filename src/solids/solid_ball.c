// A ball, from outside: |x - c| - r.
#include "solids/shape.h"

static const char *check(const thud_solid_def *def)
{
    return def->radius > 0 ? NULL : "the radius must be above 0";
}

static void prepare(thud_solid *solid)
{
    solid->facets = 1;
    solid->size = thudi_points_size(&solid->def, 1) + solid->def.radius;
    solid->depth = solid->def.radius;
}

static void find_facing(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    const double *centre = solid->def.points[0];
    thudi_subtract(x, centre, facing->normal);
    double length = thudi_normalise(facing->normal);
    if (!(length > 0))
        facing->normal[0] = 1; // any direction is a way out
    facing->distance = length - solid->def.radius;
    thudi_along(centre, solid->def.radius, facing->normal, facing->point);
}

const thudi_shape thudi_shape_ball = {
    .check = check, .prepare = prepare, .find_facing = find_facing};
