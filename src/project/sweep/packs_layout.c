// The layout of pair rows in packs: number the bodies along a space-filling curve, sort the rows
// into groups, and fill packs first-fit.
//
// All of it depends on the problem alone. Cost: a few passes over rows and bodies, about as much as
// twenty sweeps over small packs.
#include "project/sweep/packs_layout.h"

#include "core/threads.h"
#include "rows/rows.h"

#include <string.h>

enum
{
    TILE_ROWS = 448, // rows that are packed together
    TILE_PACKS = 64, // packs they may fill: one bit each
    STRIDE = 4       // packs of a tile are dealt out so far apart: neighbours share bodies
};

// What stays while the packs are in use. bodies: as many as there may be.
static thud_status open_rooms(const thudi_packing *packing, size_t bodies, thudi_packs *p)
{
    thud_rooms *rooms = packing->rooms;
    size_t rows = (size_t)p->row_room;
    THUD_TRY(thudi_room(rooms, &p->placed, rows, "packs: placed rows"));
    THUD_TRY(thudi_room(rooms, &p->scale, rows, "packs: scales"));
    return thudi_room(rooms, &p->coordinate, bodies, "packs: coordinates");
}

static int smaller_end(const int ends[2])
{
    return ends[0] >= 0 && ends[0] < ends[1] ? ends[0] : ends[1];
}

// A counting sort.
thud_status thudi_layout_sort_rows(const thudi_layout *l, const int *rank, thudi_placed_row *sorted)
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

