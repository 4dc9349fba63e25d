// The inside of a ball: r - |x - c|, concave.
#include "solids/shape.h"

static const char *check(const thud_solid_def *def)
{
    return def->radius > 0 ? NULL : "the radius must be above 0";
}

static void prepare(thud_solid *solid)
{
    solid->facets = 1;
    solid->size = thudi_points_size(&solid->def, 1) + solid->def.radius;
    solid->depth = INFINITY;
}

static void find_facing(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    const double *centre = solid->def.points[0];
    thudi_subtract(centre, x, facing->normal);
    double length = thudi_normalise(facing->normal);
    if (!(length > 0))
        facing->normal[0] = -1; // any direction bounds a concave function from above
    facing->distance = solid->def.radius - length;
    thudi_along(centre, -solid->def.radius, facing->normal, facing->point);
}

const thudi_shape thudi_shape_inside_ball = {
    .check = check, .prepare = prepare, .find_facing = find_facing, .concave = 1};
