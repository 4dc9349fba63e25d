// The inside of a full cone of half angle a: z sin a - |w| cos a, concave, and the plane of its
// lid.
#include "solids/shape.h"

static const char *check(const thud_solid_def *def)
{
    double axis[3];
    thudi_subtract(def->points[1], def->points[0], axis);
    if (!(thudi_vector_length(axis) > 0))
        return "the apex of the cone and the centre of its lid are the same point";
    return def->radius > 0 ? NULL : "the radius must be above 0";
}

static void prepare(thud_solid *solid)
{
    thudi_solid_axis(solid);
    solid->facets = solid->def.is_open ? 1 : 2;
    solid->size =
        solid->def.is_open ? INFINITY : thudi_points_size(&solid->def, 2) + solid->def.radius;
    solid->depth = INFINITY;
}

static void find_facing(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    double height, radius, outward[3], slope[3] = {solid->length, solid->def.radius, 0};
    thudi_solid_cylindrical(solid, x, &height, &radius, outward);
    (void)thudi_normalise(slope); // cos a, sin a
    if (facing->facet == 0)
        facing->distance = height * slope[1] - radius * slope[0];
    else
        facing->distance = solid->length - height;
    for (int k = 0; k < 3; k++)
        facing->normal[k] = facing->facet == 0 ? slope[1] * solid->axis[k] - slope[0] * outward[k]
                                               : -solid->axis[k];
    thudi_along(x, -facing->distance, facing->normal, facing->point);
}

const thudi_shape thudi_shape_inside_cone = {
    .check = check, .prepare = prepare, .find_facing = find_facing, .concave = 1};
