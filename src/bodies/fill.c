// A random fill: bodies at random places free of overlap, the largest first.
#include "bodies/fill.h"

#include "bodies/distribution.h"
#include "bodies/fill_cells.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

enum
{
    MOST_DRAWS_IN_A_BALL = 1000 // about half of them hit; rounding alone can make all miss
};

// A body yet to be placed.
typedef struct turn
{
    double radius;
    int body;
} turn;

typedef struct filling
{
    const thudi_fill *fill;
    thudi_random random;
    thudi_fill_cells cells;
    turn *turns;
    thud_sphere *spheres;
    int placed;
    thudi_fill_effort *effort;
} filling;

static int larger_first(const void *x, const void *y)
{
    const turn *a = x, *b = y;
    if (a->radius != b->radius)
        return a->radius < b->radius ? 1 : -1;
    return (a->body > b->body) - (a->body < b->body);
}

// Where the centre may be: a box, or the box around a ball. False: nowhere.
static bool room_of(const thudi_fill *fill, double radius, double low[3], double high[3])
{
    const thudi_region *region = &fill->region;
    for (int k = 0; k < fill->dim; k++)
    {
        double half = region->radius - radius - fill->gap;
        low[k] = region->is_ball ? region->center[k] - half : region->low[k] + radius + fill->gap;
        high[k] = region->is_ball ? region->center[k] + half : region->high[k] - radius - fill->gap;
        if (thudi_fill_spans(fill, k))
        {
            low[k] = region->low[k];
            high[k] = region->high[k];
        }
        if (!(low[k] <= high[k]) || (region->is_ball && !(half >= 0)))
            return false;
    }
    return thudi_fill_fits_cell(fill, radius);
}

// Is the body within the region? Gaps to the sides of a box are computed as a world computes them.
static bool is_inside(const thudi_fill *fill, const thud_sphere *sphere)
{
    const thudi_region *region = &fill->region;
    double sum = 0, r = sphere->radius;
    for (int k = 0; k < fill->dim; k++)
    {
        double x = sphere->center[k], d = x - region->center[k];
        sum += d * d;
        if (!region->is_ball && !thudi_fill_spans(fill, k) &&
            !(x - region->low[k] - r >= fill->gap && region->high[k] - x - r >= fill->gap))
            return false;
    }
    return !region->is_ball || sqrt(sum) + r + fill->gap <= region->radius;
}

static void draw_center(filling *f, const double low[3], const double high[3], thud_sphere *sphere)
{
    for (int draw = 0; draw < MOST_DRAWS_IN_A_BALL; draw++)
    {
        for (int k = 0; k < f->fill->dim; k++)
        {
            double x = low[k] + (high[k] - low[k]) * thudi_random_uniform(&f->random);
            sphere->center[k] = x <= high[k] ? x : high[k]; // above by rounding
        }
        if (!f->fill->region.is_ball || is_inside(f->fill, sphere))
            return;
    }
}

// Place one body: true when a free place was found.
static bool place(filling *f, thud_sphere *sphere)
{
    double low[3] = {0}, high[3] = {0};
    if (!room_of(f->fill, sphere->radius, low, high))
        return false;
    for (int attempt = 0; attempt < f->fill->attempts; attempt++)
    {
        f->effort->tries++;
        draw_center(f, low, high, sphere);
        if (is_inside(f->fill, sphere) && thudi_fill_is_free(f->fill, &f->cells, sphere, f->effort))
            return true;
    }
    return false;
}

// Can a body come near those to be placed, which are all inside the region?
static bool is_near(const filling *f, const thud_sphere *sphere)
{
    if (thud_cell_is_periodic(&f->fill->cell))
        return true; // its images can
    double margin = sphere->radius + f->turns[0].radius;
    for (int k = 0; k < f->fill->dim; k++)
    {
        double from_low = sphere->center[k] - f->cells.low[k];
        if (from_low < -margin || from_low > f->cells.size[k] + margin)
            return false;
    }
    return true;
}

