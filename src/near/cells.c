// Bodies in cells: the levels, the grid of each, and a counting sort into its buckets.
#include "near/cells.h"

#include "core/threads.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
    LEVELS = 1024, // normal sizes differ by less than a factor of 2^1024
    SIDE = 4       // buckets along an axis at least
};

// Reaches whose squares are numbers: with others, pairs would be missed.
static const double LEAST_REACH = 0x1p-500, LARGEST_REACH = 0x1p500;

void thudi_cells_free(thudi_cells *c)
{
    thudi_array_free(&c->allocator, &c->levels);
    thudi_array_free(&c->allocator, &c->slices);
    thudi_array_free(&c->allocator, &c->first);
    thudi_array_free(&c->allocator, &c->partner);
}

// The rooms of all bodies and buckets.
static thud_status open_rooms(thudi_cells *c, thud_rooms *rooms)
{
    size_t bodies = (size_t)c->count;
    THUD_TRY(thudi_room(rooms, &c->places, bodies, "places in cells"));
    THUD_TRY(thudi_room(rooms, &c->bucket, bodies, "buckets of bodies"));
    THUD_TRY(thudi_room(rooms, &c->body, bodies, "bodies of places"));
    return thudi_room(rooms, &c->start, (size_t)c->bucket_count + 2, "starts of buckets");
}

// The box around all centres and the range of sizes; false when a number is not finite or too far
// from 1.
static bool measure(thudi_cells *c, const double *q, const double *reach)
{
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, least = reach[0], most = reach[0], bad = 0;
    for (int k = 0; k < c->dim; k++)
        low[k] = high[k] = q[k];
    for (int i = 0; i < c->count; i++)
    {
        const double *x = q + (size_t)c->dim * (size_t)i;
        for (int k = 0; k < c->dim; k++)
        {
            low[k] = x[k] < low[k] ? x[k] : low[k];
            high[k] = x[k] > high[k] ? x[k] : high[k];
            bad += x[k] * 0; // NaN for all that is not finite
        }
        least = reach[i] < least ? reach[i] : least;
        most = reach[i] > most ? reach[i] : most;
        bad += reach[i] * 0 + (reach[i] > 0 && reach[i] < LEAST_REACH);
    }
    for (int k = 0; k < 3; k++)
    {
        c->low[k] = low[k];
        c->high[k] = high[k];
        bad += (high[k] - low[k]) * 0;
    }
    c->smallest = least;
    c->largest = most;
    return bad == 0 && least >= 0 && most <= LARGEST_REACH;
}

// The level of a size: 0 for more than half the largest, 1 for more than a quarter ...
static int level_of(double ratio)
{
    uint64_t bits;
    ratio *= 1 - 0x1p-30; // the largest itself belongs to level 0
    memcpy(&bits, &ratio, sizeof bits);
    return 1022 - (int)(bits >> 52);
}

static void add_to_level(thudi_cell_level *level, int dim, const double *x, double reach)
{
    for (int k = 0; k < dim; k++)
    {
        level->low[k] = level->count == 0 || x[k] < level->low[k] ? x[k] : level->low[k];
        level->high[k] = level->count == 0 || x[k] > level->high[k] ? x[k] : level->high[k];
    }
    level->count++;
    level->largest = reach > level->largest ? reach : level->largest;
}

// By level: how many bodies, the largest, and the box around them; then the levels without bodies
// are left out.
static thud_status sort_sizes(thudi_cells *c, const double *q, const double *reach)
{
    bool single = c->smallest > c->largest / 2;
    size_t room = single ? 1 : LEVELS;
    THUD_TRY(thudi_array_reserve(&c->allocator, &c->levels, room));
    thudi_cell_level *levels = c->levels.items;
    memset(levels, 0, room * sizeof *levels);
    levels[0].largest = c->largest;
    levels[0].count = c->count;
    memcpy(levels[0].low, c->low, sizeof c->low);
    memcpy(levels[0].high, c->high, sizeof c->high);
    c->level_count = 1;
    if (single)
        return THUD_OK;
    levels[0].count = 0;
    for (int i = 0; i < c->count; i++)
        add_to_level(&levels[level_of(reach[i] / c->largest)], c->dim,
                     q + (size_t)c->dim * (size_t)i, reach[i]);
    // all are kept in place, so that level_of says where a body belongs
    for (int l = 0; l < LEVELS; l++)
        c->level_count = levels[l].count > 0 ? l + 1 : c->level_count;
    return THUD_OK;
}

// Powers of two that cover the box, halved until there are no more than a few buckets per body.
static void shape_grid(const thudi_cells *c, thudi_cell_level *level)
{
    int bits[3] = {2, 2, c->dim == 3 ? 2 : 0};
    for (int k = 0; k < c->dim && k < 3; k++)
        while (bits[k] < 30 &&
               ldexp(1, bits[k]) < (level->high[k] - level->low[k]) * level->inverse + 2)
            bits[k]++;
    int all = 6;
    while (all < 30 && INT64_C(1) << all < INT64_C(2) * level->count)
        all++;
    while (bits[0] + bits[1] + bits[2] > all)
    {
        int k = bits[2] >= bits[1] && bits[2] >= bits[0] ? 2 : bits[1] >= bits[0] ? 1 : 0;
        if (ldexp(1, bits[k]) <= SIDE)
            break;
        bits[k]--;
    }
    for (int k = 0, shift = 0; k < 3; shift += bits[k++])
    {
        level->mask[k] = (INT64_C(1) << bits[k]) - 1;
        level->shift[k] = shift;
    }
}

