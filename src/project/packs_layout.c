// The layout of pair rows in packs: number the bodies along a space-filling curve, cut them into
// blocks, sort the rows into groups, colour the groups, and fill packs first-fit.
//
// All of it depends on the problem alone. Cost: a few passes over rows and bodies, about as much as
// five sweeps.
#include "project/projector.h"

#include "core/threads.h"

#include <float.h>
#include <string.h>

enum
{
    TILE_ROWS = 448,       // rows that are packed together
    TILE_PACKS = 64,       // packs they may fill: one bit each
    STRIDE = 4,            // packs of a tile are dealt out so far apart: neighbours share bodies
    FEW_BODIES = 4096,     // up to so many: one block
    SOME_BODIES = 1 << 16, // up to so many: half the blocks
    RADIX_BITS = 10
};

typedef struct layout
{
    const thud_projection *problem;
    const int *which; // rows of the problem, NULL for all
    thudi_packs *packs;
    int width;
} layout;

static const thudi_row_head *head_of(const layout *l, int i)
{
    return &l->problem->rows->heads.items[l->which ? l->which[i] : i];
}

// A row with a shift, and a slope that is not 0 and opposite for its two bodies.
static bool suits(const thud_rows *rows, const thudi_row_head *row, int width)
{
    const double *slope = rows->slope.items + row->first;
    double largest = 0;
    if (row->width != width || !(row->shift > 0))
        return false;
    for (int k = 0; k < width; k++)
    {
        if (row->count == 2 && slope[k] != -slope[width + k])
            return false;
        largest = fabs(slope[k]) > largest ? fabs(slope[k]) : largest;
    }
    return largest > 0;
}

bool thudi_packs_suit(const thud_projection *problem, const int *which, int count)
{
    const thud_rows *rows = problem->rows;
    int width = count > 0 ? rows->heads.items[which ? which[0] : 0].width : 0;
    if (width < 2)
        return false;
    for (int i = 0; i < count; i++)
        if (!suits(rows, &rows->heads.items[which ? which[i] : i], width))
            return false;
    return true;
}

// Align a pointer upwards.
static void *aligned(void *block, size_t to)
{
    return (void *)(((uintptr_t)block + to - 1) / to * to);
}

static thud_status make_room_for_rows(const layout *l, const thud_allocator *allocator)
{
    thudi_packs *p = l->packs;
    size_t rows = (size_t)p->rows, dim = (size_t)l->problem->dim;
    THUD_TRY(thudi_array_reserve(allocator, &p->order, rows));
    THUD_TRY(thudi_array_reserve(allocator, &p->slot, rows));
    THUD_TRY(thudi_array_reserve(allocator, &p->ends, 2 * rows));
    THUD_TRY(thudi_array_reserve(allocator, &p->scale, rows));
    THUD_TRY(thudi_array_reserve(allocator, &p->owner, dim));
    for (; p->owner_count < dim; p->owner_count++)
        p->owner.items[p->owner_count] = -1;
    return THUD_OK;
}

static thud_status make_room_for_bodies(thudi_packs *p, const thud_allocator *allocator)
{
    size_t bodies = (size_t)p->bodies + THUDI_PACK_BLOCKS;
    THUD_TRY(thudi_array_reserve(allocator, &p->half_mass, bodies));
    THUD_TRY(thudi_array_reserve(allocator, &p->taken, bodies));
    THUD_TRY(thudi_array_reserve(allocator, &p->codes, bodies));
    THUD_TRY(thudi_array_reserve(allocator, &p->velocities, 8 * bodies + 4));
    p->velocity = aligned(p->velocities.items, 32);
    p->before = p->velocity + 4 * bodies;
    return THUD_OK;
}

static thud_status make_room_for_packs(thudi_packs *p, const thud_allocator *allocator)
{
    size_t packs = (size_t)p->pack_first[p->groups];
    THUD_TRY(thudi_array_reserve(allocator, &p->room, packs + 1));
    THUD_TRY(thudi_array_reserve(allocator, &p->saved, THUDI_PACK_WIDTH * packs));
    p->packs = aligned(p->room.items, 32);
    return THUD_OK;
}

// A body that starts at this coordinate, new or known; false when it would share coordinates with
// another one.
static bool meet_body(const layout *l, int at)
{
    thudi_packs *p = l->packs;
    int *owner = p->owner.items + at;
    if (owner[0] >= 0)
        return p->coordinate.items[owner[0]] == at;
    for (int k = 1; k < l->width; k++)
        if (owner[k] >= 0)
            return false;
    for (int k = 0; k < l->width; k++)
        owner[k] = p->bodies;
    p->coordinate.items[p->bodies++] = at;
    return true;
}

