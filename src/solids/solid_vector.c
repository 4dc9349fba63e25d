// Lengths of vectors without overflow or underflow on the way, and axes.
#include "solids/shape.h"

#include <float.h>

static const double LEAST = 0x1p-400, LARGEST = 0x1p400;

// Of its distance from the end: a point this close to an axis is on it apart from rounding.
static const double ON_AXIS = 4 * DBL_EPSILON;

static double largest_of(const double v[3])
{
    double largest = 0;
    for (int k = 0; k < 3; k++)
        largest = fabs(v[k]) > largest ? fabs(v[k]) : largest;
    return largest;
}

// Are squares of this size, and their sums, normal numbers?
static bool is_plain(double largest)
{
    return largest > LEAST && largest < LARGEST;
}

double thudi_vector_length(const double v[3])
{
    double largest = largest_of(v);
    if (is_plain(largest))
        return sqrt(thudi_dot(v, v));
    if (!(largest > 0) || !isfinite(largest))
        return largest;
    double scaled[3] = {v[0] / largest, v[1] / largest, v[2] / largest};
    return largest * sqrt(thudi_dot(scaled, scaled));
}

double thudi_normalise(double v[3])
{
    double largest = largest_of(v);
    if (!(largest > 0))
        return 0;
    double length = thudi_vector_length(v);
    bool is_tame = is_plain(largest);
    double scale = is_tame ? 1 : largest; // dividing by a subnormal length would lose digits
    double rest = is_tame ? length : length / largest;
    for (int k = 0; k < 3; k++)
        v[k] = v[k] / scale / rest;
    return length;
}

void thudi_solid_axis(thud_solid *solid)
{
    int least = 0;
    thudi_subtract(solid->def.points[1], solid->def.points[0], solid->axis);
    solid->length = thudi_normalise(solid->axis);
    for (int k = 1; k < 3; k++)
        least = fabs(solid->axis[k]) < fabs(solid->axis[least]) ? k : least;
    double unit[3] = {least == 0, least == 1, least == 2};
    thudi_along(unit, -solid->axis[least], solid->axis, solid->side);
    (void)thudi_normalise(solid->side);
}

void thudi_solid_cylindrical(const thud_solid *solid, const double x[3], double *height,
                             double *radius, double outward[3])
{
    double from[3];
    thudi_subtract(x, solid->def.points[0], from);
    *height = thudi_dot(from, solid->axis);
    thudi_along(from, -*height, solid->axis, outward);
    // near the axis the first difference is rounding, and has a part along the axis
    thudi_along(outward, -thudi_dot(outward, solid->axis), solid->axis, outward);
    *radius = thudi_normalise(outward);
    if (!(*radius > ON_AXIS * thudi_vector_length(from)))
        for (int k = 0; k < 3; k++)
            outward[k] = solid->side[k];
}

double thudi_points_size(const thud_solid_def *def, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
    {
        double length = thudi_vector_length(def->points[i]);
        size = length > size ? length : size;
    }
    return size;
}
