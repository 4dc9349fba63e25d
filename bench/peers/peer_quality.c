// Overlaps by cells of a diameter, kinetic energy and height of a state.
#include "peer_quality.h"

#include "drop_scene.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum
{
    COLUMNS = 6
};

// Cells from low[k] on, size[k] along an axis; all that lies outside is in the cells at the rim.
typedef struct cells
{
    double low[3], edge;
    int size[3];
    int *first, *next; // spheres of a cell, as lists
} cells;

static bool is_inside(const double *x)
{
    return x[0] >= 0 && x[0] <= DROP_WIDTH && x[1] >= 0 && x[1] <= DROP_WIDTH && x[2] >= 0 &&
           isfinite(x[2]);
}

static size_t cell_of(const cells *c, const double *x, int *at)
{
    for (int k = 0; k < 3; k++)
    {
        double cell = floor((x[k] - c->low[k]) / c->edge);
        at[k] = !(cell >= 0) ? 0 : cell >= c->size[k] ? c->size[k] - 1 : (int)cell;
    }
    return ((size_t)at[2] * (size_t)c->size[1] + (size_t)at[1]) * (size_t)c->size[0] +
           (size_t)at[0];
}

static bool make_cells(const double *state, int count, cells *c)
{
    double top = 0;
    int at[3];
    for (int i = 0; i < count; i++)
        if (state[COLUMNS * (size_t)i + 2] > top && is_inside(state + COLUMNS * (size_t)i))
            top = state[COLUMNS * (size_t)i + 2];
    *c = (cells){.edge = 2 * DROP_RADIUS};
    // A flight of some spheres must not make cells without end: a list may be long instead.
    double heights[3] = {DROP_WIDTH, DROP_WIDTH, fmin(top, count * c->edge)};
    for (int k = 0; k < 3; k++)
        c->size[k] = (int)(heights[k] / c->edge) + 1;
    size_t all = (size_t)c->size[0] * (size_t)c->size[1] * (size_t)c->size[2];
    c->first = malloc(all * sizeof *c->first);
    c->next = malloc((size_t)count * sizeof *c->next);
    if (!c->first || !c->next)
        return false;
    for (size_t i = 0; i < all; i++)
        c->first[i] = -1;
    for (int i = 0; i < count; i++)
    {
        size_t cell = cell_of(c, state + COLUMNS * (size_t)i, at);
        c->next[i] = c->first[cell];
        c->first[cell] = i;
    }
    return true;
}

// The smallest distance of sphere i to those after it, over cells next to its own.
static double nearest(const double *state, const cells *c, int i)
{
    const double *x = state + COLUMNS * (size_t)i;
    double least = INFINITY;
    int at[3], low[3], high[3];
    (void)cell_of(c, x, at);
    for (int k = 0; k < 3; k++)
    {
        low[k] = at[k] > 0 ? at[k] - 1 : 0;
        high[k] = at[k] < c->size[k] - 1 ? at[k] + 1 : at[k];
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int k = low[0]; k <= high[0]; k++)
            {
                size_t row = (size_t)z * (size_t)c->size[1] + (size_t)y;
                for (int j = c->first[row * (size_t)c->size[0] + (size_t)k]; j >= 0; j = c->next[j])
                {
                    const double *other = state + COLUMNS * (size_t)j;
                    double a = x[0] - other[0], b = x[1] - other[1], d = x[2] - other[2];
                    if (j > i)
                        least = fmin(least, a * a + b * b + d * d);
                }
            }
    return sqrt(least);
}

int peer_measure(const double *state, int count, peer_quality *quality)
{
    cells c;
    bool fine = make_cells(state, count, &c);
    *quality = (peer_quality){0};
    for (int i = 0; i < count && fine; i++)
    {
        const double *x = state + COLUMNS * (size_t)i, *u = x + 3;
        double gap = nearest(state, &c, i) - 2 * DROP_RADIUS;
        gap = fmin(gap, x[2] - DROP_RADIUS);
        for (int k = 0; k < 2; k++)
            gap = fmin(gap, fmin(x[k], DROP_WIDTH - x[k]) - DROP_RADIUS);
        double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        quality->overlap = fmax(quality->overlap, -gap / DROP_RADIUS);
        quality->energy += 0.5 * square / (DROP_GRAVITY * DROP_RADIUS) / count;
        quality->height += x[2] / count;
        quality->outside += !is_inside(x);
    }
    free(c.first);
    free(c.next);
    return fine ? 0 : -1;
}
