// The layout of pair rows in packs: cut the bodies, numbered along a space-filling curve, into
// blocks, sort the rows into groups, colour the groups, and fill packs first-fit.
//
// All of it depends on the problem alone. Cost: a few passes over rows and bodies, about as much as
// five sweeps.
#include "project/sweep/packs_layout.h"

#include "core/threads.h"
#include "rows/rows.h"

#include <string.h>

enum
{
    TILE_ROWS = 448,       // rows that are packed together
    TILE_PACKS = 64,       // packs they may fill: one bit each
    STRIDE = 4,            // packs of a tile are dealt out so far apart: neighbours share bodies
    FEW_BODIES = 4096,     // up to so many: one block
    SOME_BODIES = 1 << 16, // up to so many: half the blocks
    REST = 256             // a part of so many of the rows is not worth further phases
};

// What stays while the packs are in use. bodies: as many as there may be.
static thud_status open_rooms(const thudi_packing *packing, size_t bodies, thudi_packs *p)
{
    thud_rooms *rooms = packing->rooms;
    size_t rows = (size_t)packing->count;
    THUD_TRY(thudi_room(rooms, &p->placed, rows, "packs: placed rows"));
    THUD_TRY(thudi_room(rooms, &p->scale, rows, "packs: scales"));
    THUD_TRY(thudi_room(rooms, &p->coordinate, bodies, "packs: coordinates"));
    bodies += THUDI_PACK_BLOCKS;
    THUD_TRY(thudi_room(rooms, &p->half_mass, bodies, "packs: masses"));
    return thudi_room(rooms, &p->velocity, 8 * bodies, "packs: velocities");
}

// Two velocities by body: the second ones lie behind the first.
static void divide_velocities(thudi_packs *p)
{
    size_t bodies = (size_t)p->bodies + THUDI_PACK_BLOCKS;
    p->before = p->velocity + 4 * bodies;
    p->small_velocity = (float *)p->before;
    p->small_before = p->small_velocity + 4 * bodies;
}

static int smaller_end(const int ends[2])
{
    return ends[0] >= 0 && ends[0] < ends[1] ? ends[0] : ends[1];
}

// The bodies of every row by their rank, and the rows sorted by the smaller: a counting sort.
static thud_status sort_rows(const thudi_layout *l, const int *rank, thudi_placed_row *sorted)
{
    const thudi_packs *p = l->packs;
    int *first, open = thud_rooms_count(p->rooms);
    THUD_TRY(thudi_room(p->rooms, &first, (size_t)p->bodies + 1, "layout: first rows"));
    memset(first, 0, ((size_t)p->bodies + 1) * sizeof *first);
    for (int i = 0; i < p->rows; i++)
    {
        int *ends = p->ends + 2 * (size_t)i;
        ends[0] = ends[0] >= 0 ? rank[ends[0]] : -1;
        ends[1] = rank[ends[1]];
        first[smaller_end(ends) + 1]++;
    }
    for (int i = 0; i < p->bodies; i++)
        first[i + 1] += first[i];
    for (int i = 0; i < p->rows; i++)
    {
        const int *ends = p->ends + 2 * (size_t)i;
        sorted[first[smaller_end(ends)]++] =
            (thudi_placed_row){.row = l->which ? l->which[i] : i, .a = ends[0], .b = ends[1]};
    }
    thud_rooms_close(p->rooms, open);
    return THUD_OK;
}

// The groups: one per block, one per pair of blocks with rows between them.
typedef struct grouping
{
    int group[THUDI_PACK_BLOCKS][THUDI_PACK_BLOCKS]; // by pair of blocks, smaller first; -1: none
    int size[THUDI_PACK_BLOCKS][THUDI_PACK_BLOCKS];
} grouping;

