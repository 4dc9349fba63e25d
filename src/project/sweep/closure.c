// The closure of a part. Cost: a pass over the slots of all packs.
#include "project/sweep/closure.h"

#include "core/math/random_numbers.h"

#include <string.h>

static int brick_of_body(const thudi_packs *p, int body)
{
    int low = 0, high = p->bricks - 1; // the last brick that begins at the body or before it
    while (low < high)
    {
        int middle = high - (high - low) / 2;
        if (p->body_first[middle] <= body)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// The lowest brick of a group. A patch has rows, and they are sorted by their lower body.
static int brick_of_group(const thudi_packs *p, int g)
{
    if (g < p->bricks)
        return g;
    const thudi_placed_row *row = &p->placed[p->row_first[g]];
    return brick_of_body(p, row->a >= 0 && row->a < row->b ? row->a : row->b);
}

// Deal bricks to members, about as many rows to each. A brick is given to the member in whose share
// its middle row lies. rows: by brick, those of its groups.
static void deal_bricks(const thudi_packs *p, const int *rows, int size, int *brick_first)
{
    int64_t before = 0;
    int rank = 0;
    for (int brick = 0; brick < p->bricks; brick++)
    {
        int64_t middle = 2 * before + rows[brick];
        while (rank < size && middle * size >= 2 * (int64_t)rank * p->rows)
            brick_first[rank++] = brick;
        before += rows[brick];
    }
    while (rank <= size)
        brick_first[rank++] = p->bricks;
}

static thud_status deal_by_rows(const thudi_packs *p, int size, int *brick_first)
{
    int *rows, open = thud_rooms_count(p->rooms);
    THUD_TRY(thudi_room(p->rooms, &rows, (size_t)p->bricks, "closure: rows of bricks"));
    memset(rows, 0, (size_t)p->bricks * sizeof *rows);
    for (int g = 0; g < p->groups; g++)
        rows[brick_of_group(p, g)] += p->row_first[g + 1] - p->row_first[g];
    deal_bricks(p, rows, size, brick_first);
    thud_rooms_close(p->rooms, open);
    return THUD_OK;
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

static thud_status open_rooms(const thudi_packs *p, int size, thudi_closure *c)
{
    size_t members = (size_t)size, slots = THUDI_PACK_WIDTH * (size_t)p->pack_first[p->groups];
    THUD_TRY(thudi_room(p->rooms, &c->brick_first, members + 1, "closure: first bricks"));
    THUD_TRY(thudi_room(p->rooms, &c->body_first, members + 1, "closure: first bodies"));
    THUD_TRY(thudi_room(p->rooms, &c->is_own, (size_t)p->groups, "closure: own groups"));
    THUD_TRY(thudi_room(p->rooms, &c->is_needed, (size_t)p->bodies, "closure: needed bodies"));
    return thudi_room(p->rooms, &c->row_at, slots, "closure: rows of slots");
}

// The own bodies and groups, and all rows at their slots.
static void begin(const thudi_packs *p, int rank, thudi_closure *c)
{
    int slots = THUDI_PACK_WIDTH * p->pack_first[p->groups];
    for (int i = 0; i < p->bodies; i++)
        c->is_needed[i] = i >= c->body_first[rank] && i < c->body_first[rank + 1];
    for (int slot = 0; slot < slots; slot++)
        c->row_at[slot] = -1;
    for (int i = 0; i < p->rows; i++)
        c->row_at[p->placed[i].slot] = i;
    for (int g = 0; g < p->groups; g++)
    {
        int brick = brick_of_group(p, g);
        c->is_own[g] = brick >= c->brick_first[rank] && brick < c->brick_first[rank + 1];
    }
}

// Does the part take this row? Groups inside bricks are taken if they are its own, as they move the
// bodies of their bricks alone.
static bool takes(const thudi_packs *p, const thudi_closure *c, int g, const thudi_placed_row *row)
{
    if (c->is_own[g] || g < p->bricks)
        return c->is_own[g];
    return (row->a >= 0 && c->is_needed[row->a]) || c->is_needed[row->b];
}

// Take the rows of a group, from the last to the first, and leave out all others.
static void take_rows(const thudi_packs *p, int g, thudi_closure *c)
{
    int first = THUDI_PACK_WIDTH * p->pack_first[g], end = THUDI_PACK_WIDTH * p->pack_first[g + 1];
    for (int slot = end - 1; slot >= first; slot--)
    {
        if (c->row_at[slot] < 0)
            continue;
        const thudi_placed_row *row = &p->placed[c->row_at[slot]];
        if (!takes(p, c, g, row))
        {
            c->row_at[slot] = -1;
            continue;
        }
        c->rows++;
        c->own_rows += c->is_own[g];
        c->is_needed[row->b] = true;
        if (row->a >= 0)
            c->is_needed[row->a] = true;
    }
}

thud_status thudi_closure_find(const thudi_packs *whole, const thud_team *team, const int *cut,
                               thudi_closure *c)
{
    c->rows = c->own_rows = c->bodies = 0;
    THUD_TRY(open_rooms(whole, team->size, c));
    if (cut)
        memcpy(c->brick_first, cut, ((size_t)team->size + 1) * sizeof *cut);
    else if (team->cut_seed > 0)
        deal_at_random(whole->bricks, team, c->brick_first);
    else
        THUD_TRY(deal_by_rows(whole, team->size, c->brick_first));
    for (int r = 0; r <= team->size; r++)
        c->body_first[r] = whole->body_first[c->brick_first[r]];
    begin(whole, team->rank, c);
    for (int g = whole->groups - 1; g >= 0; g--)
        take_rows(whole, g, c);
    for (int i = 0; i < whole->bodies; i++)
        c->bodies += c->is_needed[i];
    return THUD_OK;
}
