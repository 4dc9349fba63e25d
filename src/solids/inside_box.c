// The inside of a box: a plane for each of its six bounds, none for an infinite one.
#include "solids/shape.h"

static const char *check(const thud_solid_def *def)
{
    bool has_bound = false;
    for (int k = 0; k < 3; k++)
    {
        double low = def->points[0][k], high = def->points[1][k];
        if (!(low < high) || low == INFINITY || high == -INFINITY)
            return "a low bound of the box is not below its high bound";
        has_bound = has_bound || isfinite(low) || isfinite(high);
    }
    return has_bound ? NULL : "the box has no finite bound";
}

static void prepare(thud_solid *solid)
{
    double corner[3];
    for (int k = 0; k < 3; k++)
    {
        double low = fabs(solid->def.points[0][k]), high = fabs(solid->def.points[1][k]);
        corner[k] = low > high ? low : high;
    }
    solid->facets = 6;
    solid->size = thudi_vector_length(corner);
    solid->depth = INFINITY;
}

static void find_facing(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    int axis = facing->facet / 2, side = facing->facet % 2;
    double bound = solid->def.points[side][axis];
    facing->distance = side ? bound - x[axis] : x[axis] - bound;
    for (int k = 0; k < 3; k++)
    {
        facing->point[k] = k == axis ? bound : x[k];
        facing->normal[k] = k != axis ? 0 : side ? -1 : 1;
    }
}

const thudi_shape thudi_shape_inside_box = {
    .check = check, .prepare = prepare, .find_facing = find_facing, .may_be_infinite = true};