// Every body of the rows, numbered as met.
static bool find_bodies(const layout *l)
{
    const int *blocks = l->problem->rows->blocks.items;
    l->packs->bodies = 0;
    for (int i = 0; i < l->packs->rows; i++)
    {
        const thudi_row_head *row = head_of(l, i);
        for (int j = 0; j < row->count; j++)
            if (!meet_body(l, blocks[row->block_first + (size_t)j]))
                return false;
    }
    return true;
}

static void forget_bodies(const layout *l)
{
    thudi_packs *p = l->packs;
    for (int i = 0; i < p->bodies; i++)
        for (int k = 0; k < l->width; k++)
            p->owner.items[p->coordinate.items[i] + k] = -1;
}

// The bits of x spread so that there is room for those of width - 1 other numbers between them.
static uint32_t spread(uint32_t x, int width)
{
    uint32_t result = 0;
    for (int bit = 0; bit < 30 / width; bit++)
        result |= (x >> bit & 1) << (bit * width);
    return result;
}

// The box around all bodies: its low corner and its longest side.
static double bounding_box(const layout *l, double low[3])
{
    const thudi_packs *p = l->packs;
    const double *q = l->problem->origin;
    double longest = 0;
    for (int k = 0; k < l->width; k++)
    {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < p->bodies; i++)
        {
            double x = q[p->coordinate.items[i] + k];
            least = x < least ? x : least;
            most = x > most ? x : most;
        }
        low[k] = least;
        longest = most - least > longest ? most - least : longest;
    }
    return longest;
}

// Code and number of each body: its place on the curve where positions are known, else its
// coordinate.
static void encode_bodies(const layout *l)
{
    const thudi_packs *p = l->packs;
    const double *q = l->problem->origin;
    int bits = 30 / l->width;
    double low[3] = {0, 0, 0}, longest = q ? bounding_box(l, low) : 0;
    double scale = longest > 0 ? (double)(1 << bits) / longest : 0;
    uint32_t table[1 << RADIX_BITS], last = (1u << bits) - 1, last_digit = (1u << RADIX_BITS) - 1;
    for (uint32_t x = 0; x < 1u << RADIX_BITS; x++)
        table[x] = spread(x, l->width);
    for (int i = 0; i < p->bodies; i++)
    {
        uint32_t code = 0;
        for (int k = 0; k < l->width && scale > 0 && scale < INFINITY; k++)
        {
            double at = (q[p->coordinate.items[i] + k] - low[k]) * scale;
            uint32_t cell = at < (double)last ? (uint32_t)at : last;
            code |= (table[cell & last_digit] | table[cell >> RADIX_BITS] << RADIX_BITS * l->width)
                    << k;
        }
        p->codes.items[i] = (uint64_t)code << 32 | (uint32_t)p->coordinate.items[i];
    }
}

// Sort the codes, bodies of one place as they were met; p->taken is scratch.
static void sort_codes(thudi_packs *p)
{
    uint64_t *codes = p->codes.items, *next = p->taken.items;
    for (int shift = 32; shift < 62; shift += RADIX_BITS)
    {
        int first[(1 << RADIX_BITS) + 1] = {0};
        for (int i = 0; i < p->bodies; i++)
            first[(codes[i] >> shift & ((1 << RADIX_BITS) - 1)) + 1]++;
        for (int d = 0; d < 1 << RADIX_BITS; d++)
            first[d + 1] += first[d];
        for (int i = 0; i < p->bodies; i++)
            next[first[codes[i] >> shift & ((1 << RADIX_BITS) - 1)]++] = codes[i];
        uint64_t *swap = codes;
        codes = next;
        next = swap;
    }
    memcpy(p->codes.items, codes, codes == p->codes.items ? 0 : (size_t)p->bodies * sizeof *codes);
}

static void order_bodies(const layout *l)
{
    thudi_packs *p = l->packs;
    encode_bodies(l);
    sort_codes(p);
    for (int i = 0; i < p->bodies; i++)
    {
        int at = (int)(uint32_t)p->codes.items[i];
        p->coordinate.items[i] = at;
        for (int k = 0; k < l->width; k++)
            p->owner.items[at + k] = i;
    }
}

static int block_of(const thudi_packs *p, int body)
{
    return (int)((int64_t)body * p->blocks / p->bodies);
}

