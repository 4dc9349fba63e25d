// The overview of the whole problem, and how its bricks are dealt to members.
#include "project/sweep/overview.h"

#include "core/math/random_numbers.h"
#include "core/threads.h"

#include <string.h>

// The bodies of all rows. THUD_NEWS when rows are not for packs.
static thud_status find_bodies(thudi_overview *o)
{
    thudi_packs *p = &o->packs;
    size_t ends = 2 * (size_t)p->rows, most = (size_t)(o->layout.problem->dim / o->layout.width);
    THUD_TRY(thudi_room(p->rooms, &p->coordinate, ends < most ? ends : most, "overview: bodies"));
    THUD_TRY(thudi_room(p->rooms, &p->ends, ends, "overview: ends"));
    return thudi_layout_find_bodies(&o->layout) ? THUD_OK : THUD_NEWS;
}

// Sort the bodies by brick, and number the ends of the rows in this order.
static thud_status order_bodies(thudi_overview *o)
{
    thudi_packs *p = &o->packs;
    int *rank;
    size_t bodies = (size_t)p->bodies;
    THUD_TRY(thudi_room(p->rooms, &o->places, bodies, "overview: places"));
    THUD_TRY(thudi_room(p->rooms, &o->layout.brick_of, bodies, "overview: bricks of bodies"));
    int open = thud_rooms_count(p->rooms);
    THUD_TRY(thudi_room(p->rooms, &rank, bodies, "overview: ranks"));
    THUD_TRY(thudi_layout_order_by_bricks(&o->layout, rank, o->places));
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)
    for (int i = 0; i < 2 * p->rows; i++)
        p->ends[i] = p->ends[i] >= 0 ? rank[p->ends[i]] : -1;
    thud_rooms_close(p->rooms, open);
    THUD_TRY(thudi_room(p->rooms, &p->body_first, (size_t)p->bricks + 1, "overview: bricks"));
    thudi_layout_find_bricks(p);
    return THUD_OK;
}

static bool is_between(const thudi_overview *o, const int ends[2])
{
    return ends[0] >= 0 && o->layout.brick_of[ends[0]] != o->layout.brick_of[ends[1]];
}

// Count the rows inside each brick, and list the others by class and patch.
static thud_status sort_rows(thudi_overview *o)
{
    thudi_packs *p = &o->packs;
    int count = 0, placed = 0;
    thudi_crossing *list;
    THUD_TRY(thudi_room(p->rooms, &o->brick_rows, (size_t)p->bricks, "overview: rows of bricks"));
    memset(o->brick_rows, 0, (size_t)p->bricks * sizeof *o->brick_rows);
    for (int i = 0; i < p->rows; i++)
    {
        const int *ends = p->ends + 2 * (size_t)i;
        bool is_inside = !is_between(o, ends);
        count += !is_inside;
        o->brick_rows[o->layout.brick_of[ends[1]]] += is_inside;
    }
    o->crossing_count = count;
    THUD_TRY(thudi_room(p->rooms, &list, (size_t)count, "overview: rows between bricks"));
    THUD_TRY(thudi_room(p->rooms, &o->scratch, (size_t)count, "overview: scratch of their sort"));
    for (int i = 0; i < p->rows; i++)
    {
        const int *ends = p->ends + 2 * (size_t)i;
        if (!is_between(o, ends))
            continue;
        thudi_crossing *made = &list[placed++];
        made->row = i;
        made->class = thudi_brick_class(&o->layout.grid, &o->places[ends[0]], &o->places[ends[1]],
                                        &made->patch);
    }
    o->crossings = thudi_layout_sort_crossings(list, o->scratch, count);
    o->scratch = o->crossings == list ? o->scratch : list;
    return THUD_OK;
}

static int brick_of_row(const thudi_overview *o, const int ends[2])
{
    return o->layout.brick_of[thudi_overview_lower(ends)];
}

// Does a group begin with this row between bricks?
static bool is_first(const thudi_crossing *crossings, int i)
{
    return i == 0 || crossings[i].class != crossings[i - 1].class ||
           crossings[i].patch != crossings[i - 1].patch;
}

static thud_status find_groups(thudi_overview *o)
{
    int count = 0, group = -1;
    const thudi_crossing *c = o->crossings;
    for (int i = 0; i < o->crossing_count; i++)
        count += is_first(c, i);
    THUD_TRY(thudi_room(o->packs.rooms, &o->groups, (size_t)count + 1, "overview: groups"));
    for (int i = 0; i < o->crossing_count; i++)
    {
        int brick = brick_of_row(o, o->packs.ends + 2 * (size_t)c[i].row);
        if (is_first(c, i))
            o->groups[++group] = (thudi_between){i, i, c[i].class, brick};
        o->groups[group].end = i + 1;
        o->groups[group].brick = brick < o->groups[group].brick ? brick : o->groups[group].brick;
    }
    o->group_count = count;
    return THUD_OK;
}

