// A triangle as a solid of one facet. It is thin: it has no inside, and its distance is never
// negative. A triangle without area is allowed: it is the segment that its edges cover.
#include "solids/shape.h"

// A triangle is a sliver if twice its area is at most this part of its longest edge squared. Its
// normal would be rounding error only.
static const double SLIVER_AREA = 1e-14;

static void prepare(thud_solid *solid)
{
    solid->facets = 1;
    solid->size = thudi_points_size(&solid->def, 3);
    solid->depth = 0; // it is thin
}

static const char *check(const thud_solid_def *def)
{
    (void)def;
    return NULL; // all triangles are valid, also those without area
}

// Does x project onto the triangle along its unit normal n?
static bool projects_onto(const double *corners, const double n[3], const double x[3])
{
    for (int i = 0; i < 3; i++)
    {
        const double *a = corners + 3 * (size_t)i, *b = corners + 3 * (size_t)((i + 1) % 3);
        double edge[3], inward[3], from_corner[3];
        thudi_subtract(b, a, edge);
        thudi_cross(n, edge, inward);
        thudi_subtract(x, a, from_corner);
        if (thudi_dot(inward, from_corner) < 0)
            return false;
    }
    return true;
}

// Compute the unit normal of a triangle. It is the cross product of the two shorter edges, which
// has the smallest rounding error. False for a sliver: its nearest point is on an edge.
static bool find_normal(const double *corners, double n[3])
{
    int apex = 0; // the corner opposite to the longest edge
    double longest_squared = -1, a[3], b[3];
    for (int i = 0; i < 3; i++)
    {
        double edge[3];
        thudi_subtract(corners + 3 * (size_t)((i + 2) % 3), corners + 3 * (size_t)((i + 1) % 3),
                       edge);
        double length_squared = thudi_dot(edge, edge);
        if (length_squared > longest_squared)
        {
            longest_squared = length_squared;
            apex = i;
        }
    }
    const double *tip = corners + 3 * (size_t)apex;
    thudi_subtract(corners + 3 * (size_t)((apex + 1) % 3), tip, a);
    thudi_subtract(corners + 3 * (size_t)((apex + 2) % 3), tip, b);
    thudi_cross(a, b, n);
    double area_doubled = thudi_normalise(n);
    return area_doubled > SLIVER_AREA * longest_squared;
}

// Fill distance, normal and point with those of the edge that is nearest to x.
static void face_nearest_edge(const double *corners, const double x[3], thud_facing *facing)
{
    facing->distance = INFINITY;
    for (int i = 0; i < 3; i++)
    {
        double nearest[3], outward[3]; // outward: from the nearest point to x
        thudi_segment_nearest(corners + 3 * (size_t)i, corners + 3 * (size_t)((i + 1) % 3), x,
                              nearest);
        thudi_subtract(x, nearest, outward);
        double distance = thudi_normalise(outward);
        if (!(distance < facing->distance))
            continue;
        facing->distance = distance;
        for (int k = 0; k < 3; k++)
        {
            facing->point[k] = nearest[k];
            facing->normal[k] = outward[k];
        }
    }
}

void thudi_triangle_facing(const double *corners, const double x[3], thud_facing *facing)
{
    double n[3], from_corner[3];
    if (!find_normal(corners, n) || !projects_onto(corners, n, x))
    {
        face_nearest_edge(corners, x, facing);
        return;
    }
    thudi_subtract(x, corners, from_corner);
    double height = thudi_dot(n, from_corner); // signed, over the plane of the triangle
    facing->distance = fabs(height);
    for (int k = 0; k < 3; k++)
    {
        facing->normal[k] = height > 0 ? n[k] : height < 0 ? -n[k] : 0; // 0: it has no gradient
        facing->point[k] = x[k] - height * n[k];
    }
}

static void find_facing(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    thudi_triangle_facing(solid->def.points[0], x, facing);
}

const thudi_shape thudi_shape_triangle = {
    .check = check, .prepare = prepare, .find_facing = find_facing};
