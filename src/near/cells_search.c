// Finds all near pairs of bodies in cells, and sorts them by body. See cells.h for the words place,
// bucket, level and slice.
#include "near/cells.h"

#include "core/math/four.h"
#include "core/threads.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum
{
    SLICE_PLACES = 256, // one thread searches the places of a slice at a time
    BATCH = 256,        // candidates that are collected before they are tested
    FEW_NUMBERS = 32,   // up to this many numbers are sorted by counting the smaller ones
    // A coarser level with at most this many bodies is tested whole: that is faster than its cells.
    FEW_BODIES = 8,
    FIRST_PAIRS = 4 // pairs for each body that a slice has room for before its first search
};

// The search from the places first .. end - 1, which are in one bucket, among the candidates. These
// are copied from the places, each coordinate into an array of its own, because one instruction
// tests four of them.
typedef struct probe
{
    const thudi_cells *c;
    thudi_cell_slice *slice; // receives the pairs
    int first, end;
    // Candidates 0 .. own_count - 1 are the places own_first, own_first + 1, ... of the bucket that
    // searches. All other candidates are in other buckets.
    int own_first, own_count;
    int count;        // number of candidates
    int place[BATCH]; // of each candidate
    // 3 more: the last four that are tested may begin at the last candidate
    double x[BATCH + 3], y[BATCH + 3], z[BATCH + 3], reach[BATCH + 3];
} probe;

// Test the candidates at .. at + 63. Bit i of the result tells whether candidate at + i is within
// reach of the place.
static uint64_t test_64(const probe *p, const thudi_cell_place *place, int at)
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

// Write the pairs of a place with the candidates `from`, from + 1, ... to the slice. If the slice
// has no room for them, count them only.
static void write_pairs(probe *p, int place, int from)
{
    const int *body = p->c->body;
    thudi_cell_slice *slice = p->slice;
    int own = body[place];
    slice->tested += p->count - from;
    for (int at = from / 64 * 64; at < p->count; at += 64)
    {
        uint64_t hits = test_64(p, &p->c->places[place], at);
        hits &= at < from ? UINT64_MAX << (from - at) : UINT64_MAX;
        size_t count = (size_t)__builtin_popcountll(hits), used = slice->count;
        slice->count += count;
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

// Test all places that search against all candidates, and then remove the candidates. In its own
// bucket a place tests only the places behind it, so that each pair is found once.
static void test_batch(probe *p)
{
    for (int i = p->count; i < p->count + 3; i++) // fill up the last four: INFINITY is never near
    {
        p->x[i] = INFINITY;
        p->y[i] = p->z[i] = p->reach[i] = 0;
    }
    for (int place = p->first; place < p->end; place++)
    {
        int from = place + 1 - p->own_first;
        write_pairs(p, place, from < 0 ? 0 : from < p->own_count ? from : p->own_count);
    }
    p->own_count = p->count = 0;
}

// Add the places low .. high - 1, of another bucket, to the candidates.
static void add(probe *p, int low, int high)
{
    const thudi_cell_place *places = p->c->places;
    for (int at = low; at < high; at++)
    {
        if (p->count == BATCH)
            test_batch(p);
        int i = p->count++;
        p->place[i] = at;
        p->x[i] = places[at].x[0];
        p->y[i] = places[at].x[1];
        p->z[i] = places[at].x[2];
        p->reach[i] = places[at].reach;
    }
}

// Add the places low .. high - 1 of the bucket that searches. test_batch computes the number of a
// candidate from own_first, so these must be the first candidates of their batch.
static void add_own(probe *p, int low, int high)
{
    while (low < high)
    {
        int stop = high - low < BATCH ? high : low + BATCH;
        p->own_first = low;
        add(p, low, stop);
        p->own_count = stop - low;
        low = stop;
        if (low < high)
            test_batch(p);
    }
}

// Add the buckets x - 1, x and x + 1 of a line along the first axis. line: its first bucket; mask:
// its last bucket less the first. The line is a ring: bucket 0 follows the last one.
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

// The first bucket of the line with these coordinates y and z, which may be outside of the grid: it
// is wrapped around.
static int line_of(const thudi_cell_level *level, int y, int z)
{
    return level->first_bucket + (int)(((y & level->mask[1]) << level->shift[1]) +
                                       ((z & level->mask[2]) << level->shift[2]));
}

// Search the level that the bucket is in: the bucket itself, and half of the buckets around it. The
// pairs with the other half are found from there.
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
    test_batch(p);
}

// Add the candidates of a coarser level for the place p->first: all buckets around it, or the whole
// level if it has few bodies.
static void search_coarser_level(probe *p, const thudi_cell_level *level)
{
    const thudi_cell_place *place = &p->c->places[p->first];
    int at[3], depth = p->c->dim == 3 ? 1 : 0;
    if (level->count <= FEW_BODIES)
    {
        add(p, level->end - level->count, level->end);
        return;
    }
    for (int k = 0; k < 3; k++)
    {
        // the place may be outside of the level's box; more than a cell outside, no body is near
        double x = floor((place->x[k] - level->low[k]) * level->inverse);
        if (!(x >= -1 && x <= (level->high[k] - level->low[k]) * level->inverse + 1))
            return;
        at[k] = (int)((int64_t)x & level->mask[k]);
    }
    for (int z = -depth; z <= depth; z++)
        for (int y = -1; y <= 1; y++)
            add_line(p, line_of(level, at[1] + y, at[2] + z), at[0], (int)level->mask[0]);
}

// Find the pairs of the places of one slice with bodies of the same level and of coarser ones. The
// pairs with finer levels are found from there. A bucket that is cut by the end of the slice is
// searched in two parts.
static void search_slice(const thudi_cells *c, int number, thudi_cell_slice *slice)
{
    const thudi_cell_level *levels = c->levels.items;
    int end = number < c->count / SLICE_PLACES ? (number + 1) * SLICE_PLACES : c->count;
    int own = 0; // the level of the place
    probe p;
    p.c = c;
    p.slice = slice;
    p.own_first = p.own_count = p.count = 0;
    slice->count = 0;
    slice->tested = 0;
    for (int place = number * SLICE_PLACES; place < end; place = p.end)
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
            test_batch(&p);
        }
        p.end = stop;
    }
}