// The bodies of late rows: these are in the layout, and the marks tell where.
static void read_late_ends(thudi_overview *o)
{
    const thudi_packs *p = &o->packs;
    const thud_rows *rows = o->layout.problem->rows;
    for (int i = 0; i < p->bodies; i++)
        p->owner[p->coordinate[i]] = i;
    for (int i = 0; i < o->late->count; i++)
    {
        const thudi_row_head *head = &rows->heads.items[o->late->row[i]];
        int two = thudi_row_count(head) == 2;
        o->late_ends[i][0] = two ? p->owner[thudi_row_start(rows, head, 0)] : -1;
        o->late_ends[i][1] = p->owner[thudi_row_start(rows, head, two)];
    }
    for (int i = 0; i < p->bodies; i++)
        p->owner[p->coordinate[i]] = -1;
}

static thud_status add_late_rows(thudi_overview *o)
{
    int count = o->late->count;
    if (count == 0)
        return THUD_OK;
    THUD_TRY(thudi_room(o->packs.rooms, &o->late_ends, (size_t)count, "overview: late rows"));
    read_late_ends(o);
    o->groups[o->group_count++] =
        (thudi_between){0, count, THUDI_LATE, brick_of_row(o, o->late_ends[0])};
    return THUD_OK;
}

// Deal bricks to members, about as many rows to each. A brick is given to the member in whose share
// its middle row lies. rows: by brick, those of its groups.
static void deal_bricks(const thudi_packs *p, const int *rows, int64_t all, int size,
                        int *brick_first)
{
    int64_t before = 0;
    int rank = 0;
    for (int brick = 0; brick < p->bricks; brick++)
    {
        int64_t middle = 2 * before + rows[brick];
        while (rank < size && middle * size >= 2 * (int64_t)rank * all)
            brick_first[rank++] = brick;
        before += rows[brick];
    }
    while (rank <= size)
        brick_first[rank++] = p->bricks;
}

// For tests. All members draw the same numbers, since all have made as many reductions.
static void deal_at_random(int bricks, const thud_team *team, int *brick_first)
{
    uint64_t number = (uint64_t)team->counts.reductions;
    thudi_random random = thudi_random_start(thudi_random_derive(team->cut_seed, number));
    brick_first[0] = 0;
    for (int r = 1; r < team->size; r++)
    {
        int at = (int)thudi_random_below(&random, (uint64_t)bricks + 1), k = r;
        for (; k > 1 && brick_first[k - 1] > at; k--)
            brick_first[k] = brick_first[k - 1];
        brick_first[k] = at;
    }
    brick_first[team->size] = bricks;
}

// A member owns its bricks, and the groups whose lowest brick is its own.
static thud_status deal(thudi_overview *o, const thud_team *team, const int *cut)
{
    const thudi_packs *p = &o->packs;
    size_t size = (size_t)team->size;
    int *rows;
    THUD_TRY(thudi_room(p->rooms, &o->brick_first, size + 1, "overview: first bricks"));
    THUD_TRY(thudi_room(p->rooms, &o->rows_of, size, "overview: rows of members"));
    THUD_TRY(thudi_room(p->rooms, &rows, (size_t)p->bricks, "overview: all rows of bricks"));
    memcpy(rows, o->brick_rows, (size_t)p->bricks * sizeof *rows);
    for (int g = 0; g < o->group_count; g++)
        rows[o->groups[g].brick] += o->groups[g].end - o->groups[g].first;
    if (cut)
        memcpy(o->brick_first, cut, (size + 1) * sizeof *cut);
    else if (team->cut_seed > 0)
        deal_at_random(p->bricks, team, o->brick_first);
    else
        deal_bricks(p, rows, (int64_t)p->rows + o->late->count, team->size, o->brick_first);
    for (size_t r = 0; r < size; r++)
    {
        o->rows_of[r] = 0;
        for (int brick = o->brick_first[r]; brick < o->brick_first[r + 1]; brick++)
            o->rows_of[r] += rows[brick];
    }
    return THUD_OK;
}

thud_status thudi_overview_open(const thudi_packing *packing, const thudi_late_rows *late,
                                thud_rooms *rooms, thudi_overview *o, bool *is_cut)
{
    const thud_projection *problem = packing->problem;
    const int *which = packing->which;
    *o =
        (thudi_overview){.layout = {problem, which, &o->packs, .brick_limit = packing->brick_limit},
                         .packs = {.rooms = rooms, .owner = packing->marks, .rows = packing->count},
                         .late = late};
    o->layout.width = thudi_row_width(&problem->rows->heads.items[which ? which[0] : 0]);
    *is_cut = problem->bricks && problem->origin;
    if (!*is_cut || o->layout.width < 2)
        return THUD_OK;
    o->packs.width = o->layout.width;
    thud_status found = find_bodies(o);
    if (found != THUD_OK)
        return found;
    *is_cut = o->packs.bodies > packing->brick_limit;
    if (!*is_cut)
        return THUD_OK;
    THUD_TRY(order_bodies(o));
    *is_cut = o->packs.bricks > 1;
    if (!*is_cut)
        return THUD_OK;
    THUD_TRY(sort_rows(o));
    THUD_TRY(find_groups(o));
    THUD_TRY(add_late_rows(o));
    return deal(o, packing->team, packing->cut);
}
