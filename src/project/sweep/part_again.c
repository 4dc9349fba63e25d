// Rows join a problem of which each member sweeps a part.
//
// They make one group, behind all others. Every member takes its part again: a late row may need
// bodies that no row before it did. The multipliers go from those who swept a row to all members.
// The velocities are computed anew from them, as they are where a problem is solved alone.
#include "project/sweep/part.h"

#include <string.h>

// What is kept of the own rows while the part is taken again.
typedef struct past
{
    thudi_row_past *own;
    const int *rows_of; // of the part before
    int *place;         // by row of the problem: its place in the new part, -1 for none
    thudi_packs *packs; // the new ones
} past;

static void mark_bodies(const thudi_part *part, int mark)
{
    const thudi_packing *packing = &part->packing;
    const thud_rows *rows = packing->problem->rows;
    for (int i = 0; i < packing->count; i++)
    {
        const thudi_row_head *head = &rows->heads.items[packing->which ? packing->which[i] : i];
        for (int j = 0; j < thudi_row_count(head); j++)
            packing->marks[thudi_row_start(rows, head, j)] = mark;
    }
}

int thudi_part_begin_joining(const thudi_part *part)
{
    mark_bodies(part, 0);
    return part->packing.late_rows - part->late.count;
}

static thudi_row_past past_of(const thudi_packs *p, const thudi_placed_row *row)
{
    size_t slot = (size_t)row->slot;
    int pack = row->slot / THUDI_PACK_WIDTH, k = row->slot % THUDI_PACK_WIDTH;
    thudi_row_past made = {.row = row->row};
    if (p->is_small)
    {
        made.x[0] = (double)p->small[pack].x[0][k];
        made.x[1] = (double)p->small[pack].x[1][k];
        made.saved = (double)p->small_saved[slot];
    }
    else
    {
        made.x[0] = p->packs[pack].x[0][k];
        made.x[1] = p->packs[pack].x[1][k];
        made.saved = p->saved[slot];
    }
    return made;
}

static void keep_past(const thudi_packs *p, thudi_row_past *own)
{
    for (int g = 0; g < p->groups; g++)
        for (int i = p->row_first[g]; p->is_own[g] && i < p->row_first[g + 1]; i++)
            *own++ = past_of(p, &p->placed[i]);
}

// Rows that were not swept before keep 0.
static void restore_row(void *user, const void *record)
{
    const past *h = user;
    const thudi_row_past *from = record;
    thudi_packs *p = h->packs;
    if (h->place[from->row] < 0)
        return;
    int slot = p->placed[h->place[from->row]].slot;
    int pack = slot / THUDI_PACK_WIDTH, k = slot % THUDI_PACK_WIDTH;
    for (int parity = 0; parity < 2; parity++)
        if (p->is_small)
            p->small[pack].x[parity][k] = (float)from->x[parity];
        else
            p->packs[pack].x[parity][k] = from->x[parity];
    if (p->is_small)
        p->small_saved[slot] = (float)from->saved;
    else
        p->saved[slot] = from->saved;
}

// Multipliers of all slots: 0, those of lanes without a row too.
static void begin_at_nothing(thudi_packs *p)
{
    int packs = p->pack_first[p->groups];
    size_t slots = THUDI_PACK_WIDTH * (size_t)packs;
    for (int i = 0; i < packs; i++)
        if (p->is_small)
            memset(p->small[i].x, 0, sizeof p->small[i].x);
        else
            memset(p->packs[i].x, 0, sizeof p->packs[i].x);
    if (p->is_small)
        memset(p->small_saved, 0, slots * sizeof *p->small_saved);
    else
        memset(p->saved, 0, slots * sizeof *p->saved);
}

// From all members to the rows of the new part.
static thud_status restore_past(const thud_projection *problem, past *h, thudi_packs *p)
{
    size_t rows = (size_t)problem->rows->count;
    int open = thud_rooms_count(p->rooms);
    thud_status status = thudi_room(p->rooms, &h->place, rows, "part: places of rows");
    THUD_TRY(thudi_part_agree(p->part, status, NULL, 0));
    for (size_t i = 0; i < rows; i++)
        h->place[i] = -1;
    for (int i = 0; i < p->rows; i++)
        h->place[p->placed[i].row] = i;
    h->packs = p;
    thudi_part_gather(p->part, h->rows_of, sizeof *h->own, h->own, restore_row, h);
    thud_rooms_close(p->rooms, open);
    return p->part->team->status;
}

// Take the part again, with the multipliers that there are.
static thud_status take_again(const thud_projection *problem, thudi_packs *p)
{
    const thudi_part *before = p->part;
    past h = {.rows_of = before->rows_of};
    bool is_cut;
    thud_status status =
        thudi_room(p->rooms, &h.own, (size_t)before->own_rows, "part: own multipliers before");
    THUD_TRY(thudi_part_agree(before, status, NULL, 0));
    keep_past(p, h.own);
    THUD_TRY(thudi_part_take(&before->packing, &is_cut, p));
    THUD_TRY(thudi_packs_fill_again(problem, p));
    begin_at_nothing(p);
    THUD_TRY(restore_past(problem, &h, p));
    thudi_packs_recompute(problem, p);
    return THUD_OK;
}

thud_status thudi_part_join(const thud_projection *problem, thudi_packs *p, int count)
{
    thudi_late_rows *late = &p->part->late;
    mark_bodies(p->part, -1);
    if (count == 0)
        return THUD_OK;
    for (int k = 0; k < count; k++)
    {
        late->row[late->count + k] = problem->rows->count - count + k;
        late->join[late->count + k] = late->count + count;
    }
    late->count += count;
    return take_again(problem, p);
}

// The velocity of a body.
typedef struct body_velocity
{
    double u[3];
    int64_t coordinate; // of the problem
} body_velocity;

typedef struct everyone
{
    double *velocity; // by coordinate of the problem
    int width;
} everyone;

static void write_velocity(void *user, const void *record)
{
    const everyone *e = user;
    const body_velocity *from = record;
    memcpy(e->velocity + from->coordinate, from->u, (size_t)e->width * sizeof *from->u);
}

static void gather_velocity(const thudi_packs *p, bool is_rough, body_velocity *own, everyone *e)
{
    const thudi_part *part = p->part;
    for (int i = 0; i < part->own_bodies; i++)
    {
        own[i] = (body_velocity){.coordinate = p->coordinate[i]};
        for (int k = 0; k < p->width; k++)
        {
            size_t at = 4 * (size_t)i + (size_t)k;
            double u = is_rough ? (double)p->small_velocity[at] : p->velocity[at];
            own[i].u[k] = u / p->per_velocity;
        }
    }
    thudi_part_gather(part, part->bodies_of, sizeof *own, own, write_velocity, e);
}

thud_status thudi_part_velocity(const thudi_packs *p, bool is_rough, double *velocity)
{
    const thudi_part *part = p->part;
    body_velocity *own;
    int open = thud_rooms_count(p->rooms);
    thud_status status =
        thudi_room(p->rooms, &own, (size_t)part->own_bodies, "part: own velocities");
    THUD_TRY(thudi_part_agree(part, status, NULL, 0));
    gather_velocity(p, is_rough, own, &(everyone){velocity, p->width});
    thud_rooms_close(p->rooms, open);
    return part->team->status;
}
