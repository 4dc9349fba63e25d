// A solid cylinder with flat ends: a rectangle in the plane of height and radius.
#include "solids/shape.h"

static const char *check(const thud_solid_def *def)
{
    double axis[3];
    thudi_subtract(def->points[1], def->points[0], axis);
    if (!(thudi_vector_length(axis) > 0))
        return "both ends of the cylinder are the same point";
    return def->radius > 0 ? NULL : "the radius must be above 0";
}

static void prepare(thud_solid *solid)
{
    double radius = solid->def.radius;
    thudi_solid_axis(solid);
    solid->facets = 1;
    solid->size = thudi_points_size(&solid->def, 2) + radius; // a bound
    solid->depth = radius < solid->length / 2 ? radius : solid->length / 2;
}

static void find_facing(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    double height, radius, outward[3];
    thudi_solid_cylindrical(solid, x, &height, &radius, outward);
    bool is_upper = height > solid->length / 2;
    double above = is_upper ? height - solid->length : -height, sign = is_upper ? 1 : -1;
    double beside = radius - solid->def.radius;
    double part[3] = {above, beside, 0}; // from the rectangle to x
    if (above <= 0 && beside <= 0)
        part[above > beside ? 1 : 0] = 0; // inside: the nearest side alone
    else
        for (int k = 0; k < 2; k++)
            part[k] = part[k] > 0 ? part[k] : 0;
    bool is_inside = above <= 0 && beside <= 0;
    double unit[3] = {part[0], part[1], 0};
    double length = thudi_normalise(unit);
    if (is_inside)
    {
        unit[0] = above > beside;
        unit[1] = !(above > beside);
    }
    facing->distance = is_inside ? -length : length;
    for (int k = 0; k < 3; k++)
    {
        facing->normal[k] = unit[0] * sign * solid->axis[k] + unit[1] * outward[k];
        facing->point[k] = x[k] - part[0] * sign * solid->axis[k] - part[1] * outward[k];
    }
}

const thudi_shape thudi_shape_cylinder = {
    .check = check, .prepare = prepare, .find_facing = find_facing};
