// A hopper made of triangles.
#include "core/math/elementary.h"
#include "core/math/geometry.h"
#include "shapes/obstacle_entry.h"

#include <string.h>

int thudi_hopper_count(const thudi_hopper *hopper, int dim)
{
    int strips = hopper->bin > 0 ? 2 : 1;
    return dim == 2 ? 2 * strips : 2 * strips * hopper->sides;
}

typedef struct ring
{
    double radius, z; // of a corner
} ring;

static void put_corner(const ring *at, const double turn[2], double out[3])
{
    out[0] = at->radius * turn[0];
    out[1] = at->radius * turn[1];
    out[2] = at->z;
}

// One side between two rings, from one direction to the next.
static double *put_side(const ring *low, const ring *high, const double from[2], const double to[2],
                        double *out)
{
    put_corner(low, from, out);
    put_corner(low, to, out + 3);
    put_corner(high, to, out + 6);
    put_corner(low, from, out + 9);
    put_corner(high, to, out + 12);
    put_corner(high, from, out + 15);
    return out + 18;
}

// In two dimensions y is up: a side is a triangle as thin as a line.
static double *put_line(const ring *low, const ring *high, double side, double *out)
{
    double ends[9] = {side * low->radius,  low->z,  0, side * high->radius, high->z, 0,
                      side * high->radius, high->z, 0};
    memcpy(out, ends, sizeof ends);
    return out + 9;
}

void thudi_hopper_make(const thudi_hopper *hopper, int dim, double *triangles)
{
    double corner = dim == 2 ? 1 : 1 / thudi_cos(THUDI_PI / hopper->sides);
    ring rings[3] = {{hopper->outlet * corner, 0},
                     {hopper->top * corner, hopper->height},
                     {hopper->top * corner, hopper->height + hopper->bin}};
    int strips = hopper->bin > 0 ? 2 : 1;
    for (int s = 0; s < strips; s++)
    {
        if (dim == 2)
        {
            triangles = put_line(&rings[s], &rings[s + 1], -1, triangles);
            triangles = put_line(&rings[s], &rings[s + 1], 1, triangles);
            continue;
        }
        for (int i = 0; i < hopper->sides; i++)
        {
            // the last side ends where the first begins, equal to the bit
            double a = 2 * THUDI_PI * i / hopper->sides;
            double b = 2 * THUDI_PI * ((i + 1) % hopper->sides) / hopper->sides;
            double from[2] = {thudi_cos(a), thudi_sin(a)}, to[2] = {thudi_cos(b), thudi_sin(b)};
            triangles = put_side(&rings[s], &rings[s + 1], from, to, triangles);
        }
    }
}
