// Near pairs of spheres by cells on a hierarchy of levels, hashed into one table.
#include "spheres/cells.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void thudi_cells_free(thudi_cells *c)
{
    thudi_array_free(&c->allocator, &c->level);
    thudi_array_free(&c->allocator, &c->cell);
    thudi_array_free(&c->allocator, &c->start);
    thudi_array_free(&c->allocator, &c->order);
    thudi_array_free(&c->allocator, &c->levels);
    thudi_array_free(&c->allocator, &c->pairs);
}

static uint64_t bucket_of(const thudi_cells *c, int level, const int64_t cell[3])
{
    uint64_t h = (uint64_t)level * 0x9e3779b97f4a7c15u;
    for (int k = 0; k < 3; k++)
    {
        h ^= (uint64_t)cell[k];
        h *= 0xbf58476d1ce4e5b9u;
        h ^= h >> 31;
    }
    return h & c->mask;
}

// The cell of a position on a level; false when it is out of range.
static bool cell_at(int dim, const double *q, int level, int64_t cell[3])
{
    cell[2] = 0;
    for (int k = 0; k < dim; k++)
    {
        double x = floor(ldexp(q[k], -level));
        if (!(fabs(x) < 0x1p60))
            return false;
        cell[k] = (int64_t)x;
    }
    return true;
}

static thud_status make_room(thudi_cells *c, int count)
{
    size_t bodies = (size_t)count, buckets = 16;
    while (buckets < 2 * bodies)
        buckets *= 2;
    c->mask = buckets - 1;
    THUD_TRY(thudi_array_reserve(&c->allocator, &c->level, bodies));
    THUD_TRY(thudi_array_reserve(&c->allocator, &c->cell, 3 * bodies));
    THUD_TRY(thudi_array_reserve(&c->allocator, &c->order, bodies));
    THUD_TRY(thudi_array_reserve(&c->allocator, &c->levels, 64));
    return thudi_array_reserve(&c->allocator, &c->start, buckets + 2);
}

// Keep the exponents in use, each once, increasing.
static thud_status note_level(thudi_cells *c, int level)
{
    int i = 0;
    while (i < c->level_count && c->levels.items[i] < level)
        i++;
    if (i < c->level_count && c->levels.items[i] == level)
        return THUD_OK;
    THUD_TRY(thudi_array_reserve(&c->allocator, &c->levels, (size_t)c->level_count + 1));
    memmove(c->levels.items + i + 1, c->levels.items + i,
            (size_t)(c->level_count - i) * sizeof *c->levels.items);
    c->levels.items[i] = level;
    c->level_count++;
    return THUD_OK;
}

// Put every body into the bucket of its cell, by a counting sort.
static thud_status fill(thudi_cells *c, int dim, int count, const double *q, const double *reach)
{
    memset(c->start.items, 0, (c->mask + 3) * sizeof *c->start.items);
    c->level_count = 0;
    for (int i = 0; i < count; i++)
    {
        int level;
        (void)frexp(2 * reach[i], &level); // 2 reach < 2^level
        c->level.items[i] = level;
        if (i == 0 || level != c->level.items[i - 1])
            THUD_TRY(note_level(c, level));
        if (!cell_at(dim, q + (size_t)dim * (size_t)i, level, c->cell.items + 3 * (size_t)i))
            return THUD_ERR_LIMIT;
        c->start.items[bucket_of(c, level, c->cell.items + 3 * (size_t)i) + 2]++;
    }
    for (uint64_t b = 2; b <= c->mask + 2; b++)
        c->start.items[b] += c->start.items[b - 1];
    for (int i = 0; i < count; i++)
    {
        uint64_t b = bucket_of(c, c->level.items[i], c->cell.items + 3 * (size_t)i);
        c->order.items[c->start.items[b + 1]++] = i;
    }
    return THUD_OK;
}

static bool within(int dim, const double *a, const double *b, double reach)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += (b[k] - a[k]) * (b[k] - a[k]);
    return sum < reach * reach;
}

typedef struct search
{
    thudi_cells *c;
    int dim;
    const double *q, *reach;
} search;

// The pairs of body i with the bodies of one cell of one level.
static thud_status meet(const search *s, int i, int level, const int64_t cell[3])
{
    thudi_cells *c = s->c;
    uint64_t b = bucket_of(c, level, cell);
    bool own = level == c->level.items[i];
    for (int at = c->start.items[b]; at < c->start.items[b + 1]; at++)
    {
        int j = c->order.items[at];
        if (c->level.items[j] != level || (own && j <= i) ||
            memcmp(c->cell.items + 3 * (size_t)j, cell, 3 * sizeof *cell) != 0)
            continue;
        if (!within(s->dim, s->q + (size_t)s->dim * (size_t)i, s->q + (size_t)s->dim * (size_t)j,
                    s->reach[i] + s->reach[j]))
            continue;
        if (c->pair_count == INT_MAX - 1)
            return THUD_ERR_LIMIT;
        THUD_TRY(thudi_array_reserve(&c->allocator, &c->pairs, (size_t)c->pair_count + 1));
        c->pairs.items[c->pair_count++] = i < j ? (thudi_pair){i, j} : (thudi_pair){j, i};
    }
    return THUD_OK;
}

// Body i against its surroundings on its own level and the coarser ones.
static thud_status look_around(const search *s, int i)
{
    for (int l = 0; l < s->c->level_count; l++)
    {
        int level = s->c->levels.items[l];
        int64_t home[3], cell[3];
        if (level < s->c->level.items[i])
            continue;
        if (!cell_at(s->dim, s->q + (size_t)s->dim * (size_t)i, level, home))
            return THUD_ERR_LIMIT;
        int depth = s->dim == 3 ? 1 : 0;
        for (int z = -depth; z <= depth; z++)
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++)
                {
                    cell[0] = home[0] + x;
                    cell[1] = home[1] + y;
                    cell[2] = home[2] + z;
                    THUD_TRY(meet(s, i, level, cell));
                }
    }
    return THUD_OK;
}

thud_status thudi_cells_find(thudi_cells *cells, int dim, int count, const double *q,
                             const double *reach)
{
    search s = {cells, dim, q, reach};
    cells->pair_count = 0;
    THUD_TRY(make_room(cells, count));
    THUD_TRY(fill(cells, dim, count, q, reach));
    for (int i = 0; i < count; i++)
        THUD_TRY(look_around(&s, i));
    return THUD_OK;
}