// A cell is a little wider than 2 reach. Its number is rounded by 2^-52 of the extent in cells at
// most, for each of two bodies; so bodies of a pair are in the same cell or in adjacent ones.
static thud_status shape_levels(thudi_cells *c)
{
    double extent = 0;
    int64_t buckets = 0;
    for (int k = 0; k < 3; k++)
        extent = c->high[k] - c->low[k] > extent ? c->high[k] - c->low[k] : extent;
    for (int l = 0; l < c->level_count; l++)
    {
        thudi_cell_level *level = &c->levels.items[l];
        if (level->count == 0)
            continue;
        level->inverse = 1 / (2 * level->largest * (1 + 0x1p-10) + extent * 0x1p-50);
        if (!(extent < level->largest * 0x1p60) || !(level->inverse <= DBL_MAX))
            return THUD_ERR_LIMIT;
        shape_grid(c, level);
        level->first_bucket = (int)buckets;
        buckets += (level->mask[0] + 1) * (level->mask[1] + 1) * (level->mask[2] + 1);
        if (buckets > INT32_MAX - 4)
            return THUD_ERR_LIMIT;
    }
    c->bucket_count = (int)buckets;
    return THUD_OK;
}

static void name_buckets(thudi_cells *c, const double *q, const double *reach)
{
    int *bucket = c->bucket, dim = c->dim;
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (c->count >= THUDI_CELLS_THREADS_FROM)
    for (int i = 0; i < c->count; i++)
    {
        int l = c->level_count == 1 ? 0 : level_of(reach[i] / c->largest);
        const thudi_cell_level *level = &c->levels.items[l];
        int64_t at = level->first_bucket;
        for (int k = 0; k < dim; k++)
        {
            double x = q[(size_t)dim * (size_t)i + (size_t)k];
            int64_t cell = (int64_t)((x - level->low[k]) * level->inverse);
            at += (cell & level->mask[k]) << level->shift[k];
        }
        bucket[i] = (int)at;
    }
}

// Place the bodies of some of the buckets; start[b + 1] is where the next of bucket b goes.
static void place(thudi_cells *c, const double *q, const double *reach, int low, int high)
{
    const int *bucket = c->bucket;
    int *start = c->start, *body = c->body, dim = c->dim;
    for (int i = 0; i < c->count; i++)
    {
        if (bucket[i] < low || bucket[i] >= high)
            continue;
        int at = start[bucket[i] + 1]++;
        const double *x = q + (size_t)dim * (size_t)i;
        body[at] = i;
        c->places[at] = (thudi_cell_place){{x[0], x[1], dim == 3 ? x[2] : 0}, reach[i]};
    }
}

static void sum_up(thudi_cells *c)
{
    int *start = c->start, end = 0;
    for (int b = 2; b < c->bucket_count + 2; b++)
        start[b] += start[b - 1];
    for (int l = 0; l < c->level_count; l++)
        c->levels.items[l].end = end += c->levels.items[l].count;
}

// A counting sort in which every thread has its own range of buckets and reads all bodies: the same
// order for any number of threads.
static void sort_bodies(thudi_cells *c, const double *q, const double *reach)
{
    const int *bucket = c->bucket;
    int *start = c->start;
    memset(start, 0, ((size_t)c->bucket_count + 2) * sizeof *start);
#pragma omp parallel num_threads(thudi_threads()) if (c->count >= THUDI_CELLS_THREADS_FROM)
    {
        int64_t parts = omp_get_num_threads(), part = omp_get_thread_num();
        int low = (int)(c->bucket_count * part / parts);
        int high = (int)(c->bucket_count * (part + 1) / parts);
        for (int i = 0; i < c->count; i++)
            if (bucket[i] >= low && bucket[i] < high)
                start[bucket[i] + 2]++;
#pragma omp barrier
#pragma omp single
        sum_up(c);
        place(c, q, reach, low, high);
    }
}

thud_status thudi_cells_fill(thudi_cells *c, thud_rooms *rooms, const double *q,
                             const double *reach)
{
    if (!measure(c, q, reach))
        return THUD_ERR_LIMIT;
    THUD_TRY(sort_sizes(c, q, reach));
    THUD_TRY(shape_levels(c));
    THUD_TRY(open_rooms(c, rooms));
    name_buckets(c, q, reach);
    sort_bodies(c, q, reach);
    return THUD_OK;
}

static thud_status find(thudi_cells *cells, thud_rooms *rooms, const double *q, const double *reach)
{
    THUD_TRY(thudi_cells_fill(cells, rooms, q, reach));
    return thudi_cells_search(cells, rooms);
}

thud_status thudi_cells_find(thudi_cells *cells, thud_rooms *rooms, int dim, int count,
                             const double *q, const double *reach)
{
    cells->dim = dim;
    cells->count = count;
    cells->pair_count = 0;
    THUD_TRY(thudi_array_reserve(&cells->allocator, &cells->first, (size_t)count + 3));
    memset(cells->first.items, 0, ((size_t)count + 3) * sizeof *cells->first.items);
    if (count == 0)
        return THUD_OK;
    int open = thud_rooms_count(rooms);
    thud_status status = find(cells, rooms, q, reach);
    thud_rooms_close(rooms, open);
    return status;
}
