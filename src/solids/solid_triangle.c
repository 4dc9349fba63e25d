// A triangle: thin, its distance never negative.
#include "solids/shape.h"

// Of its longest side squared: a triangle with less area is a sliver.
static const double SLIVER = 1e-14;

static void prepare(thud_solid *solid)
{
    solid->facets = 1;
    solid->size = thudi_points_size(&solid->def, 3);
    solid->depth = 0;
}

static const char *check(const thud_solid_def *def)
{
    (void)def;
    return NULL;
}

// Is x above the inside of the triangle, whose unit normal is n?
static bool is_above(const double *corners, const double n[3], const double x[3])
{
    for (int i = 0; i < 3; i++)
    {
        const double *a = corners + 3 * (size_t)i, *b = corners + 3 * (size_t)((i + 1) % 3);
        double edge[3], inward[3], from[3];
        thudi_subtract(b, a, edge);
        thudi_cross(n, edge, inward);
        thudi_subtract(x, a, from);
        if (thudi_dot(inward, from) < 0)
            return false;
    }
    return true;
}

// The unit normal of a triangle from its two shortest edges; false if it has no area.
static bool find_normal(const double *corners, double n[3])
{
    int apex = 0;
    double opposite = -1, a[3], b[3];
    for (int i = 0; i < 3; i++)
    {
        double edge[3];
        thudi_subtract(corners + 3 * (size_t)((i + 2) % 3), corners + 3 * (size_t)((i + 1) % 3),
                       edge);
        double square = thudi_dot(edge, edge);
        if (square > opposite)
        {
            opposite = square;
            apex = i;
        }
    }
    const double *tip = corners + 3 * (size_t)apex;
    thudi_subtract(corners + 3 * (size_t)((apex + 1) % 3), tip, a);
    thudi_subtract(corners + 3 * (size_t)((apex + 2) % 3), tip, b);
    thudi_cross(a, b, n);
    // a sliver has no direction of its own: its edges say all
    return thudi_normalise(n) > SLIVER * opposite;
}

// The nearest of the three edges.
static void find_nearest_edge(const double *corners, const double x[3], thud_facing *facing)
{
    facing->distance = INFINITY;
    for (int i = 0; i < 3; i++)
    {
        double nearest[3], away[3];
        thudi_segment_nearest(corners + 3 * (size_t)i, corners + 3 * (size_t)((i + 1) % 3), x,
                              nearest);
        thudi_subtract(x, nearest, away);
        double length = thudi_normalise(away);
        if (!(length < facing->distance))
            continue;
        facing->distance = length;
        for (int k = 0; k < 3; k++)
        {
            facing->point[k] = nearest[k];
            facing->normal[k] = away[k];
        }
    }
}

void thudi_triangle_facing(const double *corners, const double x[3], thud_facing *facing)
{
    double n[3], from[3];
    if (!find_normal(corners, n) || !is_above(corners, n, x))
    {
        find_nearest_edge(corners, x, facing);
        return;
    }
    thudi_subtract(x, corners, from);
    double height = thudi_dot(n, from);
    facing->distance = fabs(height);
    for (int k = 0; k < 3; k++)
    {
        facing->normal[k] = height > 0 ? n[k] : height < 0 ? -n[k] : 0;
        facing->point[k] = x[k] - height * n[k];
    }
}

static void find_facing(const thud_solid *solid, const double x[3], thud_facing *facing)
{
    thudi_triangle_facing(solid->def.points[0], x, facing);
}

const thudi_shape thudi_shape_triangle = {
    .check = check, .prepare = prepare, .find_facing = find_facing};
