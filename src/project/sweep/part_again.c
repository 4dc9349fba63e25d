// Rows join the layout of which each member sweeps a part.
//
// All members keep the whole layout. It gets the rows that join, in a group of their own, which is
// swept last. Then every member takes its part again: a late row may need bodies that no row
// before it did. The multipliers go from those who swept a row to all members. The velocities are
// computed anew from them, as they are where a problem is solved alone.
#include "project/sweep/part.h"

#include <string.h>

// The numbers of a row before and after its part was taken again.
typedef struct past
{
    thudi_row_past *own, *gathered;
    size_t *first; // by rank, and behind the last: bytes in `gathered`
    int *place;    // by row of the problem: where it is in `gathered`, -1 for nowhere
} past;

static thud_status open_past(const thud_projection *problem, const thudi_packs *p, past *h)
{
    const thudi_part *part = p->part;
    int members = part->team->size;
    size_t rows = part->gathered_first[members] / sizeof *part->gathered;
    THUD_TRY(thudi_room(p->rooms, &h->first, (size_t)members + 1, "part: first pasts"));
    THUD_TRY(thudi_room(p->rooms, &h->own, (size_t)part->own_rows, "part: own pasts"));
    THUD_TRY(thudi_room(p->rooms, &h->gathered, rows, "part: all pasts"));
    THUD_TRY(thudi_room(p->rooms, &h->place, (size_t)problem->rows->count, "part: places"));
    for (int r = 0; r <= members; r++)
        h->first[r] = part->gathered_first[r] / sizeof *part->gathered * sizeof *h->own;
    for (int i = 0; i < problem->rows->count; i++)
        h->place[i] = -1;
    return THUD_OK;
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

// Of all rows that were swept until now.
static void gather_past(const thudi_packs *p, past *h)
{
    thudi_row_past *own = h->own;
    thud_team *team = p->part->team;
    for (int g = 0; g < p->groups; g++)
        for (int i = p->row_first[g]; p->is_own[g] && i < p->row_first[g + 1]; i++)
            *own++ = past_of(p, &p->placed[i]);
    thudi_team_gather(team, h->own, h->gathered, h->first);
    size_t count = team->status == THUD_OK ? h->first[team->size] / sizeof *h->gathered : 0;
    for (size_t i = 0; i < count; i++)
        h->place[h->gathered[i].row] = (int)i;
}

// Rows that were not swept before keep 0.
static void restore_past(thudi_packs *p, const past *h)
{
    for (int i = 0; i < p->rows; i++)
    {
        static const thudi_row_past none = {{0, 0}, 0, 0};
        const thudi_placed_row *row = &p->placed[i];
        int place = h->place[row->row], slot = row->slot;
        const thudi_row_past *from = place >= 0 ? &h->gathered[place] : &none;
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
}

// Lanes without a row have nothing to go back to.
static void save_nothing(thudi_packs *p)
{
    size_t slots = THUDI_PACK_WIDTH * (size_t)p->pack_first[p->groups];
    if (p->is_small)
        memset(p->small_saved, 0, slots * sizeof *p->small_saved);
    else
        memset(p->saved, 0, slots * sizeof *p->saved);
}

thud_status thudi_part_take_again(const thud_projection *problem, thud_status joined,
                                  thudi_packs *p)
{
    past h = {0};
    thudi_part *part = p->part;
    if (joined == THUD_OK)
        joined = open_past(problem, p, &h);
    thud_status agreed = thudi_part_agree(part, joined, NULL, 0);
    if (agreed < 0 || joined != THUD_OK)
        return agreed;
    gather_past(p, &h);
    THUD_TRY(thudi_part_take(part->team, part->cut, p));
    THUD_TRY(thudi_packs_fill_again(problem, p));
    save_nothing(p);
    restore_past(p, &h);
    thudi_packs_recompute(problem, p);
    return THUD_OK;
}

// Velocities of all bodies, in the order of the whole layout.
typedef struct everyone
{
    double *own, *all;
    size_t *first; // by rank, and behind the last: bytes in `all`
} everyone;

static thud_status open_everyone(const thudi_packs *p, everyone *e)
{
    const thudi_part *part = p->part;
    size_t width = (size_t)p->width, members = (size_t)part->team->size;
    THUD_TRY(thudi_room(p->rooms, &e->first, members + 1, "part: first velocities"));
    THUD_TRY(thudi_room(p->rooms, &e->own, width * (size_t)part->own_bodies, "part: own u"));
    THUD_TRY(thudi_room(p->rooms, &e->all, width * (size_t)part->whole.bodies, "part: all u"));
    for (size_t r = 0; r <= members; r++)
        e->first[r] = (size_t)part->body_first[r] * width * sizeof *e->all;
    return THUD_OK;
}

static void gather_velocity(const thudi_packs *p, bool is_rough, const everyone *e,
                            double *velocity)
{
    const thudi_part *part = p->part;
    int width = p->width;
    for (int i = 0; i < part->own_bodies; i++)
        for (int k = 0; k < width; k++)
        {
            size_t at = 4 * (size_t)i + (size_t)k;
            double u = is_rough ? (double)p->small_velocity[at] : p->velocity[at];
            e->own[(size_t)i * (size_t)width + (size_t)k] = u / p->per_velocity;
        }
    thudi_team_gather(part->team, e->own, e->all, e->first);
    for (int i = 0; i < part->whole.bodies && part->team->status == THUD_OK; i++)
        memcpy(velocity + part->whole.coordinate[i], e->all + (size_t)i * (size_t)width,
               (size_t)width * sizeof *velocity);
}

thud_status thudi_part_velocity(const thudi_packs *p, bool is_rough, double *velocity)
{
    everyone e;
    int open = thud_rooms_count(p->rooms);
    THUD_TRY(thudi_part_agree(p->part, open_everyone(p, &e), NULL, 0));
    gather_velocity(p, is_rough, &e, velocity);
    thud_rooms_close(p->rooms, open);
    return p->part->team->status;
}