static int smaller_end(const thudi_packs *p, int row)
{
    int a = p->ends.items[2 * (size_t)row], b = p->ends.items[2 * (size_t)row + 1];
    return a >= 0 && a < b ? a : b;
}

// The two bodies of every row (-1 before a single one), and the rows sorted by the smaller: a
// counting sort, with p->taken as its counters.
static void sort_rows(const layout *l)
{
    thudi_packs *p = l->packs;
    const int *blocks = l->problem->rows->blocks.items;
    uint64_t *first = p->taken.items;
    memset(first, 0, ((size_t)p->bodies + 1) * sizeof *first);
    for (int i = 0; i < p->rows; i++)
    {
        const thudi_row_head *row = head_of(l, i);
        int last = p->owner.items[blocks[row->block_first + (size_t)row->count - 1]];
        int a = row->count == 2 ? p->owner.items[blocks[row->block_first]] : -1;
        p->ends.items[2 * (size_t)i] = a;
        p->ends.items[2 * (size_t)i + 1] = last;
        first[smaller_end(p, i) + 1]++;
    }
    for (int i = 0; i < p->bodies; i++)
        first[i + 1] += first[i];
    for (int i = 0; i < p->rows; i++)
        p->slot.items[first[smaller_end(p, i)]++] = i; // the slots are not needed yet
}

// The groups: one per block, one per pair of blocks with rows between them.
typedef struct grouping
{
    int group[THUDI_PACK_BLOCKS][THUDI_PACK_BLOCKS]; // by pair of blocks, smaller first; -1: none
    int size[THUDI_PACK_BLOCKS][THUDI_PACK_BLOCKS];
} grouping;

static void blocks_of_row(const thudi_packs *p, int row, int *low, int *high)
{
    int a = p->ends.items[2 * (size_t)row], b = p->ends.items[2 * (size_t)row + 1];
    int y = block_of(p, b), x = a < 0 ? y : block_of(p, a);
    *low = x < y ? x : y;
    *high = x < y ? y : x;
}

// The largest pair of blocks that has no group yet; false when there is none.
static bool largest_pair(const thudi_packs *p, const grouping *g, int *low, int *high)
{
    int largest = 0;
    for (int x = 0; x < p->blocks; x++)
        for (int y = x + 1; y < p->blocks; y++)
            if (g->group[x][y] < 0 && g->size[x][y] > largest)
            {
                largest = g->size[x][y];
                *low = x;
                *high = y;
            }
    return largest > 0;
}

// Phase 0 has the inner groups; the others are filled one by one, each with the largest groups that
// share no block with those it has.
static void colour_groups(thudi_packs *p, grouping *g)
{
    memset(g->group, -1, sizeof g->group);
    for (int x = 0; x < p->blocks; x++)
        p->idle[g->group[x][x] = x] = p->bodies + x;
    p->groups = p->blocks;
    p->phases = 1;
    p->phase_first[0] = 0;
    p->phase_first[1] = p->blocks;
    int low = 0, high = 0;
    while (largest_pair(p, g, &low, &high))
    {
        grouping rest = *g;
        while (largest_pair(p, &rest, &low, &high))
        {
            p->idle[p->groups] = p->bodies + low;
            g->group[low][high] = p->groups++;
            for (int k = 0; k < p->blocks; k++)
                rest.size[low][k] = rest.size[k][low] = rest.size[high][k] = rest.size[k][high] = 0;
        }
        p->phase_first[++p->phases] = p->groups;
    }
}

// Sort the rows by group, along the curve in each.
static void group_rows(thudi_packs *p)
{
    grouping g = {0};
    int next[THUDI_PACK_GROUPS], low, high;
    p->blocks = p->bodies <= FEW_BODIES    ? 1
                : p->bodies <= SOME_BODIES ? THUDI_PACK_BLOCKS / 2
                                           : THUDI_PACK_BLOCKS;
    for (int i = 0; i < p->rows; i++)
    {
        blocks_of_row(p, i, &low, &high);
        g.size[low][high]++;
    }
    colour_groups(p, &g);
    for (int x = 0; x < p->blocks; x++)
        for (int y = x; y < p->blocks; y++)
            if (g.group[x][y] >= 0)
                p->row_first[g.group[x][y] + 1] = g.size[x][y];
    p->row_first[0] = 0;
    for (int k = 0; k < p->groups; k++)
        p->row_first[k + 1] += next[k] = p->row_first[k];
    for (int i = 0; i < p->rows; i++)
    {
        int row = p->slot.items[i];
        blocks_of_row(p, row, &low, &high);
        p->order.items[next[g.group[low][high]]++] = row;
    }
}

