// Bodies by cells of several sizes in one hash table. Buckets may mix cells: a body met by chance
// is compared like any other, and the answer is the same.
#include "bodies/fill_cells.h"

#include <math.h>
#include <string.h>

thud_status thudi_fill_cells_start(thudi_fill_cells *cells, const thud_allocator *allocator,
                                   int count)
{
    size_t buckets = 16;
    double largest = 0;
    while (buckets < (size_t)count)
        buckets *= 2;
    cells->mask = buckets - 1;
    for (int k = 0; k < cells->dim; k++)
        largest = cells->size[k] > largest ? cells->size[k] : largest;
    // the top level's cells hold the whole region twice over; the finest are 2^-40 of it, below
    // which positions have few digits left anyway
    (void)frexp(largest, &cells->finest);
    cells->finest -= THUDI_FILL_LEVELS - 2;
    THUD_TRY(thudi_array_reserve(allocator, &cells->first, buckets));
    THUD_TRY(thudi_array_reserve(allocator, &cells->next, (size_t)count));
    thudi_fill_cells_clear(cells, THUDI_FILL_LEVELS - 1);
    return THUD_OK;
}

void thudi_fill_cells_free(thudi_fill_cells *cells, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &cells->first);
    thudi_array_free(allocator, &cells->next);
}

static double reach_of(const thudi_fill_cells *cells, double radius)
{
    return radius + cells->gap / 2;
}

int thudi_fill_cells_level(const thudi_fill_cells *cells, double radius)
{
    int exponent, top = THUDI_FILL_LEVELS - 1;
    double size = 2 * reach_of(cells, radius);
    if (!isfinite(size))
        return top;
    (void)frexp(size, &exponent); // size < 2^exponent
    int level = exponent - cells->finest;
    return level < 0 ? 0 : (level > top ? top : level);
}

void thudi_fill_cells_clear(thudi_fill_cells *cells, int level)
{
    cells->present = level;
    memset(cells->has_any, 0, sizeof cells->has_any);
    memset(cells->reach, 0, sizeof cells->reach);
    for (uint64_t b = 0; b <= cells->mask; b++)
        cells->first.items[b] = -1;
}

// The cell of a coordinate, those beyond the region taken for its border. It never decreases with
// x, so the cells between those of x - d and x + d hold all bodies within d.
static int64_t cell_at(const thudi_fill_cells *cells, int level, int k, double x)
{
    double scaled = ldexp(x - cells->low[k], -(cells->finest + level));
    double most = ldexp(cells->size[k], -(cells->finest + level)) + 1;
    if (!(scaled > -1)) // true of what is no number, too
        return -1;
    return (int64_t)floor(scaled < most ? scaled : most);
}

static uint64_t bucket_of(const thudi_fill_cells *cells, int level, const int64_t cell[3])
{
    uint64_t h = (uint64_t)level * 0x9e3779b97f4a7c15u;
    for (int k = 0; k < 3; k++)
    {
        h ^= (uint64_t)cell[k];
        h *= 0xbf58476d1ce4e5b9u;
        h ^= h >> 31;
    }
    return h & cells->mask;
}

static const thud_sphere *body_of(const thudi_fill_cells *cells, int body)
{
    return body < cells->there_count ? &cells->there[body]
                                     : &cells->spheres[body - cells->there_count];
}

void thudi_fill_cells_add(thudi_fill_cells *cells, int body)
{
    const thud_sphere *sphere = body_of(cells, body);
    double reach = reach_of(cells, sphere->radius);
    int64_t cell[3] = {0, 0, 0};
    int level = thudi_fill_cells_level(cells, sphere->radius);
    if (level < cells->present)
        level = cells->present;
    for (int k = 0; k < cells->dim; k++)
        cell[k] = cell_at(cells, level, k, sphere->center[k]);
    if (reach > cells->reach[level])
        cells->reach[level] = reach;
    cells->has_any[level] = true;
    uint64_t b = bucket_of(cells, level, cell);
    cells->next.items[body] = cells->first.items[b];
    cells->first.items[b] = body;
}

// Computed as the world computes gaps, in whichever order it takes the two.
static bool keep_distance(const thudi_fill_cells *cells, const thud_sphere *a, const thud_sphere *b)
{
    double sum = 0;
    for (int k = 0; k < cells->dim; k++)
    {
        double d = b->center[k] - a->center[k];
        sum += d * d;
    }
    double distance = sqrt(sum);
    return distance - a->radius - b->radius >= cells->gap &&
           distance - b->radius - a->radius >= cells->gap;
}

static bool is_cell_free(const thudi_fill_cells *cells, int level, const int64_t cell[3],
                         const thud_sphere *sphere, thudi_fill_effort *effort)
{
    effort->cells++;
    int body = cells->first.items[bucket_of(cells, level, cell)];
    for (; body >= 0; body = cells->next.items[body])
    {
        effort->compared++;
        if (!keep_distance(cells, sphere, body_of(cells, body)))
            return false;
    }
    return true;
}

static bool is_level_free(const thudi_fill_cells *cells, int level, const thud_sphere *sphere,
                          thudi_fill_effort *effort)
{
    int64_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, cell[3];
    double reach = (cells->reach[level] + reach_of(cells, sphere->radius)) * THUDI_FILL_OUTWARDS;
    for (int k = 0; k < cells->dim; k++)
    {
        low[k] = cell_at(cells, level, k, sphere->center[k] - reach);
        high[k] = cell_at(cells, level, k, sphere->center[k] + reach);
    }
    for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
                if (!is_cell_free(cells, level, cell, sphere, effort))
                    return false;
    return true;
}

bool thudi_fill_cells_are_free(const thudi_fill_cells *cells, const thud_sphere *sphere,
                               thudi_fill_effort *effort)
{
    for (int level = cells->present; level < THUDI_FILL_LEVELS; level++)
        if (cells->has_any[level] && !is_level_free(cells, level, sphere, effort))
            return false;
    return true;
}
