// The brick of a body, and the class and patch of a row.
#include "project/sweep/bricks.h"

#include <math.h>

enum
{
    // Bricks are numbered up to 2^20 to both sides of the origin. Bodies that are farther away
    // share the last one: they are swept by one thread.
    FAR = 1 << 20,
    CODE_BITS = 21 // of the number of a brick or vertex
};

thudi_grid thudi_grid_of(const thud_bricks *bricks, int width)
{
    thudi_grid grid = {.width = width};
    bool is_sheared = bricks->shear != 0 && bricks->period[1] > 0;
    for (int k = 0; k < width; k++)
    {
        double period = bricks->period[k], count = fmax(1, floor(period / bricks->side));
        bool is_ring = period > 0 && count <= FAR;
        grid.count[k] = is_ring ? (int)count : 0;
        grid.side[k] = is_ring ? period / count : bricks->side;
    }
    grid.period = is_sheared ? bricks->period[1] : 0;
    grid.shear = is_sheared ? bricks->shear : 0;
    return grid;
}

// floor(x) modulo the number of bricks, or, if it is 0, cut to FAR and moved to be at least 0.
static int number_of(double x, int count)
{
    double n = floor(x);
    if (count > 0)
    {
        n -= count * floor(n / count);
        return n >= 0 && n < count ? (int)n : 0; // rounding, and what is not finite
    }
    return n > -FAR ? (n < FAR ? (int)n + FAR : 2 * FAR - 1) : 0;
}

thudi_brick_place thudi_brick_place_of(const thudi_grid *grid, const double *q, double inside[3])
{
    thudi_brick_place place = {0};
    double x = q[0], face = q[0];
    if (grid->period > 0)
    {
        // unwrapped along y, a body is displaced along x with every period
        x -= floor(q[1] / grid->period) * grid->shear;
        face = x;
    }
    for (int k = 0; k < grid->width; k++)
    {
        double at = (k == 0 ? x : q[k]) / grid->side[k];
        place.brick[k] = number_of(at, grid->count[k]);
        place.vertex[k] = number_of(at + 0.5, grid->count[k]);
        inside[k] = at - floor(at);
    }
    if (grid->period > 0)
    {
        if (place.brick[1] == 0) // above the face: seen from below, an image
            face += grid->shear;
        place.face_brick = number_of(face / grid->side[0], grid->count[0]);
        place.face_vertex = number_of(face / grid->side[0] + 0.5, grid->count[0]);
    }
    return place;
}

int thudi_brick_class(const thudi_grid *grid, const thudi_brick_place *a,
                      const thudi_brick_place *b, uint64_t *patch)
{
    // by S: bit k for axis k
    static const int class_of[8] = {THUDI_INSIDE, THUDI_X,  THUDI_Y,  THUDI_XY,
                                    THUDI_Z,      THUDI_XZ, THUDI_YZ, THUDI_XYZ};
    bool crosses_y = a->brick[1] != b->brick[1];
    bool at_face = grid->period > 0 && crosses_y && a->vertex[1] == 0 && b->vertex[1] == 0;
    int crossed = 0;
    uint64_t code = 0;
    for (int k = 0; k < grid->width; k++)
    {
        bool slides = k == 0 && at_face;
        int brick_a = slides ? a->face_brick : a->brick[k];
        int brick_b = slides ? b->face_brick : b->brick[k];
        int vertex_a = slides ? a->face_vertex : a->vertex[k];
        int vertex_b = slides ? b->face_vertex : b->vertex[k];
        bool crosses = brick_a != brick_b;
        *patch = 0;
        if (crosses && vertex_a != vertex_b)
            return THUDI_IRREGULAR;
        crossed |= crosses << k;
        code = code << CODE_BITS | (uint64_t)(unsigned)(crosses ? vertex_a : brick_a);
    }
    *patch = crossed ? code : 0;
    return class_of[crossed];
}