// The packs of a tile in the order in which they are dealt out.
static void deal(int packs, int place[TILE_PACKS])
{
    int step = (packs + STRIDE - 1) / STRIDE, next = 0;
    for (int i = 0; i < step; i++)
        for (int p = i; p < packs; p += step)
            place[p] = next++;
}

// One tile of a group, rows order[*at ..], packed first-fit; returns how many packs it fills.
static int pack_tile(thudi_packs *p, int end, int first_pack, int *at)
{
    int begin = *at, filled[TILE_PACKS] = {0}, packs = 0, place[TILE_PACKS];
    uint64_t full = 0, *taken = p->taken.items;
    for (; *at < end && *at < begin + TILE_ROWS; ++*at)
    {
        int row = p->order.items[*at];
        int a = p->ends.items[2 * (size_t)row], b = p->ends.items[2 * (size_t)row + 1];
        uint64_t held = (a < 0 ? 0 : taken[a]) | taken[b] | full;
        if (held == UINT64_MAX)
            break;
        int pack = __builtin_ctzll(~held);
        uint64_t bit = UINT64_C(1) << pack;
        if (a >= 0)
            taken[a] |= bit;
        taken[b] |= bit;
        p->slot.items[row] = pack * THUDI_PACK_WIDTH + filled[pack];
        if (++filled[pack] == THUDI_PACK_WIDTH)
            full |= bit;
        packs = pack >= packs ? pack + 1 : packs;
    }
    deal(packs, place);
    for (int i = begin; i < *at; i++)
    {
        int row = p->order.items[i], slot = p->slot.items[row];
        p->slot.items[row] = (first_pack + place[slot / THUDI_PACK_WIDTH]) * THUDI_PACK_WIDTH +
                             slot % THUDI_PACK_WIDTH;
        if (p->ends.items[2 * (size_t)row] >= 0)
            taken[p->ends.items[2 * (size_t)row]] = 0;
        taken[p->ends.items[2 * (size_t)row + 1]] = 0;
    }
    return packs;
}

// The packs of one group; slots are counted from its first pack.
static void pack_group(thudi_packs *p, int g)
{
    int packs = 0;
    for (int at = p->row_first[g]; at < p->row_first[g + 1];)
        packs += pack_tile(p, p->row_first[g + 1], packs, &at);
    p->pack_first[g + 1] = packs;
}

// Groups of a phase share no body, so threads may pack them side by side.
static void pack_groups(thudi_packs *p)
{
    memset(p->taken.items, 0, (size_t)p->bodies * sizeof *p->taken.items);
    for (int phase = 0; phase < p->phases; phase++)
    {
#pragma omp parallel for num_threads(thudi_threads()) schedule(dynamic) if (p->groups > 1)
        for (int g = p->phase_first[phase]; g < p->phase_first[phase + 1]; g++)
            pack_group(p, g);
    }
    p->pack_first[0] = 0;
    for (int g = 0; g < p->groups; g++)
    {
        p->pack_first[g + 1] += p->pack_first[g];
        for (int at = p->row_first[g]; at < p->row_first[g + 1]; at++)
            p->slot.items[p->order.items[at]] += p->pack_first[g] * THUDI_PACK_WIDTH;
    }
}

thud_status thudi_packs_lay_out(const thud_projection *problem, const int *which, int count,
                                const thud_allocator *allocator, thudi_packs *packs)
{
    layout l = {problem, which, packs, 0};
    packs->rows = count;
    l.width = head_of(&l, 0)->width;
    // as many bodies as the rows have ends, or the problem has room for
    size_t ends = 2 * (size_t)count, places = (size_t)(problem->dim / l.width);
    THUD_TRY(thudi_array_reserve(allocator, &packs->coordinate, ends < places ? ends : places));
    THUD_TRY(make_room_for_rows(&l, allocator));
    bool apart = find_bodies(&l);
    thud_status status = apart ? make_room_for_bodies(packs, allocator) : THUD_NEWS;
    if (status == THUD_OK)
    {
        order_bodies(&l);
        sort_rows(&l);
    }
    forget_bodies(&l);
    if (status != THUD_OK)
        return status;
    group_rows(packs);
    pack_groups(packs);
    return make_room_for_packs(packs, allocator);
}
