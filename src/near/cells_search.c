// The search for near pairs in cells, and the list of them sorted by body.
#include "near/cells.h"

#include "core/math/four.h"
#include "core/threads.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum
{
    CHUNK = 256, // places searched by one thread at a time
    CROWD = 256, // candidates tested at once
    FEW = 32,    // up to so many are sorted by counting the smaller ones
    HANDFUL = 8  // a level of so many bodies needs no cells
};

// The search from some places of one bucket. Candidates are copied, so that they can be tested one
// after the other.
typedef struct probe
{
    const thudi_cells *c;
    thudi_cell_slice *slice;  // where the pairs go
    int first, end;           // the places that search
    int own_first, own_count; // the first candidates are places of the same bucket, in order
    int count;                // candidates
    int place[CROWD];
    double x[CROWD + 3], y[CROWD + 3], z[CROWD + 3], reach[CROWD + 3];
} probe;

// Which of the candidates at .. at + 63 are within reach of a place.
static uint64_t test(const probe *p, const thudi_cell_place *place, int at)
{
    const double px = place->x[0], py = place->x[1], pz = place->x[2], own = place->reach;
    int stop = p->count - at < 64 ? p->count - at : 64;
    uint64_t hits = 0;
    for (int i = 0; i < stop; i += 4)
    {
        four dx = four_load(p->x + at + i) - px, dy = four_load(p->y + at + i) - py;
        four dz = four_load(p->z + at + i) - pz, reach = four_load(p->reach + at + i) + own;
        hits |= (uint64_t)four_bits(dx * dx + dy * dy + dz * dz < reach * reach) << i;
    }
    return hits;
}

// The pairs of a place with the candidates from `from` on.
static void meet(probe *p, int place, int from)
{
    const int *body = p->c->body;
    thudi_cell_slice *slice = p->slice;
    int own = body[place];
    slice->looked += p->count - from;
    for (int at = from / 64 * 64; at < p->count; at += 64)
    {
        uint64_t hits = test(p, &p->c->places[place], at);
        hits &= at < from ? UINT64_MAX << (from - at) : UINT64_MAX;
        size_t count = (size_t)__builtin_popcountll(hits), used = slice->count;
        slice->count += count; // counted even if there is no room
        if (slice->count > slice->room)
            continue;
        thudi_pair *out = p->c->found + slice->first + used;
        for (; hits != 0; hits &= hits - 1)
        {
            int other = body[p->place[at + __builtin_ctzll(hits)]];
            *out++ = own < other ? (thudi_pair){own, other} : (thudi_pair){other, own};
        }
    }
}

// All places that search meet all candidates there are; of the same bucket those that come later.
static void meet_all(probe *p)
{
    for (int i = p->count; i < p->count + 3; i++) // four at once: none of these is near
    {
        p->x[i] = INFINITY;
        p->y[i] = p->z[i] = p->reach[i] = 0;
    }
    for (int place = p->first; place < p->end; place++)
    {
        int from = place + 1 - p->own_first;
        meet(p, place, from < 0 ? 0 : from < p->own_count ? from : p->own_count);
    }
    p->own_count = p->count = 0;
}

// Add the places low .. high - 1 to the candidates.
static void add(probe *p, int low, int high)
{
    const thudi_cell_place *places = p->c->places;
    for (int at = low; at < high; at++)
    {
        if (p->count == CROWD)
            meet_all(p);
        int i = p->count++;
        p->place[i] = at;
        p->x[i] = places[at].x[0];
        p->y[i] = places[at].x[1];
        p->z[i] = places[at].x[2];
        p->reach[i] = places[at].reach;
    }
}

// The same for places of the bucket that searches.
static void add_own(probe *p, int low, int high)
{
    while (low < high)
    {
        int stop = high - low < CROWD ? high : low + CROWD;
        p->own_first = low;
        add(p, low, stop);
        p->own_count = stop - low;
        low = stop;
        if (low < high)
            meet_all(p);
    }
}

// Three cells x - 1, x, x + 1 of the line of buckets that starts at `line`.
static void add_line(probe *p, int line, int x, int mask)
{
    const int *start = p->c->start + line;
    if (x > 0 && x < mask)
    {
        add(p, start[x - 1], start[x + 2]);
        return;
    }
    add(p, start[x > 0 ? x - 1 : mask], start[x > 0 ? x + 1 : mask + 1]);
    add(p, start[0], start[x > 0 ? 1 : 2]);
}

static int line_of(const thudi_cell_level *level, int y, int z)
{
    return level->first_bucket + (int)(((y & level->mask[1]) << level->shift[1]) +
                                       ((z & level->mask[2]) << level->shift[2]));
}

// Places of one bucket against the same level: what comes later in the bucket, and half of the
// cells around.
static void search_own_level(probe *p, const thudi_cell_level *level, int bucket)
{
    const int *start = p->c->start;
    int64_t at = bucket - level->first_bucket;
    int mask = (int)level->mask[0], x = (int)(at & mask);
    int y = (int)(at >> level->shift[1] & level->mask[1]), z = (int)(at >> level->shift[2]);
    add_own(p, p->first, start[bucket + 1]);
    if (x < mask)
        add(p, start[bucket + 1], start[bucket + 2]);
    else
        add(p, start[bucket - x], start[bucket - x + 1]);
    add_line(p, line_of(level, y + 1, z), x, mask);
    for (int k = -1; k <= 1 && p->c->dim == 3; k++)
        add_line(p, line_of(level, y + k, z + 1), x, mask);
    meet_all(p);
}