// Rebuild the cells at another level, with all bodies that have a place.
static void go_to_level(filling *f, int level)
{
    thudi_fill_cells_clear(&f->cells, level);
    for (int i = 0; i < f->cells.there_count; i++)
        if (is_near(f, &f->cells.there[i]))
            thudi_fill_cells_add(&f->cells, i);
    for (int i = 0; i < f->placed; i++)
        thudi_fill_cells_add(&f->cells, f->cells.there_count + f->turns[i].body);
}

static thud_status place_all(filling *f)
{
    for (int i = 0; i < f->fill->count; i++)
    {
        thud_sphere *sphere = &f->spheres[f->turns[i].body];
        int level = thudi_fill_cells_level(&f->cells, sphere->radius);
        if (i == 0 || level != f->cells.present)
            go_to_level(f, level);
        if (!place(f, sphere))
            return THUD_ERR_LIMIT;
        thudi_fill_cells_add(&f->cells, f->cells.there_count + f->turns[i].body);
        f->placed++;
    }
    return THUD_OK;
}

static thud_status draw_radii(filling *f)
{
    const thudi_fill *fill = f->fill;
    for (int i = 0; i < fill->count; i++)
    {
        f->spheres[i] = (thud_sphere){0};
        for (int k = 0; k < fill->dim; k++)
            f->spheres[i].velocity[k] = fill->velocity[k];
        THUD_TRY(thudi_distribution_draw(&fill->radius, &f->random, &f->spheres[i].radius));
        f->turns[i] = (turn){f->spheres[i].radius, i};
    }
    qsort(f->turns, (size_t)fill->count, sizeof *f->turns, larger_first);
    return THUD_OK;
}

// The box around the region; false when it is no place for bodies.
static bool measure_region(filling *f)
{
    const thudi_region *region = &f->fill->region;
    for (int k = 0; k < f->fill->dim; k++)
    {
        double low = region->is_ball ? region->center[k] - region->radius : region->low[k];
        double high = region->is_ball ? region->center[k] + region->radius : region->high[k];
        f->cells.low[k] = low;
        f->cells.size[k] = high - low;
        if (!isfinite(high - low) || !(high > low))
            return false;
    }
    return true;
}

static thud_status fill_region(filling *f, const thud_allocator *allocator)
{
    THUD_TRY(draw_radii(f));
    if (!measure_region(f))
        return THUD_ERR_LIMIT;
    THUD_TRY(thudi_fill_cells_start(&f->cells, allocator, f->cells.there_count + f->fill->count));
    return place_all(f);
}

thud_status thudi_fill_measure(const thudi_fill *fill, const thud_sphere *there, int there_count,
                               const thud_allocator *allocator, thud_sphere *spheres, int *placed,
                               thudi_fill_effort *effort)
{
    thud_allocator memory = thudi_allocator_or_default(allocator);
    size_t size = (size_t)fill->count * sizeof(turn);
    filling f = {.fill = fill, .random = thudi_random_start(fill->seed), .spheres = spheres};
    f.cells = (thudi_fill_cells){.dim = fill->dim,
                                 .gap = fill->gap,
                                 .there = there,
                                 .spheres = spheres,
                                 .there_count = there_count};
    *effort = (thudi_fill_effort){0};
    f.effort = effort;
    *placed = 0;
    f.turns = thudi_allocate_zeroed(&memory, size);
    if (!f.turns)
        return THUD_ERR_MEMORY;
    thud_status status = fill_region(&f, &memory);
    *placed = f.placed;
    thudi_fill_cells_free(&f.cells, &memory);
    thudi_free(&memory, f.turns, size);
    return status;
}

thud_status thudi_fill_make(const thudi_fill *fill, const thud_sphere *there, int there_count,
                            const thud_allocator *allocator, thud_sphere *spheres, int *placed)
{
    thudi_fill_effort effort;
    return thudi_fill_measure(fill, there, there_count, allocator, spheres, placed, &effort);
}