// block_of: by body.
static void blocks_of_row(const thudi_placed_row *row, const uint8_t *block_of, int *low, int *high)
{
    int y = block_of[row->b], x = row->a < 0 ? y : block_of[row->a];
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

// How many rows are between blocks that have no group yet.
static int rows_left(const thudi_packs *p, const grouping *g)
{
    int left = 0;
    for (int x = 0; x < p->blocks; x++)
        for (int y = x + 1; y < p->blocks; y++)
            left += g->group[x][y] < 0 ? g->size[x][y] : 0;
    return left;
}

// All of these as one group, in a phase of its own.
static void gather_rest(thudi_packs *p, grouping *g)
{
    for (int x = 0; x < p->blocks; x++)
        for (int y = x + 1; y < p->blocks; y++)
            if (g->group[x][y] < 0 && g->size[x][y] > 0)
                g->group[x][y] = p->groups;
    p->idle[p->groups++] = p->bodies;
    p->phase_first[++p->phases] = p->groups;
}

// Phase 0 has the inner groups; the others are filled one by one, each with the largest groups that
// share no block with those it has, until few rows are left.
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
    while (rows_left(p, g) > p->rows / REST)
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
    if (rows_left(p, g) > 0)
        gather_rest(p, g);
}

// One group for all rows.
static void keep_together(thudi_packs *p)
{
    p->idle[0] = p->bodies;
    p->groups = p->phases = 1;
    p->phase_first[0] = p->row_first[0] = 0;
    p->phase_first[1] = 1;
    p->row_first[1] = p->rows;
}

static void count_rows(const thudi_packs *p, const thudi_placed_row *sorted,
                       const uint8_t *block_of, grouping *g)
{
    int low, high;
    for (int i = 0; i < p->rows; i++)
    {
        blocks_of_row(&sorted[i], block_of, &low, &high);
        g->size[low][high]++;
    }
}

// Sort the rows by group, along the curve in each.
static thud_status group_rows(thudi_packs *p, const thudi_placed_row *sorted)
{
    grouping g = {0};
    int next[THUDI_PACK_GROUPS], low, high;
    uint8_t *block_of; // by body
    THUD_TRY(thudi_room(p->rooms, &block_of, (size_t)p->bodies, "layout: blocks of bodies"));
    for (int i = 0; i < p->bodies; i++)
        block_of[i] = (uint8_t)((int64_t)i * p->blocks / p->bodies);
    count_rows(p, sorted, block_of, &g);
    colour_groups(p, &g);
    memset(p->row_first, 0, sizeof p->row_first);
    for (int x = 0; x < p->blocks; x++)
        for (int y = x; y < p->blocks; y++)
            if (g.group[x][y] >= 0)
                p->row_first[g.group[x][y] + 1] += g.size[x][y];
    for (int k = 0; k < p->groups; k++)
        p->row_first[k + 1] += next[k] = p->row_first[k];
    for (int i = 0; i < p->rows; i++)
    {
        blocks_of_row(&sorted[i], block_of, &low, &high);
        p->placed[next[g.group[low][high]]++] = sorted[i];
    }
    return THUD_OK;
}

// The rows by group, along the curve in each.
static thud_status order_rows(const thudi_layout *l, const int *rank)
{
    thudi_packs *p = l->packs;
    p->blocks = p->bodies <= FEW_BODIES    ? 1
                : p->bodies <= SOME_BODIES ? THUDI_PACK_BLOCKS / 2
                                           : THUDI_PACK_BLOCKS;
    if (p->blocks == 1)
    {
        keep_together(p);
        return sort_rows(l, rank, p->placed);
    }
    thudi_placed_row *sorted;
    THUD_TRY(thudi_room(p->rooms, &sorted, (size_t)p->rows, "layout: sorted rows"));
    THUD_TRY(sort_rows(l, rank, sorted));
    return group_rows(p, sorted);
}

// The packs of a tile in the order in which they are dealt out.
static void deal(int packs, int place[TILE_PACKS])
{
    int step = (packs + STRIDE - 1) / STRIDE, next = 0;
    for (int i = 0; i < step; i++)
        for (int p = i; p < packs; p += step)
            place[p] = next++;
}

// The first body of a row, or the second where there is no first.
static size_t first_end(const thudi_placed_row *row)
{
    return (size_t)(row->a >= 0 ? row->a : row->b);
}