// One group for all rows, in the order of the smaller body.
static thud_status keep_together(const thudi_layout *l)
{
    thudi_packs *p = l->packs;
    int *rank; // by body as met
    THUD_TRY(thudi_room(p->rooms, &rank, (size_t)p->bodies, "layout: ranks"));
    THUD_TRY(thudi_layout_order_bodies(l, rank));
    THUD_TRY(thudi_layout_sort_rows(l, rank, p->placed));
    for (int i = 0; i < p->rows; i++)
        p->placed[i].slot = 0; // its group
    p->phases = p->bricks = 1;
    p->phase_first[0] = 0;
    p->phase_first[1] = 1;
    return THUD_OK;
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

// One tile of a group, the placed rows from *at on, in packs from `first_pack` on; returns how many
// packs it fills.
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

void thudi_layout_pack_group(thudi_packs *p, int g)
{
    p->pack_first[g + 1] = thudi_layout_pack_rows(p, p->row_first[g], p->row_first[g + 1], 0);
}

int thudi_layout_pack_rows(thudi_packs *p, int from, int end, int first_pack)
{
    int packs = 0;
    while (from < end)
        packs += pack_tile(p, end, first_pack + packs, &from);
    return packs;
}

// Groups of a phase share no body, so threads may pack them side by side.
static void pack_groups(thudi_packs *p)
{
    memset(p->taken, 0, (size_t)p->bodies * sizeof *p->taken);
    for (int phase = 0; phase < p->phases; phase++)
    {
#pragma omp parallel for num_threads(thudi_threads()) schedule(dynamic) if (p->groups > 1)
        for (int g = p->phase_first[phase]; g < p->phase_first[phase + 1]; g++)
            thudi_layout_pack_group(p, g);
    }
    thudi_layout_number_packs(p);
}

void thudi_layout_number_packs(thudi_packs *p)
{
    p->pack_first[0] = 0;
    for (int g = 0; g < p->groups; g++)
        p->pack_first[g + 1] += p->pack_first[g];
#pragma omp parallel for num_threads(thudi_threads()) schedule(dynamic) if (p->groups > 1)
    for (int g = 1; g < p->groups; g++)
        for (int at = p->row_first[g]; at < p->row_first[g + 1]; at++)
            p->placed[at].slot += p->pack_first[g] * THUDI_PACK_WIDTH;
}

thud_status thudi_packs_open_groups(thudi_packs *p)
{
    size_t groups = (size_t)p->groups + 1;
    THUD_TRY(thudi_room(p->rooms, &p->row_first, groups + 1, "packs: first rows of groups"));
    THUD_TRY(thudi_room(p->rooms, &p->pack_first, groups + 1, "packs: first packs of groups"));
    THUD_TRY(thudi_room(p->rooms, &p->idle, groups, "packs: idle bodies"));
    THUD_TRY(thudi_room(p->rooms, &p->sums, groups, "packs: sums of groups"));
    memset(p->row_first, 0, (groups + 1) * sizeof *p->row_first);
    for (int i = 0; i < p->rows; i++)
        p->row_first[p->placed[i].slot + 1]++;
    for (int g = 0; g < p->groups; g++)
        p->row_first[g + 1] += p->row_first[g];
    p->idle_count = 0;
    for (int phase = 0; phase < p->phases; phase++)
        for (int g = p->phase_first[phase]; g < p->phase_first[phase + 1]; g++)
        {
            int number = g - p->phase_first[phase];
            p->idle[g] = p->bodies + number;
            p->idle_count = number >= p->idle_count ? number + 1 : p->idle_count;
        }
    return THUD_OK;
}

void thudi_layout_find_bricks(thudi_packs *p)
{
    int brick = 0;
    p->body_first[0] = 0;
    for (int i = 1; i < p->bodies; i++)
        if (p->coordinate[i] < 0)
        {
            p->coordinate[i] = THUDI_FIRST_OF_BRICK(p->coordinate[i]);
            p->body_first[++brick] = i;
        }
    p->body_first[p->bricks] = p->bodies;
}

static thud_status open_bricks(thudi_packs *p)
{
    THUD_TRY(thudi_room(p->rooms, &p->body_first, (size_t)p->bricks + 1, "packs: first bodies"));
    THUD_TRY(thudi_room(p->rooms, &p->energy, (size_t)p->bricks, "packs: energies of bricks"));
    thudi_layout_find_bricks(p);
    return THUD_OK;
}

thud_status thudi_packs_open_bodies(thudi_packs *p)
{
    size_t bodies = (size_t)p->bodies + (size_t)p->idle_count;
    THUD_TRY(thudi_room(p->rooms, &p->half_mass, bodies, "packs: masses"));
    THUD_TRY(thudi_room(p->rooms, &p->velocity, 8 * bodies, "packs: velocities"));
    p->before = p->velocity + 4 * bodies;
    p->small_velocity = (float *)p->before;
    p->small_before = p->small_velocity + 4 * bodies;
    return THUD_OK;
}

// Sort the rows into groups. The rooms that it opens are of no use afterwards.
static thud_status group_rows(thudi_layout *l)
{
    thudi_packs *p = l->packs;
    THUD_TRY(thudi_room(p->rooms, &p->ends, 2 * (size_t)p->rows, "layout: ends"));
    if (!thudi_layout_find_bodies(l))
        return THUD_NEWS;
    bool is_cut = l->problem->bricks && l->problem->origin && p->bodies > l->brick_limit;
    return is_cut ? thudi_layout_group_by_bricks(l) : keep_together(l);
}

// Give every row its slot in the packs.
static thud_status pack_rows(thudi_packs *p)
{
    int open = thud_rooms_count(p->rooms);
    THUD_TRY(thudi_room(p->rooms, &p->taken, (size_t)p->bodies, "layout: taken"));
    pack_groups(p);
    thud_rooms_close(p->rooms, open);
    return THUD_OK;
}

thud_status thudi_packs_lay_out(const thudi_packing *packing, thudi_packs *packs)
{
    const thud_projection *problem = packing->problem;
    const int *which = packing->which;
    thudi_layout l = {problem, which, packs, .brick_limit = packing->brick_limit};
    packs->rooms = packing->rooms;
    packs->owner = packing->marks;
    packs->rows = packing->count;
    packs->row_room = packing->count + packing->late_rows;
    packs->has_late = false;
    packs->part = NULL;
    packs->is_own = NULL;
    l.width = thudi_row_width(&problem->rows->heads.items[which ? which[0] : 0]);
    if (l.width < 2)
        return THUD_NEWS;
    // as many bodies as the rows have ends, or the problem has room for
    size_t ends = 2 * (size_t)packing->count, places = (size_t)(problem->dim / l.width);
    THUD_TRY(open_rooms(packing, ends < places ? ends : places, packs));
    int open = thud_rooms_count(packing->rooms);
    thud_status status = group_rows(&l);
    thud_rooms_close(packing->rooms, open);
    if (status != THUD_OK)
        return status;
    packs->groups = packs->phase_first[packs->phases];
    THUD_TRY(thudi_packs_open_groups(packs));
    THUD_TRY(open_bricks(packs));
    THUD_TRY(thudi_packs_open_bodies(packs));
    return pack_rows(packs);
}
