// The search for near pairs in cells, and the list of them sorted by body.
#include "spheres/cells.h"

#include <limits.h>
#include <omp.h>
#include <string.h>

enum
{
    CHUNK = 256, // places searched by one thread at a time
    HITS = 128,  // kept before they are written out
    FEW = 32     // up to so many are sorted by counting who is smaller
};

// The search from one place: what it has hit, and where that goes.
typedef struct probe
{
    const thudi_cells *c;
    thudi_cell_slice *slice;
    thudi_cell_place at;
    int body;
    int hits[HITS];
} probe;

static void write_hits(probe *p, int count)
{
    const int *body = p->c->body.items;
    thudi_cell_slice *slice = p->slice;
    if (slice->count + (size_t)count <= slice->room)
    {
        thudi_pair *out = p->c->found.items + slice->first + slice->count;
        for (int h = 0; h < count; h++)
        {
            int other = body[p->hits[h]], own = p->body;
            out[h].a = own < other ? own : other;
            out[h].b = own < other ? other : own;
        }
    }
    slice->count += (size_t)count; // counted even if there was no room
}

// Test the places low .. high - 1.
static void meet(probe *p, int low, int high)
{
    const thudi_cell_place *places = p->c->places.items;
    const double x = p->at.x[0], y = p->at.x[1], z = p->at.x[2], own = p->at.reach;
    while (low < high)
    {
        int stop = high - low < HITS ? high : low + HITS, count = 0;
        for (int at = low; at < stop; at++)
        {
            const thudi_cell_place *other = &places[at];
            double dx = other->x[0] - x, dy = other->x[1] - y, dz = other->x[2] - z;
            double reach = own + other->reach;
            p->hits[count] = at;
            count += dx * dx + dy * dy + dz * dz < reach * reach;
        }
        if (count > 0)
            write_hits(p, count);
        low = stop;
    }
}

// Three cells x - 1, x, x + 1 of the line of buckets that starts at `line`.
static void meet_line(probe *p, int line, int x, int mask)
{
    const int *start = p->c->start.items + line;
    if (x > 0 && x < mask)
    {
        meet(p, start[x - 1], start[x + 2]);
        return;
    }
    meet(p, start[x > 0 ? x - 1 : mask], start[x > 0 ? x + 1 : mask + 1]);
    meet(p, start[0], start[x > 0 ? 1 : 2]);
}

typedef struct home
{
    int x, y, z;
} home;

static home home_of(const thudi_cells *c, const thudi_cell_level *level, const double x[3])
{
    int at[3];
    for (int k = 0; k < 3; k++)
        at[k] = (int)((int64_t)((x[k] - c->origin[k]) * level->inverse) & level->mask[k]);
    return (home){at[0], at[1], at[2]};
}

static int line_of(const thudi_cell_level *level, int y, int z)
{
    return level->first_bucket + (int)(((y & level->mask[1]) << level->shift[1]) +
                                       ((z & level->mask[2]) << level->shift[2]));
}

// The bodies of the same level: half of the cells around, and what comes later in the own cell.
static void meet_own_level(probe *p, const thudi_cell_level *level, int place)
{
    const int *start = p->c->start.items;
    home at = home_of(p->c, level, p->at.x);
    int mask = (int)level->mask[0], line = line_of(level, at.y, at.z), bucket = line + at.x;
    if (at.x < mask)
        meet(p, place + 1, start[bucket + 2]);
    else
    {
        meet(p, place + 1, start[bucket + 1]);
        meet(p, start[line], start[line + 1]);
    }
    meet_line(p, line_of(level, at.y + 1, at.z), at.x, mask);
    for (int y = -1; y <= 1 && p->c->dim == 3; y++)
        meet_line(p, line_of(level, at.y + y, at.z + 1), at.x, mask);
}

static void meet_coarser_level(probe *p, const thudi_cell_level *level)
{
    home at = home_of(p->c, level, p->at.x);
    int depth = p->c->dim == 3 ? 1 : 0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -1; y <= 1; y++)
            meet_line(p, line_of(level, at.y + y, at.z + z), at.x, (int)level->mask[0]);
}

static void search_chunk(const thudi_cells *c, int chunk, thudi_cell_slice *slice)
{
    const thudi_cell_level *levels = c->levels.items;
    int end = chunk < c->count / CHUNK ? (chunk + 1) * CHUNK : c->count, own = 0;
    probe p = {.c = c, .slice = slice};
    slice->count = 0;
    for (int place = chunk * CHUNK; place < end; place++)
    {
        p.at = c->places.items[place];
        p.body = c->body.items[place];
        while (place >= levels[own].end)
            own++;
        meet_own_level(&p, &levels[own], place);
        for (int l = 0; l < own; l++)
            if (levels[l].count > 0)
                meet_coarser_level(&p, &levels[l]);
    }
}