// Give each slice a part of the memory for pairs. It fits the pairs that the slice found in the
// last search, and an eighth and 64 more: bodies move between searches, and a slice without room
// makes all slices search again.
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

// Cut the places into slices. While their number stays the same, each slice keeps its room.
static thud_status cut_slices(thudi_cells *c)
{
    int slices = c->count / SLICE_PLACES + (c->count % SLICE_PLACES > 0);
    if (c->slice_count == slices)
        return THUD_OK;
    c->slice_count = 0;
    THUD_TRY(thudi_array_reserve(&c->allocator, &c->slices, (size_t)slices));
    for (int s = 0; s < slices; s++)
        c->slices.items[s].count =
            (size_t)(c->count < SLICE_PLACES ? c->count : SLICE_PLACES) * FIRST_PAIRS;
    c->slice_count = slices;
    lay_out(c);
    return THUD_OK;
}

// Search once. *enough is true if every slice had room for its pairs. Otherwise the pairs were
// counted, and must be searched again.
static thud_status search_slices(thudi_cells *c, bool *enough)
{
    size_t all = 0;
    *enough = true;
    c->tested = 0;
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(dynamic, 4) if (c->count >= THUDI_CELLS_THREADS_FROM)
    for (int s = 0; s < c->slice_count; s++)
        search_slice(c, s, &c->slices.items[s]);
    for (int s = 0; s < c->slice_count; s++)
    {
        all += c->slices.items[s].count;
        c->tested += c->slices.items[s].tested;
        *enough = *enough && c->slices.items[s].count <= c->slices.items[s].room;
    }
    if (all > INT_MAX - 4) // the list numbers pairs by int
        return THUD_ERR_LIMIT;
    c->pair_count = (int)all;
    return THUD_OK;
}

// Search, with more room where it was missing, until every slice has room for its pairs.
static thud_status search_all(thudi_cells *c, thud_rooms *rooms)
{
    int open = thud_rooms_count(rooms);
    THUD_TRY(cut_slices(c));
    for (bool enough = false; !enough;)
    {
        const thudi_cell_slice *last = &c->slices.items[c->slice_count - 1];
        thud_rooms_close(rooms, open); // the room of the last round, which was too small
        THUD_TRY(thudi_room(rooms, &c->found, last->first + last->room, "found pairs"));
        THUD_TRY(search_slices(c, &enough));
        if (!enough)
            lay_out(c);
    }
    return THUD_OK;
}

// Go through all pairs a < b with low <= a < high. The first pass counts the pairs of a in
// first[a + 2]. When these counts are summed up, first[a + 1] is where the partners of a begin. The
// second pass writes them there and advances first[a + 1], which ends at the begin of a + 1. So in
// the end first[a] is where the partners of a begin.
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

// Move the number at `at` down the heap until no number below it is larger.
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

// Sort numbers that are all different. Lists are short, so most are sorted by counting; heap sort
// takes the others. Neither needs memory or has a slow case.
void thudi_cells_sort(int *items, int count)
{
    if (count <= FEW_NUMBERS)
    {
        int64_t copy[FEW_NUMBERS];
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

// Sort the pairs by body, then by partner. This is a counting sort in which every thread reads all
// pairs and has its own range of bodies. So threads never write to the same number, and the result
// is the same for any number of threads.
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
