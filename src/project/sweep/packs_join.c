// Rows that join packs while these are swept: see thudi_packs_join.
//
// They get packs of their own, in a group of their own, which is swept last. A row that joins with
// multipliers 0 changes neither the velocities nor the objective, so the sweeps go on as if it had
// been there before.
#include "project/sweep/packs_layout.h"
#include "project/sweep/part.h"

#include "rows/rows.h"

#include <string.h>

// The body of block j of a row; -1 if it is not in the packs.
static int body_of(const thudi_packs *p, const thud_rows *rows, int row, int j)
{
    return p->owner[thudi_row_start(rows, &rows->heads.items[row], j)];
}

static bool accepts(void *user, const thud_rows *rows, int row)
{
    thudi_joining *joining = user;
    const thudi_packs *p = joining->packs;
    bool fits = joining->accepted < joining->room && thudi_layout_can_hold(rows, row, p->width);
    for (int j = 0; fits && j < thudi_row_count(&rows->heads.items[row]); j++)
        fits = body_of(p, rows, row, j) >= 0;
    fits = fits && thudi_packs_can_fill(joining->problem, p, rows, row, &joining->shortest,
                                        &joining->longest);
    joining->accepted += fits;
    return fits;
}

void thudi_packs_begin_joining(const thud_projection *problem, thudi_packs *p,
                               thudi_joining *joining)
{
    int room = p->row_room - p->rows;
    if (p->part)
        room = thudi_part_begin_joining(p->part);
    for (int i = 0; i < p->bodies && !p->part; i++)
        p->owner[p->coordinate[i]] = i;
    *joining = (thudi_joining){.problem = problem,
                               .packs = p,
                               .room = room,
                               .shortest = p->shortest,
                               .longest = p->longest,
                               .fits = {accepts, joining}};
}

// The marks are -1 again.
static void forget_bodies(thudi_packs *p)
{
    for (int i = 0; i < p->bodies; i++)
        p->owner[p->coordinate[i]] = -1;
}

// The group of late rows, which is the last one.
static int open_group(thudi_packs *p)
{
    if (p->has_late)
        return p->groups - 1;
    int group = p->groups++;
    p->has_late = true;
    p->phase_first[++p->phases] = p->groups;
    p->idle[group] = p->bodies; // no other group of the phase uses it
    p->row_first[p->groups] = p->row_first[group];
    p->pack_first[p->groups] = p->pack_first[group];
    return group;
}

static void place_rows(const thud_rows *rows, thudi_packs *p, int count)
{
    for (int k = 0; k < count; k++)
    {
        int row = rows->count - count + k, two = thudi_row_count(&rows->heads.items[row]) == 2;
        int a = two ? body_of(p, rows, row, 0) : -1;
        p->placed[p->rows + k] = (thudi_placed_row){row, a, body_of(p, rows, row, two), 0};
    }
}

// Put the placed rows from `from` on into packs, behind all others.
static thud_status pack_rows(thudi_packs *p, int from, int group)
{
    int open = thud_rooms_count(p->rooms), before = p->pack_first[p->groups];
    THUD_TRY(thudi_room(p->rooms, &p->taken, (size_t)p->bodies, "layout: taken"));
    memset(p->taken, 0, (size_t)p->bodies * sizeof *p->taken);
    int packs = thudi_layout_pack_rows(p, from, p->rows, before);
    thud_rooms_close(p->rooms, open);
    p->row_first[group + 1] = p->rows;
    p->pack_first[group + 1] = before + packs;
    return THUD_OK;
}

// The saved multipliers of the packs from `first_pack` on are 0.
static void save_nothing(thudi_packs *p, int first_pack)
{
    int end = THUDI_PACK_WIDTH * p->pack_first[p->groups];
    for (int slot = THUDI_PACK_WIDTH * first_pack; slot < end; slot++)
        if (p->is_small)
            p->small_saved[slot] = 0;
        else
            p->saved[slot] = 0;
}

thud_status thudi_packs_join(const thud_projection *problem, thudi_packs *packs,
                             const thudi_joining *joining, int count)
{
    packs->shortest = joining->shortest;
    packs->longest = joining->longest;
    if (packs->part)
        return thudi_part_join(problem, packs, count);
    int from = packs->rows, first_pack = packs->pack_first[packs->groups];
    place_rows(problem->rows, packs, count);
    forget_bodies(packs);
    if (count == 0)
        return THUD_OK;
    packs->rows += count;
    THUD_TRY(pack_rows(packs, from, open_group(packs)));
    save_nothing(packs, first_pack);
    THUD_TRY(thudi_packs_fill_late(problem, packs, from));
    thudi_packs_recompute(problem, packs);
    return THUD_OK;
}
