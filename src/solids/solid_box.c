// A solid box along the axes of its frame; bounds may be infinite.
#include "solids/shape.h"

static const char *check(const thud_solid_def *def)
{
    bool has_bound = false;
    for (int k = 0; k < 3; k++)
    {
        double low = def->points[0][k], high = def->points[1][k];
        if (!(low <= high) || low == INFINITY || high == -INFINITY)
            return "a low bound of the box is above its high bound";
        has_bound = has_bound || isfinite(low) || isfinite(high);
    }
    return has_bound ? NULL : "the box has no finite bound";
}

static void prepare(thud_solid *solid)
{
    double corner[3], thickness = INFINITY;
    for (int k = 0; k < 3; k++)
    {
        double low = solid->def.points[0][k], high = solid->def.points[1][k];
        corner[k] = fabs(low) > fabs(high) ? fabs(low) : fabs(high);
        thickness = high - low < thickness ? high - low : thickness;
    }
    solid->facets = 1;
    solid->size = thudi_vector_length(corner);
    solid->depth = thickness / 2;
}

// Inside: the nearest face.
static void find_nearest_face(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    facing->distance = -INFINITY;
    for (int k = 0; k < 3; k++)
        for (int side = 0; side < 2; side++)
        {
            double bound = solid->def.points[side][k], gap = side ? x[k] - bound : bound - x[k];
            if (!(gap > facing->distance))
                continue;
            facing->distance = gap;
            for (int j = 0; j < 3; j++)
            {
                facing->normal[j] = j != k ? 0 : side ? 1 : -1;
                facing->point[j] = j != k ? x[j] : bound;
            }
        }
}

static void find_facing(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    bool is_inside = true;
    for (int k = 0; k < 3; k++)
    {
        double low = solid->def.points[0][k], high = solid->def.points[1][k];
        facing->point[k] = x[k] < low ? low : x[k] > high ? high : x[k];
        facing->normal[k] = x[k] - facing->point[k];
        is_inside = is_inside && facing->normal[k] == 0;
    }
    if (is_inside)
        find_nearest_face(solid, x, facing);
    else
        facing->distance = thudi_normalise(facing->normal);
}

const thudi_shape thudi_shape_box = {
    .check = check, .prepare = prepare, .find_facing = find_facing, .may_be_infinite = true};