// Put rows into the packs of a tile, first-fit, until one finds no place; returns how many did.
// Their slots are counted from the tile's first pack; taken: by body, 0 before.
static int fit_rows(thudi_placed_row *rows, int count, uint64_t *taken, int *packs)
{
    int filled[TILE_PACKS] = {0}, i = 0;
    uint64_t full = 0, used = 0;
    for (; i < count; i++)
    {
        size_t a = first_end(&rows[i]), b = (size_t)rows[i].b;
        uint64_t at_a = taken[a], at_b = taken[b], held = at_a | at_b | full;
        if (held == UINT64_MAX)
            break;
        int pack = __builtin_ctzll(~held), lane = filled[pack]++;
        uint64_t bit = UINT64_C(1) << pack;
        taken[a] = at_a | bit;
        taken[b] = at_b | bit;
        used |= bit;
        full |= lane == THUDI_PACK_WIDTH - 1 ? bit : 0;
        rows[i].slot = pack * THUDI_PACK_WIDTH + lane;
    }
    *packs = TILE_PACKS - __builtin_clzll(used);
    return i;
}

// One tile of a group, the placed rows from *at on; returns how many packs it fills.
static int pack_tile(thudi_packs *p, int end, int first_pack, int *at)
{
    thudi_placed_row *rows = p->placed + *at;
    int place[TILE_PACKS], packs = 0;
    int most = end - *at < TILE_ROWS ? end - *at : TILE_ROWS;
    uint64_t *taken = p->taken;
    int count = fit_rows(rows, most, taken, &packs);
    deal(packs, place);
    for (int i = 0; i < count; i++)
    {
        taken[first_end(&rows[i])] = taken[rows[i].b] = 0;
        int pack = rows[i].slot / THUDI_PACK_WIDTH, lane = rows[i].slot % THUDI_PACK_WIDTH;
        rows[i].slot = (first_pack + place[pack]) * THUDI_PACK_WIDTH + lane;
    }
    *at += count;
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
    memset(p->taken, 0, (size_t)p->bodies * sizeof *p->taken);
    for (int phase = 0; phase < p->phases; phase++)
    {
#pragma omp parallel for num_threads(thudi_threads()) schedule(dynamic) if (p->groups > 1)
        for (int g = p->phase_first[phase]; g < p->phase_first[phase + 1]; g++)
            pack_group(p, g);
    }
    p->pack_first[0] = 0;
    for (int g = 0; g < p->groups; g++)
        p->pack_first[g + 1] += p->pack_first[g];
#pragma omp parallel for num_threads(thudi_threads()) schedule(dynamic) if (p->groups > 1)
    for (int g = 1; g < p->groups; g++)
        for (int at = p->row_first[g]; at < p->row_first[g + 1]; at++)
            p->placed[at].slot += p->pack_first[g] * THUDI_PACK_WIDTH;
}

// Give every row its slot. The rooms that it opens are of no use afterwards.
static thud_status place_rows(const thudi_layout *l)
{
    thudi_packs *p = l->packs;
    int *rank; // by body as met
    THUD_TRY(thudi_room(p->rooms, &p->ends, 2 * (size_t)p->rows, "layout: ends"));
    if (!thudi_layout_find_bodies(l))
        return THUD_NEWS;
    divide_velocities(p);
    THUD_TRY(thudi_room(p->rooms, &rank, (size_t)p->bodies, "layout: ranks"));
    THUD_TRY(thudi_layout_order_bodies(l, rank));
    THUD_TRY(order_rows(l, rank));
    THUD_TRY(thudi_room(p->rooms, &p->taken, (size_t)p->bodies, "layout: taken"));
    pack_groups(p);
    return THUD_OK;
}

thud_status thudi_packs_lay_out(const thudi_packing *packing, thudi_packs *packs)
{
    const thud_projection *problem = packing->problem;
    const int *which = packing->which;
    thudi_layout l = {problem, which, packs, 0};
    packs->rooms = packing->rooms;
    packs->owner = packing->marks;
    packs->rows = packing->count;
    l.width = problem->rows->heads.items[which ? which[0] : 0].width;
    if (l.width < 2)
        return THUD_NEWS;
    // as many bodies as the rows have ends, or the problem has room for
    size_t ends = 2 * (size_t)packing->count, places = (size_t)(problem->dim / l.width);
    THUD_TRY(open_rooms(packing, ends < places ? ends : places, packs));
    int open = thud_rooms_count(packing->rooms);
    thud_status status = place_rows(&l);
    thud_rooms_close(packing->rooms, open);
    return status;
}