// One place against all that is around on a coarser level, or all of the level if it has few.
static void search_coarser_level(probe *p, const thudi_cell_level *level)
{
    const thudi_cell_place *place = &p->c->places[p->first];
    int at[3], depth = p->c->dim == 3 ? 1 : 0;
    if (level->count <= HANDFUL)
    {
        add(p, level->end - level->count, level->end);
        return;
    }
    for (int k = 0; k < 3; k++)
    {
        // the place may be outside of the level's box; far outside, nothing is around
        double x = floor((place->x[k] - level->low[k]) * level->inverse);
        if (!(x >= -1 && x <= (level->high[k] - level->low[k]) * level->inverse + 1))
            return;
        at[k] = (int)((int64_t)x & level->mask[k]);
    }
    for (int z = -depth; z <= depth; z++)
        for (int y = -1; y <= 1; y++)
            add_line(p, line_of(level, at[1] + y, at[2] + z), at[0], (int)level->mask[0]);
}

static void search_chunk(const thudi_cells *c, int chunk, thudi_cell_slice *slice)
{
    const thudi_cell_level *levels = c->levels.items;
    int end = chunk < c->count / CHUNK ? (chunk + 1) * CHUNK : c->count, own = 0;
    probe p;
    p.c = c;
    p.slice = slice;
    p.own_first = p.own_count = p.count = 0;
    slice->count = 0;
    slice->looked = 0;
    for (int place = chunk * CHUNK; place < end; place = p.end)
    {
        int bucket = c->bucket[c->body[place]], last = c->start[bucket + 1];
        p.first = place;
        p.end = last < end ? last : end;
        while (place >= levels[own].end)
            own++;
        search_own_level(&p, &levels[own], bucket);
        int stop = p.end;
        for (p.first = place; own > 0 && p.first < stop; p.first++)
        {
            p.end = p.first + 1;
            for (int l = 0; l < own; l++)
                if (levels[l].count > 0)
                    search_coarser_level(&p, &levels[l]);
            meet_all(&p);
        }
        p.end = stop;
    }
}

// A part of the room of pairs for each slice: for the pairs that it found last, and some more.
static void lay_out(thudi_cells *c)
{
    size_t all = 0;
    for (int s = 0; s < c->slice_count; s++)
    {
        thudi_cell_slice *slice = &c->slices.items[s];
        slice->first = all;
        slice->room = slice->count + slice->count / 8 + 64;
        all += slice->room;
    }
}

// The slices of so many bodies. They stay as they are while the number of bodies is about the same.
static thud_status cut_slices(thudi_cells *c)
{
    int chunks = c->count / CHUNK + (c->count % CHUNK > 0);
    if (c->slice_count == chunks)
        return THUD_OK;
    c->slice_count = 0;
    THUD_TRY(thudi_array_reserve(&c->allocator, &c->slices, (size_t)chunks));
    for (int s = 0; s < chunks; s++)
        c->slices.items[s].count = (size_t)(c->count < CHUNK ? c->count : CHUNK) * 4;
    c->slice_count = chunks;
    lay_out(c);
    return THUD_OK;
}

// Search once. *enough: every slice had room for its pairs; otherwise they were counted.
static thud_status search_slices(thudi_cells *c, bool *enough)
{
    size_t all = 0;
    *enough = true;
    c->looked = 0;
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(dynamic, 4) if (c->count >= THUDI_CELLS_THREADS_FROM)
    for (int s = 0; s < c->slice_count; s++)
        search_chunk(c, s, &c->slices.items[s]);
    for (int s = 0; s < c->slice_count; s++)
    {
        all += c->slices.items[s].count;
        c->looked += c->slices.items[s].looked;
        *enough = *enough && c->slices.items[s].count <= c->slices.items[s].room;
    }
    if (all > INT_MAX - 4)
        return THUD_ERR_LIMIT;
    c->pair_count = (int)all;
    return THUD_OK;
}

// Search; where a slice lacks room, give it more and search again.
static thud_status search_all(thudi_cells *c, thud_rooms *rooms)
{
    int open = thud_rooms_count(rooms);
    THUD_TRY(cut_slices(c));
    for (bool enough = false; !enough;)
    {
        const thudi_cell_slice *last = &c->slices.items[c->slice_count - 1];
        thud_rooms_close(rooms, open); // that of the pairs, which was too small
        THUD_TRY(thudi_room(rooms, &c->found, last->first + last->room, "found pairs"));
        THUD_TRY(search_slices(c, &enough));
        if (!enough)
            lay_out(c);
    }
    return THUD_OK;
}

// Count (or else write) the partners of the bodies low .. high - 1 of all pairs found.
static void gather(thudi_cells *c, int low, int high, bool only_count)
{
    int *first = c->first.items, *partner = c->partner.items;
    for (int s = 0; s < c->slice_count; s++)
    {
        const thudi_pair *found = c->found + c->slices.items[s].first;
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
void thudi_cells_sort(int *items, int count)
{
    if (count <= FEW)
    {
        int64_t copy[FEW];
        for (int i = 0; i < count; i++)
            copy[i] = items[i];
        for (int i = 0; i < count; i++)
        {
            int64_t below = 0;
            for (int j = 0; j < count; j++)
                below += copy[j] < copy[i];
            items[below] = (int)copy[i];
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
#pragma omp parallel num_threads(thudi_threads()) if (c->count >= THUDI_CELLS_THREADS_FROM)
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
                thudi_cells_sort(c->partner.items + first[i], first[i + 1] - first[i]);
    }
}

thud_status thudi_cells_search(thudi_cells *c, thud_rooms *rooms)
{
    THUD_TRY(search_all(c, rooms));
    THUD_TRY(thudi_array_reserve(&c->allocator, &c->partner, (size_t)c->pair_count));
    sort_pairs(c);
    return THUD_OK;
}