// Room for each slice: what it has needed and something more.
static thud_status lay_out(thudi_cells *c)
{
    size_t all = 0;
    for (int s = 0; s < c->slice_count; s++)
    {
        thudi_cell_slice *slice = &c->slices.items[s];
        slice->first = all;
        slice->room = slice->count + slice->count / 8 + 64;
        all += slice->room;
    }
    return thudi_array_reserve(&c->allocator, &c->found, all);
}

// Search; where room is lacking, make it and search again.
static thud_status search_all(thudi_cells *c)
{
    int chunks = c->count / CHUNK + (c->count % CHUNK > 0);
    if (c->slice_count != chunks)
    {
        THUD_TRY(thudi_array_reserve(&c->allocator, &c->slices, (size_t)chunks));
        for (int s = 0; s < chunks; s++)
            c->slices.items[s].count = (size_t)(c->count < CHUNK ? c->count : CHUNK) * 4;
        c->slice_count = chunks;
        thud_status status = lay_out(c);
        c->slice_count = status < 0 ? 0 : chunks; // laid out again next time
        THUD_TRY(status);
    }
    for (;;)
    {
        bool enough = true;
        size_t all = 0;
#pragma omp parallel for schedule(dynamic, 4) if (c->count >= THUDI_CELLS_THREADS_FROM)
        for (int s = 0; s < chunks; s++)
            search_chunk(c, s, &c->slices.items[s]);
        for (int s = 0; s < chunks; s++)
        {
            all += c->slices.items[s].count;
            enough = enough && c->slices.items[s].count <= c->slices.items[s].room;
        }
        if (all > INT_MAX - 4)
            return THUD_ERR_LIMIT;
        c->pair_count = (int)all;
        if (enough)
            return THUD_OK;
        thud_status status = lay_out(c);
        c->slice_count = status < 0 ? 0 : chunks;
        THUD_TRY(status);
    }
}

// Count (or else write) the partners of the bodies low .. high - 1 of all pairs found.
static void gather(thudi_cells *c, int low, int high, bool only_count)
{
    int *first = c->first.items, *partner = c->partner.items;
    for (int s = 0; s < c->slice_count; s++)
    {
        const thudi_pair *found = c->found.items + c->slices.items[s].first;
        size_t count = c->slices.items[s].count;
        for (size_t p = 0; p < count; p++)
        {
            if (found[p].a < low || found[p].a >= high)
                continue;
            if (only_count)
                first[found[p].a + 2]++;
            else
                partner[first[found[p].a + 1]++] = found[p].b;
        }
    }
}

static void sift_down(int *items, int at, int count)
{
    int value = items[at], child;
    for (; (child = 2 * at + 1) < count; at = child)
    {
        child += child + 1 < count && items[child + 1] > items[child];
        if (items[child] <= value)
            break;
        items[at] = items[child];
    }
    items[at] = value;
}

// Sort numbers that are all different.
static void sort_numbers(int *items, int count)
{
    if (count <= FEW)
    {
        int copy[FEW];
        memcpy(copy, items, (size_t)count * sizeof *items);
        for (int i = 0; i < count; i++)
        {
            int rank = 0;
            for (int j = 0; j < count; j++)
                rank += copy[j] < copy[i];
            items[rank] = copy[i];
        }
        return;
    }
    for (int i = count / 2 - 1; i >= 0; i--)
        sift_down(items, i, count);
    for (int last = count - 1; last > 0; last--)
    {
        int largest = items[0];
        items[0] = items[last];
        items[last] = largest;
        sift_down(items, 0, last);
    }
}

// By body, then by partner: a counting sort in which every thread has its own range of bodies and
// reads all pairs.
static void sort_pairs(thudi_cells *c)
{
    int *first = c->first.items;
#pragma omp parallel if (c->count >= THUDI_CELLS_THREADS_FROM)
    {
        int64_t parts = omp_get_num_threads(), part = omp_get_thread_num();
        int low = (int)(c->count * part / parts), high = (int)(c->count * (part + 1) / parts);
        gather(c, low, high, true);
#pragma omp barrier
#pragma omp single
        for (int i = 2; i < c->count + 2; i++)
            first[i] += first[i - 1];
        gather(c, low, high, false);
#pragma omp barrier
#pragma omp for schedule(static)
        for (int i = 0; i < c->count; i++)
            if (first[i + 1] - first[i] > 1)
                sort_numbers(c->partner.items + first[i], first[i + 1] - first[i]);
    }
}

thud_status thudi_cells_search(thudi_cells *c)
{
    THUD_TRY(search_all(c));
    THUD_TRY(thudi_array_reserve(&c->allocator, &c->partner, (size_t)c->pair_count));
    sort_pairs(c);
    return THUD_OK;
}
